"""The verbs of the service: load a match, decide, commit what follows.

Nothing here knows HTTP or Redis. What is refused raises `Refusal` and changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from . import changes
from .changes import Change
from .dealings import Access, Admission, Answered, Lookup, NewMatch, NewPlayer, Visit, Written
from .engine.errors import RulesError
from .engine.moves import Move
from .engine.rules import ResolvedRules, resolve
from .errors import Refusal, no_match
from .finished import deal_log, position_view
from .idempotency import NOT_REPEATABLE, Key, Once, Receipt, decode_receipt
from .identity import STRANGER, SYSTEM_ENTROPY, Caller, Entropy, identify, token_hash
from .lobby import Lobby
from .mint import Mint
from .proof import proof
from .record import Player, Record, decode_record, encode_record
from .store.base import Commit, Place, Store, Stored
from .streaming import read_log
from .view import Data, lobby_entry, match_view, postable_moves, redacted

COMMIT_ATTEMPTS: Final = 5
"""How often a write is decided anew when another write came first; after that it is a `conflict`."""


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
        self._mint = Mint(store, entropy)

    def find(self, match_id: str, key: Key | None = None) -> Lookup:
        """Load a match, and what is kept for an idempotency key.

        Raises:
            Refusal: `match_not_found`.
            UnknownFormat: another release wrote it.
        """
        stored, receipt = self._store.load(match_id, key and key.scope)
        if stored is None:
            raise no_match()
        record = decode_record(match_id, stored.version, stored.state)
        return Lookup(record, None if receipt is None else decode_receipt(receipt))

    def admit(self, found: Lookup, token: str | None, access: Access) -> Visit:
        """Tell who asks, and check that they may.

        A token that is not valid any more may still repeat the request that it made when it was.

        Raises:
            Refusal: `token_required`, `token_invalid`, `not_your_match`, `not_your_seat` or `host_only`.
        """
        record, receipt = found
        if receipt is not None and token is not None:
            return Visit(record, self._caller_now(record, token), token, access, receipt)
        caller = identify(record, token)
        if access != "anyone" and caller.is_stranger:
            raise Refusal("token_required", "This needs the token that was given at creating or joining.")
        if access == "player" and caller.seat is None:
            raise Refusal("not_your_seat", "You are this match's host but have no seat at its table.")
        if access == "host" and not caller.is_host:
            raise Refusal("host_only", "Only the host may do this.")
        return Visit(record, caller, token, access, receipt)

    def create(self, order: NewMatch, once: Once = NOT_REPEATABLE) -> Admission:
        """Create a match; its creator is the host, and takes seat 0 if they play.

        Raises:
            Refusal: `invalid_rules`, `idempotency_key_invalid` or `idempotency_key_reused`.
        """
        rules = _resolved(order)
        match_id = self._mint.match_id(once.key)
        token = self._mint.token(match_id, once.key, 1)
        record = self._new_record(order, rules, match_id, token_hash(token))
        self._lobby.sweep()
        visit = Visit(record, Caller(record.host_seat, True), token, "host", None, once)
        written = self._write(visit, lambda _: changes.created(record))
        self._lobby.enter(written.record)
        match = self._view(written.record, self._caller_now(written.record, token))
        return Admission(match, token, written.seat, written.record.join_code, written.replayed)

    def join(self, visit: Visit, asked: NewPlayer) -> Admission:
        """Take a seat of a waiting match; the last one starts it if it starts by itself.

        Raises:
            Refusal: as `changes.joined`, `idempotency_key_invalid`, `idempotency_key_reused` or `conflict`.
        """
        match_id, key = visit.record.match_id, visit.once.key

        def sit(visit: Visit) -> Change:
            token = self._mint.token(match_id, key, visit.record.version + 1)
            tokens.append(token)
            return changes.joined(visit.record, asked, token, self._clock())

        tokens: list[str] = []
        written = self._write(visit, sit)
        token = self._mint.token(match_id, key, written.first) if written.replayed else tokens[-1]
        match = self._view(written.record, self._caller_now(written.record, token))
        return Admission(match, token, written.seat, None, written.replayed)

    def set_client_seed(self, visit: Visit, seat: int, client_seed: str) -> Answered:
        """Replace what a player adds to the shuffles of a match that has not started.

        Raises:
            Refusal: `not_your_seat`; as `changes.client_seed_set`, `idempotency_key_reused` or `conflict`.
        """
        if visit.receipt is None and visit.caller.seat != seat:
            raise Refusal("not_your_seat", "Only the player of this seat may set its client seed.")
        return self._answered(
            visit, lambda visit: changes.client_seed_set(visit.record, seat, client_seed, self._clock())
        )

    def leave(self, visit: Visit, seat: int) -> Answered:
        """Free a seat of a waiting match, and show the match as who asked for it sees it now.

        Raises:
            Refusal: `not_your_seat`; as `changes.left`, `idempotency_key_reused` or `conflict`.
        """
        if visit.receipt is None and visit.caller.seat != seat and not visit.caller.is_host:
            raise Refusal("not_your_seat", "Only the player of this seat, or the host, may free it.")
        return self._answered(visit, lambda visit: changes.left(visit.record, seat, self._clock()))

    def start(self, visit: Visit) -> Answered:
        """Deal the first deal.

        Raises:
            Refusal: as `changes.started`, `idempotency_key_reused` or `conflict`.
        """
        return self._answered(visit, lambda visit: changes.started(visit.record, self._clock()))

    def move(self, visit: Visit, move: Move, if_version: int | None) -> Answered:
        """Make a move.

        Raises:
            Refusal: as `changes.moved`, `idempotency_key_reused` or `conflict`.
        """

        def judge(visit: Visit) -> Change:
            assert visit.caller.seat is not None, "admitted as a player"
            return changes.moved(visit.record, visit.caller.seat, move, if_version, self._clock())

        return self._answered(visit, judge)

    def version(self, match_id: str) -> int:
        """Give the version of a match; 0 if there is none."""
        return self._store.version(match_id)

    def reader_mark(self, token: str | None) -> str:
        """Give what tells the readers of a view apart and cannot be guessed."""
        return self._mint.reader_mark(token)

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
        events = read_log(self._store, visit.record.match_id, after, limit)
        return [redacted(event, visit.caller) for event in events], (events[-1]["seq"] if events else after)

    def finished_deal(self, record: Record, number: int) -> Data:
        """Show a finished deal and prove it: see `proof.proof`.

        Raises:
            Refusal: as `finished.deal_log`.
        """
        return proof(record, number, deal_log(self._store, record, number))

    def position(self, record: Record, number: int, made: int) -> Data:
        """Show a finished deal as it was after so many of its moves: see `finished.position_view`.

        Raises:
            Refusal: as `finished.deal_log`; `invalid_query`, when the deal had fewer moves.
        """
        return position_view(record, number, deal_log(self._store, record, number), made)

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
            started=0,
            deal_ends=(),
        )

    def _answered(self, visit: Visit, decide: Callable[[Visit], Change]) -> Answered:
        written = self._write(visit, decide)
        caller = STRANGER if visit.token is None else self._caller_now(written.record, visit.token)
        events = [redacted(event, caller) for event in written.events]
        return Answered(self._view(written.record, caller), events, written.replayed)

    def _write(self, visit: Visit, decide: Callable[[Visit], Change]) -> Written:
        """Decide on a change and commit it; decide anew when another write came first."""
        for _ in range(COMMIT_ATTEMPTS):
            if visit.receipt is not None:
                return self._replayed(visit.record, visit.receipt, visit.once)
            change = decide(visit)
            before, journal = visit.record, change.journal
            record = change.record._replace(version=journal.version, active_ms=journal.now_ms)
            if self._commit(before, record, change, visit.once) is True:
                if record.status != before.status:
                    self._lobby.enter(record)
                return Written(record, journal.events, before.version + 1, change.seat, False)
            visit = self._revisit(visit)
        raise Refusal("conflict", "Others changed the match at the same time, again and again: try once more.")

    def _commit(self, before: Record, record: Record, change: Change, once: Once) -> bytes | bool:
        receipt = Receipt(once.fingerprint, before.version + 1, record.version, change.seat)
        commit = Commit(
            identity=self._entropy.seed(8).hex(),
            expected=before.version,
            stored=Stored(record.version, encode_record(record)),
            entry=change.journal.encode(),
            scope=once.key and once.key.scope,
            receipt=receipt.encode(),
        )
        return self._store.commit(record.match_id, commit)

    def _revisit(self, visit: Visit) -> Visit:
        found = self.find(visit.record.match_id, visit.once.key)
        if visit.record.version == 0 and found.receipt is None:
            raise Refusal("idempotency_key_reused", "A match was created with this key more than 24 hours ago.")
        return self.admit(found, visit.token, visit.access)._replace(once=visit.once)

    def _replayed(self, record: Record, receipt: Receipt, once: Once) -> Written:
        if receipt.fingerprint != once.fingerprint:
            raise Refusal("idempotency_key_reused", "This key was used for a request with another body.")
        events = read_log(self._store, record.match_id, receipt.first - 1, receipt.last - receipt.first + 1)
        return Written(record, events, receipt.first, receipt.seat, True)

    def _caller_now(self, record: Record, token: str) -> Caller:
        """Tell who a token stands for by now; a stranger, if it has died."""
        try:
            return identify(record, token)
        except Refusal:
            return STRANGER


def _resolved(order: NewMatch) -> ResolvedRules:
    try:
        return resolve(order.rules, order.seats)
    except RulesError as error:
        errors = [{"pointer": f"/rules/{option}", "detail": detail} for option, detail in error.errors]
        raise Refusal("invalid_rules", "These rules cannot be played.", errors=errors) from error
