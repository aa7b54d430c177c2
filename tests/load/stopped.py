"""A store that stands still: bounded refusals, then full recovery."""

from __future__ import annotations

import os
import random
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from .players import Client, Table, Verdict
from .processes import Service

BOUND_SECONDS = 3.5


@dataclass
class Outcome:
    """The figures of a stop."""

    refusals: list[float] = field(default_factory=list)
    other_answers: int = 0
    alive: bool = False
    ready: bool = True
    recovered_after: float = 0.0
    verdict: Verdict = field(default_factory=Verdict)

    def is_kept(self) -> bool:
        """Tell whether the promise is kept."""
        return (
            bool(self.refusals)
            and max(self.refusals) < BOUND_SECONDS
            and self.alive
            and not self.ready
            and self.verdict.is_kept()
        )

    def __str__(self) -> str:
        """Give the figures."""
        return (
            f"503s {len(self.refusals)}, the slowest after {max(self.refusals):.2f} s, other answers "
            f"{self.other_answers}, healthz 200: {self.alive}, readyz 503: {not self.ready}, served again "
            f"{self.recovered_after:.2f} s after it went on; {self.verdict}"
        )


def run(folder: Path, *, seconds: float, clients: int = 16, timeout_seconds: float = 3.0) -> Outcome:
    """Stop the store's process for so long while clients read and write.

    Args:
        folder: where the service may write.
        seconds: how long.
        clients: how many ask.
        timeout_seconds: how long the service waits for its store.
    """
    outcome = Outcome()
    with Service(folder / "stopped", APPENDFSYNC="always", STORE_TIMEOUT_SECONDS=str(timeout_seconds)) as service:
        tables = []
        for number in range(clients):
            table = Table(Client(service.port), random.Random(number))
            table.seat_players(2)
            table.move()
            tables.append(table)
        store = service.store_pid
        os.kill(store, signal.SIGSTOP)
        try:
            _ask(service, tables, seconds, outcome)
        finally:
            os.kill(store, signal.SIGCONT)
        began = time.monotonic()
        service.wait_until_ready()
        outcome.recovered_after = time.monotonic() - began
        for table in tables:
            table.view = table.get("")
            while table.view["version"] < 20:
                table.move()
            outcome.verdict.look(table)
            table.client.close()
    return outcome


def _ask(service: Service, tables: list[Table], seconds: float, outcome: Outcome) -> None:
    end = time.monotonic() + seconds
    lock = threading.Lock()

    def ask(table: Table) -> None:
        client = Client(service.port)
        while time.monotonic() < end:
            began = time.monotonic()
            answer = client.send("GET", table.path)
            with lock:
                if answer.status == 503 and answer.headers["Retry-After"]:
                    outcome.refusals.append(time.monotonic() - began)
                else:
                    outcome.other_answers += 1
        client.close()

    with ThreadPoolExecutor(len(tables)) as pool:
        asked = [pool.submit(ask, table) for table in tables]
        client = Client(service.port)
        outcome.alive = client.send("GET", "/healthz").status == 200
        outcome.ready = client.send("GET", "/readyz").status != 503
        client.close()
        for future in asked:
            future.result()
