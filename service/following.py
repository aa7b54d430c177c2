"""Following a match: waiting for its next change, its live stream, and the tickets for it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from math import inf
from typing import Final, NamedTuple, TypeAlias, TypeVar

from . import deadline
from .counting import UNCOUNTED, Counting
from .errors import Refusal, StoreUnavailable
from .identity import HOST, STRANGER, Caller, Entropy, token_hash
from .presence import Presence
from .record import Record
from .store.base import Store
from .streaming import Hub, Topic, read_log
from .view import Data, redacted, veils_deals

HEARTBEAT_SECONDS: Final = 12.0
"""Two of them find out a listener who has left: within 30 seconds."""
LONGEST_WAIT_SECONDS: Final = 30
TICKET_FIRST_USE: Final = timedelta(seconds=60)
TICKET_REUSE: Final = timedelta(hours=24)
_PAGE: Final = 100
_RETRY_SECONDS: Final = 1.0
_LAST_TYPES: Final = ("match_ended", "match_abandoned", "rematch_offered")
_Answer = TypeVar("_Answer")


class Heartbeat(NamedTuple):
    """Nothing happened, but the stream is alive."""


class Ending(NamedTuple):
    """The service stops, or the store has lost its latest writes: connect again, maybe to another server."""


class Seen(NamedTuple):
    """A player is here now, or not any more; no event of the log."""

    seat: int
    present: bool


Happened: TypeAlias = Data | Seen | Heartbeat | Ending


class Follower:
    """Follows matches for readers."""

    def __init__(
        self,
        store: Store,
        hub: Hub,
        presence: Presence,
        *,
        max_streams: int,
        timeout_seconds: float,
        ttl_seconds: int,
        entropy: Entropy,
        counting: Counting = UNCOUNTED,
    ) -> None:
        """Compose.

        Args:
            store: keeps the matches.
            hub: what is heard of them in this process.
            presence: notes which players follow them.
            max_streams: how many may follow at once in this process.
            timeout_seconds: how long the store may take for one read.
            ttl_seconds: after how long without a change a match expires.
            entropy: where tickets come from.
            counting: is told who follows, and what goes out to them.
        """
        self._store = store
        self._hub = hub
        self._presence = presence
        self._room = threading.Semaphore(max_streams)
        self._timeout_seconds = timeout_seconds
        self._ttl_seconds = ttl_seconds
        self._entropy = entropy
        self._counting = counting

    @property
    def stopping(self) -> bool:
        """Whether the service stops."""
        return self._hub.stopping

    def take_room(self) -> Callable[[], None]:
        """Take a place among those who may follow at once, and give what gives it back, to be called once.

        Raises:
            Refusal: `too_many_streams`.
        """
        if not self._room.acquire(blocking=False):
            raise Refusal("too_many_streams", "This server has as many open streams as it may: try again later.")
        return self._room.release

    def wait(self, record: Record, caller: Caller, seconds: float) -> None:
        """Wait until a match changes, but no longer than so many seconds; one that is over does not.

        Args:
            record: the match as its reader knows it.
            caller: who they are; a player is here meanwhile.
            seconds: how long.

        Raises:
            StoreUnavailable: the store does not answer.
        """
        if record.is_over:
            return
        match_id, end = record.match_id, time.monotonic() + seconds
        presence, counting = self._presence.attending(match_id, caller.seat), self._counting.following("poll")
        with counting, self._hub.follow(match_id) as topic, presence:
            while not self._hub.stopping and (left := end - time.monotonic()) > 0:
                stirs = topic.stirs
                if self._look(topic, match_id, record.version):
                    break
                self._presence.look(match_id, topic.here)
                topic.wait(stirs, left)
        deadline.begin(self._timeout_seconds)

    def stream(
        self, record: Record, caller: Caller, after: int, told: frozenset[int] | None = None
    ) -> Iterator[Happened]:
        """Give the events of a match beyond number `after`, as its reader may see them, as they happen.

        In between it tells of players who come and go; a player of the match is here as long as it lasts. Ends after
        the last event that a match can have, when it expires, when another token takes the place of the reader's, when
        the store has lost what was given already, or when the service stops. A reader who loses their seat goes on as
        a stranger: another player may take it.

        Args:
            record: the match as it was when the reader was admitted.
            caller: who they were then.
            after: the number of the last event that they have.
            told: the seats of which they know that their players are here; None if they know of none, nor of who is
                not.
        """
        match_id, version, is_closed = record.match_id, record.version, record.spectators == "none"
        veiled, veils_strangers = veils_deals(record, caller), veils_deals(record, STRANGER)
        humans = frozenset([player.seat for player in record.players if player.kind == "human"])
        ends_at = version if record.is_over else inf
        looked, expires, losses = -1, record.active_ms / 1000 + self._ttl_seconds, self._hub.losses
        del record  # thousands of streams may last for hours
        attending, counting = self._presence.attending(match_id, caller.seat), self._counting.following("stream")
        with counting, self._hub.follow(match_id) as topic, attending:
            while not self._hub.stopping:
                if losses != self._hub.losses:
                    losses = self._hub.losses
                    if (self._patiently(lambda: self._version(match_id)) or 0) < after:
                        break
                stirs = topic.stirs
                events = self._look_patiently(topic, match_id, after) if stirs != looked else ()
                for event in events:
                    if event["seq"] > version and _frees(event, caller.seat):
                        if is_closed:
                            return
                        attending.end()
                        caller, veiled = STRANGER, veils_strangers
                    self._counting.streamed()
                    yield redacted(event, caller, veiled=veiled)
                    after = event["seq"]
                    if event["type"] in _LAST_TYPES or (after > version and _revokes(event, caller.seat)):
                        return
                if after >= ends_at:
                    return
                if events:
                    expires = time.time() + self._ttl_seconds
                    continue
                looked = stirs
                if (present := self._presence.look(match_id, topic.here)) is not None:
                    changed = humans | present if told is None else told ^ present
                    for seat in sorted(changed):
                        yield Seen(seat, seat in present)
                    told = present
                if not topic.wait(stirs, HEARTBEAT_SECONDS):
                    if time.time() > expires and self._has_expired(match_id):
                        return
                    yield Heartbeat()
        yield Ending()

    def _has_expired(self, match_id: str) -> bool:
        try:
            return not self._version(match_id)
        except StoreUnavailable:
            return False

    def _version(self, match_id: str) -> int:
        deadline.begin(self._timeout_seconds)
        return self._store.version(match_id)

    def _look_patiently(self, topic: Topic, match_id: str, after: int) -> list[Data]:
        return self._patiently(lambda: self._look(topic, match_id, after)) or []

    def _patiently(self, ask: Callable[[], _Answer]) -> _Answer | None:
        """Ask until the store answers, or the service stops."""
        while not self._hub.stopping:
            try:
                return ask()
            except StoreUnavailable:
                time.sleep(_RETRY_SECONDS)
        return None

    def _look(self, topic: Topic, match_id: str, after: int) -> list[Data]:
        """Give what happened beyond number `after`: what the topic knows, or a page of the log."""
        events = topic.after(after)
        if events is not None:
            return events
        with topic.reading:
            events = topic.after(after)
            return self._read(topic, match_id, after) if events is None else events

    def _read(self, topic: Topic, match_id: str, after: int) -> list[Data]:
        stirs = topic.stirs
        deadline.begin(self._timeout_seconds)
        events = read_log(self._store, match_id, after, _PAGE)
        if len(events) < _PAGE:
            topic.settle(stirs, events[-1]["seq"] if events else after)
        return events

    def admit_ticket(self, record: Record, caller: Caller, ticket: str) -> bool:
        """Let a ticket be good for the stream of a player or host, if it is used first within `TICKET_FIRST_USE`.

        Returns:
            False, if it was good before.
        """
        holder = record.host_token_hash if caller.seat is None else record.player(caller.seat).token_hash
        seconds = round(TICKET_FIRST_USE.total_seconds())
        return self._store.keep_ticket(record.match_id, token_hash(ticket), holder, seconds)

    def ticket_holder(self, record: Record, ticket: str) -> Caller:
        """Tell who a ticket stands for; from its first use on it is good for `TICKET_REUSE`, or until they leave.

        Raises:
            Refusal: `token_invalid`.
        """
        seconds = round(TICKET_REUSE.total_seconds())
        holder = self._store.use_ticket(record.match_id, token_hash(ticket), seconds)
        seat = next((player.seat for player in record.players if player.token_hash == holder), None)
        if seat is None and holder == record.host_token_hash:
            return HOST
        if seat is None:
            raise Refusal("token_invalid", "That ticket is not known, or not good any more.")
        return Caller(seat, False)


def _frees(event: Data, seat: int | None) -> bool:
    return seat is not None and event["type"] == "player_left" and event["seat"] == seat


def _revokes(event: Data, seat: int | None) -> bool:
    return seat is not None and event["type"] == "token_reissued" and event["seat"] == seat
