"""Clients for load and fault tests: they speak HTTP, repeat what was not answered, and play whole matches."""

from __future__ import annotations

import http.client
import json
import random
import secrets
import time
from dataclasses import dataclass, field
from typing import Any

GIVE_UP_SECONDS = 60.0


@dataclass
class Answer:
    """One answer."""

    status: int
    headers: http.client.HTTPMessage
    body: Any


class Client:
    """One kept connection; it is made anew when it breaks."""

    def __init__(self, port: int, timeout: float = 20.0) -> None:
        self._port = port
        self._timeout = timeout
        self._connection: http.client.HTTPConnection | None = None

    def send(self, method: str, path: str, body: Any = None, **headers: str) -> Answer:
        """Send one request, once.

        Raises:
            OSError: there is no answer.
        """
        if self._connection is None:
            self._connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=self._timeout)
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        data = None if body is None else json.dumps(body)
        try:
            self._connection.request(method, path, data, {"Content-Type": "application/json", **named})
            response = self._connection.getresponse()
            text = response.read()
        except (OSError, http.client.HTTPException) as error:
            self.close()
            raise ConnectionError(str(error)) from error
        return Answer(response.status, response.headers, json.loads(text) if text else None)

    def insist(self, method: str, path: str, body: Any = None, **headers: str) -> Answer:
        """Send one request until it is answered by something else than 503."""
        deadline = time.monotonic() + GIVE_UP_SECONDS
        while time.monotonic() < deadline:
            try:
                answer = self.send(method, path, body, **headers)
            except OSError:
                time.sleep(0.02)
                continue
            if answer.status != 503:
                return answer
            time.sleep(0.05)
        raise AssertionError(f"no answer to {method} {path} in {GIVE_UP_SECONDS} s")

    def close(self) -> None:
        """Close the connection."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None


@dataclass
class Acknowledged:
    """A move that was answered 2xx: its key, and the events that the answer told of."""

    token: str
    events: list[Any]


@dataclass
class Table:
    """A match and its players, all driven by one client."""

    client: Client
    rnd: random.Random
    match_id: str = ""
    tokens: list[str] = field(default_factory=list)
    view: Any = None
    acknowledged: list[Acknowledged] = field(default_factory=list)

    @property
    def path(self) -> str:
        """The path of the match."""
        return f"/v1/matches/{self.match_id}"

    def seat_players(self, seats: int, **rules: Any) -> None:
        """Create a match and take all seats, each request repeatable."""
        body = {"seats": seats, "visibility": "public", "creator": {"name": "Ayşe"}, "rules": rules}
        created = self.client.insist("POST", "/v1/matches", body, Idempotency_Key=secrets.token_hex(16))
        assert created.status == 201, created
        self.match_id, self.tokens = created.body["match"]["id"], [created.body["token"]]
        for seat in range(1, seats):
            key = secrets.token_hex(16)
            joined = self.client.insist("POST", self.path + "/players", {"name": f"P{seat}"}, Idempotency_Key=key)
            assert joined.status == 201, joined
            self.tokens.append(joined.body["token"])
            self.view = joined.body["match"]

    def get(self, what: str, token: str | None = None) -> Any:
        """Read something of the match."""
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        answer = self.client.insist("GET", self.path + what, **headers)
        assert answer.status == 200, answer
        return answer.body

    def choose(self) -> tuple[str, Any]:
        """Choose a legal move for the seat on turn."""
        token = self.tokens[self.view["deal"]["turn_seat"]]
        moves = self.get("/legal-moves", token)["moves"]
        return token, self.rnd.choice(moves)

    def move(self) -> None:
        """Make a move, with a key, until it is acknowledged."""
        token, move = self.choose()
        headers = {"Authorization": f"Bearer {token}", "Idempotency_Key": secrets.token_hex(8)}
        answer = self.client.insist("POST", self.path + "/moves", move, **headers)
        assert answer.status == 200, answer
        self.acknowledged.append(Acknowledged(token, answer.body["events"]))
        self.view = answer.body["match"]

    @property
    def is_over(self) -> bool:
        """Whether the match has ended."""
        return bool(self.view["status"] == "finished")

    def log(self, token: str | None = None) -> list[Any]:
        """Read the whole log as a reader sees it."""
        events: list[Any] = []
        after = 0
        while page := self.get(f"/events?limit=1000&after={after}", token)["events"]:
            events += page
            after = page[-1]["seq"]
        return events


MOVE_REASONS = ("choice", "opening", "penalty")


def count_moves(log: list[Any]) -> int:
    """Count the moves in a log of the classic game: each plays, draws or passes."""
    return sum(
        event["type"] in ("card_played", "turn_passed")
        or (event["type"] == "cards_drawn" and event["reason"] in MOVE_REASONS)
        for event in log
    )


@dataclass
class Verdict:
    """What a look at the final logs says."""

    acknowledged: int = 0
    lost: int = 0
    doubled: int = 0
    gaps: int = 0

    def __str__(self) -> str:
        """Give the figures."""
        return f"acknowledged {self.acknowledged}, lost {self.lost}, doubled {self.doubled}, gaps {self.gaps}"

    def is_kept(self) -> bool:
        """Tell whether the promise is kept."""
        return self.acknowledged > 0 and self.lost == self.doubled == self.gaps == 0

    def look(self, table: Table) -> None:
        """Hold a match's acknowledged moves against its final log."""
        logs = {token: {event["seq"]: event for event in table.log(token)} for token in table.tokens}
        numbers = list(logs[table.tokens[0]])
        self.gaps += numbers != list(range(1, len(numbers) + 1))
        kept = sum(all(logs[move.token].get(e["seq"]) == e for e in move.events) for move in table.acknowledged)
        made = count_moves(list(logs[table.tokens[0]].values()))
        self.acknowledged += len(table.acknowledged)
        self.lost += len(table.acknowledged) - kept
        self.doubled += max(made - len(table.acknowledged), 0)
