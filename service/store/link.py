"""How commands reach Redis: one small interface, and the ways to carry them.

`SharedLink` (see `shared`) sends the commands of the whole process over one connection, which costs the least.
`SentinelLink` (see `sentinel`) does so to whichever server is the master, `ClusterLink` (see `cluster`) to each node of
a cluster. `PooledLink` leaves the work to redis-py, which gives every command a connection of its own for as long as it
lasts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Protocol, TypeAlias

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from ..errors import StoreUnavailable

Command: TypeAlias = Sequence[bytes | str | int]

_CONNECTIONS: Final = 64
WAITS: Final = 3
"""For a connection that others use or make, for connecting, and for the reply: together the time of a command."""


class Link(Protocol):
    """Carries commands to Redis and brings the replies as its protocol, RESP2, has them."""

    def execute(self, *commands: Command, atomic: bool = False) -> list[Any]:
        """Carry out commands in one round trip; if `atomic`, all or none, and nothing between them.

        They are sent once: a write whose reply is lost may have been carried out, and repeating it blindly could
        count it twice.

        Raises:
            StoreUnavailable: a reply is lost, or does not come in time.
            redis.ResponseError: the server refuses a command.
        """

    def connection(self) -> Any:
        """Give a connection of redis-py that nobody else uses, not connected yet."""

    def close(self) -> None:
        """Let the connections go; the next command makes new ones."""


def connecting(timeout_seconds: float) -> dict[str, Any]:
    """Give the options of connections whose commands may take so long, with all their waits."""
    wait = timeout_seconds / WAITS
    return {
        "socket_timeout": wait,
        "socket_connect_timeout": wait,
        "retry": Retry(NoBackoff(), 0),
        "protocol": 2,
    }


def new_connection(pool: redis.ConnectionPool) -> Any:
    """Make a connection like those of a pool, but none of them; it is not connected yet."""
    return pool.connection_class(**pool.connection_kwargs)


class PooledLink:
    """Commands through a client of redis-py, which lends each a connection of its pool; see `Link`."""

    def __init__(self, url: str, timeout_seconds: float) -> None:
        """Prepare the pool.

        Args:
            url: `redis://`, `rediss://` or `unix://`.
            timeout_seconds: how long commands may take, with all their waits.
        """
        self._pool = redis.BlockingConnectionPool.from_url(
            url,
            max_connections=_CONNECTIONS,
            timeout=timeout_seconds / WAITS,
            **connecting(timeout_seconds),
        )
        self._client: Any = redis.Redis(connection_pool=self._pool)
        self._client.response_callbacks.clear()

    def execute(self, *commands: Command, atomic: bool = False) -> list[Any]:
        """Carry out commands in one round trip; if `atomic`, all or none, and nothing between them."""
        try:
            if len(commands) == 1:
                return [self._client.execute_command(*commands[0])]
            pipeline = self._client.pipeline(transaction=atomic)
            for command in commands:
                pipeline.execute_command(*command)
            replies: list[Any] = pipeline.execute()
        except (redis.ConnectionError, redis.TimeoutError) as error:
            raise lost(error) from error
        return replies

    def connection(self) -> Any:
        """Give a connection of redis-py that nobody else uses, not connected yet."""
        return new_connection(self._pool)

    def close(self) -> None:
        """Let the connections go; the next command makes new ones."""
        self._pool.disconnect()


def checked(replies: list[Any]) -> list[Any]:
    """Give replies on, or raise the first error that stands among them."""
    for reply in replies:
        if isinstance(reply, redis.ResponseError):
            raise reply
    return replies


def lost(error: object) -> StoreUnavailable:
    """Give the error for a reply that is lost, or will not come."""
    return StoreUnavailable(f"The store does not answer: {error}")
