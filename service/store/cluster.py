"""Commands to a Redis Cluster: each to the node that keeps its keys, over one connection to every node.

They do not go through the `RedisCluster` of redis-py, which takes five times the time of this process. When nodes are
lost it asks the others for the map of the slots before it says so, one command after the other, for far longer than
each may take; and it repeats the commands of a pipeline whose replies were lost, though it be told not to, so that they
may count twice. What it knows of slots, redirections and connections is used here too.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import redis
from redis.exceptions import AskError, MovedError

from ..errors import StoreUnavailable
from .address import Server, read_servers
from .link import Command, checked, connecting
from .shared import SharedLink
from .slots import Slots, slot_of

_MOST_ROUNDS: Final = 4
"""So often commands are sent where they are told to be sent instead."""


class ClusterLink:
    """Commands over one connection to each node; see `Link`.

    Commands for several nodes are sent to one after the other. Only those of one node can be atomic, and they must have
    their keys in one slot.
    """

    def __init__(self, url: str, timeout_seconds: float) -> None:
        """Prepare the connections.

        Args:
            url: `redis+cluster://`, see `address`.
            timeout_seconds: how long commands may take, with all their waits.
        """
        self._servers = read_servers(url)
        self._timeout_seconds = timeout_seconds
        self._slots = Slots(self._servers, timeout_seconds)
        self._links: dict[Server, SharedLink] = {}
        self._turn = itertools.count()

    def execute(self, *commands: Command, atomic: bool = False) -> list[Any]:
        """Carry out commands in one round trip to each node; if `atomic`, all or none, and nothing between them."""
        if not commands:
            return []
        if atomic:
            [replies] = self._carried_out([_Parcel([("MULTI",), *commands, ("EXEC",)], slot_of(commands[0]))])
            return checked(checked(replies)[-1])
        parcels = [_Parcel([command], slot_of(command)) for command in commands]
        return checked([reply for [reply] in self._carried_out(parcels)])

    def _carried_out(self, parcels: Sequence[_Parcel]) -> list[list[Any]]:
        waiting = parcels
        for _ in range(_MOST_ROUNDS):
            for node, together in self._by_node(waiting).items():
                self._send(node, together)
            waiting = [parcel for parcel in waiting if self._is_redirected(parcel)]
            if not waiting:
                break
        return [parcel.replies for parcel in parcels]

    def _by_node(self, parcels: Iterable[_Parcel]) -> dict[Server, list[_Parcel]]:
        found: dict[Server, list[_Parcel]] = {}
        for parcel in parcels:
            parcel.node = parcel.detour or self._owner(parcel.slot)
            found.setdefault(parcel.node, []).append(parcel)
        return found

    def _owner(self, slot: int | None) -> Server:
        return self._slots.nodes()[0] if slot is None else self._slots.owner(slot)

    def _send(self, node: Server, parcels: Sequence[_Parcel]) -> None:
        link = self._links.get(node) or self._links.setdefault(node, self._new_link(node))
        try:
            replies = iter(link.ask([command for parcel in parcels for command in parcel.to_send()]))
        except StoreUnavailable:
            self._slots.doubt(node)
            raise
        self._slots.answered(node)
        for parcel in parcels:
            parcel.replies = [next(replies) for _ in parcel.to_send()][-len(parcel.commands) :]

    def _new_link(self, node: Server) -> SharedLink:
        host, port = node
        options: dict[str, Any] = {"host": host, "port": port} | self._servers.login
        pool = redis.ConnectionPool(**options, **connecting(self._timeout_seconds))
        return SharedLink("", self._timeout_seconds, pool)

    def _is_redirected(self, parcel: _Parcel) -> bool:
        """Tell whether a parcel was not carried out, because another node keeps its keys, or keeps them by now."""
        redirection = next((reply for reply in parcel.replies if isinstance(reply, AskError)), None)
        if redirection is None:
            return False
        node = (redirection.host or parcel.node[0], redirection.port)
        if isinstance(redirection, MovedError):
            self._slots.moved(redirection.slot_id, node)
            parcel.detour = None
        else:
            parcel.detour = node
        return True

    def connection(self) -> Any:
        """Give a connection of redis-py that nobody else uses, not connected yet; each time to another node."""
        return _AnyNode(self._next_node, self._slots.watch, **self._servers.login, **connecting(self._timeout_seconds))

    def _next_node(self) -> Server:
        nodes = self._slots.nodes()
        return nodes[next(self._turn) % len(nodes)]

    def close(self) -> None:
        """Let the connections go; the next command makes new ones."""
        while self._links:
            self._links.popitem()[1].close()


@dataclass(slots=True)
class _Parcel:
    """Commands for one node.

    Attributes:
        commands: the commands.
        slot: that of their keys, if they have any.
        node: where they were sent last.
        detour: the node to which they are to be sent instead, this time only: their slot is on its way there.
        replies: what came back.
    """

    commands: list[Command]
    slot: int | None
    node: Server = ("", 0)
    detour: Server | None = None
    replies: list[Any] = field(default_factory=list)

    def to_send(self) -> list[Command]:
        return [("ASKING",), *self.commands] if self.detour else self.commands


class _AnyNode(redis.Connection):
    """A connection to whichever node comes next when it is made, to hear of what happens on all.

    It counts as lost when any node is replaced: with that, what was heard of may be undone.
    """

    def __init__(self, next_node: Callable[[], Server], watch: Callable[[], int], **options: Any) -> None:
        super().__init__(**options)  # type: ignore[no-untyped-call]  # redis-py does not type it
        self._next_node = next_node
        self._watch = watch
        self._replacements = 0

    def connect(self) -> None:
        if not self.is_connected:
            self.host, self.port = self._next_node()
            self._replacements = self._watch()
        super().connect()  # type: ignore[no-untyped-call]  # redis-py does not type it

    def can_read(self, timeout: float = 0) -> bool:
        """Wait so long, in seconds, for something to read."""
        if self._watch() != self._replacements:
            raise redis.ConnectionError("a node of the cluster was replaced")
        return super().can_read(timeout)
