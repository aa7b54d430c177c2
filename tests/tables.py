"""Matches at every stage, made by the use cases or written down, with secrets that can be told in advance."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from copy import copy
from random import Random
from typing import Any

import pytest

from service import changes
from service.changes import Change
from service.dealings import Access, Admission, Answered, NewMatch, NewPlayer, Visit
from service.engine.legal import legal_moves
from service.engine.match import Match
from service.engine.moves import format_move, parse_move
from service.engine.rules import resolve
from service.engine.state import Deal
from service.errors import Refusal
from service.following import Follower
from service.idempotency import NOT_REPEATABLE, Key, Once
from service.identity import Caller, Entropy, token_hash
from service.journal import Journal
from service.presence import Presence
from service.reception import require_own_seat
from service.record import NOBODY, Player, Record
from service.store.base import Commit, Store, Stored
from service.streaming import Hub
from service.usecases import UseCases

NOW_MS = 1_800_000_000_000
LAST_SEED = bytes(range(32))
HOST_TOKEN = "py_match_host"
_NUMBERS = itertools.count()


def token_of(seat: int) -> str:
    """The token of a seat of a written-down match."""
    return f"py_match_{seat}"


def record(*taken: int, seats: int = 2, options: dict[str, Any] | None = None, **members: Any) -> Record:
    """Write down a match that waits, public, with players at some seats; the lowest is the host."""
    resolved = resolve(options or {}, seats)
    players = tuple(Player(seat, f"Player {seat}", token_hash(token_of(seat))) for seat in taken)
    plain = Record(
        match_id="match",
        version=3,
        present=NOBODY,
        status="waiting",
        name="Table",
        visibility="public",
        seats=seats,
        auto_start=False,
        host_seat=players[0].seat if players else None,
        host_token_hash=players[0].token_hash if players else token_hash(HOST_TOKEN),
        join_code=None,
        created_ms=NOW_MS,
        active_ms=NOW_MS,
        preset=resolved.preset,
        overridden=resolved.overridden,
        rules=resolved.rules,
        last_seed=LAST_SEED,
        players=players,
        match=None,
        started=0,
        deal_ends=(),
    )
    return plain._replace(**members)


def playing(deal: Deal | None = None, **members: Any) -> Record:
    """Write down a match that is played, at a position or freshly dealt."""
    if deal is None:
        return changes.started(record(0, 1, **members), NOW_MS).record
    seats = len(deal.hands)
    match = Match("match", deal.rules, LAST_SEED, ("",) * seats, deal, (), ())
    return record(*range(seats), seats=seats, **members)._replace(status="playing", match=match, rules=deal.rules)


def kinds(change: Change | Journal) -> list[str]:
    """The types of the events of a change."""
    journal = change.journal if isinstance(change, Change) else change
    return [event["type"] for event in journal.events]


def refusal(call: Callable[[], object]) -> Refusal:
    """Do what must be refused, and give the refusal."""
    with pytest.raises(Refusal) as refused:
        call()
    return refused.value


def numbered_entropy(number: int) -> Entropy:
    """Give secrets that are the same for the same number."""
    random = Random(number)
    return Entropy(random.randbytes, lambda alphabet, length: "".join(random.choices(alphabet, k=length)))


def new_id() -> str:
    """Give a match id that no other test has."""
    return numbered_entropy(Random().getrandbits(64)).match_id()


def commit(expected: int = 0, version: int = 1, state: bytes = b"state", **members: Any) -> Commit:
    """Give a commit with an identity of its own."""
    identity = f"commit {next(_NUMBERS)}"
    plain = Commit(identity, expected, Stored(version, state), f"events to {version}".encode(), None, b"")
    return plain._replace(**members)


class Table:
    """One match that is driven through the use cases, and the tokens of its seats."""

    def __init__(self, usecases: UseCases, seats: int = 2, *, once: Once = NOT_REPEATABLE, **order: Any) -> None:
        """Create it; the creator plays unless `creator_name` is None."""
        plain = NewMatch(seats, {}, "Table", "public", False, "Player 0")
        self.usecases = usecases
        self.made = usecases.create(plain._replace(**order), once)
        self.match_id: str = self.made.match["id"]
        self.host_token = self.made.token
        self.tokens: dict[int, str] = {} if self.made.seat is None else {self.made.seat: self.made.token}

    @property
    def record(self) -> Record:
        """The match as it is now."""
        return self.usecases.find(self.match_id).record

    def visit(self, token: str | None = None, access: Access = "anyone", once: Once = NOT_REPEATABLE) -> Visit:
        """Look the match up, as the API does."""
        found = self.usecases.find(self.match_id, once.key)
        return self.usecases.admit(found, token, access)._replace(once=once)

    def join(self, seat: int | None = None, once: Once = NOT_REPEATABLE, **asked: Any) -> Admission:
        """Let somebody sit down."""
        admission = self.usecases.join(self.visit(once=once), NewPlayer("Somebody", seat, **asked))
        assert admission.seat is not None
        self.tokens[admission.seat] = admission.token
        return admission

    def fill(self) -> Table:
        """Let players take all the free seats."""
        while self.record.free_seats:
            self.join(join_code=self.made.join_code)
        return self

    def set_client_seed(
        self, seat: int, client_seed: str, token: str | None = None, once: Once = NOT_REPEATABLE
    ) -> Answered:
        """Set the client seed of a seat, as its player or with another token."""
        visit = self.visit(token or self.tokens[seat], "player", once)
        return self.usecases.set_client_seed(visit, seat, client_seed)

    def leave(self, seat: int, token: str | None = None, once: Once = NOT_REPEATABLE) -> Answered:
        """Free a seat, as its player or with another token."""
        visit = self.visit(token or self.tokens[seat], "member", once)
        require_own_seat(visit, seat)
        return self.usecases.leave(visit, seat)

    def start(self, once: Once = NOT_REPEATABLE) -> Answered:
        """Deal, as the host."""
        return self.usecases.start(self.visit(self.host_token, "host", once))

    def move(self, seat: int, text: str, if_version: int | None = None, once: Once = NOT_REPEATABLE) -> Answered:
        """Make a move."""
        return self.usecases.move(self.visit(self.tokens[seat], "player", once), parse_move(text), if_version)

    def rematch(self, seat: int, client_seed: str | None = None, once: Once = NOT_REPEATABLE) -> Admission:
        """Ask for a rematch."""
        return self.usecases.rematch(self.visit(self.tokens[seat], "player", once), client_seed)

    def following(self, *seats: int) -> Table:
        """Let some seats come to the rematch, and give its table."""
        admissions = {seat: self.rematch(seat) for seat in seats}
        table = copy(self)
        table.match_id = admissions[seats[0]].match["id"]
        table.host_token = admissions[seats[0]].token
        table.tokens = {seat: admission.token for seat, admission in admissions.items()}
        return table

    def play_out(self) -> Table:
        """Make the first legal move of whoever is on turn until the match is over."""
        while self.record.status == "playing":
            self.play_on()
        return self

    def play_on(self) -> Answered:
        """Make the first legal move of the seat on turn."""
        deal = self.record.match and self.record.match.deal
        assert deal is not None
        assert deal.turn is not None
        return self.move(deal.turn, format_move(legal_moves(deal)[0]))

    def events(self, token: str | None = None, after: int = 0, limit: int = 1000) -> list[dict[str, Any]]:
        """Read the log."""
        return self.usecases.events(self.visit(token), after, limit)[0]


def once(key: str = "a key of twenty-two chars", body: str = "body") -> Once:
    """Tell a request's repeats by a key; the same key in the same words is the same one for every path."""
    return Once(Key(key, len(key) >= 22), body)


def following(store: Store, hub: Hub, presence: Presence | None = None, max_streams: int = 100) -> Follower:
    """Give who follows matches for readers."""
    return Follower(
        store,
        hub,
        presence or Presence(store, hub, timeout_seconds=3),
        max_streams=max_streams,
        timeout_seconds=3,
        ttl_seconds=3600,
        entropy=numbered_entropy(2),
    )


class BusyStore:
    """A store before whose every commit something happens, as if another server were faster."""

    def __init__(self, store: Store, before_commit: Callable[[str], object]) -> None:
        self._store = store
        self._before_commit = before_commit
        self.commits = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    def commit(self, match_id: str, commit: Commit) -> bytes | bool:
        self.commits += 1
        self._before_commit(match_id)
        return self._store.commit(match_id, commit)


def caller(seat: int | None, is_host: bool = False) -> Caller:
    """Somebody who asks."""
    return Caller(seat, is_host)


def contents(database: Any) -> dict[bytes, bytes]:
    """All that a store holds."""
    return {key: database.dump(key) for key in database.scan_iter()}
