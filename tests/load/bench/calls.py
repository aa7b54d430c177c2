"""The other calls: a view that has not changed, a whole view, a page of the log, creating and joining."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import orjson

from tests.load.players import Client

from .driving import CONNECTIONS, Line, measure
from .results import Effort, Results
from .stage import stage
from .tables import OK, SEATS, Table, get, post

CREATED: Final = 201
NOT_MODIFIED: Final = 304
MOVES: Final = 100
PAGE: Final = 100


class Asking:
    """Sends one request again and again."""

    def __init__(self, request: bytes, status: int = OK) -> None:
        """Take the request and the status that its answer has."""
        self._request = request
        self._status = status

    def request(self) -> bytes:
        """Give the request."""
        return self._request

    def answered(self, status: int, body: bytes) -> bool:
        """Take in the answer."""
        return status == self._status


class Creating:
    """Creates matches, and keeps their identities."""

    def __init__(self, created: list[str], *, seats: int = SEATS, auto_start: bool = False) -> None:
        """Take the list to keep them in, and what kind of matches they are."""
        self._created = created
        creator = {"name": "Player 0"}
        order = {"seats": seats, "visibility": "public", "auto_start": auto_start, "creator": creator}
        self._request = post("/v1/matches", orjson.dumps(order))

    def request(self) -> bytes:
        """Give the request."""
        return self._request

    def answered(self, status: int, body: bytes) -> bool:
        """Take in the answer."""
        if status == CREATED:
            self._created.append(orjson.loads(body)["match"]["id"])
        return status == CREATED


class Joining:
    """Takes the free seats of matches, one after the other."""

    def __init__(self, matches: list[str], *, seats: int = SEATS) -> None:
        """Take the matches, of so many seats, all free but the creator's."""
        self._requests: Iterator[bytes] = (
            post(f"/v1/matches/{match_id}/players", orjson.dumps({"name": f"Player {seat}"}))
            for match_id in matches
            for seat in range(1, seats)
        )

    def request(self) -> bytes | None:
        """Give the next request."""
        return next(self._requests, None)

    def answered(self, status: int, body: bytes) -> bool:
        """Take in the answer."""
        return status == CREATED


def run(folder: Path, effort: Effort, results: Results) -> None:
    """Measure each call in turn."""
    with stage(folder) as on:
        client = Client(on.service.port)
        table = _played(on.service.port, client)
        seen = client.insist("GET", table.path, Authorization=f"Bearer {table.tokens[0]}")
        client.close()
        reads = {
            "view, not modified": Asking(
                get(table.path, table.tokens[0], If_None_Match=seen.headers["ETag"]), NOT_MODIFIED
            ),
            "view": Asking(get(table.path, table.tokens[0])),
            f"{PAGE} events": Asking(get(f"{table.path}/events?limit={PAGE}", table.tokens[0])),
        }
        for _ in range(effort.rounds):
            for name, asking in reads.items():
                results.add_load(name, measure(on.service, on.store, [asking] * CONNECTIONS, effort.seconds))
            created: list[str] = []
            creating = measure(on.service, on.store, [Creating(created)] * CONNECTIONS, effort.seconds)
            results.add_load("create", creating)
            joining = [Joining(created[number::CONNECTIONS]) for number in range(CONNECTIONS)]
            results.add_load("join", measure(on.service, on.store, joining, effort.seconds))


def _played(port: int, client: Client) -> Table:
    """Play a match for a while."""
    table = Table(client)
    with Line(port, table) as line:
        while not table.over and table.moves < MOVES:
            if table.stale:
                table.look(client)
            line.exchange()
    return table
