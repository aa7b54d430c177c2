"""The events that one change of a match causes, numbered for its log."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import orjson

from .engine.match import Happening
from .shorthand import lengthened, shortened
from .store.base import Entry
from .telling import Mover, told
from .view import Data, timestamp


class Journal:
    """Collects the events of one change.

    Attributes:
        now_ms: the time by now, in Unix milliseconds.
        events: the events so far, complete: `view.redacted` makes a reader's copy of one.
        movers: who made the moves that caused them.
    """

    def __init__(self, version: int, now_ms: int) -> None:
        """Begin after the event with the number `version`."""
        self._first = version + 1
        self._at_ms = now_ms
        self._at = timestamp(now_ms)
        self.now_ms = now_ms
        self.events: list[Data] = []
        self.movers: list[Mover] = []

    @property
    def version(self) -> int:
        """The number of the last event."""
        return self._first + len(self.events) - 1

    def go_on(self, now_ms: int) -> None:
        """Note that time has passed since the change began; its events are all of one moment nevertheless."""
        self.now_ms = now_ms

    def add(self, deal: int | None, kind: str, /, **members: Any) -> int:
        """Add an event, of a deal or of the whole match, and give its number."""
        return self._append(kind, deal, members)

    def add_all(self, happenings: Iterable[Happening], by: Mover = "player") -> list[int]:
        """Add what happened in the game by somebody's move; give the numbers of the events that ended a deal."""
        ends = []
        for deal, event in happenings:
            kind, members = told(event, by)
            number = self._append(kind, deal, members)
            if kind == "deal_ended":
                ends.append(number)
        return ends

    def _append(self, kind: str, deal: int | None, members: Data) -> int:
        number = self._first + len(self.events)
        self.events.append({"seq": number, "at": self._at, "type": kind, "deal": deal, **members})
        return number

    def encode(self) -> bytes:
        """Write the events for the store, without the numbers, which the place in the log gives."""
        return orjson.dumps([self._at_ms, [shortened(event) for event in self.events]])


def read_entry(entry: Entry) -> list[Data]:
    """Read what `Journal.encode` wrote, or its first release."""
    data = orjson.loads(entry.data)
    at, events = (data["at"], data["events"]) if isinstance(data, dict) else (timestamp(data[0]), data[1])
    first = entry.last - len(events) + 1
    return [{"seq": seq, "at": at, **lengthened(event)} for seq, event in enumerate(events, first)]
