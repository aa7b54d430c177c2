"""What is to be told to webhooks, on Redis or Valkey.

===============================  ====================================================================
key                              holds
===============================  ====================================================================
``py:{webhooks}:notes``          stream: what commits are to tell, each noted before its commit; read by
                                 a consumer group, an entry is deleted when its messages are kept
``py:{webhooks}:message:ID``     string: a message that is not delivered yet
``py:{webhooks}:due``            sorted set: the ids of these messages, by the time of their next attempt;
                                 those that a deliverer has claimed, by the end of its claim
``py:{webhooks}:gone:MATCH``     string: the receiver of this match wants no more
``py:{webhooks}:dead``           stream: messages that were given up, as their stories for the operator
===============================  ====================================================================

They share a hash tag, so that a message is kept and its note deleted in one step. Everything here may be done twice:
the identity of a message tells.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files
from typing import Any, Final, NamedTuple

from ..errors import StoreUnavailable
from .asking import Asker
from .base import Note
from .link import Command

_NOTES: Final = "py:{webhooks}:notes"
_DUE: Final = "py:{webhooks}:due"
_DEAD: Final = "py:{webhooks}:dead"
_GROUP: Final = "deliverers"
_LEASE: Final = files(__package__).joinpath("lease.lua").read_text("utf-8")

MOST_NOTES: Final = 200_000
"""Beyond it the oldest are forgotten: that many wait only if no deliverer has run for long."""
MOST_DEAD: Final = 10_000


def adding(note: Note) -> Command:
    """Give the command that notes what a commit is to tell."""
    members = ("match", note.match_id, "after", note.after, "commit", note.commit, "data", note.data)
    return ("XADD", _NOTES, "MAXLEN", "~", MOST_NOTES, "*", *members)


class Noted(NamedTuple):
    """A note and its place in the stream."""

    place: str
    note: Note


class Parcel(NamedTuple):
    """A message to be sent, as the store keeps it.

    Attributes:
        identity: its identity.
        data: the message, encoded.
    """

    identity: str
    data: bytes


class Outbox(Asker):
    """Where deliverers find what to tell, and keep what could not be told yet.

    Every method raises `StoreUnavailable` when the store does not answer in time.
    """

    def open(self) -> None:
        """Make sure of the consumer group; to be called before the first `take` and after the store was lost."""
        try:
            self._ask("XGROUP", "CREATE", _NOTES, _GROUP, "0", "MKSTREAM")
        except StoreUnavailable as error:
            if "BUSYGROUP" not in str(error):
                raise

    def take(self, count: int, idle_ms: int) -> list[Noted]:
        """Take notes that are new, and those that were taken so long ago and are still there.

        All deliverers are one consumer of the group: what is told apart is only who takes a note first, and a name for
        each process would stay for ever.
        """
        reader = ("GROUP", _GROUP, _GROUP, "COUNT", count, "STREAMS", _NOTES, ">")
        new, (_, left_over, *_) = self._ask_all(
            ("XREADGROUP", *reader), ("XAUTOCLAIM", _NOTES, _GROUP, _GROUP, idle_ms, "0-0", "COUNT", count)
        )
        entries = [*(new[0][1] if new else ()), *left_over]
        return [_noted(entry) for entry in entries if entry is not None]

    def keep(self, noted: Noted, parcels: Sequence[Parcel], due_ms: int) -> None:
        """Keep the messages of a note to be sent at a time, in Unix milliseconds, and delete the note."""
        commands: list[Command] = []
        for identity, data in parcels:
            commands += [("SET", _message_key(identity), data, "NX"), ("ZADD", _DUE, "NX", due_ms, identity)]
        self._ask_all(*commands, *_deleting(noted), atomic=True)

    def forget(self, noted: Noted) -> None:
        """Delete a note."""
        self._ask_all(*_deleting(noted), atomic=True)

    def waiting(self) -> int:
        """Count the messages that are not delivered yet."""
        return int(self._ask("ZCARD", _DUE))

    def claim(self, now_ms: int, until_ms: int, count: int) -> list[Parcel]:
        """Claim messages that are due.

        Args:
            now_ms: the time, in Unix milliseconds.
            until_ms: until when nobody else gets what is claimed; what is not settled by then can be claimed anew.
            count: how many at most.
        """
        identities = [identity.decode() for identity in self._run(_LEASE, 1, _DUE, now_ms, until_ms, count)]
        if not identities:
            return []
        found = self._ask("MGET", *(_message_key(identity) for identity in identities))
        return [Parcel(*pair) for pair in zip(identities, found, strict=True) if pair[1] is not None]

    def postpone(self, parcel: Parcel, due_ms: int) -> None:
        """Keep a message, as it is by now, for another attempt at a time, in Unix milliseconds."""
        self._ask_all(
            ("SET", _message_key(parcel.identity), parcel.data, "XX"),
            ("ZADD", _DUE, "XX", due_ms, parcel.identity),
            atomic=True,
        )

    def settle(self, identity: str) -> None:
        """Let a message go."""
        self._ask_all(*_settling(identity), atomic=True)

    def bury(self, identity: str, story: bytes) -> None:
        """Let a message go that is given up, and keep its story for the operator."""
        burying = ("XADD", _DEAD, "MAXLEN", "~", MOST_DEAD, "*", "story", story)
        self._ask_all(*_settling(identity), burying, atomic=True)

    def dead(self) -> list[bytes]:
        """Give the stories of the messages that were given up, the oldest first."""
        return [members[1] for _, members in self._ask("XRANGE", _DEAD, "-", "+")]

    def mark_gone(self, match_id: str, seconds: int) -> None:
        """Remember for so long that the receiver of a match wants no more."""
        self._ask("SET", _gone_key(match_id), 1, "EX", seconds)

    def is_gone(self, match_id: str) -> bool:
        """Tell whether the receiver of a match wants no more."""
        return bool(self._ask("EXISTS", _gone_key(match_id)))


def _message_key(identity: str) -> str:
    return f"py:{{webhooks}}:message:{identity}"


def _gone_key(match_id: str) -> str:
    return f"py:{{webhooks}}:gone:{match_id}"


def _deleting(noted: Noted) -> list[Command]:
    return [("XACK", _NOTES, _GROUP, noted.place), ("XDEL", _NOTES, noted.place)]


def _settling(identity: str) -> list[Command]:
    return [("ZREM", _DUE, identity), ("DEL", _message_key(identity))]


def _noted(entry: Any) -> Noted:
    place, members = entry
    _, match_id, _, after, _, commit, _, data = members
    return Noted(place.decode(), Note(match_id.decode(), int(after), commit.decode(), data))
