"""How a view wears its contract: what it takes, answers and refuses.

It is declared once, and used for the check of every request and for `openapi.yaml`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from inspect import cleandoc
from typing import Any, NamedTuple, TypeAlias
from wsgiref.types import WSGIEnvironment

import orjson
from flask import Flask, Response
from flask.globals import request_ctx
from marshmallow import Schema
from werkzeug.datastructures import Headers

from .. import deadline
from ..app_keys import AppKey
from ..dealings import Access, Visit
from ..errors import Code, Refusal
from ..following import Follower
from ..idempotency import NOT_REPEATABLE, Key, Once, fingerprint
from ..named import Named
from ..reception import require_own_seat
from ..tokens import require_own_app
from ..usecases import UseCases
from .incoming import (
    JSON,
    Body,
    app_of,
    bearer_token,
    idempotency_key,
    read_body,
    read_query,
    require_acceptable,
    require_app_key,
    require_seat,
)
from .links import Link
from .queries import NoQuery

Answers: TypeAlias = "Mapping[int, Answer]"


class Answer(NamedTuple):
    """One successful answer of an operation.

    Attributes:
        description: what it means.
        schema: the shape of its JSON, or each that it may have; None for other media types.
        media_type: its media type; None for an answer without a body.
        headers: the header fields that it carries, each with its meaning.
        links: where it leads to.
    """

    description: str
    schema: type[Schema] | tuple[type[Schema], ...] | None = None
    media_type: str | None = JSON
    headers: Mapping[str, str] = {}
    links: tuple[Link, ...] = ()


class Call(Named):
    """A checked request.

    Attributes:
        usecases: the verbs of the service.
        follower: follows matches.
        path: the parameters of the path.
        query: the parameters of the query.
        body: the members of the body.
        once: how a repeat of the request is told.
        found: the match of the path and who asks; None in paths without `match_id`.
        app: the name of the application that asks; None where no app key is asked for.
    """

    usecases: UseCases
    follower: Follower
    path: Mapping[str, str]
    query: Mapping[str, Any]
    body: Mapping[str, Any]
    once: Once
    found: Visit | None
    app: str | None = None

    @property
    def visit(self) -> Visit:
        """The match of the path and who asks."""
        assert self.found is not None, "the path names a match"
        return self.found


View: TypeAlias = Callable[[Call], Response]


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation of the contract; `Operations` makes it from a view.

    An `app_key` is asked for where the operator has set some; `own_app` asks for that of the match's creator, always.
    """

    view: View
    tag: str
    method: str
    path: str
    answers: Answers
    body: Body | None = None
    query: type[Schema] = NoQuery
    request_headers: Mapping[str, str] = field(default_factory=dict)
    access: Access | None = None
    app_key: bool = False
    own_app: bool = False
    only_reads: bool = False
    shortcut: Callable[[Parts, Mapping[str, str]], Response | None] | None = None
    refuses: tuple[Code, ...] = ()

    @property
    def name(self) -> str:
        """Its `operationId`: the view's name in camel case."""
        first, *rest = self.view.__name__.split("_")
        return first + "".join(word.capitalize() for word in rest)

    @property
    def media_types(self) -> list[str]:
        """The media types of its successful answers, without parameters."""
        return [answer.media_type.partition(";")[0] for answer in self.answers.values() if answer.media_type]

    @property
    def writes(self) -> bool:
        """Whether it changes something, and can be repeated safely with an `Idempotency-Key`."""
        return self.method != "GET" and not self.only_reads

    @property
    def summary(self) -> str:
        """The first line of the view's docstring."""
        return self._text.partition("\n")[0].rstrip(".")

    @property
    def description(self) -> str:
        """The rest of the view's docstring."""
        return self._text.partition("\n")[2].strip()

    @property
    def _text(self) -> str:
        return cleandoc(self.view.__doc__ or "")

    @property
    def all_refusals(self) -> tuple[Code, ...]:
        """Every code that the operation can refuse with."""
        codes: list[Code] = [*self.refuses]
        if "{match_id}" in self.path:
            codes += ["match_not_found", "store_unavailable"]
        if self.access is not None:
            codes += ["token_invalid", "not_your_match"]
            codes += [] if self.access == "anyone" else ["token_required"]
        codes += ["not_your_seat"] if self.access == "player" else []
        codes += ["host_only"] if self.access == "host" else []
        codes += ["app_key_required"] if self.app_key else []
        if self.body is not None:
            codes += ["unsupported_media_type", "body_too_large", "malformed_request", "malformed_json", "invalid_body"]
        codes += ["idempotency_key_invalid", "idempotency_key_reused"] if self.writes else []
        codes += ["uri_too_long"] if self.query is not NoQuery else []
        return tuple(dict.fromkeys([*codes, "invalid_query", "not_acceptable", "internal_error"]))


