"""How long the work on one request may still take, known wherever the request is worked on."""

from __future__ import annotations

import time
from contextvars import ContextVar
from math import inf
from typing import Final

_DEADLINE: Final[ContextVar[float]] = ContextVar("deadline", default=inf)


def begin(seconds: float) -> None:
    """Let the work that begins here end within so many seconds."""
    _DEADLINE.set(time.monotonic() + seconds)


def seconds_left() -> float:
    """Give the time that is left; infinite outside of a request."""
    return _DEADLINE.get() - time.monotonic()


class Paused:
    """Does not count the time that is spent inside: it is not ours."""

    def __enter__(self) -> None:
        self._left = seconds_left()

    def __exit__(self, *exception: object) -> None:
        begin(self._left)
