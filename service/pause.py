"""Letting others of this process go first."""

from __future__ import annotations

import time
from typing import Final

_SECONDS: Final = 1e-6
"""In no time at all those go first who are ready, but gevent looks for requests that have come only now and then."""


def a_moment() -> None:
    """Let the other threads of this process go first, those too whose requests have just come."""
    time.sleep(_SECONDS)
