"""Signs of life, for those who run the service."""

from __future__ import annotations

from typing import Final

from flask import Response, current_app

from ..errors import Refusal
from . import answers
from .contract import Answer, Call, Operations, json_response

operations: Final[Operations] = Operations("service")

PROMETHEUS: Final = "text/plain; version=0.0.4"
_FRESH = {"Cache-Control": "no-store"}


@operations.operation("GET", "/healthz", {200: Answer("The process is alive.", answers.Health)})
def get_health(call: Call) -> Response:
    """Ask whether the process is alive.

    Does not ask the store.
    """
    return json_response({"status": "ok"}, headers=_FRESH)


@operations.operation(
    "GET",
    "/readyz",
    {200: Answer("The service can serve.", answers.Health)},
    refuses=("store_unavailable", "stopping"),
)
def get_readiness(call: Call) -> Response:
    """Ask whether the service can serve.

    Answers 200 when the store answers, else 503.
    """
    if call.follower.stopping:
        raise Refusal("stopping", "This server stops.")
    call.usecases.ping()
    return json_response({"status": "ok"}, headers=_FRESH)


@operations.operation("GET", "/metrics", {200: Answer("The figures.", media_type=PROMETHEUS)}, refuses=("not_found",))
def get_metrics(call: Call) -> Response:
    """Read the figures of the service.

    For Prometheus, in its text format: what all workers have counted since the service started. They name neither
    matches nor players. Does not ask the store. Where the operator has it counted nothing, this is `not_found`.
    """
    text = current_app.extensions["counting"].text()
    if text is None:
        raise Refusal("not_found", "This service counts nothing: its operator has set METRICS=off.")
    return Response(text, headers=_FRESH, content_type=f"{PROMETHEUS}; charset=utf-8")
