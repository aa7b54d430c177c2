"""What schemathesis is told so that it gets beyond "no such match" and "no token": see `schemathesis.toml`.

It plays at tables of every stage and at those that it makes itself, with the tokens of their seats, as a client
would that keeps them. It calls from a new address every time, which a service believes that trusts one proxy: else it
could soon guess no join codes any more. Nothing that it finds is hidden, but for the one thing that it cannot know
(`filter_failure`).
"""

from __future__ import annotations

from collections.abc import Mapping
from ipaddress import IPv4Address
from random import Random
from typing import Any, Final
from urllib.parse import urlsplit

import schemathesis
from schemathesis import AuthContext, Case, HookContext, Response
from schemathesis.openapi.checks import EnsureResourceAvailability, UseAfterFree

from tests.client import Client, Game

STAGES: Final = {
    "joinMatch": "waiting",
    "leaveMatch": "waiting",
    "setClientSeed": "waiting",
    "startMatch": "full",
    "makeMove": "playing",
    "listLegalMoves": "playing",
    "createStreamTicket": "playing",
    "getDeal": "over",
    "getPosition": "over",
    "takeRematch": "over",
}
"""At which stage of a match an operation is of use."""


class Table:
    """What is known of one match: the tokens of its seats and who is on turn."""

    def __init__(self) -> None:
        self.tokens: list[str] = []
        self.turn: str | None = None
        self.by_seat: dict[int, str] = {}

    def see(self, match: Mapping[str, Any]) -> None:
        """Look at a view."""
        self.turn = self.by_seat.get(match["deal"]["turn_seat"]) if match["deal"] else None


class Memory:
    """The tables that are known in this run.

    Attributes:
        random: decides where there is a choice, the same way in every run.
        tables: all of them by match id.
        prepared: the match ids of those that were set up for the run, by stage.
        join_code: the join code of one that waits.
    """

    def __init__(self) -> None:
        self.random = Random(7)
        self.tables: dict[str, Table] = {}
        self.prepared: dict[str, list[str]] = {}
        self.join_code: str | None = None

    def prepare(self, port: int) -> None:
        """Set up tables of every stage."""
        with Client(port) as client:
            self._add("waiting", *(Game(client, 10, seated=seats, visibility="public") for seats in (2, 5)))
            invited = Game(client, 10, seated=1)
            self.join_code = invited.join_code
            self._add("invited", invited)
            self._add("full", *(Game(client, 2, auto_start=False) for _ in range(5)))
            self._add("playing", *(Game(client, seats) for seats in (2, 4)))
            over = Game(client, 2, rules={"deals": 1})
            over.move_on(1000)
            self._add("over", over)

    def _add(self, stage: str, *games: Game) -> None:
        for game in games:
            match_id = game.path.rpartition("/")[2]
            self.prepared.setdefault(stage, []).append(match_id)
            for seat, token in enumerate(game.tokens):
                self.remember(match_id, seat, token)
            self.tables[match_id].see(game.view())

    def choose(self, operation: str) -> str:
        """Choose a match: mostly one at the stage that the operation is for."""
        fitting = self.random.random() < 0.7 and self.prepared.get(STAGES.get(operation, ""))
        return self.random.choice(fitting or list(self.tables))

    def remember(self, match_id: str, seat: int | None, token: str) -> Table:
        """Keep the token of a seat, or of a host without one."""
        table = self.tables.setdefault(match_id, Table())
        table.tokens.append(token)
        if seat is not None:
            table.by_seat[seat] = token
        return table

    def token(self, table: Table, operation: str) -> str:
        """Choose who asks: mostly who may."""
        if self.random.random() < 0.2:
            return self.random.choice(table.tokens)
        return table.tokens[0] if operation in ("startMatch", "leaveMatch") else table.turn or table.tokens[-1]


MEMORY: Final = Memory()


@schemathesis.auth(refresh_interval=None)
class Tokens:
    """Lets the request go to a match that there is, with a token that is good for it."""

    def get(self, case: Case[Any], context: AuthContext) -> str | None:
        """Choose a token; None for an operation that takes none, and now and then for others."""
        match_id = _match_of(case)
        table = MEMORY.tables.get(match_id or "")
        return MEMORY.token(table, _name(case)) if table and MEMORY.random.random() < 0.9 else None

    def set(self, case: Case[Any], token: str, context: AuthContext) -> None:
        """Send it."""
        case.headers["Authorization"] = f"Bearer {token}"


