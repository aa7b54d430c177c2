"""Hearing of commits and of who follows: one connection a process, subscribed to what somebody waits for."""

from __future__ import annotations

import threading
import time
from functools import lru_cache
from typing import Any, Final

import redis

from ..errors import StoreUnavailable
from .base import Entry, Here

_PREFIX: Final = "py:wake:"
_PING_SECONDS: Final = 5.0
_SILENCE_SECONDS: Final = 15.0
"""A connection that has not even answered a ping for so long is taken for lost."""


def channel(match_id: str) -> str:
    """Give the channel on which the commits of a match are announced, and who follows it."""
    return _PREFIX + match_id


@lru_cache(1000)  # matches are read far more often than players come and go
def read_here(text: bytes) -> Here:
    """Read what a script notes of who follows a match: `NUMBER WORKER:SEAT …`."""
    number, *noted = text.decode().split()
    pairs = (who.split(":") for who in noted)
    return Here(int(number), tuple((worker, int(seat)) for worker, seat in pairs))


class RedisWakes:
    """Subscriptions of one connection, which one thread reads and any thread may extend."""

    def __init__(self, connection: Any) -> None:
        """Use a connection of redis-py, not connected yet, that nobody else uses."""
        self._connection = connection
        self._matches: set[str] = set()
        self._sending = threading.Lock()
        self._connected = False
        self._heard = self._pinged = 0.0

    def listen(self, match_id: str) -> None:
        """Begin to hear of a match."""
        self._change("SUBSCRIBE", match_id, self._matches.add)

    def ignore(self, match_id: str) -> None:
        """Stop hearing of a match."""
        self._change("UNSUBSCRIBE", match_id, self._matches.discard)

    def _change(self, command: str, match_id: str, note: Any) -> None:
        with self._sending:
            note(match_id)
            if self._connected:
                try:
                    self._connection.send_command(command, channel(match_id), check_health=False)
                except (redis.RedisError, OSError):
                    self._connected = False  # the reader finds out too, and subscribes anew

    def next(self, seconds: float) -> tuple[str, Entry | Here | None] | None:
        """Wait so long for the next that is heard of a match that is listened to; see `base.Wakes`.

        Raises:
            StoreUnavailable: the connection is lost, and with it maybe a call; the next `next` makes a new one.
        """
        try:
            self._connect()
            self._ping_when_silent()
            if not self._connection.can_read(timeout=seconds):
                return None
            kind, *message = self._connection.read_response()
        except (redis.RedisError, OSError) as error:
            self.close()
            raise StoreUnavailable(f"The connection that hears of commits is lost: {error}") from error
        self._heard = time.monotonic()
        return _READERS[kind](*message) if kind in _READERS else None

    def close(self) -> None:
        """Let the connection go."""
        with self._sending:
            self._connected = False
            self._connection.disconnect()

    def _connect(self) -> None:
        with self._sending:
            if self._connected:
                return
            self._connection.disconnect()
            self._connection.connect()
            self._heard = self._pinged = time.monotonic()
            if self._matches:
                self._connection.send_command("SUBSCRIBE", *map(channel, self._matches), check_health=False)
            else:
                self._connection.send_command("SUBSCRIBE", _PREFIX, check_health=False)
            self._connected = True

    def _ping_when_silent(self) -> None:
        now = time.monotonic()
        if now - self._heard > _SILENCE_SECONDS:
            raise redis.TimeoutError("no answer to a ping")
        if now - max(self._heard, self._pinged) > _PING_SECONDS:
            with self._sending:
                self._connection.send_command("PING", check_health=False)
            self._pinged = now


def _match_id(name: bytes) -> str:
    return name.decode().removeprefix(_PREFIX)


def _announced(name: bytes, payload: bytes) -> tuple[str, Entry | Here]:
    first, _, rest = payload.partition(b" ")
    return _match_id(name), read_here(rest) if first == b"here" else Entry(int(first), rest)


_READERS: Final[dict[bytes, Any]] = {
    b"message": _announced,
    b"subscribe": lambda name, _count: (_match_id(name), None),
}