@dataclass(slots=True)
class Operations:
    """The operations of one part of the contract.

    Attributes:
        tag: the name of the part.
        members: the operations, in the order of their definition.
    """

    tag: str
    members: list[Operation] = field(default_factory=list)

    def operation(self, method: str, path: str, answers: Answers, **declared: Any) -> Callable[[View], View]:
        """Declare a view as an operation.

        Args:
            method: the HTTP method.
            path: the path, with parameters in braces.
            answers: the successful answers by status.
            declared: the other fields of `Operation`.
        """

        def declare(view: View) -> View:
            self.members.append(Operation(view, self.tag, method, path, answers, **declared))
            return view

        return declare


class Parts(NamedTuple):
    """What the views work with.

    Attributes:
        usecases: the verbs of the service.
        follower: follows matches.
        api_keys: the app keys of which creating a match takes one; if empty, it takes none.
        timeout_seconds: how long the work on one request may wait for the store.
    """

    usecases: UseCases
    follower: Follower
    api_keys: tuple[AppKey, ...]
    timeout_seconds: float


def register(app: Flask, operations: list[Operation], parts: Parts) -> None:
    """Route requests to operations, each behind the checks that it declares."""
    for operation in operations:
        app.add_url_rule(
            operation.path.replace("{", "<").replace("}", ">"),
            endpoint=operation.name,
            view_func=_checked(operation, parts),
            methods=[operation.method],
            provide_automatic_options=False,
        )


def _checked(operation: Operation, parts: Parts) -> Callable[..., Response]:
    """Put the checks before a view, in the order of the contract: 404, 401, 403, then the shape of the request."""
    media_types, writes = operation.media_types, operation.writes
    query_schema = operation.query()
    body_schema = operation.body() if operation.body else None

    def view(**path: str) -> Response:
        deadline.begin(parts.timeout_seconds)
        asked = request_ctx.request
        if operation.shortcut and (response := operation.shortcut(parts, path)):
            return response
        usecases = parts.usecases
        app = app_of(asked, parts.api_keys) if operation.app_key else None
        visit, key = None, None
        if writes:
            key = idempotency_key(asked, with_token=operation.access is not None, app=app)
        if "match_id" in path:
            found = usecases.find(path["match_id"], key if isinstance(key, Key) else None)
            if "seat" in path:
                require_seat(path["seat"], found)
            token = bearer_token(asked) if operation.access else None
            visit = usecases.admit(found, token, operation.access or "anyone")
            if "seat" in path and operation.access:
                require_own_seat(visit, int(path["seat"]))
        if operation.app_key:
            require_app_key(asked, parts.api_keys, app)
        if visit and operation.own_app:
            require_own_app(visit.record, app)
        require_acceptable(asked, media_types)
        query = read_query(asked, query_schema)
        if isinstance(key, Refusal):
            raise key
        with deadline.Paused():  # a slow sender is no slow store
            body = read_body(asked, body_schema) if body_schema else {}
        once = NOT_REPEATABLE
        if key:
            once = Once(key, fingerprint(body))
            visit = visit and visit._replace(once=once)
        return operation.view(Call(usecases, parts.follower, path, query, body, once, visit, app))

    return view


class JsonResponse(Response):
    """JSON that is there as a whole, so that its header can be written at once; any other is looked through for it."""

    def __init__(self, body: bytes, status: int, headers: Mapping[str, str]) -> None:
        """Write the header.

        Args:
            body: the JSON.
            status: the HTTP status, of an answer that has a body.
            headers: the other header fields.
        """
        known = [("Content-Type", JSON), ("Content-Length", str(len(body)))]
        super().__init__(None, status, Headers([*known, *headers.items()]))
        self.response = [body]

    def get_wsgi_headers(self, environ: WSGIEnvironment) -> Headers:
        """Give the header as it is."""
        return self.headers


def json_response(data: Any, status: int = 200, headers: Mapping[str, str] = {}) -> Response:
    """Answer with JSON."""
    return JsonResponse(orjson.dumps(data), status, headers)


def nothing() -> Response:
    """Answer without a body, and so without a media type."""
    response = Response(status=204)
    del response.headers["Content-Type"]
    return response


def write_response(data: Any, replayed: bool, status: int = 200, location: str | None = None) -> Response:
    """Answer a write with JSON; `replayed` tells that an earlier request with the same key was it."""
    headers = {"Cache-Control": "no-store"}
    if replayed:
        headers["Idempotency-Replayed"] = "true"
    if location is not None:
        headers["Location"] = location
    return json_response(data, status, headers)
