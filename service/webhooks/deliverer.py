"""Delivering: from the notes of commits to answers of receivers.

A note was written before its commit. When the commit stands in the log of its match, the messages of the note are kept
to be sent; when another stands there, the note is void. A message is sent until its receiver takes it, at least once,
always with the same identity, until the attempts are used up. A deliverer that dies leaves everything to the others:
the notes that it took and the messages that it claimed are taken and claimed anew after a while.
"""

from __future__ import annotations

import logging
import random
import time
from collections.abc import Callable, Sequence
from typing import Any, Final
from urllib.parse import urlsplit

import orjson
from gevent.event import Event

from ..counting import UNCOUNTED, Counting, Sent
from ..errors import StoreUnavailable
from ..store.base import Store
from ..store.outbox import Noted, Outbox, Parcel
from ..view import timestamp
from .lanes import Lanes
from .messages import Message, noted_messages, read_message
from .sending import NoAnswer, Sender

TICK_SECONDS: Final = 0.2
GRACE_SECONDS: Final = 3.0
"""How long an attempt may go on when the deliverer stops."""
IN_FLIGHT_SECONDS: Final = 60.0
"""A commit that has not come so long after its note was looked at will not come."""
IDLE_MS: Final = 1000
"""A note that was taken so long ago, and is still there, is taken anew."""
MOST_WAITING: Final = 100_000
"""So many messages may wait for their receivers; more are given up at once, so that the store does not fill up."""
LEASE: Final = 3
"""So many times the length of an attempt a message stays claimed: to wait in its lane, to be sent, and to spare."""
_BATCH: Final = 200
_JITTER: Final = 0.2
_GONE: Final = 410
_log = logging.getLogger(__name__)


