"""How the parts of the store put their commands: each with the reply, or `StoreUnavailable`."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Final

import redis

from ..counting import UNCOUNTED, Counting
from ..deadline import seconds_left
from ..errors import StoreUnavailable
from .address import CLUSTER, SENTINEL
from .cluster import ClusterLink
from .link import Command, Link, PooledLink
from .sentinel import SentinelLink
from .shared import SharedLink

_LINKS: Final[dict[str, Callable[[str, float], Link]]] = {
    "rediss": PooledLink,  # two threads must not read and write one TLS connection at once, as those of a shared one do
    SENTINEL: SentinelLink,
    CLUSTER: ClusterLink,
}


class Asker:
    """Puts commands to a Redis server, or to those of a cluster."""

    def __init__(
        self,
        url: str,
        timeout_seconds: float,
        link: Callable[[str, float], Link] | None = None,
        counting: Counting = UNCOUNTED,
    ) -> None:
        """Prepare the connections; none is made yet.

        Args:
            url: `redis://`, `rediss://` or `unix://`, or one of those in `address`.
            timeout_seconds: how long a command may take, with all its waits.
            link: how commands are carried; by default as fits the address.
            counting: is told of failures.
        """
        fitting = _LINKS.get(url.partition("://")[0], SharedLink)
        self._link: Link = (link or fitting)(url, timeout_seconds)
        self._counting = counting

    def close(self) -> None:
        """Let the connections go; the next command makes new ones."""
        self._link.close()

    def _ask(self, *command: bytes | str | int) -> Any:
        return self._ask_all(command)[0]

    def _ask_all(self, *commands: Command, atomic: bool = False) -> list[Any]:
        try:
            return self._executed(commands, atomic)
        except StoreUnavailable:
            self._counting.store_failed()
            raise

    def _executed(self, commands: Sequence[Command], atomic: bool) -> list[Any]:
        if seconds_left() <= 0:
            raise StoreUnavailable("The store answers too slowly.")
        try:
            return self._link.execute(*commands, atomic=atomic)
        except redis.exceptions.NoScriptError as error:
            raise _ScriptUnknown from error
        except redis.RedisError as error:
            raise StoreUnavailable(f"The store cannot carry out the command: {error}") from error

    def _run(self, script: str, *words: bytes | str | int) -> Any:
        return self._run_all(script, words)[0]

    def _run_all(self, script: str, *calls: Command) -> list[Any]:
        try:
            return self._ask_all(*(("EVALSHA", _hash(script), *words) for words in calls))
        except _ScriptUnknown:  # to some of the servers maybe; where it was known, it may well run twice
            return self._ask_all(*(("EVAL", script, *words) for words in calls))


class _ScriptUnknown(Exception):
    """The server has forgotten a script, or never knew it."""


@cache
def _hash(script: str) -> str:
    return hashlib.sha1(script.encode(), usedforsecurity=False).hexdigest()
