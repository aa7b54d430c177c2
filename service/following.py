"""Following a match: waiting for its next change, its live stream, and the tickets for it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import timedelta
from typing import Final, NamedTuple

from . import deadline
from .counting import UNCOUNTED, Counting
from .errors import Refusal, StoreUnavailable
from .identity import STRANGER, Caller, Entropy, token_hash
from .reception import Reception
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


class Heartbeat(NamedTuple):
    """Nothing happened, but the stream is alive."""


class Ending(NamedTuple):
    """The service stops: go on with another server, or with this one when it is back."""


class Follower:
    """Follows matches for readers."""

    def __init__(
        self,
        store: Store,
        hub: Hub,
        *,
        timeout_seconds: float,
        ttl_seconds: int,
        entropy: Entropy,
        counting: Counting = UNCOUNTED,
    ) -> None:
        """Compose.

        Args:
            store: keeps the matches.
            hub: what is heard of them in this process.
            timeout_seconds: how long the store may take for one read.
            ttl_seconds: after how long without a change a match expires.
            entropy: where tickets come from.
            counting: is told who follows, and what goes out to them.
        """
        self._store = store
        self._reception = Reception(store)
        self._hub = hub
        self._timeout_seconds = timeout_seconds
        self._ttl_seconds = ttl_seconds
        self._entropy = entropy
        self._counting = counting

    @property
    def stopping(self) -> bool:
        """Whether the service stops."""
        return self._hub.stopping

    def require_room(self) -> None:
        """Refuse when too many follow.

        Raises:
            Refusal: `too_many_streams`.
        """
        if self._hub.is_full():
            raise Refusal("too_many_streams", "This server has as many open streams as it may: try again later.")

    def wait(self, match_id: str, version: int, seconds: float) -> None:
        """Wait until a match has another version, but no longer than so many seconds; one that is over has none.

        Raises:
            StoreUnavailable: the store does not answer.
        """
        if any(self._is_last(match_id, event) for event in read_log(self._store, match_id, version - 1, 1)):
            return
        end = time.monotonic() + seconds
        with self._counting.following("poll"), self._hub.follow(match_id) as topic:
            while not self._hub.stopping and (left := end - time.monotonic()) > 0:
                stirs = topic.stirs
                if self._look(topic, match_id, version):
                    break
                topic.wait(stirs, left)
        deadline.begin(self._timeout_seconds)

    def _is_last(self, match_id: str, event: Data) -> bool:
        """Tell whether nothing comes after the latest event of a match; a token may be reissued after the end too."""
        if event["type"] == "token_reissued":
            return self._reception.find(match_id).record.is_over
        return event["type"] in _LAST_TYPES

    def stream(self, record: Record, caller: Caller, after: int) -> Iterator[Data | Heartbeat | Ending]:
        """Give the events of a match beyond number `after`, as its reader may see them, as they happen.

        Ends after the last event that a match can have, when it expires, when another token takes the place of the
        reader's, or when the service stops. A reader who loses their seat goes on as a stranger: another player may
        take it.

        Args:
            record: the match as it was when the reader was admitted.
            caller: who they were then.
            after: the number of the last event that they have.
        """
        with self._counting.following("stream"), self._hub.follow(record.match_id) as topic:
            looked = -1
            expires = record.active_ms / 1000 + self._ttl_seconds
            while not self._hub.stopping:
                stirs = topic.stirs
                events = self._look_patiently(topic, record.match_id, after) if stirs != looked else []
                for event in events:
                    if event["seq"] > record.version and _frees(event, caller.seat):
                        if record.spectators == "none":
                            return
                        caller = STRANGER
                    self._counting.streamed()
                    yield redacted(event, caller, veiled=veils_deals(record, caller))
                    after = event["seq"]
                    if event["type"] in _LAST_TYPES or (after > record.version and _revokes(event, caller.seat)):
                        return
                if record.is_over and after >= record.version:
                    return
                if events:
                    expires = time.time() + self._ttl_seconds
                    continue
                looked = stirs
                if not topic.wait(stirs, HEARTBEAT_SECONDS):
                    if time.time() > expires and self._has_expired(record.match_id):
                        return
                    yield Heartbeat()
        yield Ending()

    def _has_expired(self, match_id: str) -> bool:
        deadline.begin(self._timeout_seconds)
        try:
            return not self._store.version(match_id)
        except StoreUnavailable:
            return False

    def _look_patiently(self, topic: Topic, match_id: str, after: int) -> list[Data]:
        """Look until the store answers, or the service stops."""
        while not self._hub.stopping:
            try:
                return self._look(topic, match_id, after)
            except StoreUnavailable:
                time.sleep(_RETRY_SECONDS)
        return []

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

    def new_ticket(self, record: Record, seat: int) -> str:
        """Give a ticket for the stream of who plays a seat, to be used first within `TICKET_FIRST_USE`."""
        ticket = self._entropy.seed(32).hex()
        holder = next(player.token_hash for player in record.players if player.seat == seat)
        seconds = round(TICKET_FIRST_USE.total_seconds())
        self._store.keep_ticket(record.match_id, token_hash(ticket), holder, seconds)
        return ticket

    def ticket_holder(self, record: Record, ticket: str) -> Caller:
        """Tell who a ticket stands for; from its first use on it is good for `TICKET_REUSE`, or until they leave.

        Raises:
            Refusal: `token_invalid`.
        """
        seconds = round(TICKET_REUSE.total_seconds())
        holder = self._store.use_ticket(record.match_id, token_hash(ticket), seconds)
        seat = next((player.seat for player in record.players if player.token_hash == holder), None)
        if seat is None:
            raise Refusal("token_invalid", "That ticket is not known, or not good any more.")
        return Caller(seat, False)


def _frees(event: Data, seat: int | None) -> bool:
    return seat is not None and event["type"] == "player_left" and event["seat"] == seat


def _revokes(event: Data, seat: int | None) -> bool:
    return seat is not None and event["type"] == "token_reissued" and event["seat"] == seat
