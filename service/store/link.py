"""How commands reach Redis: one small interface, and two ways to carry them.

`SharedLink` (see `shared`) sends the commands of the whole process over one connection, which costs the least.
`PooledLink` leaves the work to redis-py, which gives every command a connection of its own for as long as it lasts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Protocol, TypeAlias

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from ..errors import StoreUnavailable

Command: TypeAlias = Sequence[bytes | str | int]

_WAITS: Final = 3
"""For a connection that others use or make, for connecting, and for the reply."""
_CONNECTIONS: Final = 64


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

    def close(self) -> None:
        """Let the connections go; the next command makes new ones."""


def connections(url: str, timeout_seconds: float) -> redis.BlockingConnectionPool:
    """Give what makes connections to a server, and lends them.

    Args:
        url: `redis://`, `rediss://` or `unix://`.
        timeout_seconds: how long a command may take, with all its waits.
    """
    wait = timeout_seconds / _WAITS
    return redis.BlockingConnectionPool.from_url(
        url,
        max_connections=_CONNECTIONS,
        timeout=wait,
        socket_timeout=wait,
        socket_connect_timeout=wait,
        retry=Retry(NoBackoff(), 0),
        protocol=2,
    )


class PooledLink:
    """Commands through a client of redis-py, which lends each a connection of its pool; see `Link`."""

    def __init__(self, pool: redis.ConnectionPool) -> None:
        """Use the connections of a pool."""
        self._client: Any = redis.Redis(connection_pool=pool)
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

    def close(self) -> None:
        """Let the connections go; the next command makes new ones."""
        self._client.connection_pool.disconnect()


def lost(error: object) -> StoreUnavailable:
    """Give the error for a reply that is lost, or will not come."""
    return StoreUnavailable(f"The store does not answer: {error}")
