"""Quick match under a rush: many strangers ask for the same at once, over several workers, and workers die."""

from __future__ import annotations

import os
import random
import secrets
import signal
import threading
import time
from collections import Counter
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .players import Client
from .processes import Service

GIVE_UP_SECONDS = 120.0
KILL_EVERY_SECONDS = 2.0


@dataclass
class Outcome:
    """The figures of a rush.

    Attributes:
        callers: how many asked.
        kills: how many workers were killed.
        matches: how many seats were taken in each match.
        full: how many matches have no free seat.
        twice: seats and tokens that were given to two callers, and callers who sit twice.
        lost: callers who have no seat where they were told.
        others: seats of nobody who asked.
        repeats: how often callers had to ask again.
        slowest: the longest time of a caller, in seconds.
    """

    callers: int
    kills: int = 0
    matches: Counter[str] = field(default_factory=Counter)
    full: int = 0
    twice: int = 0
    lost: int = 0
    others: int = 0
    repeats: int = 0
    slowest: float = 0.0

    def is_kept(self) -> bool:
        """Tell whether the promise is kept: a worker that dies may leave one match open more."""
        return self.twice == self.lost == self.others == 0 and len(self.matches) - self.full <= 1 + self.kills

    def __str__(self) -> str:
        """Give the figures."""
        return (
            f"callers {self.callers}, worker kills {self.kills}, matches {len(self.matches)}, full {self.full}, "
            f"twice {self.twice}, lost {self.lost}, others {self.others}, repeats {self.repeats}, "
            f"slowest {self.slowest:.2f} s"
        )


def run(folder: Path, *, callers: int, kills: int) -> Outcome:
    """Let many ask, always 200 at once, while workers are killed."""
    with Service(folder / "quick") as service:
        rush = Rush(service.port, callers, 200)
        while rush.outcome.kills < kills and not rush.is_answered():
            time.sleep(KILL_EVERY_SECONDS)
            service.wait_until_ready()
            os.kill(service.worker_pids[0], signal.SIGKILL)
            rush.outcome.kills += 1
        rush.end()
    return rush.outcome


class Rush:
    """Callers who ask for the same kind of match, which nobody else asks for.

    Attributes:
        outcome: the figures, complete after `end`.
    """

    def __init__(self, port: int, callers: int, at_once: int, seats: int = 4) -> None:
        """Let them begin, so many of them at the same moment."""
        self.outcome = Outcome(callers)
        self._port = port
        self._order = {"seats": seats, "clock": {"turn_seconds": random.randint(5, 86_400)}}
        self._gate = threading.Barrier(at_once)
        self._pool = ThreadPoolExecutor(at_once)
        self._asked = [self._pool.submit(self._ask, number) for number in range(callers)]

    def is_answered(self) -> bool:
        """Tell whether all have their answer."""
        return all(future.done() for future in self._asked)

    def end(self) -> Outcome:
        """Wait for all answers, look who sits where, and give the figures."""
        answers = [future.result() for future in self._asked]
        self._pool.shutdown()
        _look(self._port, answers, self.outcome)
        return self.outcome

    def _ask(self, number: int) -> Any:
        client, headers, began = Client(self._port), {"Idempotency-Key": secrets.token_hex(16)}, time.monotonic()
        if number < self._gate.parties:
            self._gate.wait()
        try:
            while time.monotonic() - began < GIVE_UP_SECONDS:
                answer = self._send(client, {"name": f"P{number}", **self._order}, headers)
                if answer is not None:
                    self.outcome.slowest = max(self.outcome.slowest, time.monotonic() - began)
                    return answer
                self.outcome.repeats += 1
                time.sleep(0.05)
        finally:
            client.close()
        raise AssertionError("nobody answers")

    def _send(self, client: Client, body: Any, headers: Mapping[str, str]) -> Any:
        """Ask once, and give the answer; None if there is none, or a repeat is asked for."""
        try:
            answer = client.send("POST", "/v1/quick-matches", body, **headers)
        except OSError:
            return None
        assert answer.status in (201, 503) or answer.body["code"] == "conflict", answer
        return answer.body if answer.status == 201 else None


def _look(port: int, answers: list[Any], outcome: Outcome) -> None:
    client = Client(port)
    sitting: Counter[tuple[str, str]] = Counter()
    for match_id in {answer["match"]["id"] for answer in answers}:
        view = client.insist("GET", f"/v1/matches/{match_id}").body
        outcome.matches[match_id] = len(view["players"])
        outcome.full += len(view["players"]) == view["seats"]
        sitting.update((match_id, player["name"]) for player in view["players"])
    client.close()
    told = Counter((answer["match"]["id"], f"P{number}") for number, answer in enumerate(answers))
    outcome.lost = (told - sitting).total()
    outcome.others = (sitting - told).total()
    for given in (
        [(answer["match"]["id"], answer["seat"]) for answer in answers],
        [answer["token"] for answer in answers],
        [name for _, name in sitting.elements()],
    ):
        outcome.twice += len(given) - len(set(given))
