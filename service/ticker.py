"""The ticker: in every server, it lets matches go on by themselves when their time has come.

What is due stands in the store, so that it outlives every server. Each entry is claimed by one server at a time; who
dies with a claim leaves it to the others when the claim has run out. A claim only avoids double work: that nothing
happens twice is sure because every commit checks the version that it was decided on.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Final

from . import deadline
from .errors import Refusal, StoreUnavailable, UnknownFormat
from .store.base import Due, Store
from .usecases import UseCases

TICK_SECONDS: Final = 0.2
LEASE_MS: Final = 2000
AT_ONCE: Final = 128
"""How many matches may be worked on; a bot may take its time, and turns that run out meanwhile must not wait for it."""
SPARE: Final = 32
"""How many of these are never matches that no human plays, of which anybody may have made thousands."""
_log = logging.getLogger(__name__)


class Ticker:
    """Looks for what is due, again and again, in a thread of its own."""

    def __init__(self, store: Store, usecases: UseCases, *, clock: Callable[[], int], timeout_seconds: float) -> None:
        """Compose; `start` makes the thread.

        Args:
            store: knows what is due.
            usecases: carry it out.
            clock: gives the time in Unix milliseconds.
            timeout_seconds: how long the store may take for the work on one match.
        """
        self._store = store
        self._usecases = usecases
        self._clock = clock
        self._timeout_seconds = timeout_seconds
        self._in_flight_ms = round(timeout_seconds * 1000) + LEASE_MS
        self._pool = ThreadPoolExecutor(AT_ONCE, "ticker")
        self._working: set[Future[None]] = set()
        self._stopping = False

    def start(self) -> threading.Thread:
        """Begin, and give the thread."""
        thread = threading.Thread(target=self._run, name="ticker", daemon=True)
        thread.start()
        return thread

    def stop(self) -> None:
        """End soon; what is being worked on is finished."""
        self._stopping = True

    def _run(self) -> None:
        is_lost = False
        while not self._stopping:
            try:
                self.tick()
                is_lost = False
            except StoreUnavailable as error:
                if not is_lost:
                    _log.warning("nothing goes on by itself: %s", error)
                is_lost = True
            time.sleep(TICK_SECONDS)
        self._pool.shutdown(wait=False)

    def tick(self) -> set[Future[None]]:
        """Claim what is due, begin to let it go on, and give what is being worked on.

        Raises:
            StoreUnavailable: the store does not answer; what was claimed can be claimed anew later.
        """
        deadline.begin(self._timeout_seconds)
        self._working = {future for future in self._working if not future.done()}
        now_ms = self._clock()
        claim = self._store.claim(now_ms, LEASE_MS, AT_ONCE - len(self._working), SPARE)
        self._usecases.outages.hear(claim.outages, now_ms)
        for due in claim.due:
            self._working.add(self._pool.submit(self._attend, due))
        return self._working

    def _attend(self, due: Due) -> None:
        deadline.begin(self._timeout_seconds)
        try:
            if self._is_done(due):
                self._store.drop(due)
        except (StoreUnavailable, UnknownFormat) as error:
            _log.warning("match %s has to wait: %s", due.match_id, error)
        except Exception:
            _log.exception("match %s cannot go on by itself", due.match_id)

    def _is_done(self, due: Due) -> bool:
        """Let a match go on, and tell whether its entry has done its duty.

        An entry is written before its commit: while that may still be on its way, the entry is kept.
        """
        try:
            went_on = self._usecases.come_due(due.match_id, due.due_ms)
        except Refusal as refusal:
            if refusal.code == "conflict":
                return False
            went_on = False
        return went_on or self._clock() - due.noted_ms > self._in_flight_ms
