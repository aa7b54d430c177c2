"""The store on Redis or Valkey: the only module that imports `redis`.

=====================  ==============================================================================
key                    holds
=====================  ==============================================================================
``py:{id}``            hash: `version` and `state` of a match
``py:{id}:log``        stream: its events, one entry a commit; the id of an entry is `LAST-0`, where
                       LAST is the number of its last event
``py:{lobby}:STATUS``  sorted set: the public matches of a status, by creation time
``py:{lobby}:all``     sorted set: all public matches
=====================  ==============================================================================

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

from ..errors import StoreUnavailable
from .base import Entry, Place, Stored

_COMMIT: Final = files(__package__).joinpath("commit.lua").read_text("utf-8")
_STATUSES: Final = ("waiting", "playing", "finished", "abandoned")
_ALL: Final = "py:{lobby}:all"
_CONNECTIONS: Final = 64


def _match_key(match_id: str) -> str:
    return f"py:{{{match_id}}}"


def _log_key(match_id: str) -> str:
    return f"py:{{{match_id}}}:log"


def _lobby_key(status: str | None) -> str:
    return f"py:{{lobby}}:{status}" if status else _ALL


@contextmanager
def _unavailable() -> Iterator[None]:
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
            timeout_seconds: how long to wait for a free connection, for connecting, and for one answer.
        """
        pool = redis.BlockingConnectionPool.from_url(
            url,
            max_connections=_CONNECTIONS,
            timeout=timeout_seconds,
            socket_timeout=timeout_seconds,
            socket_connect_timeout=timeout_seconds,
            retry=Retry(NoBackoff(), 0),
        )
        self._redis: Any = redis.Redis(connection_pool=pool)
        self._commit: Callable[..., Any] = self._redis.register_script(_COMMIT)
        self._ttl_ms = ttl_seconds * 1000

    def load(self, match_id: str) -> Stored | None:
        """Read a match; None if there is none, or no longer."""
        with _unavailable():
            return _stored(self._redis.hmget(_match_key(match_id), "version", "state"))

    def load_many(self, match_ids: Sequence[str]) -> list[Stored | None]:
        """Read several matches in one round trip."""
        with _unavailable():
            pipeline = self._redis.pipeline(transaction=False)
            for match_id in match_ids:
                pipeline.hmget(_match_key(match_id), "version", "state")
            return [_stored(values) for values in pipeline.execute()]

    def commit(self, match_id: str, expected: int, stored: Stored, entry: bytes) -> bool:
        """Replace a match's state, append to its log and renew its expiry, all or nothing."""
        with _unavailable():
            done = self._commit(
                keys=[_match_key(match_id), _log_key(match_id)],
                args=[expected, stored.version, stored.state, entry, self._ttl_ms],
            )
        return bool(done)

    def entries(self, match_id: str, after: int, count: int) -> list[Entry]:
        """Read the log from the first entry with an event beyond number `after`, at most `count` entries."""
        with _unavailable():
            found = self._redis.xrange(_log_key(match_id), min=f"{after + 1}-0", count=count)
        return [Entry(int(entry_id.partition(b"-")[0]), members[b"events"]) for entry_id, members in found]

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
