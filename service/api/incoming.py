"""Reading a request: what is not as the contract says is refused here.

The request is handed from one to the other, and header fields are taken from the environment of WSGI: to find the
request anew each time, as Flask's `request` does, and the table of all header fields cost more than what they give.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Final, TypeAlias

import orjson
from flask import Request
from marshmallow import Schema, ValidationError
from marshmallow.exceptions import SCHEMA
from werkzeug.datastructures import MIMEAccept
from werkzeug.exceptions import RequestEntityTooLarge

from ..app_keys import AppKey, bearer_of
from ..dealings import Lookup
from ..errors import Refusal
from ..idempotency import Key, read_key
from .requests import MoveRequest

JSON: Final = "application/json"
BODY_LIMIT: Final = 16 * 1024
READ_LIMIT: Final = BODY_LIMIT + 1
"""How much is read of a body that does not tell its length."""
_SERVED_ANYWAY: Final = re.compile(r';\s*(charset="?utf-8"?|version=0\.0\.4)', re.IGNORECASE)
"""The parameters of what is served, which a reader may ask for: the encoding, and the version of Prometheus' format."""

Body: TypeAlias = type[Schema] | type[MoveRequest]


def idempotency_key(asked: Request, *, with_token: bool, app: str | None) -> Key | Refusal | None:
    """Read the idempotency key of a write.

    Args:
        asked: the request.
        with_token: whether the token of the request belongs to the key's scope.
        app: the application that asks, which belongs to it too.

    Returns:
        The key; or its refusal, which is for later, when the shape of the request is judged; or None without a key.
    """
    header = asked.environ.get("HTTP_IDEMPOTENCY_KEY")
    if header is None:
        return None
    try:
        path = "/" + asked.path.strip("/")  # as it is routed
        return read_key(header, path, bearer_token(asked) if with_token else None, app)
    except Refusal as refusal:
        return refusal


def bearer_token(asked: Request) -> str | None:
    """Give the token that the request carries, or None.

    Raises:
        Refusal: `token_invalid` for another scheme than `Bearer`.
    """
    header: str | None = asked.environ.get("HTTP_AUTHORIZATION")
    if header is None:
        return None
    scheme, _, rest = header.partition(" ")
    token = rest.strip()
    if scheme.lower() != "bearer" or not token:
        raise Refusal("token_invalid", "The Authorization header must be `Bearer` and a token.")
    return token


def require_seat(text: str, found: Lookup) -> None:
    """Check that somebody sits at the seat of the path, or did when the same request was carried out before.

    Raises:
        Refusal: `seat_not_found`.
    """
    record = found.record
    if text not in map(str, range(record.seats)):
        raise Refusal("seat_not_found", f"This table has the seats 0 to {record.seats - 1}.")
    if found.receipt is None and not record.sits(int(text)):
        raise Refusal("seat_not_found", "Nobody sits at this seat.")


def app_of(asked: Request, api_keys: Sequence[AppKey]) -> str | None:
    """Give the name of the application whose app key the request carries; None if it carries none of them."""
    return bearer_of(api_keys, asked.headers.get("X-API-Key", "").encode()) if api_keys else None


def require_app_key(asked: Request, api_keys: Sequence[AppKey], app: str | None) -> None:
    """Check that an application asks, if there are app keys.

    Raises:
        Refusal: `app_key_required`.
    """
    if api_keys and app is None:
        sent = asked.environ.get("HTTP_X_API_KEY") is not None
        raise Refusal(
            "app_key_required",
            "That X-API-Key is none of this service's." if sent else "This takes an app key in X-API-Key.",
        )


def require_acceptable(asked: Request, media_types: Sequence[str]) -> None:
    """Check that the reader takes one of the media types that are served.

    Raises:
        Refusal: `not_acceptable`.
    """
    if (asked.environ.get("HTTP_ACCEPT") or "*/*") == "*/*":
        return
    accepted = MIMEAccept([(_SERVED_ANYWAY.sub("", wanted), quality) for wanted, quality in asked.accept_mimetypes])
    if accepted and media_types and not accepted.best_match(media_types):
        raise Refusal("not_acceptable", f"This is served as {', '.join(media_types)}.")


