"""Following a match: waiting for its next change, its live stream, and the tickets for it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import timedelta
from typing import Final, NamedTuple

from . import deadline
from .errors import Refusal, StoreUnavailable
from .identity import Caller, Entropy, token_hash
from .store.base import Store
from .streaming import Hub, Topic, read_log
from .view import Data, redacted

HEARTBEAT_SECONDS: Final = 15.0
LONGEST_WAIT_SECONDS: Final = 30
TICKET_FIRST_USE: Final = timedelta(seconds=60)
TICKET_REUSE: Final = timedelta(hours=24)
_PAGE: Final = 100
_RETRY_SECONDS: Final = 1.0
_LAST_TYPES: Final = ("match_ended", "match_abandoned")


class Heartbeat(NamedTuple):
    """Nothing happened, but the stream is alive."""


class Ending(NamedTuple):
    """The service stops: go on with another server, or with this one when it is back."""


class Follower:
    """Follows matches for readers."""

    def __init__(self, store: Store, hub: Hub, *, timeout_seconds: float, entropy: Entropy) -> None:
        """Compose.

        Args:
            store: keeps the matches.
            hub: what is heard of them in this process.
            timeout_seconds: how long the store may take for one read.
            entropy: where tickets come from.
        """
        self._store = store
        self._hub = hub
        self._timeout_seconds = timeout_seconds
        self._entropy = entropy

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
        """Wait until a match has another version, but no longer than so many seconds."""
        end = time.monotonic() + seconds
        with self._hub.follow(match_id) as topic:
            while not self._hub.stopping and (left := end - time.monotonic()) > 0:
                stirs = topic.stirs
                deadline.begin(self._timeout_seconds)
                if self._store.version(match_id) != version:
                    break
                topic.wait(stirs, left)
        deadline.begin(self._timeout_seconds)

    def stream(self, match_id: str, caller: Caller, after: int) -> Iterator[Data | Heartbeat | Ending]:
        """Give the events of a match beyond number `after`, as its reader may see them, as they happen.

        Ends after the last event that a match can have, or when the service stops.
        """
        with self._hub.follow(match_id) as topic:
            looked = -1
            while not self._hub.stopping:
                stirs = topic.stirs
                events = self._look(topic, match_id, after) if stirs != looked else []
                for event in events:
                    yield redacted(event, caller)
                    after = event["seq"]
                    if event["type"] in _LAST_TYPES:
                        return
                if not events:
                    looked = stirs
                    if not topic.wait(stirs, HEARTBEAT_SECONDS):
                        yield Heartbeat()
        yield Ending()

    def _look(self, topic: Topic, match_id: str, after: int) -> list[Data]:
        """Give what happened beyond number `after`: what the topic remembers, or a page of the log."""
        events = topic.after(after)
        while events is None and not self._hub.stopping:
            deadline.begin(self._timeout_seconds)
            try:
                events = read_log(self._store, match_id, after, _PAGE)
            except StoreUnavailable:
                time.sleep(_RETRY_SECONDS)
        return events or []

    def new_ticket(self, match_id: str, seat: int) -> str:
        """Give a ticket for the stream of a seat, to be used first within `TICKET_FIRST_USE`."""
        ticket = self._entropy.seed(32).hex()
        self._store.keep_ticket(match_id, token_hash(ticket), seat, round(TICKET_FIRST_USE.total_seconds()))
        return ticket

    def ticket_holder(self, match_id: str, ticket: str) -> Caller:
        """Tell who a ticket stands for; from its first use on it is good for `TICKET_REUSE`.

        Raises:
            Refusal: `token_invalid`.
        """
        seat = self._store.use_ticket(match_id, token_hash(ticket), round(TICKET_REUSE.total_seconds()))
        if seat is None:
            raise Refusal("token_invalid", "That ticket is not known, or not good any more.")
        return Caller(seat, False)
