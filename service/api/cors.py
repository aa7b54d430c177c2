"""Cross-origin requests: which pages of other origins a browser lets call the service.

No cookie tells who asks, so nothing but tokens is at stake, and a page has only those that it was given.
"""

from __future__ import annotations

from typing import Final

from flask import Flask, Response, request
from werkzeug.datastructures import HeaderSet

from .contract import nothing

_EXPOSED: Final = HeaderSet(
    [
        "ETag",
        "Idempotency-Replayed",
        "Location",
        "RateLimit",
        "RateLimit-Policy",
        "Retry-After",
        "WWW-Authenticate",
    ]
)
_SENT: Final = HeaderSet(
    ["Authorization", "Content-Type", "Idempotency-Key", "If-None-Match", "Last-Event-ID", "X-API-Key"]
)
_METHODS: Final = HeaderSet(["GET", "POST", "PUT", "DELETE"])
_PREFLIGHT_SECONDS: Final = 3600


def register(app: Flask, origins: tuple[str, ...]) -> None:
    """Let pages of these origins call an application; without any, nothing changes."""
    if origins:
        app.before_request(_answer_preflight)
        app.after_request(lambda response: _allow(response, origins))


def _answer_preflight() -> Response | None:
    return nothing() if _is_preflight() else None


def _is_preflight() -> bool:
    return request.method == "OPTIONS" and request.access_control_request_method is not None


def _allow(response: Response, origins: tuple[str, ...]) -> Response:
    response.vary.add("Origin")
    if request.origin in origins:
        response.access_control_allow_origin = request.origin
        response.access_control_expose_headers = _EXPOSED
        if _is_preflight():
            response.access_control_allow_methods = _METHODS
            response.access_control_allow_headers = _SENT
            response.access_control_max_age = _PREFLIGHT_SECONDS
    return response
