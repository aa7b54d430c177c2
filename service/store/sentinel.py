"""Commands to the master of a group of servers that sentinels watch."""

from __future__ import annotations

import re
from typing import Any, Final, cast

# Calls into it are marked for the type checker: redis-py does not type them.
from redis.sentinel import MasterNotFoundError, Sentinel, SentinelConnectionPool

from .address import Servers, read_servers
from .link import connecting
from .shared import SharedLink

_CLIENT: Final = re.compile(r"<redis\.client\.Redis\(.*?host=(.*?),port=([0-9]+).*?>\)>\)>\)>")


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
        servers = read_servers(url)
        self._sentinels = _Sentinels(servers, timeout_seconds)
        options = {"db": servers.database} | servers.login | connecting(timeout_seconds)
        pool = SentinelConnectionPool(servers.service, self._sentinels, **options)  # type: ignore[no-untyped-call]
        super().__init__(url, timeout_seconds, pool)

    def close(self) -> None:
        """Let the connections go; the next command makes new ones."""
        super().close()
        self._sentinels.close()


class _Sentinels(Sentinel):
    """All sentinels, which together may take one of the waits of a command."""

    def __init__(self, servers: Servers, timeout_seconds: float) -> None:
        options = servers.sentinel_login | connecting(timeout_seconds / len(servers.servers))
        super().__init__(servers.servers, sentinel_kwargs=options)  # type: ignore[no-untyped-call]

    def discover_master(self, service_name: str) -> tuple[str, int]:
        """Ask where the master is; an error names the sentinels by their addresses, not with all their settings."""
        try:
            found: Any = super().discover_master(service_name)  # type: ignore[no-untyped-call]
        except MasterNotFoundError as error:
            raise MasterNotFoundError(_CLIENT.sub(r"\1:\2", str(error))) from None
        return cast("tuple[str, int]", found)
