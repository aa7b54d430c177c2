"""`openapi.yaml`, made from the operations that the views declare.

`python -m service.api.openapi` prints it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from importlib.resources import files
from itertools import groupby
from typing import Any, Final, TypeAlias

import orjson
import yaml
from apispec import APISpec
from apispec.ext.marshmallow import MarshmallowPlugin
from marshmallow import Schema, fields

from .. import __version__
from ..errors import Code
from . import answers
from .contract import Answer, Operation
from .incoming import JSON
from .problems import KINDS, PROBLEM_JSON
from .requests import MOVES, MoveRequest, RulesField, RulesRequest

Json: TypeAlias = dict[str, Any]

_EXAMPLES: Final = files(__package__).joinpath("examples.json")
_INTRODUCTION: Final = files(__package__).joinpath("introduction.md")
_TAGS: Final[Mapping[str, str]] = {
    "matches": "Creating, finding, starting and looking at matches.",
    "players": "Joining and leaving.",
    "play": "What may be done, doing it, and what happened.",
    "rules": "Presets and house rules.",
    "service": "For those who run the service, and the contract itself.",
}
_PATH_PARAMETERS: Final[Mapping[str, Json]] = {
    "match_id": {"description": "The identity of the match.", "schema": {"type": "string"}},
    "seat": {"description": "The seat, from 0.", "schema": {"type": "integer", "minimum": 0, "maximum": 9}},
    "number": {
        "description": "The number of the deal, from 1.",
        "schema": {"type": "integer", "minimum": 1, "maximum": 20},
    },
    "preset": {"description": "The name of the preset.", "schema": {"type": "string"}},
}
_SECURITY: Final[Mapping[str | None, list[Json]]] = {
    None: [],
    "anyone": [{}, {"token": []}],
    "member": [{"token": []}],
    "player": [{"token": []}],
    "host": [{"token": []}],
}
_ERROR_HEADERS: Final[Mapping[int, Mapping[str, str]]] = {
    401: {"WWW-Authenticate": "The challenge; with `error` when a token was sent."},
    503: {"Retry-After": "After how many seconds to try again."},
}


def document(operations: Iterable[Operation]) -> Json:
    """Make the OpenAPI document of operations."""
    plugin = MarshmallowPlugin(schema_name_resolver=_name)
    spec = APISpec(
        title="Pis Yedili",
        version=__version__,
        openapi_version="3.1.0",
        plugins=[plugin],
        info={
            "summary": "The Turkish Crazy Eights as a service.",
            "description": _INTRODUCTION.read_text("utf-8"),
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        servers=[{"url": "/", "description": "Where this document was found."}],
        tags=[{"name": name, "description": text} for name, text in _TAGS.items()],
    )
    assert plugin.converter is not None
    plugin.converter.add_attribute_function(_rules_reference)  # type: ignore[no-untyped-call]  # apispec
    examples = orjson.loads(_EXAMPLES.read_bytes())
    spec.components.security_scheme(
        "token", {"type": "http", "scheme": "bearer", "description": "The token from creating or joining."}
    )
    spec.components.security_scheme(
        "app_key",
        {"type": "apiKey", "in": "header", "name": "X-API-Key", "description": "Asked for where keys are set."},
    )
    spec.components.schema("RulesRequest", schema=RulesRequest)
    spec.components.schema("Problem", schema=answers.Problem)
    for schema in MOVES.values():
        spec.components.schema(schema.__name__, schema=schema)
    spec.components.schema("MoveRequest", _move_schema())
    for operation in operations:
        described = _operation(operation, examples.get(operation.name, {}))
        spec.path(operation.path, operations={operation.method.lower(): described})
    contract: Json = _tidy(spec.to_dict())
    return contract


def _name(schema: type[Schema] | Schema) -> str:
    return (schema if isinstance(schema, type) else type(schema)).__name__


def _rules_reference(_converter: Any, field: fields.Field[Any], **_: Any) -> Json:
    return {"$ref": "#/components/schemas/RulesRequest"} if isinstance(field, RulesField) else {}


def _move_schema() -> Json:
    references = {kind: f"#/components/schemas/{schema.__name__}" for kind, schema in MOVES.items()}
    return {
        "description": "A move: which one is told by `type`.",
        "oneOf": [{"$ref": reference} for reference in references.values()],
        "discriminator": {"propertyName": "type", "mapping": references},
    }


def _operation(operation: Operation, examples: Json) -> Json:
    described: Json = {
        "operationId": operation.name,
        "tags": [operation.tag],
        "summary": operation.summary,
        "description": operation.description or operation.summary + ".",
        "security": [{}, {"app_key": []}] if operation.app_key else _SECURITY[operation.access],
        "parameters": list(_parameters(operation)),
        "responses": _responses(operation, examples.get("responses", {})),
    }
    if operation.body is not None:
        name = "MoveRequest" if operation.body is MoveRequest else operation.body
        schema = {"$ref": "#/components/schemas/MoveRequest"} if name == "MoveRequest" else name
        content: Json = {"schema": schema}
        if "requests" in examples:
            content["examples"] = examples["requests"]
        described["requestBody"] = {"required": True, "content": {JSON: content}}
    return described


def _parameters(operation: Operation) -> Iterator[Json | dict[str, Any]]:
    for name in re.findall(r"{(\w+)}", operation.path):
        yield {"name": name, "in": "path", "required": True, **_PATH_PARAMETERS[name]}
    for name, meaning in operation.request_headers.items():
        yield {"name": name, "in": "header", "description": meaning, "schema": {"type": "string"}}
    if operation.query._declared_fields:
        yield {"in": "query", "schema": operation.query}


def _responses(operation: Operation, examples: Json) -> Json:
    responses = {
        str(status): _success(answer, examples.get(str(status))) for status, answer in operation.answers.items()
    }
    by_status = sorted(operation.all_refusals, key=lambda code: KINDS[code].status)
    for status, codes in groupby(by_status, key=lambda code: KINDS[code].status):
        responses[str(status)] = _refusal(status, list(codes), examples.get(str(status)))
    return responses


def _success(answer: Answer, examples: Json | None) -> Json:
    response: Json = {"description": answer.description}
    if answer.media_type:
        content: Json = {"schema": answer.schema or {"type": "string" if answer.media_type != JSON else "object"}}
        if examples:
            content["examples"] = examples
        response["content"] = {answer.media_type: content}
    if answer.headers:
        response["headers"] = _headers(answer.headers)
    if answer.links:
        response["links"] = {
            name: {"operationId": name, "parameters": dict(parameters)} for name, parameters in answer.links.items()
        }
    return response


def _refusal(status: int, codes: list[Code], examples: Json | None) -> Json:
    meanings = "\n".join(f"- `{code}`: {KINDS[code].title}." for code in codes)
    content: Json = {"schema": {"$ref": "#/components/schemas/Problem"}}
    if examples:
        content["examples"] = examples
    response: Json = {"description": meanings, "content": {PROBLEM_JSON: content}}
    if status in _ERROR_HEADERS:
        response["headers"] = _headers(_ERROR_HEADERS[status])
    return response


def _headers(meanings: Mapping[str, str]) -> Json:
    return {name: {"description": meaning, "schema": {"type": "string"}} for name, meaning in meanings.items()}


def _tidy(node: Any) -> Any:
    """Give plain data, with nullable objects as `oneOf`."""
    if isinstance(node, Mapping):
        tidy = {str(name): _tidy(value) for name, value in node.items()}
        if {"type": "null"} in tidy.get("anyOf", []):
            tidy["oneOf"] = tidy.pop("anyOf")
        return tidy
    if isinstance(node, list | tuple):
        return [_tidy(value) for value in node]
    return node


def as_yaml(contract: Json) -> str:
    """Write an OpenAPI document as YAML."""
    text: str = yaml.dump(contract, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=110)
    return text


class _Dumper(yaml.SafeDumper):
    """Writes texts of several lines as blocks, and no aliases."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def _text(dumper: yaml.SafeDumper, value: str) -> yaml.ScalarNode:
    return dumper.represent_scalar("tag:yaml.org,2002:str", value, style="|" if "\n" in value else None)


_Dumper.add_representer(str, _text)


if __name__ == "__main__":
    from .routes import OPERATIONS

    print(as_yaml(document(OPERATIONS)), end="")
