"""Errors as HTTP shows them: problem documents after RFC 9457. Only this file knows the statuses of the codes."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

import orjson
from flask import Flask, Response, current_app, request
from gunicorn.http.errors import ParseException
from werkzeug.exceptions import HTTPException

from ..errors import Code, RateLimited, Refusal, StoreUnavailable, UnknownFormat

PROBLEM_JSON: Final = "application/problem+json"
RETRY_SECONDS: Final = 1
_log = logging.getLogger(__name__)


class Kind(NamedTuple):
    """What a code stands for.

    Attributes:
        status: its HTTP status.
        title: the problem in a few words, always the same.
    """

    status: int
    title: str


KINDS: Final[Mapping[Code, Kind]] = {
    "malformed_request": Kind(400, "The request is not well-formed HTTP"),
    "malformed_json": Kind(400, "The body is not JSON"),
    "idempotency_key_invalid": Kind(400, "The idempotency key cannot be used"),
    "token_required": Kind(401, "A token is needed"),
    "token_invalid": Kind(401, "The token is not valid"),
    "not_your_match": Kind(403, "The token is for another match"),
    "not_your_seat": Kind(403, "The seat is not yours"),
    "host_only": Kind(403, "Only the host may do this"),
    "join_code_wrong": Kind(403, "The join code is wrong"),
    "app_key_required": Kind(403, "An app key is needed"),
    "not_found": Kind(404, "There is nothing at this path"),
    "match_not_found": Kind(404, "There is no such match"),
    "join_code_unknown": Kind(404, "No match waits with this join code"),
    "deal_not_found": Kind(404, "There is no such deal"),
    "position_not_found": Kind(404, "The deal had fewer moves"),
    "seat_not_found": Kind(404, "There is no such seat or player"),
    "method_not_allowed": Kind(405, "The method is not allowed here"),
    "not_acceptable": Kind(406, "No acceptable representation"),
    "bot_plays": Kind(409, "A bot plays for this seat"),
    "not_your_turn": Kind(409, "Another seat is on turn"),
    "illegal_move": Kind(409, "The rules forbid this move"),
    "version_mismatch": Kind(409, "The match has another version"),
    "match_not_started": Kind(409, "The match has not started"),
    "match_already_started": Kind(409, "The match has started"),
    "match_finished": Kind(409, "The match is over"),
    "seat_taken": Kind(409, "The seat is taken"),
    "seats_free": Kind(409, "Some seats are free"),
    "match_full": Kind(409, "Every seat is taken"),
    "conflict": Kind(409, "Others changed the match at the same time"),
    "deal_unfinished": Kind(409, "The deal is not over"),
    "match_unfinished": Kind(409, "The match is not over"),
    "body_too_large": Kind(413, "The body is too large"),
    "uri_too_long": Kind(414, "The request target is too long"),
    "unsupported_media_type": Kind(415, "The body is not application/json"),
    "expectation_failed": Kind(417, "The expectation cannot be met"),
    "invalid_body": Kind(422, "The body does not fit the contract"),
    "invalid_query": Kind(422, "The query does not fit the contract"),
    "invalid_rules": Kind(422, "The rules cannot be played"),
    "idempotency_key_reused": Kind(422, "The idempotency key was used for another request"),
    "rate_limited": Kind(429, "Too often in too short a time"),
    "headers_too_large": Kind(431, "The header fields are too large"),
    "internal_error": Kind(500, "The service made a mistake"),
    "not_implemented": Kind(501, "The transfer coding is not known"),
    "store_unavailable": Kind(503, "The store does not answer"),
    "too_many_streams": Kind(503, "Too many streams are open"),
    "stopping": Kind(503, "The server stops"),
}

_CHALLENGES: Final[Mapping[Code, str]] = {
    "token_required": 'Bearer realm="pis-yedili"',
    "token_invalid": 'Bearer realm="pis-yedili", error="invalid_token"',
}
_BY_HTTP_STATUS: Final[Mapping[int, tuple[Code, str]]] = {
    404: ("not_found", "No operation has this path; `/docs` shows them all."),
    405: ("method_not_allowed", "No operation at this path has this method; `Allow` lists those that have one."),
    413: ("body_too_large", "A body has at most 16 KiB."),
}


def problem(refusal: Refusal) -> dict[str, Any]:
    """Give the problem document of a refusal."""
    kind = KINDS[refusal.code]
    document: dict[str, Any] = {
        "type": f"/docs#{refusal.code}",
        "title": kind.title,
        "status": kind.status,
        "detail": refusal.detail,
        "code": refusal.code,
    }
    for member in ("rule", "option", "errors"):
        if value := getattr(refusal, member):
            document[member] = value
    return document


def respond(refusal: Refusal) -> Response:
    """Answer with a problem document."""
    current_app.extensions["counting"].refused(refusal.code)
    response = Response(orjson.dumps(problem(refusal)), KINDS[refusal.code].status, mimetype=PROBLEM_JSON)
    response.headers["Cache-Control"] = "no-store"
    if challenge := _CHALLENGES.get(refusal.code):
        response.headers["WWW-Authenticate"] = challenge
    if KINDS[refusal.code].status == 503:
        response.headers["Retry-After"] = str(RETRY_SECONDS)
    if isinstance(refusal, RateLimited):
        response.headers["Retry-After"] = str(refusal.retry_seconds)
        response.headers["RateLimit"] = f'"{refusal.policy}";r=0;t={refusal.retry_seconds}'
        response.headers["RateLimit-Policy"] = f'"{refusal.policy}";q={refusal.quota};w={refusal.window_seconds}'
    return response


def register(app: Flask) -> None:
    """Make every error of an application a problem document."""
    app.register_error_handler(Refusal, respond)
    app.register_error_handler(HTTPException, _http_error)
    app.register_error_handler(ParseException, _malformed)
    app.register_error_handler(StoreUnavailable, _store_unavailable)
    app.register_error_handler(UnknownFormat, _unknown_format)
    app.register_error_handler(Exception, _unexpected)


def _http_error(error: HTTPException) -> Response:
    malformed: tuple[Code, str] = ("malformed_request", "The body or its head is not well-formed HTTP.")
    code, detail = _BY_HTTP_STATUS.get(error.code or 0, malformed)
    response = respond(Refusal(code, detail))
    if code == "method_not_allowed":
        response.headers.extend(value for value in error.get_headers() if value[0] == "Allow")
    return response


def _malformed(error: ParseException) -> Response:
    return respond(Refusal("malformed_request", f"The body is not well-formed HTTP: {error}."))


def _store_unavailable(error: StoreUnavailable) -> Response:
    _log.error("%s", error)
    detail = "The store does not answer."
    if request.method != "GET":
        detail += " The write may have been carried out: repeat it with the same Idempotency-Key, or look first."
    return respond(Refusal("store_unavailable", detail))


def _unknown_format(error: UnknownFormat) -> Response:
    _log.error("%s", error)
    return respond(Refusal("store_unavailable", str(error)))


def _unexpected(error: Exception) -> Response:
    _log.error("unexpected error", exc_info=error)
    return respond(Refusal("internal_error", "The service made a mistake; it has been logged."))
