"""Where proofs come from: files, also exported matches, the standard input, and a running service."""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

from .asking import NoAnswer, ask
from .shape import ABANDONED, require_view
from .verdict import Fault

DEEPEST: Final = 32
"""How deep JSON may be nested; a proof goes half a dozen deep, and what works through it must not run out of stack."""

_MATCH: Final = re.compile(r"(.*/v1/matches/([^/]+))(?:/deals/([1-9][0-9]?))?/?")


class Unreadable(Exception):
    """There is no proof where one was to be read; the text tells the reader why, in one line."""


class Source(NamedTuple):
    """What was read from one place.

    Attributes:
        place: the place, as it was named.
        documents: the proofs.
        view: the match as a service shows it, no more of it than is checked; None for a file of proofs alone.
    """

    place: str
    documents: list[Any]
    view: Mapping[str, Any] | None


def read(place: str) -> Source:
    """Read proofs.

    Args:
        place: a file, of proofs or of an exported match; `-` for the standard input; or the address of a match, or of
            one of its deals, at a service.

    Raises:
        Unreadable: there is no proof, or it is not JSON.
    """
    if place.lower().startswith(("http://", "https://")):
        return _from_service(place)
    try:
        data = sys.stdin.buffer.read() if place == "-" else Path(place).read_bytes()
    except (OSError, ValueError) as error:
        raise Unreadable(f"{place} cannot be read: {getattr(error, 'strerror', None) or error}.") from error
    content = parse(data, place)
    if isinstance(content, dict) and "deals" in content:
        return _from_export(content, place)
    documents = content if isinstance(content, list) else [content]
    if not documents or not all(isinstance(document, dict) for document in documents):
        raise Unreadable(f"{place} holds no proof: it must be a JSON object, or a list of them.")
    return Source(place, documents, None)


def parse(data: bytes, place: str) -> Any:
    """Read JSON that means the same to every reader: in UTF-8, and no name twice in an object.

    Raises:
        Unreadable: it is not, or it is nested deeper than `DEEPEST`.
    """
    try:
        content = json.loads(data.decode(), object_pairs_hook=_object, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"{place} is not JSON: {error}.") from error
    level = [content]
    for _ in range(DEEPEST):
        level = [inner for value in level for inner in _inside(value)]
    if level:
        raise Unreadable(f"{place} holds no proof: it is nested too deep.")
    return content


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        [(twice, _)] = Counter(name for name, _ in pairs).most_common(1)
        raise ValueError(f"the member {twice!r} stands twice in one object")
    return members


def _no_number(name: str) -> None:
    raise ValueError(f"{name} is no number")


def _inside(value: Any) -> list[Any]:
    """Give what stands directly in a list or an object."""
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []


def _from_service(url: str) -> Source:
    try:
        found = _MATCH.fullmatch(urlsplit(url)._replace(query="", fragment="").geturl())
    except ValueError as error:
        raise Unreadable(f"{url} is not an address: {error}.") from error
    if found is None:
        raise Unreadable(f"{url} is not the address of a match: give one such as http://127.0.0.1:8000/v1/matches/ID.")
    match_url, match_id, number = found.groups()
    if number is not None:
        return Source(url, [_deal(match_url, match_id, int(number))], None)
    view = _view(_fetch(match_url), url)
    if view["id"] != match_id:
        raise Unreadable(f"{url} shows another match.")
    return Source(url, [_deal(match_url, match_id, number) for number in _over(view, url)], view)


def _from_export(content: dict[str, Any], place: str) -> Source:
    view = _view(content.get("match"), place)
    deals = content["deals"] if isinstance(content["deals"], list) else []
    told = [(deal.get("match_id"), deal.get("number")) if isinstance(deal, dict) else None for deal in deals]
    over = _over(view, place)
    if told != [(view["id"], number) for number in over]:
        numbers = ", ".join(map(str, over))
        raise Unreadable(f"{place} must hold the proofs of these deals of its match, in this order: {numbers}.")
    return Source(place, deals, view)


def _view(document: Any, place: str) -> dict[str, Any]:
    try:
        return require_view(document)
    except Fault as fault:
        raise Unreadable(f"What {place} shows is not a match: {fault.pointer}: {fault.detail}") from fault


def _over(view: Mapping[str, Any], place: str) -> list[int]:
    """Give the numbers of the deals of a match that are over."""
    numbers = sorted({result["number"] for result in view["results"]})
    if view["status"] == ABANDONED and view["deal"]:
        numbers.append(view["deal"]["number"])
    if not numbers:
        raise Unreadable(f"No deal of {place} is over yet: its seeds are still secret.")
    return numbers


def _deal(match_url: str, match_id: str, number: int) -> dict[str, Any]:
    url = f"{match_url}/deals/{number}"
    document = _fetch(url)
    if (document.get("match_id"), document.get("number")) != (match_id, number):
        raise Unreadable(f"{url} shows another deal.")
    return document


def _fetch(url: str) -> dict[str, Any]:
    """Get a JSON object from a service."""
    try:
        answer = ask(url)
    except NoAnswer as error:
        raise Unreadable(str(error)) from error
    if answer.location is not None:
        raise Unreadable(f"{url} points to {answer.location}. Give that address yourself, if you trust it.")
    if answer.status != 200:
        raise Unreadable(f"{url} answers {answer.status}: {_detail(answer.body) or answer.reason}")
    content = parse(answer.body, url)
    if not isinstance(content, dict):
        raise Unreadable(f"{url} shows no proof and no match.")
    return content


def _detail(body: bytes) -> str | None:
    """Give the reason in a problem document; None if it is not one."""
    try:
        return str(parse(body, "the answer")["detail"])
    except (Unreadable, LookupError, TypeError):
        return None
