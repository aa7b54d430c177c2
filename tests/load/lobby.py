"""Paging through a large lobby while matches come and go: none that stays is skipped or repeated."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from .players import Client
from .processes import Service

CLIENTS = 8


@dataclass
class Outcome:
    """The figures of a run.

    Attributes:
        stayed: how many matches waited from the first page to the last.
        came: how many were created meanwhile.
        went: how many were abandoned, or filled, meanwhile.
        pages: how many pages there were in all readings.
        skipped: matches that stayed and were not listed in a reading.
        repeated: matches that were listed twice in a reading.
        dead: matches that a reading listed after the last one had gone.
        slowest: the longest time for a page, in seconds.
    """

    stayed: int
    came: int = 0
    went: int = 0
    pages: int = 0
    skipped: int = 0
    repeated: int = 0
    dead: int = 0
    slowest: float = 0.0

    def is_kept(self) -> bool:
        """Tell whether the promise is kept."""
        return self.pages > 0 and self.skipped == self.repeated == self.dead == 0

    def __str__(self) -> str:
        """Give the figures."""
        return (
            f"stayed {self.stayed}, came {self.came}, went {self.went}, pages {self.pages}, skipped {self.skipped}, "
            f"repeated {self.repeated}, dead {self.dead}, slowest page {self.slowest:.3f} s"
        )


def run(folder: Path, *, stay: int, come: int, go: int, seed: int = 1) -> Outcome:
    """Read the whole lobby, again and again, until all have come and gone, and once more afterwards."""
    rnd = random.Random(seed)
    outcome = Outcome(stay)
    with Service(folder / "lobby") as service, ThreadPoolExecutor(CLIENTS) as pool:
        made = list(pool.map(lambda number: _create(service.port, 2 + number % 3), range(stay + go)))
        rnd.shuffle(made)
        gone, stays = made[:go], {match_id for match_id, _, _ in made[go:]}
        churn = threading.Thread(target=_churn, args=(service.port, gone, come, outcome, rnd))
        churn.start()
        queries = ("?status=waiting&limit=50", "?status=waiting&seats=3&limit=20", "?limit=100")
        tables = {match_id: seats for match_id, seats, _ in made}
        while True:
            was_over = not churn.is_alive()
            for query in queries:
                wanted = {match_id for match_id in stays if "seats" not in query or tables[match_id] == 3}
                _judge(list(_read(service.port, query, outcome)), wanted, outcome)
            if was_over:
                break
        waiting = set(_read(service.port, queries[0], outcome))
        outcome.dead = len(waiting & {match_id for match_id, _, _ in gone})
    return outcome


def _create(port: int, seats: int) -> tuple[str, int, str]:
    client = Client(port)
    body = {"seats": seats, "visibility": "public", "creator": {"name": "Host"}}
    made = client.insist("POST", "/v1/matches", body).body
    client.close()
    return made["match"]["id"], seats, made["token"]


def _churn(port: int, gone: list[tuple[str, int, str]], come: int, outcome: Outcome, rnd: random.Random) -> None:
    client = Client(port)
    acts = ["come"] * come + ["go"] * len(gone)
    rnd.shuffle(acts)
    left = iter(gone)
    for act in acts:
        if act == "come":
            _create(port, 3)
            outcome.came += 1
            continue
        match_id, seats, token = next(left)
        if rnd.random() < 0.5:
            client.insist("DELETE", f"/v1/matches/{match_id}", Authorization=f"Bearer {token}")
        else:
            for _ in range(seats - 1):
                client.insist("POST", f"/v1/matches/{match_id}/players", {"name": "Guest"})
        outcome.went += 1
    client.close()


def _read(port: int, query: str, outcome: Outcome) -> Iterator[str]:
    client, cursor = Client(port), ""
    while True:
        began = time.monotonic()
        page = client.insist("GET", f"/v1/matches{query}{cursor}").body
        outcome.slowest = max(outcome.slowest, time.monotonic() - began)
        outcome.pages += 1
        yield from (match["id"] for match in page["matches"])
        if page["next_cursor"] is None:
            break
        cursor = f"&cursor={page['next_cursor']}"
    client.close()


def _judge(found: list[str], wanted: set[str], outcome: Outcome) -> None:
    outcome.skipped += len(wanted - set(found))
    outcome.repeated += len(found) - len(set(found))
