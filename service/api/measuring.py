"""Measuring requests: which operation was answered how, and how soon."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Final
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from flask import request

from ..counting import Counting

_HELD: Final = "pis_yedili.held_seconds"


def measured(application: WSGIApplication, counting: Counting) -> WSGIApplication:
    """Tell of every request as soon as its answer begins; what a stream sends later is no part of its duration."""

    def answer(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        began = time.perf_counter()

        def begin(status: str, headers: list[tuple[str, str]], exc_info: Any = None) -> Any:
            seconds = time.perf_counter() - began - environ.get(_HELD, 0.0)
            asked = environ.get("werkzeug.request")
            operation = (asked and asked.endpoint) or ""
            counting.answered(operation, environ["REQUEST_METHOD"], status[:3], seconds)
            return start_response(status, headers, exc_info)

        return application(environ, begin)

    return answer


@contextmanager
def held() -> Iterator[None]:
    """Do not count the time that is spent inside: a poll that is held waits for the match, not for the service."""
    began = time.perf_counter()
    try:
        yield
    finally:
        request.environ[_HELD] = time.perf_counter() - began
