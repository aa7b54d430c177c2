"""The figures of the service for Prometheus.

With several processes each writes its own into files of a folder, which `PROMETHEUS_MULTIPROC_DIR` names before this
module is loaded, and whichever is asked adds all of them up. Labels have values from closed sets only.

What every request or move has counted is noted at once, and written into the files a moment later, many notes in a
row: one by one they would cost four times as much, a tenth of a move.
"""

from __future__ import annotations

import logging
import os
import threading
import time
from collections import deque
from collections.abc import Iterable
from contextlib import AbstractContextManager
from typing import Final, get_args

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client.multiprocess import MultiProcessCollector

from .bots.choosing import Level
from .counting import Counting, Following, Sent
from .errors import Code
from .telling import Mover
from .view import Data

_REQUEST: Final = ("operation", "method", "status")
_METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"})
_DURATIONS: Final = (0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 3.0)
_SEARCHES: Final = (0.01, 0.025, 0.04, 0.05, 0.06, 0.075, 0.1, 0.15, 0.2, 0.3)
"""Where 50, 100 or 200 ms are set, they tell what took longer, and what took one and a half times as long."""
SETTLING_SECONDS: Final = 0.25
"""How long something may be noted before it is written down: so much is lost when a process is killed."""
_log: Final = logging.getLogger(__name__)
disable_created_metrics()  # type: ignore[no-untyped-call]  # untyped; what several processes keep has none


class Metrics(Counting):
    """Counts."""

    def __init__(self) -> None:
        """Begin at zero."""
        self._registry = CollectorRegistry()
        self._answers: deque[tuple[str, str, str, float]] = deque()
        self._movers: deque[Mover] = deque()
        moves = self._counter("moves", "Moves that were made, by who made them.", "by")
        self._moves = {mover: moves.labels(mover) for mover in get_args(Mover)}
        self._created = self._counter(
            "matches_created", "Matches that were created, by the name of the app key.", "app"
        )
        ended = self._counter("matches_ended", "Matches that have ended: finished or abandoned.", "status")
        self._happened = {
            "match_ended": ended.labels("finished"),
            "match_abandoned": ended.labels("abandoned"),
            "deal_ended": self._counter("deals_ended", "Deals that were played to their end."),
            "turn_timed_out": self._counter("turns_timed_out", "Turns that have run out."),
        }
        chosen = self._counter("bot_moves", "Moves that bots have chosen; after a conflict they choose anew.", "level")
        self._chosen = {level: chosen.labels(level) for level in get_args(Level)}
        self._downgraded = self._counter("bot_moves_downgraded", "Moves that `hard` had to choose as `normal` does.")
        self._searched = Histogram(
            "pis_yedili_bot_search_seconds",
            "How long `hard` bots have searched for their moves.",
            registry=self._registry,
            buckets=_SEARCHES,
        )
        self._requests = self._counter(
            "http_requests", "Requests that were answered; `operation` is empty where there is none.", *_REQUEST
        )
        self._figures_of: dict[tuple[str, str, str], tuple[Counter, Histogram]] = {}
        self._durations = Histogram(
            "pis_yedili_http_request_duration_seconds",
            "How long it took until an answer began, without the time that polls are held.",
            ["operation"],
            registry=self._registry,
            buckets=_DURATIONS,
        )
        self._refusals = self._counter("refusals", "Requests that were refused, by the code of the problem.", "code")
        self._replays = self._counter("replays", "Writes that were answered as an earlier one with the same key.")
        following = Gauge(
            "pis_yedili_followers",
            "Streams that are open and polls that are held.",
            ["kind"],
            registry=self._registry,
            multiprocess_mode="livesum",
        )
        self._following = {kind: following.labels(kind) for kind in get_args(Following)}
        self._streamed = self._counter("stream_events", "Events that went out on streams.")
        sent = self._counter("webhook_messages", "What became of attempts to tell webhooks.", "outcome")
        self._sent = {outcome: sent.labels(outcome) for outcome in get_args(Sent)}
        self._store_failures = self._counter("store_failures", "Commands that the store did not carry out in time.")

    def _counter(self, name: str, text: str, *labels: str) -> Counter:
        return Counter(f"pis_yedili_{name}", text, labels, registry=self._registry)

    def answered(self, operation: str, method: str, status: str, seconds: float) -> None:
        """Note a request, and how long it took."""
        self._answers.append((operation, method, status, seconds))

    def refused(self, code: Code) -> None:
        """Count a refusal."""
        self._refusals.labels(code).inc()

    def committed(self, app: str | None, movers: Iterable[Mover], events: Iterable[Data]) -> None:
        """Note moves, and count what they or another change led to."""
        self._movers.extend(movers)
        for event in events:
            kind = event["type"]
            if kind in self._happened:
                self._happened[kind].inc()
            elif kind == "match_created":
                self._created.labels(app or "").inc()

    def replayed(self) -> None:
        """Count a repeat."""
        self._replays.inc()

    def chosen(self, level: Level, *, searched_seconds: float = 0.0, downgraded: bool = False) -> None:
        """Count a bot's choice."""
        self._chosen[level].inc()
        if downgraded:
            self._downgraded.inc()
        if searched_seconds:
            self._searched.observe(searched_seconds)

    def following(self, kind: Following) -> AbstractContextManager[object]:
        """Count a follower for as long as the context lasts."""
        return self._following[kind].track_inprogress()

    def streamed(self) -> None:
        """Count an event."""
        self._streamed.inc()

    def sent(self, outcome: Sent) -> None:
        """Count an attempt, or a message that is given up."""
        self._sent[outcome].inc()

    def store_failed(self) -> None:
        """Count a failure."""
        self._store_failures.inc()

    def start(self) -> threading.Thread:
        """Begin to write down what is noted, again and again, in a thread of its own, and give the thread."""
        thread = threading.Thread(target=self._run, name="metrics", daemon=True)
        thread.start()
        return thread

    def _run(self) -> None:
        while True:
            time.sleep(SETTLING_SECONDS)
            try:
                self.settle()
            except Exception:  # the folder of the figures is full, say: the next notes may find room again
                _log.exception("some figures are lost")

    def settle(self) -> None:
        """Write down what is noted."""
        while self._answers:
            operation, method, status, seconds = self._answers.popleft()
            requests, durations = self._figures(operation, method if method in _METHODS else "other", status)
            requests.inc()
            durations.observe(seconds)
        while self._movers:
            self._moves[self._movers.popleft()].inc()

    def _figures(self, operation: str, method: str, status: str) -> tuple[Counter, Histogram]:
        known = self._figures_of.get((operation, method, status))
        if known is None:
            known = self._requests.labels(operation, method, status), self._durations.labels(operation)
            self._figures_of[operation, method, status] = known
        return known

    def text(self) -> bytes:
        """Give the figures of all processes in the text format of Prometheus, but for what others have only noted."""
        self.settle()
        registry, folder = self._registry, os.environ.get("PROMETHEUS_MULTIPROC_DIR")
        if folder is not None:
            registry = CollectorRegistry()
            MultiProcessCollector(registry, folder)  # type: ignore[no-untyped-call]  # untyped in the library
        return generate_latest(registry)
