"""The verbs of the service: load a match, decide, commit what follows.

Nothing here knows HTTP or Redis. What is refused raises `Refusal` and changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, Literal, NamedTuple, TypeAlias

from . import changes
from .changes import Change
from .engine.errors import RulesError
from .engine.match import deal_shuffler
from .engine.moves import Move
from .engine.rules import ResolvedRules, resolve
from .errors import Refusal
from .identity import STRANGER, SYSTEM_ENTROPY, Caller, Entropy, identify, token_hash
from .journal import read_entry
from .lobby import Lobby
from .record import Player, Record, Visibility, decode_record, encode_record
from .store.base import Place, Store, Stored
from .view import Data, lobby_entry, match_view, postable_moves, redacted, result_view

Access: TypeAlias = Literal["anyone", "member", "player", "host"]

COMMIT_ATTEMPTS: Final = 5
"""How often a write is decided anew when another write came first; after that it is a `conflict`."""


class Visit(NamedTuple):
    """A match that somebody looked up, and who they are there.

    Attributes:
        record: the match as it was.
        caller: who asks.
        token: the token that they sent, to be judged again if the match changes meanwhile.
        access: what was asked of them.
    """

    record: Record
    caller: Caller
    token: str | None
    access: Access


class NewMatch(NamedTuple):
    """What a creator asks for."""

    seats: int
    rules: Mapping[str, object]
    name: str
    visibility: Visibility
    auto_start: bool
    creator_name: str | None


class Admission(NamedTuple):
    """What someone gets who creates or joins a match.

    Attributes:
        match: the match as they see it.
        token: their token, which is shown this once.
        seat: their seat; None for a creator who does not play.
        join_code: what lets others into a private match; only its creator gets it.
    """

    match: Data
    token: str
    seat: int | None
    join_code: str | None


class UseCases:
    """Everything that can be done with matches."""

    def __init__(
        self, store: Store, *, ttl_seconds: int, clock: Callable[[], int], entropy: Entropy = SYSTEM_ENTROPY
    ) -> None:
        """Compose the use cases.

        Args:
            store: keeps the matches.
            ttl_seconds: after how long without a change a match expires.
            clock: gives the time in Unix milliseconds.
            entropy: where ids, tokens and seeds come from.
        """
        self._store = store
        self._lobby = Lobby(store)
        self._ttl_seconds = ttl_seconds
        self._clock = clock
        self._entropy = entropy

    def find(self, match_id: str) -> Record:
        """Load a match.

        Raises:
            Refusal: `match_not_found`.
            UnknownFormat: another release wrote it.
        """
        stored = self._store.load(match_id)
        if stored is None:
            raise Refusal("match_not_found", "There is no match with this id, or it has expired.")
        return decode_record(match_id, stored.version, stored.state)

    def admit(self, record: Record, token: str | None, access: Access) -> Visit:
        """Tell who asks, and check that they may.

        Raises:
            Refusal: `token_required`, `token_invalid`, `not_your_match`, `not_your_seat` or `host_only`.
        """
        caller = identify(record, token)
        if access != "anyone" and caller.is_stranger:
            raise Refusal("token_required", "This needs the token that was given at creating or joining.")
        if access == "player" and caller.seat is None:
            raise Refusal("not_your_seat", "You are this match's host but have no seat at its table.")
        if access == "host" and not caller.is_host:
            raise Refusal("host_only", "Only the host may do this.")
        return Visit(record, caller, token, access)

    def create(self, order: NewMatch) -> Admission:
        """Create a match; its creator is the host, and takes seat 0 if they play.

        Raises:
            Refusal: `invalid_rules`.
        """
        rules = _resolved(order)
        match_id = self._entropy.match_id()
        token = self._entropy.token(match_id)
        record = self._new_record(order, rules, match_id, token_hash(token))
        self._lobby.sweep()
        self._lobby.enter(record)
        committed = self._commit(record, changes.created(record))
        assert committed is not None, "two matches drew the same id of 101 bits"
        caller = Caller(committed.host_seat, True)
        return Admission(self._view(committed, caller), token, caller.seat, committed.join_code)

    def join(self, visit: Visit, name: str, seat: int | None, join_code: str | None) -> Admission:
        """Take a seat of a waiting match; the last one starts it if it starts by itself.

        Raises:
            Refusal: as `changes.joined`, or `conflict`.
        """
        token = self._entropy.token(visit.record.match_id)
        record = self._write(
            visit, lambda visit: changes.joined(visit.record, name, seat, join_code, token, self._clock())
        ).record
        caller = identify(record, token)
        return Admission(self._view(record, caller), token, caller.seat, None)

    def leave(self, visit: Visit, seat: int) -> Data:
        """Free a seat of a waiting match, and show the match as who asked for it sees it now.

        Raises:
            Refusal: `not_your_seat`; as `changes.left`, or `conflict`.
        """
        if visit.caller.seat != seat and not visit.caller.is_host:
            raise Refusal("not_your_seat", "Only the player of this seat, or the host, may free it.")
        record = self._write(visit, lambda visit: changes.left(visit.record, seat, self._clock())).record
        gone = visit.caller.seat == seat
        return self._view(record, STRANGER if gone else identify(record, visit.token))

    def start(self, visit: Visit) -> Data:
        """Deal the first deal.

        Raises:
            Refusal: as `changes.started`, or `conflict`.
        """
        record = self._write(visit, lambda visit: changes.started(visit.record, self._clock())).record
        return self._view(record, visit.caller)

    def move(self, visit: Visit, move: Move, if_version: int | None) -> tuple[Data, list[Data]]:
        """Make a move.

        Returns:
            The mover's new view, and the events that the move caused, as the mover sees them.

        Raises:
            Refusal: as `changes.moved`, or `conflict`.
        """
        seat = visit.caller.seat
        assert seat is not None, "admitted as a player"
        record, journal = self._write(
            visit, lambda visit: changes.moved(visit.record, seat, move, if_version, self._clock())
        )
        events = [redacted(event, visit.caller) for event in journal.events]
        return self._view(record, visit.caller), events

    def view(self, visit: Visit) -> Data:
        """Show a match to its visitor."""
        return self._view(visit.record, visit.caller)

    def legal_moves(self, visit: Visit) -> list[Data]:
        """List what a player may do now, as bodies that can be posted."""
        return postable_moves(visit.record, visit.caller)

    def events(self, visit: Visit, after: int, limit: int) -> tuple[list[Data], int]:
        """Read the log as its reader may see it.

        Returns:
            The events beyond number `after`, at most `limit`, and the number to go on after.
        """
        entries = self._store.entries(visit.record.match_id, after, limit)
        events = [event for entry in entries for event in read_entry(entry) if event["seq"] > after][:limit]
        return [redacted(event, visit.caller) for event in events], (events[-1]["seq"] if events else after)

    def finished_deal(self, record: Record, number: int) -> Data:
        """Show a finished deal: its result, the hands as they were left, and the seed that shuffled it.

        Raises:
            Refusal: `deal_not_found`, or `deal_unfinished` while it is played.
        """
        match = record.match
        if match is None or not 1 <= number <= match.deal.number:
            raise Refusal("deal_not_found", "This match has had no deal with this number.")
        if number > len(match.results):
            raise Refusal("deal_unfinished", "This deal is still being played.")
        end = record.deal_ends[number - 1]
        [entry] = self._store.entries(record.match_id, end - 1, 1)
        ended = next(event for event in read_entry(entry) if event["seq"] == end)
        shuffler = deal_shuffler(match.match_id, match.rules, match.last_seed, match.client_seeds, number)
        return {
            **result_view(number, match.results[number - 1]),
            "hands": ended["hands"],
            "seed": ended["seed"],
            "seed_commitment": shuffler.commitment,
        }

    def lobby(self, status: str | None, beyond: Place | None, limit: int) -> tuple[list[Data], Place | None]:
        """List public matches, newest first; see `Lobby.page`."""
        records, beyond = self._lobby.page(status, beyond, limit)
        return [lobby_entry(record, self._ttl_seconds) for record in records], beyond

    def ping(self) -> None:
        """Ask the store for a sign of life."""
        self._store.ping()

    def _view(self, record: Record, caller: Caller) -> Data:
        return match_view(record, caller, self._ttl_seconds)

    def _new_record(self, order: NewMatch, rules: ResolvedRules, match_id: str, hashed: str) -> Record:
        now_ms = self._clock()
        plays = order.creator_name is not None
        return Record(
            match_id=match_id,
            version=0,
            status="waiting",
            name=order.name,
            visibility=order.visibility,
            seats=order.seats,
            auto_start=order.auto_start,
            host_seat=0 if plays else None,
            host_token_hash=hashed,
            join_code=self._entropy.join_code() if order.visibility == "private" else None,
            created_ms=now_ms,
            active_ms=now_ms,
            preset=rules.preset,
            overridden=rules.overridden,
            rules=rules.rules,
            last_seed=self._entropy.last_seed(),
            players=(Player(0, order.creator_name, hashed),) if order.creator_name is not None else (),
            match=None,
            deal_ends=(),
        )

    def _write(self, visit: Visit, decide: Callable[[Visit], Change]) -> Change:
        """Decide on a change and commit it; decide anew when another write came first."""
        for _ in range(COMMIT_ATTEMPTS):
            change = decide(visit)
            if record := self._commit(visit.record, change):
                if record.status != visit.record.status:
                    self._lobby.enter(record)
                return Change(record, change.journal)
            visit = self.admit(self.find(visit.record.match_id), visit.token, visit.access)
        raise Refusal("conflict", "Others changed the match at the same time, again and again: try once more.")

    def _commit(self, before: Record, change: Change) -> Record | None:
        journal = change.journal
        record = change.record._replace(version=journal.version, active_ms=journal.now_ms)
        stored = Stored(record.version, encode_record(record))
        return record if self._store.commit(before.match_id, before.version, stored, journal.encode()) else None


def _resolved(order: NewMatch) -> ResolvedRules:
    try:
        return resolve(order.rules, order.seats)
    except RulesError as error:
        errors = [{"pointer": f"/rules/{option}", "detail": detail} for option, detail in error.errors]
        raise Refusal("invalid_rules", "These rules cannot be played.", errors=errors) from error