def read_query(asked: Request, schema: Schema) -> Mapping[str, Any]:
    """Check the query of the request.

    Raises:
        Refusal: `invalid_query`.
    """
    if not asked.query_string:
        return _unasked(type(schema))
    errors = [
        {"parameter": name, "detail": "Stands there more than once."}
        for name, values in asked.args.lists()
        if len(values) > 1
    ]
    query: Mapping[str, Any] = {}
    try:
        query = schema.load(asked.args.to_dict())
    except ValidationError as error:
        errors += [
            {"parameter": name, "detail": detail} for name, detail in _complaints(error.messages, asked.args, "")
        ]
    if errors:
        raise Refusal("invalid_query", "The query does not fit the contract.", errors=errors)
    return query


@cache
def _unasked(schema: type[Schema]) -> Mapping[str, Any]:
    """Give what a query comes to in which nothing stands."""
    query: Mapping[str, Any] = schema().load({})
    return query


def needs_body(schema: Body) -> bool:
    """Tell whether a request must have a body; one in which nothing is required may be left out."""
    return not issubclass(schema, Schema) or any(field.required for field in schema._declared_fields.values())


def read_body(asked: Request, schema: Schema | MoveRequest) -> Mapping[str, Any]:
    """Check the body of the request.

    Raises:
        Refusal: `unsupported_media_type`, `malformed_request`, `malformed_json` or `invalid_body`.
        RequestEntityTooLarge: it has more than `BODY_LIMIT` bytes.
    """
    if not _has_body(asked) and not needs_body(type(schema)):
        return {}
    is_json = asked.environ.get("CONTENT_TYPE") == JSON or asked.mimetype == JSON
    if not is_json or asked.environ.get("HTTP_CONTENT_ENCODING") not in (None, "identity"):
        detail = f"The body must be {JSON}, not compressed." if _has_body(asked) else f"A body of {JSON} is missing."
        raise Refusal("unsupported_media_type", detail)
    if asked.environ.get("HTTP_TRANSFER_ENCODING", "chunked").lower() != "chunked":
        raise Refusal("malformed_request", "A body is sent as it is or chunked, and coded in no other way.")
    try:
        data = orjson.loads(_whole_body(asked))
    except orjson.JSONDecodeError as error:
        raise Refusal("malformed_json", f"The body is not JSON: {error}.") from error
    try:
        body: Mapping[str, Any] = schema.load(data)
    except ValidationError as error:
        errors = [{"pointer": pointer, "detail": detail} for pointer, detail in _complaints(error.messages, data, "/")]
        raise Refusal("invalid_body", "The body does not fit the contract.", errors=errors) from error
    return body


def _has_body(asked: Request) -> bool:
    return int(asked.environ.get("CONTENT_LENGTH") or 0) > 0 or "HTTP_TRANSFER_ENCODING" in asked.environ


def _whole_body(asked: Request) -> bytes:
    """Take the body from gunicorn, which knows where it ends: Flask would watch over that once more."""
    length = asked.environ.get("CONTENT_LENGTH")
    size = int(length) if length else READ_LIMIT
    if length and size > BODY_LIMIT:
        raise RequestEntityTooLarge
    try:
        data: bytes = asked.environ["wsgi.input"].read(size)
    except OSError as error:
        raise Refusal("malformed_request", "The body is not well-formed HTTP, or comes too slowly.") from error
    if len(data) > BODY_LIMIT:
        raise RequestEntityTooLarge
    if length and len(data) < size:
        raise Refusal("malformed_request", "The body is shorter than its Content-Length.")
    return data


def _complaints(messages: Any, given: Any, separator: str, above: str = "") -> list[tuple[str, str]]:
    """Flatten the messages of marshmallow about what was given into (pointer, sentence) pairs."""
    if not isinstance(messages, dict):
        sentences = messages if isinstance(messages, list) else [messages]
        return [(above, str(sentence)) for sentence in sentences]
    members = given if isinstance(given, Mapping) else {}
    complaints = []
    for name, inner in messages.items():
        whole = name == SCHEMA and name not in members  # what marshmallow calls the object itself
        place = above if whole else above + separator + _escaped(str(name), separator)
        complaints += _complaints(inner, given if whole else members.get(name), separator, place)
    return complaints


def _escaped(name: str, separator: str) -> str:
    return name.replace("~", "~0").replace("/", "~1") if separator else name