class Deliverer:
    """Takes notes and sends messages, until it is stopped."""

    def __init__(
        self,
        store: Store,
        outbox: Outbox,
        sender: Sender,
        *,
        clock: Callable[[], int],
        retry_seconds: Sequence[float],
        timeout_seconds: float,
        ttl_seconds: int,
        counting: Counting = UNCOUNTED,
    ) -> None:
        """Compose.

        Args:
            store: knows the logs.
            outbox: holds the notes and the messages.
            sender: makes attempts.
            clock: gives the time in Unix milliseconds.
            retry_seconds: how long to wait after each attempt that failed; after one more, the message is given up.
            timeout_seconds: how long an attempt may take.
            ttl_seconds: for how long a receiver is left alone that wants no more.
            counting: is told how attempts end.
        """
        self._store = store
        self._outbox = outbox
        self._sender = sender
        self._clock = clock
        self._retry_seconds = retry_seconds
        self._timeout_seconds = timeout_seconds
        self._ttl_seconds = ttl_seconds
        self._counting = counting
        self._lanes = Lanes(self._attempt)
        self._missing: dict[str, float] = {}
        self._stopping = Event()

    def stop(self) -> None:
        """End soon; what is being sent is finished, if it does not take long."""
        self._stopping.set()

    def run(self) -> None:
        """Deliver until `stop`."""
        is_lost, is_open = False, False
        while not self._stopping.is_set():
            try:
                if not is_open:
                    self._outbox.open()
                is_open = True
                self.tick()
                is_lost = False
            except StoreUnavailable as error:
                if not is_lost:
                    _log.warning("no webhook is told of anything: %s", error)
                is_lost, is_open = True, False
            self._stopping.wait(TICK_SECONDS)
        self._lanes.finish(GRACE_SECONDS)

    def tick(self) -> None:
        """Look at what was noted, and begin to send what is due.

        Raises:
            StoreUnavailable: the store does not answer; nothing is lost by that.
        """
        while taken := self._outbox.take(_BATCH, IDLE_MS):
            for noted in taken:
                self._try(self._look_at, noted)
            if len(taken) < _BATCH:
                break
        self._forget_missing()
        now_ms = self._clock()
        until_ms = now_ms + round(LEASE * self._timeout_seconds * 1000)
        for parcel in self._outbox.claim(now_ms, until_ms, self._lanes.room):
            self._try(self._send_soon, parcel)

    def _try(self, work: Callable[[Any], None], what: Noted | Parcel) -> None:
        """Do some work; what cannot be done must not keep the rest waiting, and is tried again later."""
        try:
            work(what)
        except StoreUnavailable:
            raise
        except Exception:
            _log.exception("this cannot be told, maybe because another release wrote it: %s", what[0])

    def _send_soon(self, parcel: Parcel) -> None:
        message = read_message(parcel.data)
        parts = urlsplit(message.url)
        self._lanes.enter(f"{parts.scheme}://{parts.hostname}:{parts.port}", message, self._timeout_seconds)

    def _look_at(self, noted: Noted) -> None:
        """Keep the messages of a note, if its commit is there; forget it, if it will not come."""
        place, note = noted
        commit = self._store.commit_after(note.match_id, note.after)
        if commit is not None:
            is_true = commit == note.commit
        elif note.after and not self._store.version(note.match_id):
            is_true = True  # the match has expired since: hardly any commit fails
        elif time.monotonic() - self._missing.setdefault(place, time.monotonic()) < IN_FLIGHT_SECONDS:
            return
        else:
            is_true = False
        self._missing.pop(place, None)
        if is_true:
            self._keep(noted)
        else:
            self._outbox.forget(noted)

    def _forget_missing(self) -> None:
        """Let go of the notes that another deliverer has settled."""
        old = time.monotonic() - 2 * IN_FLIGHT_SECONDS
        self._missing = {place: since for place, since in self._missing.items() if since > old}

    def _keep(self, noted: Noted) -> None:
        messages = noted_messages(noted.note)
        if self._outbox.waiting() + len(messages) > MOST_WAITING:
            for message in messages:
                self._bury(message, "too many messages wait")
            self._outbox.forget(noted)
        else:
            parcels = [Parcel(message.identity, message.encode()) for message in messages]
            self._outbox.keep(noted, parcels, self._clock())

    def _attempt(self, message: Message) -> bool:
        try:
            return self._is_taken(message)
        except StoreUnavailable as error:
            _log.warning("message %s may be sent once more: %s", message.identity, error)
        except Exception:
            _log.exception("message %s cannot be sent", message.identity)
        return False

    def _is_taken(self, message: Message) -> bool:
        """Send a message, note how that ended, and tell whether the receiver took it, or wants no more."""
        if self._outbox.is_gone(message.match_id):
            self._settle(message, "gone")
            return True
        try:
            status = self._sender.send(message)
        except NoAnswer as error:
            self._put_off(message, str(error))
            return False
        if status == _GONE:
            self._outbox.mark_gone(message.match_id, self._ttl_seconds)
            self._settle(message, "gone")
        elif 200 <= status < 300:
            self._settle(message, "delivered")
        else:
            self._put_off(message, f"status {status}")
            return False
        return True

    def _put_off(self, message: Message, reason: str) -> None:
        message = message._replace(attempts=message.attempts + 1)
        if message.attempts > len(self._retry_seconds):
            self._bury(message, reason)
            return
        seconds = self._retry_seconds[message.attempts - 1] * random.uniform(1, 1 + _JITTER)  # noqa: S311  # no secret
        self._outbox.postpone(Parcel(message.identity, message.encode()), self._clock() + round(seconds * 1000))
        self._counting.sent("failed")

    def _settle(self, message: Message, outcome: Sent) -> None:
        self._outbox.settle(message.identity)
        self._counting.sent(outcome)

    def _bury(self, message: Message, reason: str) -> None:
        _log.warning("message %s is given up after %d attempts: %s", message.identity, message.attempts, reason)
        story = {
            "id": message.identity,
            "match_id": message.match_id,
            "type": message.event,
            "attempts": message.attempts,
            "reason": reason,
            "given_up_at": timestamp(self._clock()),
            "body": message.body,
        }
        self._outbox.bury(message.identity, orjson.dumps(story))
        self._counting.sent("dead")
