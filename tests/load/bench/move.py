"""A move: the service's beside the floor's, in turn."""

from __future__ import annotations

from pathlib import Path

import orjson

from .driving import CONNECTIONS, measure
from .results import Effort, Results
from .sample import Sample
from .stage import floor, stage
from .tables import OK, Tables, post

TOKEN = "py_00000000000000000_" + 64 * "0"


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
    with stage(folder) as on, floor(on) as (bare, sample):
        results.note(f"A move: {sample}.")
        tables = Tables(on.service.port, CONNECTIONS)
        floor_players = [FloorPlayer(number, sample) for number in range(CONNECTIONS)]
        for _ in range(effort.rounds):
            seats = tables.seats()
            results.add_load("floor", measure(bare, on.store, floor_players, effort.seconds))
            move = measure(on.service, on.store, seats, effort.seconds)
            results.add_load("move", move)
            results.add("moves refused", move.failed)
