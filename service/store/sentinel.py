"""Commands to the master of a group of servers that sentinels watch."""

from __future__ import annotations

# Calls into it are marked for the type checker: redis-py does not type them.
from redis.sentinel import Sentinel, SentinelConnectionPool

from .address import Servers, read_servers
from .link import connecting
from .shared import SharedLink

_NOWHERE = "redis://"


class SentinelLink(SharedLink):
    """Commands over one connection to the master, for whose address the sentinels are asked whenever it is made.

    A master that has become a replica is left at the first write that it refuses; see `Link`.
    """

    def __init__(self, url: str, timeout_seconds: float) -> None:
        """Prepare the connection.

        Args:
            url: `redis+sentinel://`, see `address`.
            timeout_seconds: how long commands may take, with all their waits.
        """
        super().__init__(_NOWHERE, timeout_seconds)
        servers = read_servers(url)
        self._sentinel = _sentinel(servers, timeout_seconds)
        options = {"db": servers.database} | servers.login | connecting(timeout_seconds)
        self._pool = SentinelConnectionPool(servers.service, self._sentinel, **options)  # type: ignore[no-untyped-call]

    def close(self) -> None:
        """Let the connections go; the next command makes new ones."""
        super().close()
        self._sentinel.close()


def _sentinel(servers: Servers, timeout_seconds: float) -> Sentinel:
    """Give what asks the sentinels; all of them together may take one of the waits of a command."""
    options = connecting(timeout_seconds / len(servers.servers))
    return Sentinel(servers.servers, sentinel_kwargs=servers.sentinel_login | options)  # type: ignore[no-untyped-call]
