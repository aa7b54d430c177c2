"""A move: of the floor, of the service with and without metrics, and of boardgame.io, in turn."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Final

import orjson

from .driving import CONNECTIONS, measure
from .peer import Peer, peer
from .results import FETCHED, Effort, Results
from .sample import Sample
from .stage import floor, stage, without_metrics
from .tables import OK, Tables, post

TOKEN: Final = "py_00000000000000000_" + 64 * "0"


class FloorPlayer:
    """Who uses a connection to the floor: the same bytes out, the same work with the bytes that come in."""

    def __init__(self, number: int, sample: Sample) -> None:
        """Choose a match by a number."""
        self._request = post(f"/v1/matches/{number:017}/moves", sample.request, TOKEN)

    def request(self) -> bytes:
        """Write the request."""
        return self._request

    def answered(self, status: int, body: bytes) -> bool:
        """Take in the answer."""
        orjson.loads(body)
        return status == OK


def run(folder: Path, effort: Effort, results: Results) -> None:
    """Measure a move."""
    with ExitStack() as stack:
        on = stack.enter_context(stage(folder))
        bare, sample = stack.enter_context(floor(on))
        plain = stack.enter_context(without_metrics(on))
        other = stack.enter_context(peer(FETCHED / "peer")) if effort.with_peers else None
        results.note(f"A move: {sample}.")
        if isinstance(other, str):
            results.note(f"Left out: {other}")
        each = 1 + round(effort.seconds)
        tables, plain_tables = (Tables(service.port, CONNECTIONS, each) for service in (on.service, plain))
        floor_players = [FloorPlayer(number, sample) for number in range(CONNECTIONS)]
        for _ in range(effort.rounds):
            seats = tables.seats()
            results.add_load("floor", measure(bare, on.store, floor_players, effort.seconds))
            results.add_load("move", measure(on.service, on.store, seats, effort.seconds))
            results.add_load("move without metrics", measure(plain, on.store, plain_tables.seats(), effort.seconds))
            if isinstance(other, Peer):
                results.add_load("boardgame.io", other.measure(effort.seconds))
