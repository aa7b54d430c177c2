"""What a move weighs: the bytes that the service stores, sends and is sent, taken from a real match."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final, NamedTuple

from service.store.base import Store
from tests.load.players import Client

from .driving import Line
from .tables import Table

MOVES: Final = 100


class Sample(NamedTuple):
    """The bytes of a move: of each kind those of median length among the moves of a match.

    Attributes:
        request: the body of the request.
        answer: the body of the answer.
        state: the match as it is stored.
        entry: what is added to its log.
    """

    request: bytes
    answer: bytes
    state: bytes
    entry: bytes

    def write(self, path: Path) -> Path:
        """Write it into a file, for `read`."""
        path.write_text(json.dumps({name: data.hex() for name, data in self._asdict().items()}))
        return path

    @classmethod
    def read(cls, path: Path) -> Sample:
        """Read what `write` wrote."""
        return cls(**{name: bytes.fromhex(data) for name, data in json.loads(path.read_text()).items()})

    def __str__(self) -> str:
        """Give the sizes."""
        return ", ".join(f"{name} {len(data)} bytes" for name, data in self._asdict().items())


class _Weighing:
    """Plays at a table and keeps the bytes."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.requests: list[bytes] = []
        self.answers: list[bytes] = []

    def request(self) -> bytes:
        return self.table.request()

    def answered(self, status: int, body: bytes) -> bool:
        moved = self.table.answered(status, body)
        if moved:
            self.requests.append(self.table.body)
            self.answers.append(body)
        return moved


def take_sample(port: int, store: Store) -> Sample:
    """Play a match for a while and weigh its moves.

    Args:
        port: where the service listens.
        store: the store behind it.
    """
    client = Client(port)
    weighing = _Weighing(Table(client))
    table = weighing.table
    states = []
    with Line(port, weighing) as line:
        while not table.over and table.moves < MOVES:
            if table.stale:
                table.look(client)
            line.exchange()
            stored = store.load(table.match_id).stored
            assert stored is not None
            states.append(stored.state)
    client.close()
    entries = [entry.data for entry in store.entries(table.match_id, 0, 2 * MOVES)]
    return Sample(_median(weighing.requests), _median(weighing.answers), _median(states), _median(entries))


def _median(texts: list[bytes]) -> bytes:
    return sorted(texts, key=len)[len(texts) // 2]
