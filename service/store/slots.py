"""Which node of a Redis Cluster keeps which keys."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Iterable
from typing import Any, Final

import redis
from redis.crc import REDIS_CLUSTER_HASH_SLOTS, key_slot

from .address import Server, Servers
from .link import WAITS, Command, connecting, lost, new_connection

_MOST_ASKED: Final = 5
"""So many servers are asked for the map in vain before it is given up."""
_PAUSE_SECONDS: Final = 1.0


def slot_of(command: Command) -> int | None:
    """Give the slot of the keys of a command that the store puts; None if it has none."""
    match command:
        case ("EVAL" | "EVALSHA", _, _, key, *_) | ("XGROUP", _, key, *_):
            pass
        case ("XREADGROUP", *words):
            key = words[words.index("STREAMS") + 1]
        case (_, key, *_):
            pass
        case _:
            return None
    return key_slot(key if isinstance(key, bytes) else str(key).encode())


class Slots:
    """The map of the slots: asked of the cluster when it is first needed, and anew when there is reason to doubt it.

    Attributes:
        replacements: how often nodes that kept slots were found to keep none any more.
    """

    def __init__(self, servers: Servers, timeout_seconds: float) -> None:
        """Prepare.

        Args:
            servers: those of the address, which are asked first.
            timeout_seconds: how long it may take to ask.
        """
        self._servers = servers
        self._timeout_seconds = timeout_seconds
        self._looking = threading.Lock()
        self._looked = 0.0
        self._is_doubtful = False
        self._lost: set[Server] = set()
        self._owners: list[Server | None] | None = None
        self._nodes: set[Server] = set()
        self.replacements = 0

    def nodes(self) -> list[Server]:
        """Give the nodes that keep slots, at least one; those that are lost come last.

        Raises:
            StoreUnavailable: no server of the cluster answers.
        """
        self._known()
        return self._lost_last(sorted(self._nodes))

    def _lost_last(self, servers: Iterable[Server]) -> list[Server]:
        return sorted(servers, key=lambda server: server in self._lost)

    def owner(self, slot: int) -> Server:
        """Give the node that keeps a slot.

        Raises:
            StoreUnavailable: there is none, or no server of the cluster answers.
        """
        owner = self._known()[slot]
        if owner is None:
            self._is_doubtful = True
            raise lost(f"no node of the cluster keeps slot {slot}")
        return owner

    def moved(self, slot: int, owner: Server) -> None:
        """Hear that a slot has another owner; so may have others."""
        if self._owners is not None:
            self._owners[slot] = owner
        self._is_doubtful = True

    def watch(self) -> int:
        """Look at the map anew, unless that was done within the last second, and give the number of replacements.

        Raises:
            StoreUnavailable: it was not known yet, and no server of the cluster answers.
        """
        self._known(doubting=True)
        return self.replacements

    def doubt(self, node: Server) -> None:
        """Hear that a node does not answer: another may have taken its place."""
        self._lost.add(node)
        self._is_doubtful = True

    def answered(self, node: Server) -> None:
        """Hear that a node answers."""
        self._lost.discard(node)

    def _known(self, *, doubting: bool = False) -> list[Server | None]:
        is_due = (doubting or self._is_doubtful) and time.monotonic() > self._looked + _PAUSE_SECONDS
        owners = self._owners
        if owners is not None and not is_due:
            return owners
        wait = self._timeout_seconds / WAITS if owners is None else 0  # who knows an old map need not wait for others
        if self._looking.acquire(timeout=wait):
            try:
                if self._owners is owners:
                    self._look()
            finally:
                self._looking.release()
        if self._owners is None:
            raise lost("no server of the cluster tells its slots")
        return self._owners

    def _look(self) -> None:
        known = [*self._nodes.union(self._servers.servers)]
        random.shuffle(known)  # one that has lost touch with the others knows an old map, and is not always to be first
        servers = self._lost_last(known)[:_MOST_ASKED]
        for server in servers:
            try:
                ranges = self._ask(server, self._timeout_seconds / len(servers))
            except (redis.RedisError, OSError) as error:
                self._lost.add(server)
                failure = error
            else:
                self._lost.discard(server)
                self._note(_read(ranges, server))
                break
        self._looked = time.monotonic()
        if self._owners is None:
            raise lost(failure) from failure

    def _note(self, ranges: list[tuple[int, int, Server]]) -> None:
        nodes = {node for _, _, node in ranges}
        self.replacements += bool(self._nodes - nodes)
        owners: list[Server | None] = [None] * REDIS_CLUSTER_HASH_SLOTS
        for first, beyond, node in ranges:
            owners[first:beyond] = [node] * (beyond - first)
        self._nodes, self._owners, self._is_doubtful = nodes, owners, False

    def _ask(self, server: Server, seconds: float) -> Any:
        host, port = server
        options: dict[str, Any] = {"host": host, "port": port} | self._servers.login | connecting(seconds)
        connection = new_connection(redis.ConnectionPool(**options))
        try:
            connection.connect()
            connection.send_command("CLUSTER", "SLOTS")
            ranges = connection.read_response()
        finally:
            connection.disconnect()
        if not ranges:
            raise redis.ConnectionError("it knows no node that keeps slots")
        return ranges


def _read(ranges: Any, asked: Server) -> list[tuple[int, int, Server]]:
    return [
        (first, last + 1, (host.decode() if host else asked[0], port))  # a node may not know how it is reached
        for first, last, (host, port, *_), *_ in ranges
    ]
