"""Tables that keep going: players leave, come back, sleep and move too late, workers die, and every match ends.

Each log is followed by whose turn it is, each deal is proved and played again on the naive reference.
"""

from __future__ import annotations

import os
import random
import secrets
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from service.bots.choosing import LEVELS
from service.engine.rules import PRESETS
from service.verify import verify
from tests.shadow import replayed

from .players import MOVE_REASONS, Client
from .processes import Service

TURN_SECONDS = 5
MATCH_SECONDS = 600.0
POLL_SECONDS = 1
LATE_CODES = ("not_your_turn", "illegal_move", "bot_plays", "match_finished")


@dataclass
class Outcome:
    """The figures of a run."""

    matches: int = 0
    unended: int = 0
    gaps: int = 0
    faults: list[str] = field(default_factory=list)
    acknowledged: int = 0
    lost: int = 0
    compared: int = 0
    kills: int = 0
    moves: dict[str, int] = field(default_factory=lambda: {"player": 0, "bot": 0, "clock": 0})
    changes: dict[str, int] = field(default_factory=lambda: {"left": 0, "timed_out": 0, "returned": 0})
    late_wins: int = 0
    late_losses: int = 0
    delays: list[float] = field(default_factory=list)

    def is_kept(self) -> bool:
        """Tell whether the promise is kept."""
        return self.matches > 0 and not (self.unended or self.gaps or self.faults or self.lost)

    def __str__(self) -> str:
        """Give the figures."""
        delays = sorted(self.delays) or [0.0]
        median, p99 = delays[len(delays) // 2], delays[int(len(delays) * 0.99)]
        return (
            f"matches {self.matches}, not ended {self.unended}, gaps {self.gaps}, faults {self.faults[:3]}, "
            f"worker kills {self.kills}, moves {self.moves}, control changes {self.changes}, "
            f"acknowledged {self.acknowledged}, lost {self.lost}, moves that the reference allows {self.compared}, "
            f"late moves that won / lost {self.late_wins} / {self.late_losses}, time-outs {len(self.delays)} "
            f"(after the deadline: median {median:.2f} s, p99 {p99:.2f} s, most {delays[-1]:.2f} s)"
        )


class Party:
    """A match and its capricious players."""

    def __init__(self, port: int, rnd: random.Random, deals: int) -> None:
        self.client = Client(port)
        self.deals = deals
        self.rnd = rnd
        self.tokens: list[str] = []
        self.asleep: dict[int, int] = {}
        self.acknowledged: list[tuple[str, list[Any]]] = []
        self.late_wins = self.late_losses = 0

    def gather(self) -> None:
        """Create the match and seat everybody."""
        humans, bots = self.rnd.randint(1, 3), self.rnd.randint(0, 2)
        body = {
            "seats": max(humans + bots, 2),
            "creator": {"name": "P0"},
            "visibility": "public",
            "rules": {"preset": self.rnd.choice(tuple(PRESETS)), "deals": self.rnd.randint(1, self.deals)},
            "clock": {"turn_seconds": TURN_SECONDS, "deal_pause": 0, "bank_seconds": self.rnd.choice((0, 1))},
            "bots": [{"level": self.rnd.choice(LEVELS)} for _ in range(max(bots, 2 - humans))],
        }
        created = self.client.insist("POST", "/v1/matches", body, Idempotency_Key=secrets.token_hex(16))
        assert created.status == 201, created
        self.tokens = [created.body["token"]]
        self.path = f"/v1/matches/{created.body['match']['id']}"
        self.seats = {created.body["seat"]: created.body["token"]}
        while len(self.seats) < humans:
            key = secrets.token_hex(16)
            joined = self.client.insist("POST", f"{self.path}/players", {"name": "P"}, Idempotency_Key=key)
            assert joined.status == 201, joined
            self.seats[joined.body["seat"]] = joined.body["token"]

    def play(self) -> bool:
        """Play until the match is over, and tell whether it is."""
        end = time.monotonic() + MATCH_SECONDS
        view: Any = None
        etag, is_new = "", False
        while time.monotonic() < end:
            if not is_new:
                looked = self.client.insist("GET", f"{self.path}?wait={POLL_SECONDS}", If_None_Match=etag)
                if looked.status == 200:
                    view, etag = looked.body, looked.headers["ETag"]
            if view["status"] == "finished":
                return True
            after = self._do_something(view)
            view, is_new = after or view, after is not None
        return False

    def _do_something(self, view: Any) -> Any:
        """Make a move, or something else, and give the view after the move."""
        gone = [player["seat"] for player in view["players"] if player["seat"] in self.seats]
        gone = [seat for seat in gone if view["players"][seat]["played_by"] == "bot"]
        if gone and self.rnd.random() < 0.1:
            self._ask(self.rnd.choice(gone), "POST", "/return")
        elif self.rnd.random() < 0.03:
            self._ask(self.rnd.choice(list(self.seats)), "DELETE", "")
        seat = view["deal"]["turn_seat"]
        if seat not in self.seats or seat in gone:
            return None
        if self.asleep.get(seat, 0):
            return self._sleep(seat, view)
        if self.rnd.random() < 0.03:
            self.asleep[seat] = self.rnd.choice((1, 1, 2, 4))
        return self._move(seat)

    def _ask(self, seat: int, method: str, what: str) -> None:
        headers = {"Authorization": f"Bearer {self.seats[seat]}", "Idempotency_Key": secrets.token_hex(8)}
        answer = self.client.insist(method, f"{self.path}/players/{seat}{what}", **headers)
        assert answer.status == 200 or answer.body["code"] == "match_finished", answer

    def _sleep(self, seat: int, view: Any) -> Any:
        """Let a turn run out, or nearly."""
        self.asleep[seat] -= 1
        left = datetime.fromisoformat(view["deal"]["deadline"]).timestamp() - time.time()
        if self.rnd.random() < 0.3:
            time.sleep(max(left + self.rnd.uniform(-0.1, 0.3), 0))
            after = self._move(seat)
            self.late_wins += after is not None
            self.late_losses += after is None
            return after
        time.sleep(max(left + 0.5, 0))
        return None

    def _move(self, seat: int) -> Any:
        token = self.seats[seat]
        moves = self.client.insist("GET", f"{self.path}/legal-moves", Authorization=f"Bearer {token}").body["moves"]
        if not moves:
            return None
        headers = {"Authorization": f"Bearer {token}", "Idempotency_Key": secrets.token_hex(8)}
        answer = self.client.insist("POST", f"{self.path}/moves", self.rnd.choice(moves), **headers)
        if answer.status == 200:
            self.acknowledged.append((token, answer.body["events"]))
            return answer.body["match"]
        assert answer.body["code"] in LATE_CODES, answer
        return None

    def log(self, token: str | None) -> list[Any]:
        """Read the whole log as a reader sees it."""
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        events: list[Any] = []
        while page := self.client.insist("GET", f"{self.path}/events?limit=1000&after={len(events)}", **headers).body[
            "events"
        ]:
            events += page
        return events


def judge(outcome: Outcome, party: Party) -> None:
    """Hold the log of a match, its proofs and what was acknowledged against each other."""
    logs = {token: party.log(token) for token in party.seats.values()}
    log = party.log(None)
    outcome.gaps += sum([event["seq"] for event in told] != list(range(1, len(told) + 1)) for told in logs.values())
    for token, events in party.acknowledged:
        told = {event["seq"]: event for event in logs[token]}
        outcome.acknowledged += 1
        outcome.lost += any(told.get(event["seq"]) != event for event in events)
    outcome.faults += faults_of(log, outcome)
    view = party.client.insist("GET", party.path).body
    for result in view["results"]:
        proof = party.client.insist("GET", f"{party.path}/deals/{result['number']}").body
        verdict = verify(proof)
        if not verdict.fair:
            outcome.faults.append(f"{party.path}: {verdict.failure}")
        try:
            outcome.compared += sum(1 for _ in replayed(proof))
        except AssertionError as error:
            outcome.faults.append(f"{party.path}: {error}")
    outcome.late_wins += party.late_wins
    outcome.late_losses += party.late_losses


def faults_of(log: list[Any], outcome: Outcome) -> list[str]:
    """Follow the log: only the seat on turn acts, by whom it is played, and after its time only the clock."""
    turn, deadline, clocked, faults = None, None, False, []
    played_by: dict[int, str] = {}
    for event in log:
        kind = event["type"]
        if kind == "player_joined":
            played_by[event["seat"]] = "bot" if event["kind"] == "bot" else "player"
        elif kind == "seat_control_changed":
            played_by[event["seat"]] = event["played_by"]
            outcome.changes[event["reason"]] += 1
        elif kind == "turn_started":
            turn, deadline, clocked = event["seat"], event["deadline"], False
        elif kind == "deadline_changed":
            deadline = event["deadline"]
        elif kind == "turn_timed_out":
            clocked = True
            late = (datetime.fromisoformat(event["at"]) - datetime.fromisoformat(deadline or "")).total_seconds()
            outcome.delays.append(late)
            if event["seat"] != turn or late < 0 or played_by[event["seat"]] == "bot":
                faults.append(f"wrong time-out: {event}")
        elif kind in ("card_played", "turn_passed") or (kind == "cards_drawn" and event["reason"] in MOVE_REASONS):
            outcome.moves[event["by"]] += 1
            if event["seat"] != turn or event["by"] != ("clock" if clocked else played_by[event["seat"]]):
                faults.append(f"out of turn: {event}")
        elif kind == "deal_ended":
            turn = None
    return faults


def run(
    folder: Path,
    *,
    matches: int,
    kills: int,
    pause: float = 5,
    deals: int = 2,
    crowd: int = 24,
    seconds: float = 900,
    seed: int = 1,
) -> Outcome:
    """Play matches, so many at a time, while workers are killed with SIGKILL, and judge the logs afterwards.

    After so many seconds no other match begins. A new worker takes seconds to begin on a busy machine: the pause
    between kills, in seconds, should leave it the time.
    """
    outcome = Outcome()
    rnd = random.Random(seed)
    with Service(folder / "leavers", BOT_PAUSE_MS="0", BOT_CPU_PERCENT="5") as service:
        done = threading.Event()
        killer = threading.Thread(target=_kill, args=(service, kills, pause, done, outcome, rnd))
        killer.start()
        with ThreadPoolExecutor(crowd) as pool:
            seeds = range(seed, seed + matches)
            end = time.monotonic() + seconds
            parties = list(pool.map(lambda number: _party(service.port, number, deals, outcome, end), seeds))
        done.set()
        killer.join()
        for party in filter(None, parties):
            outcome.matches += 1
            judge(outcome, party)
            party.client.close()
    return outcome


def _party(port: int, seed: int, deals: int, outcome: Outcome, end: float) -> Party | None:
    if time.monotonic() > end:
        return None
    party = Party(port, random.Random(seed), deals)
    try:
        party.gather()
        if not party.play():
            outcome.unended += 1
    except AssertionError as error:
        outcome.faults.append(str(error))
        return None
    return party


def _kill(
    service: Service, kills: int, pause: float, done: threading.Event, outcome: Outcome, rnd: random.Random
) -> None:
    while outcome.kills < kills and not done.wait(pause * rnd.uniform(0.5, 1.5)):
        if len(pids := service.worker_pids) > 1:
            os.kill(rnd.choice(pids), signal.SIGKILL)
            outcome.kills += 1
