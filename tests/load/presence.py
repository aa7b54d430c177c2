"""Who is here when a worker is killed: how long views and streams go on to tell of players who were cut off."""

from __future__ import annotations

import http.client
import json
import os
import random
import signal
import threading
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.sse import Stream as Messages

from .players import GIVE_UP_SECONDS, Client, Table
from .processes import Service
from .streams import Stream

MOST_SECONDS = 35.0


@dataclass
class Deceived:
    """After how many seconds the players of a killed worker were told to be gone."""

    cut_off: int = 0
    by_views: list[float] = field(default_factory=list)
    by_streams: list[float] = field(default_factory=list)
    stayed: bool = True
    gaps: int = 0

    def is_kept(self) -> bool:
        """Tell whether the promise is kept."""
        told = self.cut_off == len(self.by_views) == len(self.by_streams) > 0
        return told and max(self.by_views + self.by_streams) < MOST_SECONDS and self.stayed and not self.gaps

    def __str__(self) -> str:
        """Give the figures."""
        return (
            f"players cut off {self.cut_off}, gone in views after {max(self.by_views, default=0):.1f} s, "
            f"in streams after {max(self.by_streams, default=0):.1f} s, the others stayed: {self.stayed}, "
            f"gaps in the logs {self.gaps}"
        )


class Watcher(threading.Thread):
    """Follows a match as a stranger, resumes when it is cut off, and remembers who is here by what it was told."""

    def __init__(self, port: int, path: str) -> None:
        super().__init__(daemon=True)
        self._port, self._path = port, path
        self.here: set[int] = set()
        self.last = self.gaps = 0
        self.stopping = False

    def run(self) -> None:
        """Follow until told to stop."""
        while not self.stopping:
            with suppress(OSError, http.client.HTTPException, AssertionError):
                resume = {"Last_Event_ID": str(self.last)} if self.last else {}
                with Messages(self._port, f"{self._path}/stream", **resume) as stream:
                    for block in stream.blocks:
                        self._note(block)
            time.sleep(0.1)

    def _note(self, block: dict[str, str]) -> None:
        if "id" in block:
            number = int(block["id"])
            self.gaps += self.last not in (0, number - 1)
            self.last = number
            if block["event"] == "snapshot":
                self.here = seats_here(json.loads(block["data"]))
        elif block.get("event") == "presence":
            told = json.loads(block["data"])
            (self.here.add if told["present"] else self.here.discard)(told["seat"])


def run(folder: Path, *, matches: int) -> Deceived:
    """Let players follow matches, go on playing, and kill one worker of two; nobody whom it served comes back."""
    outcome = Deceived()
    with Service(folder / "presence") as service:
        tables = [Table(Client(service.port), random.Random(number)) for number in range(matches)]
        for table in tables:
            table.seat_players(2)
        watchers = [Watcher(service.port, table.path) for table in tables]
        for watcher in watchers:
            watcher.start()
        players = [[Stream(service.port, table.path, token) for token in table.tokens] for table in tables]
        _wait_until_all_are_here(tables, watchers)
        os.kill(service.worker_pids[0], signal.SIGKILL)
        _measure(outcome, tables, watchers, players)
        for watcher, table in zip(watchers, tables, strict=True):
            watcher.stopping = True
            outcome.gaps += watcher.gaps
            table.client.close()
    return outcome


def seats_here(view: Any) -> set[int]:
    """Give the seats whose players are here, by a view."""
    return {player["seat"] for player in view["players"] if player["present"]}


def _wait_until_all_are_here(tables: list[Table], watchers: list[Watcher]) -> None:
    end = time.monotonic() + GIVE_UP_SECONDS
    while any(watcher.here != {0, 1} for watcher in watchers) or any(seats_here(t.get("")) != {0, 1} for t in tables):
        assert time.monotonic() < end, "not all are here"
        time.sleep(0.1)


def _measure(outcome: Deceived, tables: list[Table], watchers: list[Watcher], players: list[list[Stream]]) -> None:
    """Look at views and streams, and move on, until nothing more can change in the time that is allowed."""
    died = time.monotonic()
    time.sleep(0.5)
    cut = [{seat for seat, stream in enumerate(streams) if _is_cut(stream)} for streams in players]
    outcome.cut_off = sum(map(len, cut))
    views_left, streams_left = [set(seats) for seats in cut], [set(seats) for seats in cut]
    while (seconds := time.monotonic() - died) < MOST_SECONDS + 5 and any(views_left + streams_left):
        for table, watcher, gone, in_view, in_stream in zip(
            tables, watchers, cut, views_left, streams_left, strict=True
        ):
            for left, here, times in (
                (in_view, seats_here(table.get("")), outcome.by_views),
                (in_stream, set(watcher.here), outcome.by_streams),
            ):
                times += [seconds] * len(left - here)
                left &= here
                outcome.stayed &= {0, 1} - gone <= here
            if not table.is_over:
                table.move()
        time.sleep(0.2)


def _is_cut(stream: Stream) -> bool:
    """Tell whether the other side has ended a stream."""
    stream.socket.setblocking(False)
    with suppress(BlockingIOError):
        try:
            while stream.socket.recv(65536):
                pass
        except ConnectionResetError:
            pass
        return True
    return False
