"""How long `hard` searches for a move, by the service's figures, while it has little to do and while it has much.

Meanwhile another process does nothing but wait, again and again, as long as a move takes. Where such a wait takes too
long as well, it was the machine that stood still, not the service.
"""

from __future__ import annotations

import random
import time
import urllib.request
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from multiprocessing import get_context
from pathlib import Path

from service.thinking import USUAL_SEARCH_MS
from tests.figures import read_figures

from .players import Client, Table
from .processes import Service

SET_MS = USUAL_SEARCH_MS
TOO_LONG_MS = SET_MS * 3 // 2
AT_ONCE_MS = SET_MS // 5
WAITERS = 10


@dataclass
class Case:
    """A load, and what was measured under it.

    Attributes:
        tables: at how many tables four `hard` bots play, as fast as the service lets them.
        connections: over how many connections players move as fast as they can.
        searches: how many moves `hard` searched for.
        at_once: how many of these searches ended at once, as all do where only one move is legal.
        mean_ms: how long the others took.
        late: how many took longer than is set for a move.
        too_late: how many took one and a half times as long.
        downgraded: how many moves `hard` chose as `normal` does, because its share of time was used up.
        moves: how many moves players made over the connections.
        waits_ms: how long the plain waits took.
    """

    tables: int
    connections: int = 0
    searches: int = 0
    at_once: int = 0
    mean_ms: float = 0.0
    late: int = 0
    too_late: int = 0
    downgraded: int = 0
    moves: int = 0
    waits_ms: list[float] = field(default_factory=list)

    def is_kept(self) -> bool:
        """Tell whether the promise is kept: bots search, and while players leave the machine time, all ends in time."""
        if self.searches == self.at_once:
            return False
        return self.connections > 0 or not self.too_late or max(self.waits_ms) > TOO_LONG_MS

    def __str__(self) -> str:
        """Give the figures."""
        waits_too_late = sum(wait > TOO_LONG_MS for wait in self.waits_ms)
        return (
            f"tables {self.tables}, connections {self.connections} ({self.moves} moves), searches {self.searches}, "
            f"at once {self.at_once}, the others {self.mean_ms:.1f} ms, beyond {SET_MS} ms {self.late}, "
            f"beyond {TOO_LONG_MS} ms {self.too_late}, as normal {self.downgraded}, plain waits {len(self.waits_ms)}, "
            f"beyond {TOO_LONG_MS} ms {waits_too_late}, the longest {max(self.waits_ms):.1f} ms"
        )


@dataclass
class Outcome:
    """The figures of all cases."""

    cases: list[Case]

    def is_kept(self) -> bool:
        """Tell whether the promise is kept in each."""
        return all(case.is_kept() for case in self.cases)

    def __str__(self) -> str:
        """Give the figures, a case a line."""
        return "".join(f"\n  {case}" for case in self.cases)


def run(folder: Path, *, seconds: float) -> Outcome:
    """Let bots play at one table, at many, and at many beside busy players, each for so long."""
    cases = [Case(1), Case(8), Case(8, connections=16)]
    with ProcessPoolExecutor(1, get_context("spawn")) as idler:
        idler.submit(waits, 0).result()  # it takes its time to begin
        for number, case in enumerate(cases):
            with Service(folder / f"thinking-{number}", BOT_PAUSE_MS="0") as service:
                waited = idler.submit(waits, seconds)
                _play(service, case, seconds)
                case.waits_ms = waited.result()
                with urllib.request.urlopen(service.url + "/metrics") as answer:
                    take_in(case, read_figures(answer.read().decode()))
    return Outcome(cases)


def waits(seconds: float) -> list[float]:
    """Wait in several threads that take turns, so that no standstill goes unnoticed; give the ms of each wait."""
    end = time.monotonic() + seconds

    def wait(number: int) -> list[float]:
        time.sleep(SET_MS / 1000 * number / WAITERS)
        taken = []
        while time.monotonic() < end:
            began = time.perf_counter()
            time.sleep(SET_MS / 1000)
            taken.append((time.perf_counter() - began) * 1000)
        return taken

    with ThreadPoolExecutor(WAITERS) as pool:
        return [taken for waiter in pool.map(wait, range(WAITERS)) for taken in waiter]


def _play(service: Service, case: Case, seconds: float) -> None:
    end = time.monotonic() + seconds
    client = Client(service.port)
    for _ in range(case.tables):
        body = {"seats": 4, "bots": [{"level": "hard"}] * 4, "rules": {"deals": 20}}
        created = client.insist("POST", "/v1/matches", body)
        assert created.status == 201, created
    client.close()
    with ThreadPoolExecutor(case.connections + 1) as pool:
        case.moves = sum(pool.map(partial(_move, service.port, end), range(case.connections)))
    time.sleep(max(end - time.monotonic(), 0))


def _move(port: int, end: float, seed: int) -> int:
    """Play matches over one connection until the end; tell how many moves were made."""
    client, moves = Client(port), 0
    while time.monotonic() < end:
        table = Table(client, random.Random(seed))
        table.seat_players(2)
        while not table.is_over and time.monotonic() < end:
            table.move()
            moves += 1
    client.close()
    return moves


def take_in(case: Case, figures: dict[str, float]) -> None:
    """Take in what the service has counted."""

    def within(milliseconds: int) -> int:
        return round(figures[f'bot_search_seconds_bucket{{le="{milliseconds / 1000}"}}'])

    case.searches, case.at_once = round(figures["bot_search_seconds_count"]), within(AT_ONCE_MS)
    case.late, case.too_late = case.searches - within(SET_MS), case.searches - within(TOO_LONG_MS)
    case.mean_ms = figures["bot_search_seconds_sum"] * 1000 / max(case.searches - case.at_once, 1)
    case.downgraded = round(figures["bot_moves_downgraded_total"])
