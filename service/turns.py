"""How the connections of a worker take turns, so that none waits for long while others are served."""

from __future__ import annotations

from typing import Any, Final

import gunicorn.workers.ggevent
from gevent.server import StreamServer

from . import pause

ACCEPTED_AT_ONCE: Final = 8
"""One would leave a burst at the door of a busy worker, a hundred would take it from an idle one."""
SERVED_AT_ONCE: Final = 8
"""So many requests of a connection are served in a row, if they are there already and wait for nothing."""


class PromptServer(StreamServer):  # type: ignore[misc]  # gevent's class has no type
    """A server that lets some new connections in a round.

    gunicorn lets in one, so that several workers share a burst. But in a busy worker a round serves every connection
    that it has, and when another worker has died, its clients come anew and wait for seconds.
    """

    @property
    def max_accept(self) -> int:
        """How many connections are let in a round."""
        return ACCEPTED_AT_ONCE

    @max_accept.setter
    def max_accept(self, count: int) -> None:
        """Take no notice of what gunicorn says."""


def let_newcomers_in() -> None:
    """Let gunicorn's workers use `PromptServer`."""
    gunicorn.workers.ggevent.StreamServer = PromptServer


def let_others_go_first(request: Any) -> None:
    """After some requests of a connection, let others be served; gunicorn's `pre_request` hook.

    A green thread that finds its next request there already would never stop: who sends requests without waiting for
    answers could keep a worker for himself, until gunicorn takes it for dead.

    Args:
        request: gunicorn's request.
    """
    if request.req_number % SERVED_AT_ONCE == 0:
        pause.a_moment()
