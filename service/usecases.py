"""The verbs of the service: load a match, decide, commit what follows. What only looks is in `looking`.

Nothing here knows HTTP or Redis. What is refused raises `Refusal` and changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable

from . import changes, leaving
from .autoplay import USUAL_PAUSE_MS, Autoplay
from .bots.choosing import Level
from .changes import Change
from .codes import JoinCodes
from .counting import UNCOUNTED, Counting
from .dealings import Admission, Answered, NewMatch, NewPlayer, Reissued, Visit
from .engine.errors import RulesError
from .engine.moves import Move
from .engine.rules import ResolvedRules, resolve
from .errors import Refusal
from .gate import Gate
from .idempotency import NOT_REPEATABLE, Once
from .identity import STRANGER, SYSTEM_ENTROPY, Caller, Entropy, identify, token_hash
from .lobby import Lobby, fit_of
from .looking import Looking
from .mint import Mint
from .outages import Outages
from .quick import QuickMatch
from .reception import Reception, caller_now, nobody, require_open
from .record import NOBODY, Player, Record
from .rematching import Rematches
from .seating import with_bots
from .store.base import Here, Store
from .thinking import Thinking
from .tokens import Tokens, reissued
from .view import Data, redacted, veils_deals
from .writing import Writer


class UseCases(Looking):
    """Everything that can be done with matches; see `Looking` for what can be seen.

    Attributes:
        find: looks a match up; see `Reception.find`.
        admit: tells who asks, and checks that they may; see `Reception.admit`.
        outages: what this server knows of them; the ticker tells it.
    """

    def __init__(
        self,
        store: Store,
        *,
        ttl_seconds: int,
        clock: Callable[[], int],
        entropy: Entropy = SYSTEM_ENTROPY,
        thinking: Thinking | None = None,
        bot_pause_ms: int = USUAL_PAUSE_MS,
        counting: Counting = UNCOUNTED,
        present: Callable[[Here], frozenset[int]] = nobody,
    ) -> None:
        """Compose the use cases.

        Args:
            store: keeps the matches.
            ttl_seconds: after how long without a change a match expires.
            clock: gives the time in Unix milliseconds.
            entropy: where ids, tokens and seeds come from.
            thinking: what bots may spend on their search; by default as much as they like.
            bot_pause_ms: between two moves of a match that no human plays.
            counting: is told what happens.
            present: tells which players are here by what is noted at a match; see `presence`.
        """
        reception = Reception(store, present)
        codes = JoinCodes(store, reception, entropy)
        super().__init__(store, Lobby(store), codes, Mint(store, entropy), ttl_seconds)
        self.find = reception.find
        self.admit = reception.admit
        self.outages = Outages()
        self._autoplay = Autoplay(
            store,
            thinking or Thinking(1.0),
            self.outages,
            pause_ms=bot_pause_ms,
            ttl_seconds=ttl_seconds,
            clock=clock,
            entropy=entropy,
        )
        self._writer = Writer(store, reception, self._lobby, self._autoplay, entropy, counting)
        self._clock = clock
        self._entropy = entropy
        self._tokens = Tokens(self._writer, self._mint)
        self._rematches = Rematches(
            reception,
            self._writer,
            self._lobby,
            self._mint,
            self._tokens,
            clock=clock,
            entropy=entropy,
            join_code=codes.new,
        )
        gate = Gate(store, entropy)
        self._quick = QuickMatch(store, reception, self._lobby, self._mint, gate, create=self.create, join=self.join)

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
        written = self._writer.write(visit, lambda _: changes.created(record))
        self._lobby.enter(written.record)
        match = self._own_view(written.record, caller_now(written.record, token))
        return Admission(match, token, written.seat, written.record.join_code, written.replayed)

    def join(self, visit: Visit, asked: NewPlayer) -> Admission:
        """Take a seat of a waiting match; the last one starts it if it starts by itself.

        Raises:
            Refusal: as `changes.joined`, `rate_limited`, `idempotency_key_invalid`, `idempotency_key_reused` or
                `conflict`.
        """

        def sit(visit: Visit, token: str) -> Change:
            self._codes.require_guess(visit.record, asked.join_code, asked.client)
            return changes.joined(visit.record, asked, token, self._clock())

        written, token = self._tokens.given(visit, sit)
        match = self._own_view(written.record, caller_now(written.record, token))
        return Admission(match, token, written.seat, None, written.replayed)

    def quick_match(self, order: NewMatch, asked: NewPlayer, once: Once = NOT_REPEATABLE) -> Admission:
        """Take a seat of a public match that fits an order, or create it; see `QuickMatch.seat`.

        Raises:
            Refusal: `invalid_rules`, `idempotency_key_invalid`, `idempotency_key_reused` or `conflict`.
        """
        fit = fit_of(order.seats, _resolved(order).rules, order.clock, order.app)
        return self._quick.seat(fit, order, asked, once)

    def reissue_token(self, visit: Visit, seat: int) -> Reissued:
        """Give a player another token.

        Raises:
            Refusal: as `tokens.reissued`, `idempotency_key_invalid`, `idempotency_key_reused` or `conflict`.
        """
        written, token = self._tokens.given(
            visit, lambda visit, token: reissued(visit.record, seat, token, self._clock())
        )
        return Reissued(token, seat, written.replayed)

    def rematch(self, visit: Visit, client_seed: str | None) -> Admission:
        """Seat a player of a match that is over in its rematch; the host is given the join code of a private one.

        Raises:
            Refusal: as `Rematches.come`.
        """
        written, token = self._rematches.come(visit, client_seed)
        caller = caller_now(written.record, token)
        join_code = written.record.join_code if caller.is_host else None
        match = self._own_view(written.record, caller)
        return Admission(match, token, written.seat, join_code, written.replayed)

    def set_client_seed(self, visit: Visit, seat: int, client_seed: str) -> Answered:
        """Replace what a player adds to the shuffles of a match that has not started.

        Raises:
            Refusal: as `changes.client_seed_set`, `idempotency_key_reused` or `conflict`.
        """
        return self._answered(
            visit, lambda visit: changes.client_seed_set(visit.record, seat, client_seed, self._clock())
        )

    def leave(self, visit: Visit, seat: int) -> Answered:
        """Let a player go, and show the match as who asked for it sees it now.

        Raises:
            Refusal: as `leaving.left`, `idempotency_key_reused` or `conflict`.
        """
        return self._answered(
            visit, lambda visit: leaving.left(visit.record, seat, visit.caller, self._clock()), self._view
        )

    def return_to_seat(self, visit: Visit, seat: int) -> Answered:
        """Give a seat back to its player.

        Raises:
            Refusal: as `leaving.returned`, `idempotency_key_reused` or `conflict`.
        """
        return self._answered(visit, lambda visit: leaving.returned(visit.record, seat, self._clock()))

    def delete(self, visit: Visit) -> Answered:
        """Abandon a match.

        Raises:
            Refusal: as `leaving.deleted`, `idempotency_key_reused` or `conflict`.
        """
        return self._answered(visit, lambda visit: leaving.deleted(visit.record, self._clock()))

    def start(self, visit: Visit, fill_with: Level | None = None) -> Answered:
        """Deal the first deal.

        Args:
            visit: who asks for it.
            fill_with: how well bots play that take the free seats; None for no bots.

        Raises:
            Refusal: as `changes.started`, `idempotency_key_reused` or `conflict`.
        """
        return self._answered(visit, lambda visit: changes.started(visit.record, self._clock(), fill_with))

    def move(self, visit: Visit, move: Move, if_version: int | None) -> Answered:
        """Make a move.

        Raises:
            Refusal: as `changes.moved`, `idempotency_key_reused` or `conflict`.
        """

        def judge(visit: Visit) -> Change:
            assert visit.caller.seat is not None, "admitted as a player"
            now_ms = self._clock()
            outages = self.outages.until(now_ms)
            return changes.moved(visit.record, visit.caller.seat, move, if_version, now_ms, outages)

        return self._answered(visit, judge)

    def judge(self, visit: Visit, move: Move, if_version: int | None) -> None:
        """Tell whether a move could be made now; nothing is written, and no receipt counts.

        Raises:
            Refusal: `token_invalid`; as `changes.moved`.
        """
        seat = identify(visit.record, visit.token).seat
        assert seat is not None, "admitted as a player"
        changes.moved(visit.record, seat, move, if_version, self._clock())

    def come_due(self, match_id: str, due_ms: int) -> bool:
        """Let a match go on by itself, if its time has come, and tell whether it did.

        Args:
            match_id: the match.
            due_ms: when it was due, in Unix milliseconds.

        Raises:
            Refusal: `match_not_found` or `conflict`.
        """
        visit = self.admit(self.find(match_id), None, "anyone")
        written = self._writer.write(visit, lambda visit: self._autoplay.come_due(visit.record, due_ms))
        return bool(written.events)

    def _new_record(self, order: NewMatch, rules: ResolvedRules, match_id: str, hashed: str) -> Record:
        now_ms = self._clock()
        plays = order.creator_name is not None
        creator = Player(0, order.creator_name or "", hashed, order.creator_seed, metadata=order.creator_metadata)
        record = Record(
            match_id=match_id,
            version=0,
            present=NOBODY,
            status="waiting",
            name=order.name,
            visibility=order.visibility,
            seats=order.seats,
            auto_start=order.auto_start,
            host_seat=0 if plays else None,
            host_token_hash=hashed,
            join_code=self._codes.new(match_id) if order.visibility == "private" else None,
            created_ms=now_ms,
            active_ms=now_ms,
            preset=rules.preset,
            overridden=rules.overridden,
            rules=rules.rules,
            last_seed=self._entropy.last_seed(),
            players=(creator,) if plays else (),
            match=None,
            started=0,
            deal_ends=(),
            spectators=order.spectators,
            clock=order.clock,
            app=order.app,
            metadata=order.metadata,
            webhook=order.webhook,
        )
        return with_bots(record, order.bots)

    def _answered(
        self, visit: Visit, decide: Callable[[Visit], Change], show: Callable[[Record, Caller], Data] | None = None
    ) -> Answered:
        written = self._writer.write(visit, decide)
        caller = visit.caller
        if written.replayed or _tokens(written.record) != _tokens(visit.record):
            caller = STRANGER if visit.token is None else caller_now(written.record, visit.token)
        veiled = veils_deals(written.record, caller)
        events = [redacted(event, caller, veiled=veiled) for event in written.events]
        return Answered((show or self._own_view)(written.record, caller), events, written.replayed)

    def _own_view(self, record: Record, caller: Caller) -> Data:
        """Show a match to who does something there; whose token has died since may repeat it, but sees no closed match.

        Raises:
            Refusal: `token_required`.
        """
        require_open(record, caller)
        return self._view(record, caller)


def _tokens(record: Record) -> tuple[object, ...]:
    return record.players, record.host_token_hash


def _resolved(order: NewMatch) -> ResolvedRules:
    try:
        return resolve(order.rules, order.seats)
    except RulesError as error:
        errors = [{"pointer": f"/rules/{option}", "detail": detail} for option, detail in error.errors]
        raise Refusal("invalid_rules", "These rules cannot be played.", errors=errors) from error
