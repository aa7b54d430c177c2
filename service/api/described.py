"""How an operation stands in `openapi.yaml`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Any, Final, TypeAlias

from ..errors import Code
from ..idempotency import LONGEST, SHORTEST_AS_PROOF
from .contract import Answer, Operation
from .health import PROMETHEUS
from .incoming import JSON, Body, needs_body
from .links import Link
from .problems import KINDS, PROBLEM_JSON
from .requests import MAX_VERSION, MoveRequest

Json: TypeAlias = dict[str, Any]

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
    "reader": [{}, {"token": []}],
    "member": [{"token": []}],
    "player": [{"token": []}],
    "host": [{"token": []}],
}
_WRITE_HEADERS: Final[Mapping[str, str]] = {
    "Idempotency-Replayed": "Stands there, as `true`, when an earlier request with the same `Idempotency-Key` was "
    "carried out and this one repeats its answer.",
}
_NOT_ALWAYS: Final = frozenset({"ETag", *_WRITE_HEADERS})
_ERROR_HEADERS: Final[Mapping[int, Mapping[str, str]]] = {
    401: {"WWW-Authenticate": "The challenge; with `error` when a token was sent."},
    429: {
        "Retry-After": "After how many seconds to try again.",
        "RateLimit": "What is left of the quota: nothing (`r=0`), for so many seconds (`t`).",
        "RateLimit-Policy": "The quota (`q`) in so many seconds (`w`).",
    },
    503: {"Retry-After": "After how many seconds to try again."},
}
_PLAIN_SCHEMAS: Final[Mapping[str, Json]] = {
    JSON: {"type": "object"},
    "application/yaml": {"type": "object"},
    "text/html": {"type": "string"},
    "text/javascript": {"type": "string"},
    PROMETHEUS: {"type": "string"},
    # Without a type: some tools hold the schema against the whole text, others against each message.
    "text/event-stream": {
        "description": "Server-sent events, each with `id`, `event` and one line of JSON in `data`: "
        "a `Match` if `event` is `snapshot`, else an `Event`."
    },
}
_HEADER_SCHEMAS: Final[Mapping[str, Json]] = {
    "Idempotency-Replayed": {"type": "string", "const": "true"},
    "Last-Event-ID": {"type": "integer", "minimum": 0, "maximum": MAX_VERSION},
    "Location": {"type": "string", "format": "uri-reference"},
    "Retry-After": {"type": "integer", "minimum": 0},
}


def describe(operation: Operation, examples: Json, problems: Json) -> Json:
    """Describe an operation.

    Args:
        operation: the operation.
        examples: its recorded `requests` and `responses`.
        problems: the recorded problem documents by code.
    """
    described: Json = {
        "operationId": operation.name,
        "tags": [operation.tag],
        "summary": operation.summary,
        "description": operation.description or operation.summary + ".",
        "security": _security(operation),
        "parameters": list(_parameters(operation)),
    }
    if operation.body is not None:
        described["requestBody"] = _request_body(operation.body, examples)
    described["responses"] = _responses(operation, examples.get("responses", {}), problems)
    return described


def _security(operation: Operation) -> list[Json]:
    if operation.app_key:
        return [{"app_key": []}] if operation.own_app else [{}, {"app_key": []}]
    return _SECURITY[operation.access]


def _request_body(body: Body, examples: Json) -> Json:
    by_type = body is MoveRequest
    content: Json = {"schema": {"$ref": "#/components/schemas/MoveRequest"} if by_type else body}
    if "requests" in examples:
        content["examples"] = examples["requests"]
    return {"required": needs_body(body), "content": {JSON: content}}


def _parameters(operation: Operation) -> Iterator[Json]:
    for name in re.findall(r"{(\w+)}", operation.path):
        yield {"name": name, "in": "path", "required": True, **_PATH_PARAMETERS[name]}
    for name, meaning in operation.request_headers.items():
        schema = _HEADER_SCHEMAS.get(name, {"type": "string"})
        yield {"name": name, "in": "header", "description": meaning, "schema": schema}
    if operation.writes:
        yield _idempotency_key(operation)
    if operation.query._declared_fields:
        yield {"in": "query", "schema": operation.query}


def _idempotency_key(operation: Operation) -> Json:
    shortest = 1 if operation.access else SHORTEST_AS_PROOF
    proof = "" if operation.access else " Here it also proves who repeats the request, so it must be hard to guess."
    quoted = rf'"([ !#-\[\]-~]|\\["\\]){{{shortest},{LONGEST}}}"'
    bare = rf"[!#-~]([ -~]{{{max(shortest - 2, 0)},{LONGEST - 2}}}[!-~]){'' if shortest > 1 else '?'}"
    return {
        "name": "Idempotency-Key",
        "in": "header",
        "description": "Names this request, so that it can be repeated without being carried out twice: a repeat "
        "within 24 hours gets the same answer, with the match as it is by then. "
        f"{shortest} to {LONGEST} printable ASCII characters, as a quoted string or bare, such as a new UUID.{proof}",
        "schema": {"type": "string", "pattern": f"^({quoted}|{bare})$"},
    }


def _responses(operation: Operation, examples: Json, problems: Json) -> Json:
    headers = _WRITE_HEADERS if operation.writes else {}
    responses = {
        str(status): _success(answer, {**answer.headers, **headers}, examples.get(str(status)))
        for status, answer in operation.answers.items()
    }
    by_status = sorted(operation.all_refusals, key=lambda code: KINDS[code].status)
    for status, codes in groupby(by_status, key=lambda code: KINDS[code].status):
        responses[str(status)] = _refusal(status, list(codes), examples.get(str(status), {}), problems)
    return responses


def _success(answer: Answer, headers: Mapping[str, str], examples: Json | None) -> Json:
    response: Json = {"description": answer.description}
    if headers:
        response["headers"] = _headers(headers)
    if answer.media_type:
        content: Json = {"schema": _schema(answer) or _PLAIN_SCHEMAS[answer.media_type]}
        if examples:
            content["examples"] = examples
        response["content"] = {answer.media_type: content}
    if answer.links:
        response["links"] = {link.operation: _link(link) for link in answer.links}
    return response


def _schema(answer: Answer) -> Any:
    return {"anyOf": list(answer.schema)} if isinstance(answer.schema, tuple) else answer.schema


def _link(link: Link) -> Json:
    described: Json = {"operationId": link.operation, "description": link.description}
    described["parameters"] = dict(link.parameters)
    return described if link.body is None else {**described, "requestBody": link.body}


def _refusal(status: int, codes: list[Code], examples: Json, problems: Json) -> Json:
    meanings = "\n".join(f"- `{code}`: {KINDS[code].title}." for code in codes)
    content: Json = {"schema": {"$ref": "#/components/schemas/Problem"}}
    own = {example["value"]["code"] for example in examples.values()}
    others = {code: {"$ref": f"#/components/examples/{code}"} for code in codes if code in problems.keys() - own}
    if examples or others:
        content["examples"] = {**examples, **others}
    response: Json = {"description": meanings}
    if status in _ERROR_HEADERS:
        response["headers"] = _headers(_ERROR_HEADERS[status])
    return {**response, "content": {PROBLEM_JSON: content}}


def _headers(meanings: Mapping[str, str]) -> Json:
    return {
        name: {
            "description": meaning,
            "required": name not in _NOT_ALWAYS,
            "schema": _HEADER_SCHEMAS.get(name, {"type": "string"}),
        }
        for name, meaning in meanings.items()
    }