def _match_of(case: Case[Any]) -> str | None:
    """Give the match that the request is for: one that there is instead of an invented one."""
    port = urlsplit(case.operation.base_url or "").port
    if not MEMORY.prepared and port:
        MEMORY.prepare(port)
    match_id: str | None = case.path_parameters.get("match_id")
    if match_id is not None and match_id not in MEMORY.tables and MEMORY.random.random() < 0.8:
        match_id = case.path_parameters["match_id"] = MEMORY.choose(_name(case))
    return match_id


def _name(case: Case[Any]) -> str:
    return str(case.operation.definition.raw.get("operationId"))


@schemathesis.hook
def before_call(context: HookContext, case: Case[Any], kwargs: dict[str, Any]) -> None:
    """Let the token be one of the match after all, and let no stream wait."""
    table = MEMORY.tables.get(_match_of(case) or "")
    case.headers["X-Forwarded-For"] = str(IPv4Address(MEMORY.random.getrandbits(32)))
    sent = str(case.headers.get("Authorization")).removeprefix("Bearer ")
    if table and sent.startswith("py_") and sent not in table.tokens:
        sent = MEMORY.token(table, _name(case))
        case.headers["Authorization"] = f"Bearer {sent}"
    if _name(case) == "streamMatch":
        _bound(case)
    elif case.meta and case.meta.generation.mode.is_positive and MEMORY.random.random() < 0.5:
        if table:
            _hit(case, sent)
        elif _name(case) == "lookUpJoinCode":
            case.body = {"join_code": MEMORY.join_code}


def _hit(case: Case[Any], token: str) -> None:
    """Ask for what there is: a legal move, the first deal. Chance alone seldom finds it."""
    if _name(case) in ("getDeal", "getPosition"):
        case.path_parameters["number"] = 1
    elif _name(case) == "makeMove":
        with Client(urlsplit(case.operation.base_url or "").port or 0) as client:
            reply = client.get(f"/v1/matches/{case.path_parameters['match_id']}/legal-moves", token)
        if reply.status == 200 and (moves := reply.json["moves"]):
            case.body = MEMORY.random.choice(moves)


def _bound(case: Case[Any]) -> None:
    case.query.setdefault("limit", 1)
    if _is_number(case.query["limit"]):
        case.query["limit"] = 1
    for place, name in ((case.query, "after"), (case.headers, "Last-Event-ID")):
        if _is_number(place.get(name)):
            place[name] = "0"


def _is_number(value: object) -> bool:
    return str(value).isdecimal() and int(str(value)[:10]) < 2**31


@schemathesis.hook
def filter_query(context: HookContext, query: dict[str, Any] | None) -> bool:
    """Leave out parameters that vanish on their way, such as an empty list: the service cannot refuse them."""
    return not any(map(_vanishes, (query or {}).values()))


def _vanishes(value: object) -> bool:
    return value is None or value == {} or (isinstance(value, list) and all(map(_vanishes, value)))


@schemathesis.hook
def after_call(context: HookContext, case: Case[Any], response: Response) -> None:
    """Keep the tokens that are given out, and who is on turn."""
    if not 200 <= response.status_code < 300 or "application/json" not in str(response.headers.get("content-type")):
        return
    answer = response.json()
    match = answer.get("match") if isinstance(answer, dict) else None
    if match is None or "deal" not in match:  # none, or the outline that a join code leads to
        return
    if "token" in answer:
        MEMORY.remember(match["id"], answer["seat"], answer["token"])
    if match["id"] in MEMORY.tables:
        MEMORY.tables[match["id"]].see(match)


@schemathesis.hook
def filter_failure(context: HookContext, failure: Any, case: Case[Any], response: Response) -> bool:
    """Tell whether a failure is one.

    Five are not. A body may be fine and yet be refused, because its idempotency key was used before with another
    body; or because it asks for more bots than can sit, or holds too many bytes of metadata, which no schema can tell.
    Who frees a seat and then asks again without a token is told that nobody sits there: 404 comes before 401. A match
    that was just created has neither its deals yet nor players at all its seats. And a match that its host deletes is
    abandoned: it stays readable, with its seed and hands shown.
    """
    content = response.content or b""
    if b'"code":"idempotency_key_reused"' in content or b'"pointer":"/bots' in content or b"bytes of JSON" in content:
        return False
    if isinstance(failure, UseAfterFree):
        return failure.operation != "DELETE /v1/matches/{match_id}"
    if _name(case) not in ("leaveMatch", "setClientSeed", "getDeal", "getPosition"):
        return True
    return not isinstance(failure, EnsureResourceAvailability) and "got `404 Not Found`" not in str(failure)
