"""How a view wears its contract: what it takes, answers and refuses.

It is declared once, and used for the check of every request and for `openapi.yaml`.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from inspect import cleandoc
from typing import Any, Final, NamedTuple, TypeAlias

import orjson
from flask import Flask, Response, request
from marshmallow import Schema, ValidationError

from .. import deadline
from ..errors import Code, Refusal
from ..following import Follower
from ..idempotency import Key, Once, fingerprint, read_key
from ..usecases import Access, UseCases, Visit
from .requests import MoveRequest, NoQuery

JSON: Final = "application/json"
BODY_LIMIT: Final = 16 * 1024

Body: TypeAlias = type[Schema] | type[MoveRequest]
Answers: TypeAlias = "Mapping[int, Answer]"


class Answer(NamedTuple):
    """One successful answer of an operation.

    Attributes:
        description: what it means.
        schema: the shape of its JSON; None for other media types.
        media_type: its media type; None for an answer without a body.
        headers: the header fields that it carries, each with its meaning.
        links: the names of the operations that it leads to, each with the runtime expressions of their parameters.
    """

    description: str
    schema: type[Schema] | None = None
    media_type: str | None = JSON
    headers: Mapping[str, str] = {}
    links: Mapping[str, Mapping[str, str]] = {}


class Call(NamedTuple):
    """A checked request.

    Attributes:
        usecases: the verbs of the service.
        follower: follows matches.
        path: the parameters of the path.
        query: the parameters of the query.
        body: the members of the body.
        once: how a repeat of the request is told.
        visit: the match of the path and who asks; only in paths with `match_id`.
    """

    usecases: UseCases
    follower: Follower
    path: Mapping[str, str]
    query: Mapping[str, Any]
    body: Mapping[str, Any]
    once: Once
    found: Visit | None

    @property
    def visit(self) -> Visit:
        """The match of the path and who asks."""
        assert self.found is not None, "the path names a match"
        return self.found


View: TypeAlias = Callable[[Call], Response]


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation of the contract; `Operations` makes it from a view."""

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
    shortcut: Callable[[Parts, Mapping[str, str]], Response | None] | None = None
    refuses: tuple[Code, ...] = ()

    @property
    def name(self) -> str:
        """Its `operationId`: the view's name in camel case."""
        first, *rest = self.view.__name__.split("_")
        return first + "".join(word.capitalize() for word in rest)

    @property
    def writes(self) -> bool:
        """Whether it changes something, and can be repeated safely with an `Idempotency-Key`."""
        return self.method != "GET"

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
            codes += ["unsupported_media_type", "body_too_large", "malformed_json", "invalid_body"]
        codes += ["idempotency_key_invalid", "idempotency_key_reused"] if self.writes else []
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
    api_keys: tuple[str, ...]
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

    def view(**path: str) -> Response:
        deadline.begin(parts.timeout_seconds)
        if operation.shortcut and (response := operation.shortcut(parts, path)):
            return response
        usecases = parts.usecases
        visit, key = None, _read_key(operation)
        if "match_id" in path:
            found = usecases.find(path["match_id"], key if isinstance(key, Key) else None)
            if "seat" in path:
                _require_seat(path["seat"], found.record.seats)
            visit = usecases.admit(found, bearer_token() if operation.access else None, operation.access or "anyone")
        if operation.app_key:
            _require_app_key(parts.api_keys)
        _require_acceptable(operation)
        query = read_query(operation.query)
        if isinstance(key, Refusal):
            raise key
        body = _read_body(operation.body) if operation.body else {}
        once = Once(key, fingerprint(body))
        visit = visit and visit._replace(once=once)
        return operation.view(Call(usecases, parts.follower, path, query, body, once, visit))

    return view


def _read_key(operation: Operation) -> Key | Refusal | None:
    """Read the idempotency key of a write; its refusal is for later, when the shape of the request is judged."""
    header = request.headers.get("Idempotency-Key")
    if header is None or not operation.writes:
        return None
    try:
        return read_key(header, request.path, bearer_token() if operation.access else None)
    except Refusal as refusal:
        return refusal


