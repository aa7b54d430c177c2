"""The contract, served: as YAML, as JSON, and as a page to read; and what belongs to the fairness of the cards."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib.resources import files
from typing import Any, Final, TypeVar

import orjson
from flask import Response, current_app

from .contract import Answer, Call, Operations
from .incoming import JSON
from .openapi import as_yaml
from .page import Page, render, render_text

operations: Final[Operations] = Operations("service")

YAML = "application/yaml"
HTML = "text/html"
JAVASCRIPT = "text/javascript"
_CACHED = {"Cache-Control": "public, max-age=300"}
_T = TypeVar("_T")


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
    return Response(_once("yaml", as_yaml), headers=_CACHED, mimetype=YAML)


@operations.operation("GET", "/openapi.json", {200: Answer("The contract.", media_type=JSON)})
def get_contract_json(call: Call) -> Response:
    """Get the contract as JSON.

    The same document as `/openapi.yaml`.
    """
    return Response(_once("json", orjson.dumps), headers=_CACHED, mimetype=JSON)


@operations.operation("GET", "/docs", {200: Answer("The page.", media_type=HTML)})
def get_docs(call: Call) -> Response:
    """Read the contract.

    A page for people, with every operation, house rule and problem code, and the rules of the game.
    """
    return _shown(_once("page", render))


@operations.operation("GET", "/docs/fairness", {200: Answer("The page.", media_type=HTML)})
def get_fairness(call: Call) -> Response:
    """Read how fair cards are made and checked.

    A page for people: every byte from the seeds to the cards, what a proof shows and what it does not.
    """
    return _shown(_fairness_page())


@operations.operation("GET", "/docs/fairness/vectors.json", {200: Answer("The vectors.", media_type=JSON)})
def get_fairness_vectors(call: Call) -> Response:
    """Get test vectors for the shuffle.

    For whoever checks deals in a language of their own: each step of the derivation, and whole proofs.
    """
    return Response(_fairness_file("vectors.json"), headers=_CACHED, mimetype=JSON)


@operations.operation("GET", "/docs/fairness/verify.mjs", {200: Answer("The module.", media_type=JAVASCRIPT)})
def get_fairness_verifier(call: Call) -> Response:
    """Get the verifier of shuffles in JavaScript.

    A module without dependencies, for browsers and Node: `verify(proof)` checks all of a proof but its moves.
    """
    headers = {"X-Content-Type-Options": "nosniff", **_CACHED}
    return Response(_fairness_file("verify.mjs"), headers=headers, mimetype=JAVASCRIPT)


def _shown(page: Page) -> Response:
    headers = {"Content-Security-Policy": page.policy, "X-Content-Type-Options": "nosniff", **_CACHED}
    return Response(page.html, headers=headers, mimetype=HTML)


@cache
def _fairness_file(name: str) -> bytes:
    return files(__package__).joinpath("fairness", name).read_bytes()


@cache
def _fairness_page() -> Page:
    return render_text(_fairness_file("page.md").decode())
