"""Waiting for what happens: everybody in this process who follows a match shares what is heard of it.

One thread hears of all commits (`Wakes`) and hands each to the `Topic` of its match. Who follows a match waits at its
topic. A topic remembers the latest entries; who needs older ones, or notices a gap, reads the log of the store, which
is the truth: the calls only wake.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from .errors import StoreUnavailable
from .journal import read_entry
from .store.base import Entry, Here, Store, Wakes
from .view import Data

REMEMBERED: Final = 64
"""How many entries a topic remembers for those who fall behind a little."""
_TICK_SECONDS: Final = 0.5
_LOST_SECONDS: Final = 0.5
_log = logging.getLogger(__name__)


class Topic:
    """The latest entries of one match, and those who wait for more.

    Attributes:
        changed: held for every look and change; notified at every stir.
        reading: held by the one who reads the log, so that a crowd that was woken does not read it all at once.
        followers: how many follow.
        stirs: how often they were woken.
        here: which of them are players, in all processes; None while it is not known.
    """

    def __init__(self) -> None:
        self.changed = threading.Condition()
        self.reading = threading.Lock()
        self.followers = 0
        self.stirs = 0
        self.here: Here | None = None
        self._events: deque[list[Data]] = deque(maxlen=REMEMBERED)
        self._end: tuple[int, int] | None = None

    def add(self, entry: Entry) -> None:
        """Remember an entry and wake everybody; forget the older ones if there is a gap before it."""
        events = read_entry(entry)
        with self.changed:
            if self._events and self._events[-1][-1]["seq"] + 1 != events[0]["seq"]:
                self._events.clear()
            self._events.append(events)
            self._stir()

    def stir(self) -> None:
        """Wake everybody to look at the log: something may have been missed, or the service stops."""
        with self.changed:
            self._events.clear()
            self.here = None
            self._stir()

    def meet(self, here: Here) -> None:
        """Note who is here, unless later news of it came first, and wake everybody; nothing is new in the log."""
        with self.changed:
            if self.here is None or self.here.number < here.number:
                self.here = here
                self.nudge()

    def nudge(self) -> None:
        """Wake everybody to look who is here; nothing is new in the log."""
        with self.changed:
            end = self._end
            self._stir()
            if end is not None and end[0] == self.stirs - 1:
                self._end = (self.stirs, end[1])

    def _stir(self) -> None:
        self.stirs += 1
        self.changed.notify_all()

    def after(self, seq: int) -> list[Data] | None:
        """Give the events beyond a number, as far as they are known here; None if they are not."""
        with self.changed:
            if self._end is not None and self._end[0] == self.stirs and self._end[1] <= seq:
                return []
            if not self._events or self._events[0][0]["seq"] > seq + 1:
                return None
            return [event for events in self._events for event in events if event["seq"] > seq]

    def settle(self, stirs: int, last: int) -> None:
        """Note that after so many stirs the log was read to its end, so that those who have it all need not read it."""
        with self.changed:
            self._end = (stirs, last)

    def wait(self, stirs: int, seconds: float) -> bool:
        """Wait, but no longer than so many seconds, for another stir than `stirs`, and tell whether there was one."""
        with self.changed:
            if self.stirs == stirs:
                self.changed.wait(seconds)
            return self.stirs != stirs


class Hub:
    """The topics of this process, and the thread that hears for them.

    Attributes:
        stopping: whether the service stops.
        following: how many follow.
        losses: how often the store was lost, and with it maybe its latest writes.
    """

    def __init__(self, store: Store) -> None:
        """Prepare; the thread, which hears of the commits of a store, starts with the first follower."""
        self._store = store
        self._lock = threading.Lock()
        self._topics: dict[str, Topic] = {}
        self._wakes: Wakes | None = None
        self.stopping = False
        self.following = 0
        self.losses = 0

    @contextmanager
    def follow(self, match_id: str) -> Iterator[Topic]:
        """Follow a match for as long as the context lasts."""
        topic = self._enter(match_id)
        try:
            yield topic
        finally:
            self._leave(match_id, topic)

    def meet(self, match_id: str, here: Here) -> None:
        """Tell those who follow a match who is here."""
        if topic := self._topics.get(match_id):
            topic.meet(here)

    def nudge_all(self) -> None:
        """Let everybody look who is here."""
        for topic in self._all():
            topic.nudge()

    def stop(self) -> None:
        """End every stream and every wait, soon."""
        self.stopping = True

    def _enter(self, match_id: str) -> Topic:
        with self._lock:
            if self._wakes is None:
                self._wakes = self._store.wakes()
                threading.Thread(target=self._hear, args=(self._wakes,), name="hub", daemon=True).start()
            topic = self._topics.get(match_id)
            if topic is None:
                topic = self._topics[match_id] = Topic()
                self._wakes.listen(match_id)
            topic.followers += 1
            self.following += 1
            return topic

    def _leave(self, match_id: str, topic: Topic) -> None:
        with self._lock:
            self.following -= 1
            topic.followers -= 1
            if not topic.followers:
                del self._topics[match_id]
                assert self._wakes is not None
                self._wakes.ignore(match_id)

    def _hear(self, wakes: Wakes) -> None:
        lost = False
        while not self.stopping:
            try:
                heard = wakes.next(_TICK_SECONDS)
            except StoreUnavailable as error:
                if not lost:
                    _log.warning("%s", error)
                    self.losses += 1
                lost = True
                time.sleep(_LOST_SECONDS)
                continue
            if lost:
                lost = False
                self._stir_all()
            if heard is not None:
                self._tell(*heard)
        wakes.close()
        self._stir_all()

    def _tell(self, match_id: str, heard: Entry | Here | None) -> None:
        if topic := self._topics.get(match_id):
            match heard:
                case Entry():
                    topic.add(heard)
                case Here():
                    topic.meet(heard)
                case None:
                    topic.stir()

    def _stir_all(self) -> None:
        for topic in self._all():
            topic.stir()

    def _all(self) -> list[Topic]:
        with self._lock:
            return list(self._topics.values())


def read_log(store: Store, match_id: str, after: int, limit: int) -> list[Data]:
    """Read the events of a match beyond number `after`, complete, at most `limit`."""
    entries = store.entries(match_id, after, limit)
    return [event for entry in entries for event in read_entry(entry) if event["seq"] > after][:limit]
