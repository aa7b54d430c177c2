"""The contract, served: as YAML, as JSON, and as a page to read."""

from __future__ import annotations

from typing import Any, Final

import orjson
from flask import Response, current_app, render_template

from ..engine.rules import OPTIONS
from .contract import Answer, Call, Operations
from .incoming import JSON
from .openapi import as_yaml
from .problems import KINDS

operations: Final[Operations] = Operations("service")

YAML = "application/yaml"
HTML = "text/html"
_CACHED = {"Cache-Control": "public, max-age=300"}


def _contract() -> dict[str, Any]:
    contract: dict[str, Any] = current_app.extensions["contract"]()
    return contract


@operations.operation("GET", "/openapi.yaml", {200: Answer("The contract.", media_type=YAML)})
def get_contract_yaml(call: Call) -> Response:
    """Get the contract as YAML.

    The OpenAPI document of this service: generate a client from it.
    """
    return Response(as_yaml(_contract()), headers=_CACHED, mimetype=YAML)


@operations.operation("GET", "/openapi.json", {200: Answer("The contract.", media_type=JSON)})
def get_contract_json(call: Call) -> Response:
    """Get the contract as JSON.

    The same document as `/openapi.yaml`.
    """
    return Response(orjson.dumps(_contract()), headers=_CACHED, mimetype=JSON)


@operations.operation("GET", "/docs", {200: Answer("The page.", media_type=HTML)})
def get_docs(call: Call) -> Response:
    """Read the contract.

    A page for people, with every operation, house rule and problem code.
    """
    page = render_template("docs.html", contract=_contract(), kinds=KINDS, options=OPTIONS.values())
    return Response(page, headers=_CACHED, mimetype=HTML)
