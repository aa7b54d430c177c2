"""The contract, served: as YAML, as JSON, and as a page to read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeVar

import orjson
from flask import Response, current_app

from .contract import Answer, Call, Operations
from .incoming import JSON
from .openapi import as_yaml
from .page import render

operations: Final[Operations] = Operations("service")

YAML = "application/yaml"
HTML = "text/html"
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
    page = _once("page", render)
    headers = {"Content-Security-Policy": page.policy, "X-Content-Type-Options": "nosniff", **_CACHED}
    return Response(page.html, headers=headers, mimetype=HTML)
