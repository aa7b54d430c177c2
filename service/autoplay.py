"""What a match does by itself: bots move, and turns run out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Final

from . import deadline, rematch
from .changes import Change, made, prolonged
from .engine.moves import Move, as_move
from .identity import Caller, Entropy
from .journal import Journal
from .outages import Outages
from .record import Player, Record
from .store.base import Store
from .streaming import read_log
from .thinking import Thinking
from .timeouts import ran_out
from .view import Data, match_view, redacted

TOGETHER_MS: Final = 250
"""How long bots may move on within the change that a human has asked for; the ticker carries on."""
HANDOVER_MS: Final = 50
"""How long after a change the ticker carries on: the change is stored by then."""
USUAL_PAUSE_MS: Final = 500
STAND_IN_LEVEL: Final = "normal"
_LONGEST_DEAL: Final = 10_000


class Autoplay:
    """Moves for bots and for the clock."""

    def __init__(
        self,
        store: Store,
        thinking: Thinking,
        outages: Outages,
        *,
        pause_ms: int,
        ttl_seconds: int,
        clock: Callable[[], int],
        entropy: Entropy,
    ) -> None:
        """Compose.

        Args:
            store: where bots read what they could have followed.
            thinking: what bots may spend on their search.
            outages: what this server knows of them.
            pause_ms: between two moves of a match that no human plays, so that it can be watched.
            ttl_seconds: after how long without a change a match expires.
            clock: gives the time in Unix milliseconds.
            entropy: where bots take their chance from.
        """
        self._store = store
        self._thinking = thinking
        self._outages = outages
        self._pause_ms = pause_ms
        self._ttl_seconds = ttl_seconds
        self._clock = clock
        self._entropy = entropy

    def carried_on(self, change: Change) -> Change:
        """Let bots move on after a change, if a human waits for them, and note when the match goes on by itself."""
        record, journal = change.record, change.journal
        if record.status == "playing" and record.is_attended:
            end_ms = self._clock() + TOGETHER_MS
            past: list[Data] | None = None
            while (bot := record.bot_on_turn) and self._fits(bot, end_ms):
                past = self._log(record) if past is None else past
                record = self._moved(record, bot, journal, past)
        due_ms = self._due_ms(record)
        if due_ms != record.due_ms:
            record = record._replace(due_ms=due_ms)
        return Change(record, journal, change.seat)

    def come_due(self, record: Record, due_ms: int) -> Change:
        """Decide what a match does whose time has come: a bot moves, the turn has run out, or a rematch begins.

        Args:
            record: the match; if it was due at another time, nothing changes: another entry stands for that.
            due_ms: when it was due, in Unix milliseconds.
        """
        now_ms = self._clock()
        journal = Journal(record.version, now_ms)
        if record.due_ms != due_ms or due_ms > now_ms:
            return Change(record, journal)
        if record.status == "waiting":
            return rematch.time_over(record, now_ms)
        if bot := record.bot_on_turn:
            return Change(self._moved(record, bot, journal, self._log(record)), journal)
        return ran_out(record, self._outages.until(now_ms), now_ms)

    def _due_ms(self, record: Record) -> int | None:
        if record.bot_on_turn is None:
            return record.timing.deadline_ms if record.timing else record.awaited_until_ms
        return self._clock() + max(HANDOVER_MS, 0 if record.is_attended else self._pause_ms)

    def _fits(self, bot: Player, end_ms: int) -> bool:
        longest_ms = self._thinking.search_ms if bot.level == "hard" else 0
        return self._clock() + longest_ms <= end_ms

    def _moved(self, record: Record, bot: Player, journal: Journal, past: Sequence[Data]) -> Record:
        move, searched_ms = self._choose(record, bot, journal, past)
        journal.go_on(self._clock())
        record = prolonged(record, self._outages.until(journal.now_ms), journal)
        record = made(record, bot.seat, move, journal, "bot").record
        return record._replace(searched_ms=record.searched_ms + searched_ms)

    def _choose(self, record: Record, bot: Player, journal: Journal, past: Sequence[Data]) -> tuple[Move, int]:
        """Ask a bot, showing it what a player at its seat would see."""
        caller = Caller(bot.seat, False)
        seen = record.with_player(bot._replace(played_by="player"))._replace(version=journal.version)
        view = match_view(seen, caller, self._ttl_seconds)
        log = [redacted(event, caller) for event in (*past, *journal.events)]
        random = Random(self._entropy.seed(16))  # noqa: S311  # chooses a move; cards have their own source
        with deadline.Paused():  # a bot that thinks is no slow store
            body, searched_ms = self._thinking.choose(
                bot.level or STAND_IN_LEVEL, record.searched_ms, view, log, random
            )
        return as_move(body), searched_ms

    def _log(self, record: Record) -> list[Data]:
        """Read what is stored of the log since the deal before the one that is played."""
        after = record.deal_ends[-1] if record.deal_ends else record.started
        return read_log(self._store, record.match_id, after, _LONGEST_DEAL)
