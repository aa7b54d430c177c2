"""What older releases stored of a match, brought into the order of today.

Formats 1 and 2 were JSON objects of named members; format 3 is an object of its number and of the members in order. All
of them wrote cards as letters, A-Z for 0-25 and a-z for 26-51, seeds in hexadecimal, and rules as an object. Format 1
named the members of a deal, too.
"""

from __future__ import annotations

import string
from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

from .engine.state import OWN, Deal

_CARDS: Final = {letter: card for card, letter in enumerate(string.ascii_uppercase + string.ascii_lowercase)}
_FIRST_IN_ORDER: Final = 3


def in_order(state: bytes, names: Sequence[str], usual: Mapping[str, Any]) -> tuple[object, Sequence[Any]]:
    """Read a state that is not in today's format.

    Args:
        state: what is stored.
        names: how formats 1 and 2 named the members after `rules`, `last_seed` and `match`, in order.
        usual: those that they may not have, with the value that they then have.

    Returns:
        The format that it says it has, and all members in order: rules, last seed, match and the named ones. There are
        none if no older release wrote it.
    """
    number, data = _numbered(state)
    try:
        rules, last_seed, match, *plain = _members(number, data, names, usual)
        return number, (tuple(rules.items()), bytes.fromhex(last_seed), match and _match(match), *plain)
    except (AttributeError, LookupError, TypeError, ValueError):
        return number, ()


def _numbered(state: bytes) -> tuple[object, Mapping[str, Any]]:
    """Read a state and the number of its format; later ones are arrays that begin with it."""
    try:
        data = (msgspec.json if state.startswith(b"{") else msgspec.msgpack).decode(state)
    except (msgspec.DecodeError, RecursionError):
        return None, {}
    if isinstance(data, dict):
        return data.get("format"), data
    return data[0] if isinstance(data, list) and data else None, {}


def _members(number: object, data: Mapping[str, Any], names: Sequence[str], usual: Mapping[str, Any]) -> Sequence[Any]:
    if type(number) is not int or not 1 <= number <= _FIRST_IN_ORDER:
        return ()
    if number == _FIRST_IN_ORDER:
        members: Sequence[Any] = data["record"]
        return members
    told = {**usual, **data}
    return [told[name] for name in ("rules", "last_seed", "match", *names)]


def _match(data: Mapping[str, Any]) -> Sequence[Any]:
    deal = data["deal"]
    if isinstance(deal, dict):
        deal = [deal[name] for name in Deal._fields[OWN]]
    number, dealer, hands, stock, discards, *plain = deal
    piles = map(_cards, (stock, discards))
    return [number, dealer, [_cards(hand) for hand in hands], *piles, *plain], data["results"], data["winners"]


def _cards(letters: str) -> list[int]:
    return [_CARDS[letter] for letter in letters]