def bearer_token() -> str | None:
    """Give the token that the request carries, or None.

    Raises:
        Refusal: `token_invalid` for another scheme than `Bearer`.
    """
    header = request.headers.get("Authorization")
    if header is None:
        return None
    scheme, _, token = header.partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise Refusal("token_invalid", "The Authorization header must be `Bearer` and a token.")
    return token.strip()


def _require_seat(text: str, seats: int) -> None:
    if text not in map(str, range(seats)):
        raise Refusal("seat_not_found", f"This table has the seats 0 to {seats - 1}.")


def _require_app_key(api_keys: tuple[str, ...]) -> None:
    given = request.headers.get("X-API-Key", "").encode()
    if api_keys and not any(hmac.compare_digest(key.encode(), given) for key in api_keys):
        raise Refusal("app_key_required", "Creating matches here takes an app key in X-API-Key.")


def _require_acceptable(operation: Operation) -> None:
    offered = [answer.media_type for answer in operation.answers.values() if answer.media_type]
    if request.accept_mimetypes and offered and not request.accept_mimetypes.best_match(offered):
        raise Refusal("not_acceptable", f"This is served as {', '.join(offered)}.")


def read_query(schema: type[Schema]) -> Mapping[str, Any]:
    """Check the query of the request.

    Raises:
        Refusal: `invalid_query`.
    """
    errors = [
        {"parameter": name, "detail": "Stands there more than once."}
        for name, values in request.args.lists()
        if len(values) > 1
    ]
    try:
        query: Mapping[str, Any] = schema().load(request.args.to_dict())
    except ValidationError as error:
        errors += [{"parameter": name, "detail": detail} for name, detail in _complaints(error.messages, "")]
    if errors:
        raise Refusal("invalid_query", "The query does not fit the contract.", errors=errors)
    return query


def _read_body(schema: Body) -> Mapping[str, Any]:
    if request.mimetype != JSON or request.headers.get("Content-Encoding", "identity") != "identity":
        raise Refusal("unsupported_media_type", f"The body must be {JSON}, not compressed.")
    try:
        data = orjson.loads(request.get_data(cache=False))
    except orjson.JSONDecodeError as error:
        raise Refusal("malformed_json", f"The body is not JSON: {error}.") from error
    try:
        body: Mapping[str, Any] = schema().load(data)
    except ValidationError as error:
        errors = [{"pointer": pointer, "detail": detail} for pointer, detail in _complaints(error.messages, "/")]
        raise Refusal("invalid_body", "The body does not fit the contract.", errors=errors) from error
    return body


def _complaints(messages: Any, separator: str, above: str = "") -> list[tuple[str, str]]:
    """Flatten the messages of marshmallow into (pointer, sentence) pairs."""
    if isinstance(messages, dict):
        return [
            complaint
            for name, inner in messages.items()
            for complaint in _complaints(inner, separator, _below(above, separator, str(name)))
        ]
    sentences = messages if isinstance(messages, list) else [messages]
    return [(above, str(sentence)) for sentence in sentences]


def _below(above: str, separator: str, name: str) -> str:
    """Name a member for a complaint; marshmallow calls the whole `_schema`."""
    if name == "_schema":
        return above
    return above + separator + (name.replace("~", "~0").replace("/", "~1") if separator else name)


def json_response(data: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """Answer with JSON."""
    return Response(orjson.dumps(data), status, headers, mimetype=JSON)


def write_response(data: Any, replayed: bool, status: int = 200, location: str | None = None) -> Response:
    """Answer a write with JSON; `replayed` tells that an earlier request with the same key was it."""
    headers = {"Cache-Control": "no-store"}
    if replayed:
        headers["Idempotency-Replayed"] = "true"
    if location is not None:
        headers["Location"] = location
    return json_response(data, status, headers)
