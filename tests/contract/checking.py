"""A client that holds every answer against `openapi.yaml`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any
from urllib.parse import urlsplit

import jsonschema_rs
import yaml

from tests.client import NO_BODY, ROOT, Client, Reply


@cache
def contract() -> dict[str, Any]:
    """Read the committed contract."""
    read: dict[str, Any] = yaml.load((ROOT / "openapi.yaml").read_text("utf-8"), yaml.CSafeLoader)
    return read


@cache
def operations() -> dict[str, dict[str, Any]]:
    """Give the operations of the contract by their names."""
    return {each["operationId"]: each for path in contract()["paths"].values() for each in path.values()}


class CheckedClient(Client):
    """Checks status, media type, header fields and JSON of every answer.

    Attributes:
        seen: the operations and statuses that were answered.
    """

    def __init__(self, port: int) -> None:
        super().__init__(port)
        self.seen: set[tuple[str, int]] = set()

    def call(
        self,
        method: str,
        path: str,
        body: object = NO_BODY,
        *,
        token: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Reply:
        """Send a request, and demand an answer that the contract foresees."""
        reply = super().call(method, path, body, token=token, headers=headers)
        operation = operation_of(method, urlsplit(path).path)
        self.seen.add((operation["operationId"], reply.status))
        check(operation, reply)
        if body is not NO_BODY and not isinstance(body, bytes):
            check_request(operation, body, reply)
        return reply


def operation_of(method: str, path: str) -> dict[str, Any]:
    """Find the operation of a request."""
    for template, operations in contract()["paths"].items():
        pattern = re.sub(r"{\w+}", "[^/]+", re.escape(template).replace(r"\{", "{").replace(r"\}", "}"))
        if method.lower() in operations and re.fullmatch(pattern, path):
            found: dict[str, Any] = operations[method.lower()]
            return found
    raise AssertionError(f"the contract has no {method} {path}")


def check(operation: Mapping[str, Any], reply: Reply) -> None:
    """Hold an answer against its operation."""
    name, status = operation["operationId"], str(reply.status)
    assert status in operation["responses"], (name, reply)
    described = operation["responses"][status]
    for header, about in described.get("headers", {}).items():
        value = reply.headers[header]
        assert value is not None or not about.get("required"), (name, status, header)
        if value is not None:
            typed = int(value) if about["schema"]["type"] == "integer" else value
            jsonschema_rs.validate(about["schema"], typed)
    if "content" not in described:
        assert reply.body == b""
        return
    [(media_type, content)] = described["content"].items()
    assert reply.headers.get_content_type() == media_type.partition(";")[0], (name, reply)
    if media_type.endswith("json"):
        schema = content["schema"]
        references = [each["$ref"] for each in schema.get("anyOf", ())] or [schema.get("$ref")]
        errors = {reference: list(_validator(reference).iter_errors(reply.json)) for reference in references}
        assert not all(errors.values()), (name, status, errors)


def check_request(operation: Mapping[str, Any], body: object, reply: Reply) -> None:
    """Demand that the service has judged the shape of a body as its schema does."""
    schema = operation["requestBody"]["content"]["application/json"]["schema"]
    fits = _validator(schema["$ref"]).is_valid(body)
    if reply.status < 300 or reply.status == 409 or reply.code in ("join_code_wrong", "join_code_unknown"):
        assert fits, (operation["operationId"], body, reply)
    elif reply.code in ("invalid_body", "invalid_rules"):
        assert not fits, (operation["operationId"], body, reply)


@cache
def _validator(reference: str | None) -> jsonschema_rs.Draft202012Validator:
    schema = {"$ref": reference, "components": contract()["components"]} if reference else {"type": "object"}
    return jsonschema_rs.Draft202012Validator(schema, validate_formats=True)
