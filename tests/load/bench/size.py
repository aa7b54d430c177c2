"""What grows: the cost of a move late in a match and among many matches, a match's memory, its calls to the store."""

from __future__ import annotations

from math import inf
from pathlib import Path
from typing import Any, Final

import redis

from tests.load.players import Client

from .calls import Creating, Joining
from .driving import CONNECTIONS, Line, measure
from .results import Effort, Results
from .stage import Stage, stage
from .tables import SEATS, Seat, Table, Tables

LATE: Final = 400
DEALS: Final = 20
FEW: Final = 10
SPARE: Final = 2
"""So many more tables has each connection to go on at: one that ends would change what the others cost."""
LOGGED: Final = 100
FILL_SECONDS: Final = 1.0


def run(folder: Path, effort: Effort, results: Results) -> None:
    """Measure what could grow."""
    with stage(folder / "one") as on:
        _measure_one_match(on, results)
        _measure_late_moves(on, effort, results)
    with stage(folder / "few") as few, stage(folder / "many") as many:
        _measure_many_matches(few, many, effort, results)


def _measure_one_match(on: Stage, results: Results) -> None:
    """Play the first moves of a match alone, see what the store is asked for them, and weigh the match."""
    client = Client(on.service.port)
    table = Table(client)
    table.look(client)
    with redis.Redis.from_url(on.store.url) as database, Line(on.service.port, table) as line:
        with database.monitor() as monitor:
            while not table.stale and table.moves < LOGGED:
                line.exchange()
            results.add("store commands a move", _commands(database, monitor, table.match_id) / table.moves)
        while table.moves < LOGGED:
            if table.stale:
                table.look(client)
            line.exchange()
        key = f"py:{{{table.match_id}}}"
        state, log = (int(database.memory_usage(name, samples=0)) for name in (key, key + ":log"))
    client.close()
    results.add(f"match of {SEATS}, state, kB", state / 1000)
    results.add(f"match of {SEATS}, state and log after {LOGGED} moves, kB", (state + log) / 1000)


def _commands(database: Any, monitor: Any, match_id: str) -> int:
    """Count what clients have sent about a match up to now: not what scripts called, nor what servers do anyway."""
    database.echo("counted")
    count = 0
    for heard in monitor.listen():
        if heard["command"] == "ECHO counted":
            break
        count += heard["client_type"] != "lua" and match_id in heard["command"]
    return count


def _measure_late_moves(on: Stage, effort: Effort, results: Results) -> None:
    """Compare the first moves of matches with those after many."""
    late = Tables(on.service.port, FEW, each=1 + SPARE, deals=DEALS)
    for _ in range(effort.rounds):
        early = Tables(on.service.port, FEW, each=1 + SPARE, deals=DEALS)
        while young := [table for table in late.ready() if table.moves < LATE]:
            measure(on.service, on.store, [Seat([table]) for table in young], FILL_SECONDS)
        results.add_load("move 1", measure(on.service, on.store, early.seats(), effort.seconds / 2))
        results.add_load(f"move {LATE}", measure(on.service, on.store, late.seats(), effort.seconds / 2))


def _measure_many_matches(few: Stage, many: Stage, effort: Effort, results: Results) -> None:
    """Compare moves in matches of which there are few with moves in as many matches among a crowd of others."""
    results.note(f"Many live matches are {_fill(many, effort.live_matches):,}.")
    played = [(name, on, Tables(on.service.port, FEW, each=1 + SPARE)) for name, on in (("few", few), ("many", many))]
    for _, on, tables in played:
        measure(on.service, on.store, tables.seats(), FILL_SECONDS)  # neither is to be new to its work
    for _ in range(effort.rounds):
        for name, on, tables in played:
            load = measure(on.service, on.store, tables.seats(), effort.seconds / 2)
            results.add_load(f"move among {name} matches", load)


def _fill(on: Stage, matches: int) -> int:
    """Let so many matches of two be created, joined and so started, or a few more; give their number."""
    created: list[str] = []
    while len(created) < matches:
        measure(on.service, on.store, [Creating(created, seats=2, auto_start=True)] * CONNECTIONS, FILL_SECONDS)
    joining = [Joining(created[number::CONNECTIONS], seats=2) for number in range(CONNECTIONS)]
    measure(on.service, on.store, joining, inf)
    return len(created)
