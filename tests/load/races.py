"""Races: many clients post the same turn at once; one counts, and the history could have happened one by one."""

from __future__ import annotations

import itertools
import random
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .players import Client, Table
from .processes import Service

ALLOWED = ("version_mismatch", "not_your_turn", "match_finished", "conflict")


@dataclass
class Attempt:
    """One attempt to move: when it began and ended, which version it saw, and which it made or was told of."""

    began: float
    ended: float
    saw: int
    status: int
    code: str
    version: int


@dataclass
class Outcome:
    """The figures of a race."""

    turns: int
    attempts: int
    wrong_turns: int
    unclear: int
    violations: int

    def is_kept(self) -> bool:
        """Tell whether the promise is kept."""
        return self.wrong_turns == self.unclear == self.violations == 0

    def __str__(self) -> str:
        """Give the figures."""
        return (
            f"turns {self.turns}, attempts {self.attempts}, turns without exactly one success {self.wrong_turns}, "
            f"unclear answers {self.unclear}, violations of linearizability {self.violations}"
        )


def run(folder: Path, *, turns: int, clients: int = 32, seed: int = 1) -> Outcome:
    """Let many clients race for every turn of matches."""
    outcome = Outcome(turns, 0, 0, 0, 0)
    rnd = random.Random(seed)
    with Service(folder / "races") as service, ThreadPoolExecutor(clients) as pool:
        racers = [Client(service.port) for _ in range(clients)]
        history: list[Attempt] = []
        table = _new_table(service, rnd)
        for _ in range(turns):
            if table.is_over:
                outcome.violations += violations(history)
                history = []
                table.client.close()
                table = _new_table(service, rnd)
            attempts = _race(table, racers, pool)
            history += attempts
            outcome.attempts += len(attempts)
            outcome.wrong_turns += sum(attempt.status == 200 for attempt in attempts) != 1
            outcome.unclear += sum(
                attempt.status != 200 and not (attempt.status == 409 and attempt.code in ALLOWED)
                for attempt in attempts
            )
        outcome.violations += violations(history)
        for racer in [*racers, table.client]:
            racer.close()
    return outcome


def _new_table(service: Service, rnd: random.Random) -> Table:
    table = Table(Client(service.port), rnd)
    table.seat_players(3)
    return table


def _race(table: Table, racers: list[Client], pool: ThreadPoolExecutor) -> list[Attempt]:
    token, move = table.choose()
    saw = table.view["version"]
    start = threading.Barrier(len(racers))

    def attempt(racer: Client) -> tuple[Attempt, Any]:
        start.wait()
        began = time.monotonic()
        body = {**move, "if_version": saw}
        answer = racer.send("POST", table.path + "/moves", body, Authorization=f"Bearer {token}")
        ended = time.monotonic()
        if answer.status == 200:
            view = answer.body["match"]
            return Attempt(began, ended, saw, 200, "", view["version"]), view
        told = answer.body["detail"].partition("at version ")[2].partition(",")[0]
        return Attempt(began, ended, saw, answer.status, answer.body["code"], int(told or 0)), None

    results = list(pool.map(attempt, racers))
    table.view = next((view for _, view in results if view is not None), table.view)
    return [result for result, _ in results]


def violations(history: list[Attempt]) -> int:
    """Count the attempts that no order of single steps, each within its interval, explains.

    A success moves the match from the version that it saw to the one that it made. A refusal saw the version that it
    names: whoever made that version must have begun before the refusal ended, and whoever left it must have ended
    after the refusal began.
    """
    wins = sorted((attempt for attempt in history if attempt.status == 200), key=lambda attempt: attempt.version)
    made = {win.version: win for win in wins}
    left = {win.saw: win for win in wins}
    found = len(wins) - len(made) + len(wins) - len(left)
    found += sum(later.ended < earlier.began for earlier, later in itertools.pairwise(wins))
    for attempt in history:
        if attempt.version and attempt.status != 200:
            maker, leaver = made.get(attempt.version), left.get(attempt.version)
            found += maker is None or maker.began > attempt.ended
            found += leaver is not None and leaver.ended < attempt.began
    return found
