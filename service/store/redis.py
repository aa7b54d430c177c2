"""The store on Redis or Valkey. Only this package imports `redis`.

========================  ===========================================================================
key                       holds
========================  ===========================================================================
``py:{id}``               hash: `version` and `state` of a match
``py:{id}:log``           stream: its events, one entry a commit; the id of an entry is `LAST-0`, where
                          LAST is the number of its last event
``py:{id}:key:SCOPE``     string: the receipt of a write with an idempotency key
``py:{id}:ticket:HASH``   string: the holder of a stream ticket, with `+` once it has been used
``py:{lobby}:STATUS``     sorted set: the public matches of a status, by creation time
``py:{lobby}:all``        sorted set: all public matches
``py:salt``               string: the secret that tokens are derived with
========================  ===========================================================================

The keys of one match share a hash tag, so that its commit is one script on one node of a cluster. The lobby is an
index: it is written after the commit, and whoever lists it mends what a failure between the two left behind.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib.resources import files
from typing import Any, Final, cast

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from ..deadline import seconds_left
from ..errors import StoreUnavailable
from ..idempotency import KEPT_MS
from .base import Commit, Entry, Found, Place, Stored
from .wakes import RedisWakes, channel

_COMMIT: Final = files(__package__).joinpath("commit.lua").read_text("utf-8")
_STATUSES: Final = ("waiting", "playing", "finished", "abandoned")
_ALL: Final = "py:{lobby}:all"
_SALT: Final = "py:salt"
_CONNECTIONS: Final = 64
_WAITS_A_COMMAND: Final = 3
"""For a free connection, for connecting, and for the answer: together they stay within the time of a request."""
_USED: Final = b"+"


def _match_key(match_id: str) -> str:
    return f"py:{{{match_id}}}"


def _log_key(match_id: str) -> str:
    return f"py:{{{match_id}}}:log"


def _receipt_key(match_id: str, scope: str) -> str:
    return f"py:{{{match_id}}}:key:{scope}"


def _ticket_key(match_id: str, hashed: str) -> str:
    return f"py:{{{match_id}}}:ticket:{hashed}"


def _lobby_key(status: str | None) -> str:
    return f"py:{{lobby}}:{status}" if status else _ALL


@contextmanager
def _unavailable() -> Iterator[None]:
    if seconds_left() <= 0:
        raise StoreUnavailable("The store answers too slowly.")
    try:
        yield
    except (redis.ConnectionError, redis.TimeoutError) as error:
        raise StoreUnavailable(f"The store does not answer: {error}") from error
    except redis.RedisError as error:
        raise StoreUnavailable(f"The store cannot carry out the command: {error}") from error


class RedisStore:
    """Keeps matches on a Redis server.

    A command is sent once: a write whose answer is lost may have been carried out, and repeating it blindly could
    count it twice.
    """

    def __init__(self, url: str, *, ttl_seconds: int, timeout_seconds: float) -> None:
        """Prepare the connections; none is made yet.

        Args:
            url: `redis://`, `rediss://` or `unix://`.
            ttl_seconds: after how long without a commit a match expires.
            timeout_seconds: how long to wait for a free connection, for connecting and for an answer, together.
        """
        wait = timeout_seconds / _WAITS_A_COMMAND
        pool = redis.BlockingConnectionPool.from_url(
            url,
            max_connections=_CONNECTIONS,
            timeout=wait,
            socket_timeout=wait,
            socket_connect_timeout=wait,
            retry=Retry(NoBackoff(), 0),
        )
        self._redis: Any = redis.Redis(connection_pool=pool)
        self._commit: Callable[..., Any] = self._redis.register_script(_COMMIT)
        self._ttl_ms = ttl_seconds * 1000

    def load(self, match_id: str, scope: str | None = None) -> Found:
        """Read a match, and the receipt for an idempotency key, in one round trip."""
        with _unavailable():
            if scope is None:
                return Found(_stored(self._redis.hmget(_match_key(match_id), "version", "state")), None)
            pipeline = self._redis.pipeline(transaction=True)  # else a receipt could be newer than the match
            pipeline.hmget(_match_key(match_id), "version", "state")
            pipeline.get(_receipt_key(match_id, scope))
            values, receipt = pipeline.execute()
        return Found(_stored(values), receipt)

    def load_many(self, match_ids: Sequence[str]) -> list[Stored | None]:
        """Read several matches in one round trip."""
        with _unavailable():
            pipeline = self._redis.pipeline(transaction=False)
            for match_id in match_ids:
                pipeline.hmget(_match_key(match_id), "version", "state")
            return [_stored(values) for values in pipeline.execute()]

    def version(self, match_id: str) -> int:
        """Read the version of a match alone; 0 if there is none."""
        with _unavailable():
            return int(self._redis.hget(_match_key(match_id), "version") or 0)

    def commit(self, match_id: str, commit: Commit) -> bytes | bool:
        """Replace a match's state, append to its log and renew its expiry, all or nothing."""
        keys = [_match_key(match_id), _log_key(match_id)]
        if commit.scope is not None:
            keys.append(_receipt_key(match_id, commit.scope))
        with _unavailable():
            done = self._commit(
                keys=keys,
                args=[
                    commit.expected,
                    commit.stored.version,
                    commit.stored.state,
                    commit.entry,
                    self._ttl_ms,
                    commit.identity,
                    channel(match_id),
                    commit.receipt,
                    KEPT_MS,
                ],
            )
        return done if isinstance(done, bytes) else bool(done)

    def entries(self, match_id: str, after: int, count: int) -> list[Entry]:
        """Read the log from the first entry with an event beyond number `after`, at most `count` entries."""
        with _unavailable():
            found = self._redis.xrange(_log_key(match_id), min=f"{after + 1}-0", count=count)
        return [Entry(int(entry_id.partition(b"-")[0]), members[b"events"]) for entry_id, members in found]

    def wakes(self) -> RedisWakes:
        """Open a connection that hears of commits."""
        return RedisWakes(self._redis.connection_pool)

    def salt(self, proposal: bytes) -> bytes:
        """Give the secret that tokens are derived with, for all servers of this store; the proposal if it is new."""
        with _unavailable():  # read first: a store that takes no writes can still serve readers
            kept = self._redis.get(_SALT) or self._redis.set(_SALT, proposal, nx=True, get=True)
        return cast(bytes, kept or proposal)

    def keep_ticket(self, match_id: str, hashed: str, holder: str, seconds: int) -> None:
        """Keep a stream ticket of a player for so long, until it is used first."""
        with _unavailable():
            self._redis.set(_ticket_key(match_id, hashed), holder, ex=seconds)

    def use_ticket(self, match_id: str, hashed: str, seconds: int) -> str | None:
        """Give the holder of a ticket, which from its first use on is good for so long; None if it is not known."""
        key = _ticket_key(match_id, hashed)
        with _unavailable():
            kept: bytes | None = self._redis.get(key)
            if kept is not None and not kept.endswith(_USED):
                self._redis.set(key, kept + _USED, ex=seconds, xx=True)
        return None if kept is None else kept.removesuffix(_USED).decode()

    def publish(self, place: Place, status: str) -> None:
        """Put a match into the lobby, or move it there to another status."""
        with _unavailable():
            pipeline = self._redis.pipeline(transaction=True)
            pipeline.zadd(_ALL, {place.match_id: place.created_ms})
            pipeline.zadd(_lobby_key(status), {place.match_id: place.created_ms})
            for other in _STATUSES:
                if other != status:
                    pipeline.zrem(_lobby_key(other), place.match_id)
            pipeline.execute()

    def unpublish(self, match_id: str) -> None:
        """Take a match out of the lobby."""
        with _unavailable():
            pipeline = self._redis.pipeline(transaction=True)
            for status in (None, *_STATUSES):
                pipeline.zrem(_lobby_key(status), match_id)
            pipeline.execute()

    def published(self, status: str | None, beyond: Place | None, count: int) -> list[Place]:
        """List the lobby, newest first; matches of the same millisecond in descending order of their ids."""
        key = _lobby_key(status)
        with _unavailable():
            if beyond is None:
                return _places(self._redis.zrange(key, 0, count - 1, desc=True, withscores=True))
            created = beyond.created_ms
            same = _places(self._redis.zrange(key, created, created, byscore=True, desc=True, withscores=True))
            older = self._redis.zrange(
                key, f"({created}", "-inf", byscore=True, desc=True, offset=0, num=count, withscores=True
            )
        return [*(place for place in same if place < beyond), *_places(older)][:count]

    def some_published(self, count: int) -> list[str]:
        """Pick so many matches of the lobby at random."""
        with _unavailable():
            return [match_id.decode() for match_id in self._redis.zrandmember(_ALL, count)]

    def ping(self) -> None:
        """Ask for a sign of life."""
        with _unavailable():
            self._redis.ping()


def _stored(values: Sequence[bytes | None]) -> Stored | None:
    version, state = values
    return None if version is None else Stored(int(version), cast(bytes, state))


def _places(found: Sequence[tuple[bytes, float]]) -> list[Place]:
    return [Place(int(score), match_id.decode()) for match_id, score in found]
