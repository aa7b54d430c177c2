"""How the store asks Redis: within the time of the request, and every failure as `StoreUnavailable`."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cache
from typing import Any

import redis

from ..counting import Counting
from ..deadline import seconds_left
from ..errors import StoreUnavailable
from .link import Command, Link


class Asking:
    """Sends commands over a link."""

    def __init__(self, link: Link, counting: Counting) -> None:
        """Compose.

        Args:
            link: carries the commands.
            counting: is told of failures.
        """
        self._link = link
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
        try:
            return self._ask("EVALSHA", _hash(script), *words)
        except _ScriptUnknown:
            return self._ask("EVAL", script, *words)


class _ScriptUnknown(Exception):
    """The server has forgotten a script, or never knew it."""


@cache
def _hash(script: str) -> str:
    return hashlib.sha1(script.encode(), usedforsecurity=False).hexdigest()
