"""Who is here: which players have a stream or a held poll open, at this worker or at another.

Each worker notes at a match in the store the seats of its own players, when that changes and only then. Apart from
that it tells every few seconds, once for all its matches, that it runs. A seat is here if a worker that runs has noted
it, so nothing has to be written for a worker that was killed. Who follows a match hears what is noted, and asks for it
anew whenever something may have been missed.
"""

from __future__ import annotations

import logging
import secrets
import threading
import time
from contextlib import suppress
from math import inf
from typing import Final, Self

from . import deadline
from .errors import StoreUnavailable
from .store.base import Attendance, Here, Store
from .streaming import Hub

TICK_SECONDS: Final = 0.1
"""How often changes are written: those of one match in between together, as of a stream that is opened anew."""
BEAT_SECONDS: Final = 3.0
LIFE_SECONDS: Final = 18
"""After how long without a beat a worker is taken for dead; all know it one beat later."""
LINGER_SECONDS: Final = 5.0
"""How long a player stays here after the last stream or poll, so that the next poll is no return."""
_AT_ONCE: Final = 50
"""How many matches are written to in one round trip: a move that comes in between waits for so many."""
_RETRY_SECONDS: Final = 1.0
_log = logging.getLogger(__name__)


class Attending:
    """A context for as long as a stream or a poll is open, in which its player is here.

    A small class, because there is one for each of thousands of streams.
    """

    __slots__ = ("_match_id", "_presence", "_seat")

    def __init__(self, presence: Presence, match_id: str, seat: int | None) -> None:
        self._presence = presence
        self._match_id = match_id
        self._seat = seat

    def __enter__(self) -> Self:
        if self._seat is not None:
            self._presence.enter(self._match_id, self._seat)
        return self

    def __exit__(self, *exception: object) -> None:
        self.end()

    def end(self) -> None:
        """Let the player go, even if the stream does not end."""
        if self._seat is not None:
            self._presence.leave(self._match_id, self._seat)
            self._seat = None


class Presence:
    """Notes who is here, in a thread of its own, and tells which of those that are noted count."""

    def __init__(self, store: Store, hub: Hub, *, timeout_seconds: float) -> None:
        """Compose; `start` makes the thread.

        Args:
            store: where it is noted.
            hub: those in this process who follow matches, and want to know.
            timeout_seconds: how long the store may take for one round trip.
        """
        self._roll = store.roll()
        self._hub = hub
        self._timeout_seconds = timeout_seconds
        self._name = _new_name()
        self._running: frozenset[str] = frozenset()
        self._seats: dict[str, dict[int, int]] = {}  # by match, how often each seat is here
        self._lingering: dict[tuple[str, int], float] = {}
        self._asked: set[str] = set()
        self._next_beat = -inf
        self._losses = hub.losses
        self._stopping = False
        self._lock = threading.Lock()

    def start(self) -> threading.Thread:
        """Begin, and give the thread."""
        thread = threading.Thread(target=self._run, name="presence", daemon=True)
        thread.start()
        return thread

    def stop(self) -> None:
        """End soon, and with it the presence of all who are here through this worker."""
        self._stopping = True

    def attending(self, match_id: str, seat: int | None) -> Attending:
        """Let the player of a seat be here for as long as the context lasts; None is nobody's seat."""
        return Attending(self, match_id, seat)

    def enter(self, match_id: str, seat: int) -> None:
        """Note that the player of a seat has opened a stream or a poll; see `attending`."""
        with self._lock:
            seats = self._seats.setdefault(match_id, {})
            seats[seat] = seats.get(seat, 0) + 1
            if self._lingering.pop((match_id, seat), None) is None and seats[seat] == 1:
                self._asked.add(match_id)

    def leave(self, match_id: str, seat: int) -> None:
        """Note that a stream or a poll of theirs has ended."""
        with self._lock:
            seats = self._seats[match_id]
            seats[seat] -= 1
            if not seats[seat]:
                self._lingering[match_id, seat] = time.monotonic() + LINGER_SECONDS

    def seats(self, here: Here) -> frozenset[int]:
        """Give the seats whose players are here, by what is noted at a match."""
        return frozenset([seat for name, seat in here.noted if name in self._running])

    def look(self, match_id: str, here: Here | None) -> frozenset[int] | None:
        """Give the seats whose players are here; if it is not known, or noted wrongly, have it mended soon.

        Args:
            match_id: the match.
            here: what is known to be noted there; None if nothing is. This worker knows its own players better.
        """
        own = frozenset(self._seats.get(match_id, ()))
        if here is None or own != {seat for name, seat in here.noted if name == self._name}:
            self._asked.add(match_id)
        if here is None:
            return None
        return own.union(seat for name, seat in here.noted if name in self._running and name != self._name)

    def tick(self) -> None:
        """Do what is due.

        Raises:
            StoreUnavailable: the store does not answer; what could not be done stays due.
        """
        if self._losses != self._hub.losses:
            self._begin_anew()
        self._let_go()
        if self._asked or time.monotonic() >= self._next_beat:  # who writes must know all that run
            self._beat()
        while self._asked:
            self._attend([self._asked.pop() for _ in range(min(len(self._asked), _AT_ONCE))])

    def _run(self) -> None:
        is_lost = False
        while not self._stopping:
            try:
                self.tick()
                is_lost = False
            except StoreUnavailable as error:
                if not is_lost:
                    _log.warning("nobody hears who is here: %s", error)
                is_lost = True
                time.sleep(_RETRY_SECONDS)
            time.sleep(TICK_SECONDS)
        self._end()

    def _begin_anew(self) -> None:
        """Take another name: what was noted under this one dies with it, whatever of it the store has lost."""
        self._losses = self._hub.losses
        self._name = _new_name()
        self._next_beat = -inf
        self._asked |= self._seats.keys()

    def _beat(self) -> None:
        deadline.begin(self._timeout_seconds)
        running = self._roll.beat(self._name, LIFE_SECONDS)
        if time.monotonic() > self._next_beat + BEAT_SECONDS:  # after an outage: others may be late too
            running |= self._running
        self._next_beat = time.monotonic() + BEAT_SECONDS
        if running != self._running:
            self._running = running
            self._hub.nudge_all()

    def _let_go(self) -> None:
        with self._lock:
            while self._lingering and next(iter(self._lingering.values())) <= time.monotonic():
                match_id, seat = next(iter(self._lingering))
                del self._lingering[match_id, seat], self._seats[match_id][seat]
                if not self._seats[match_id]:
                    del self._seats[match_id]
                self._asked.add(match_id)

    def _attend(self, match_ids: list[str]) -> None:
        with self._lock:
            attendances = [Attendance(match_id, tuple(sorted(self._seats.get(match_id, ())))) for match_id in match_ids]
        deadline.begin(self._timeout_seconds)
        try:
            found = self._roll.attend(self._name, attendances, self._running)
        except StoreUnavailable:
            self._asked.update(match_ids)
            raise
        for match_id, here in zip(match_ids, found, strict=True):
            if here is not None:
                self._hub.meet(match_id, here)

    def _end(self) -> None:
        deadline.begin(self._timeout_seconds)
        with suppress(StoreUnavailable):  # the name dies by itself too
            self._roll.beat(self._name, 0)


def _new_name() -> str:
    return secrets.token_hex(6)
