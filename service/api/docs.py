"""The contract, served: as YAML, as JSON, and as a page to read; and what belongs to the fairness of the cards."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from functools import cache
from importlib.resources import files
from typing import Any, Final, NamedTuple, TypeVar

import orjson
from flask import Response, current_app, request

from .contract import Answer, Call, Operations
from .incoming import JSON
from .openapi import as_yaml
from .page import Page, render, render_text

operations: Final[Operations] = Operations("service")

YAML = "application/yaml"
HTML = "text/html"
JAVASCRIPT = "text/javascript"
_CACHED = {"Cache-Control": "public, max-age=300", "Vary": "Accept-Encoding"}
_NO_SNIFFING = {"X-Content-Type-Options": "nosniff"}
_T = TypeVar("_T")


class Packed(NamedTuple):
    """A document that does not change, as it is and compressed, which is done once and saves most of its length."""

    plain: bytes
    gzipped: bytes


def _packed(plain: bytes) -> Packed:
    return Packed(plain, gzip.compress(plain, mtime=0))


def _served(document: Packed, media_type: str, **headers: str) -> Response:
    """Serve a document, compressed to who takes that."""
    if request.accept_encodings["gzip"] > 0:
        return Response(document.gzipped, headers=_CACHED | headers | {"Content-Encoding": "gzip"}, mimetype=media_type)
    return Response(document.plain, headers=_CACHED | headers, mimetype=media_type)


def _once(form: str, make: Callable[[Any], _T]) -> _T:
    """Make a form of the contract when it is first asked for, and keep it with the application."""
    made: dict[str, Any] = current_app.extensions.setdefault("contract_forms", {})
    if form not in made:
        made[form] = make(current_app.extensions["contract"]())
    kept: _T = made[form]
    return kept


@operations.operation("GET", "/openapi.yaml", {200: Answer("The contract.", media_type=YAML)})
def get_contract_yaml(call: Call) -> Response:
    """Get the contract as YAML.

    The OpenAPI document of this service: generate a client from it.
    """
    return _served(_once("yaml", lambda contract: _packed(as_yaml(contract).encode())), YAML)


@operations.operation("GET", "/openapi.json", {200: Answer("The contract.", media_type=JSON)})
def get_contract_json(call: Call) -> Response:
    """Get the contract as JSON.

    The same document as `/openapi.yaml`.
    """
    return _served(_once("json", lambda contract: _packed(orjson.dumps(contract))), JSON)


@operations.operation("GET", "/docs", {200: Answer("The page.", media_type=HTML)})
def get_docs(call: Call) -> Response:
    """Read the contract.

    A page for people, with every operation, house rule and problem code, and the rules of the game.
    """
    return _shown(*_once("page", lambda contract: _readable(render(contract))))


@operations.operation("GET", "/docs/fairness", {200: Answer("The page.", media_type=HTML)})
def get_fairness(call: Call) -> Response:
    """Read how fair cards are made and checked.

    A page for people: every byte from the seeds to the cards, what a proof shows and what it does not.
    """
    return _shown(*_fairness_page())


@operations.operation("GET", "/docs/fairness/vectors.json", {200: Answer("The vectors.", media_type=JSON)})
def get_fairness_vectors(call: Call) -> Response:
    """Get test vectors for the shuffle.

    For whoever checks deals in a language of their own: each step of the derivation, and whole proofs.
    """
    return _served(_fairness_file("vectors.json"), JSON)


@operations.operation("GET", "/docs/fairness/verify.mjs", {200: Answer("The module.", media_type=JAVASCRIPT)})
def get_fairness_verifier(call: Call) -> Response:
    """Get the verifier of shuffles in JavaScript.

    A module without dependencies, for browsers and Node: `verify(proof)` checks all of a proof but its moves.
    """
    return _served(_fairness_file("verify.mjs"), JAVASCRIPT, **_NO_SNIFFING)


def _shown(page: Packed, policy: str) -> Response:
    return _served(page, HTML, **_NO_SNIFFING, **{"Content-Security-Policy": policy})


def _readable(page: Page) -> tuple[Packed, str]:
    return _packed(page.html.encode()), page.policy


@cache
def _fairness_file(name: str) -> Packed:
    return _packed(_read(name))


@cache
def _fairness_page() -> tuple[Packed, str]:
    return _readable(render_text(_read("page.md").decode()))


def _read(name: str) -> bytes:
    return files(__package__).joinpath("fairness", name).read_bytes()
