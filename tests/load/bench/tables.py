"""Players of real matches whose own work is small.

Who has just moved was told their hand and, if they stay on turn, their legal moves. For the next seat the hand of its
own last answer is still right, and one look at it finds a move that nearly always is legal; where this ends, at a new
deal or a refused move, the table is stale until all its players have looked again, which is not measured.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from typing import Any, Final

import orjson

from tests.load.players import Client

SEATS: Final = 4
OK: Final = 200


def post(path: str, body: bytes, token: str | None = None) -> bytes:
    """Write a POST request."""
    authorization = "" if token is None else f"Authorization: Bearer {token}\r\n"
    return (
        f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n{authorization}"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    ).encode() + body


def get(path: str, token: str | None = None, **headers: str) -> bytes:
    """Write a GET request."""
    named = {"Host": "127.0.0.1", **{name.replace("_", "-"): value for name, value in headers.items()}}
    if token is not None:
        named["Authorization"] = f"Bearer {token}"
    return (f"GET {path} HTTP/1.1\r\n" + "".join(f"{name}: {value}\r\n" for name, value in named.items())).encode() + (
        b"\r\n"
    )


class Table:
    """A match that is played, and all its players.

    Attributes:
        match_id: its identity.
        tokens: the players' tokens, by seat.
        moves: how many moves were made.
        stale: whether its players must look again before they can go on.
        over: whether the match has ended.
        body: the last move, as it was sent.
    """

    def __init__(self, client: Client, seats: int = SEATS, **rules: Any) -> None:
        """Create a match and take all seats."""
        creation = {"seats": seats, "visibility": "public", "creator": {"name": "Player 0"}, "rules": rules}
        created = client.insist("POST", "/v1/matches", creation)
        assert created.status == 201, created
        self.match_id: str = created.body["match"]["id"]
        self.tokens: list[str] = [created.body["token"]]
        for seat in range(1, seats):
            joined = client.insist("POST", self.path + "/players", {"name": f"Player {seat}"})
            assert joined.status == 201, joined
            self.tokens.append(joined.body["token"])
        self.moves = 0
        self.stale, self.over = True, False
        self.body = b""
        self._hands: list[list[str]] = [[] for _ in self.tokens]
        self._legal: list[Any] = []
        self._deal: Any = None

    @property
    def path(self) -> str:
        """The path of the match."""
        return f"/v1/matches/{self.match_id}"

    def look(self, client: Client) -> None:
        """Let every player look at the match."""
        for token in self.tokens:
            seen = client.insist("GET", self.path, Authorization=f"Bearer {token}")
            assert seen.status == OK, seen
            self._take_in(seen.body)
            if self._legal:
                legal = self._legal
        if not self.over:
            self._legal = legal
        self.stale = False

    def request(self) -> bytes:
        """Write the next move."""
        seat = self._deal["turn_seat"]
        move = _chosen(self._legal) if self._legal else guess(self._hands[seat], self._deal)
        self.body = orjson.dumps(move)
        return post(self.path + "/moves", self.body, self.tokens[seat])

    def answered(self, status: int, body: bytes) -> bool:
        """Take in the answer to a move, and tell whether it was made."""
        if status != OK:
            self.stale = True
            return False
        before = self._deal["number"]
        self._take_in(orjson.loads(body)["match"])
        self.moves += 1
        self.stale = self.over or self._deal["number"] != before
        return True

    def _take_in(self, view: Mapping[str, Any]) -> None:
        you = view["you"]
        self._deal, self._legal = view["deal"], you["legal_moves"]
        self._hands[you["seat"]] = you["hand"]
        self.over = view["status"] == "finished"


def _chosen(legal: list[Any]) -> dict[str, str]:
    """Choose the first card that may be played, else to pass, else to draw."""
    first = legal[0]
    if first["type"] != "play":
        return {"type": legal[-1]["type"]}
    return _play(first["card"])


def _play(card: str) -> dict[str, str]:
    move = {"type": "play", "card": card}
    return {**move, "suit": card[-1]} if card[0] == "J" else move


def guess(hand: Iterable[str], deal: Mapping[str, Any]) -> dict[str, str]:
    """Guess a legal move of the seat on turn in the classic game."""
    for card in hand:
        if _fits(card, deal):
            return _play(card)
    return {"type": "draw"}


def _fits(card: str, deal: Mapping[str, Any]) -> bool:
    if deal["phase"] == "opening":
        return card[-1] == "C"
    if deal["penalty"]:
        return card[0] == "7"
    top = deal["top_card"]
    if card[0] == "J":
        return bool(top[0] != "J")
    return bool(card[-1] == deal["suit_in_force"] or card[:-1] == top[:-1])


class Seat:
    """Who plays at several tables, one after the other, each until it is stale."""

    def __init__(self, tables: Iterable[Table]) -> None:
        """Begin at the first of the tables."""
        self._tables = deque(tables)

    def request(self) -> bytes | None:
        """Write the next move; None when all tables are stale."""
        while self._tables and self._tables[0].stale:
            self._tables.popleft()
        return self._tables[0].request() if self._tables else None

    def answered(self, status: int, body: bytes) -> bool:
        """Take in the answer to it."""
        return self._tables[0].answered(status, body)


class Tables:
    """Enough tables for so many connections, ready to be played at."""

    def __init__(self, port: int, connections: int, each: int, **rules: Any) -> None:
        """Prepare the tables.

        Args:
            port: where the service listens.
            connections: how many players use them.
            each: how many tables each of them has.
            rules: the house rules.
        """
        self._port = port
        self._rules = rules
        self._connections = connections
        client = Client(port)
        self.tables = [Table(client, **rules) for _ in range(connections * each)]
        client.close()

    def ready(self) -> list[Table]:
        """Make all tables ready to be played at, replacing those whose match is over."""
        client = Client(self._port)
        self.tables = [Table(client, **self._rules) if table.over else table for table in self.tables]
        for table in self.tables:
            if table.stale:
                table.look(client)
        client.close()
        return self.tables

    def seats(self) -> list[Seat]:
        """Give who plays at them, when they are ready, first at those where least was played."""
        tables = sorted(self.ready(), key=lambda table: table.moves)
        return [Seat(tables[number :: self._connections]) for number in range(self._connections)]
