"""The messages that a change of a match causes: what has happened and whose turn it is, never a card.

They are made with the change and noted before its commit, so that each says what was true then, whoever delivers it and
however late. The identity of a message follows from the match and the number of the event: a repeat has the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final, NamedTuple, TypeAlias

import orjson

from ..record import Player, Record
from ..store.base import Commit, Note
from ..view import Data


class Message(NamedTuple):
    """One message to one receiver.

    Attributes:
        identity: its `webhook-id`.
        match_id: the match that it is about.
        event: what it tells, one of `hook.EVENTS`.
        body: what is posted, JSON.
        url: where to.
        secret: what it is signed with.
        attempts: how often it was sent in vain.
    """

    identity: str
    match_id: str
    event: str
    body: str
    url: str
    secret: str
    attempts: int = 0

    def encode(self) -> bytes:
        """Write it for the store."""
        return orjson.dumps(tuple(self))


def read_message(data: bytes) -> Message:
    """Read what `Message.encode` wrote."""
    return Message(*orjson.loads(data))


def note_of(commit: Commit, record: Record, events: Iterable[Data]) -> Note | None:
    """Give what to note of a change before its commit.

    Args:
        commit: what the change is stored with.
        record: the match after it.
        events: what it consists of.

    Returns:
        The note; None if there is nothing to tell.
    """
    told = messages(record, events)
    if not told:
        return None
    return Note(record.match_id, commit.expected, commit.identity, orjson.dumps([tuple(each) for each in told]))


def noted_messages(note: Note) -> list[Message]:
    """Read the messages of a note."""
    return [Message(*members) for members in orjson.loads(note.data)]


def messages(record: Record, events: Iterable[Data]) -> list[Message]:
    """Give the messages for events of a match, as far as its creator asked for them."""
    hook, told = record.webhook, []
    for event in events:
        if hook is None or event["type"] not in _TOLD:
            continue
        kind, members = _TOLD[event["type"]]
        if kind not in hook.events or (data := members(record, event)) is None:
            continue
        identity = f"msg_{record.match_id}_{event['seq']}"
        body = {
            "type": kind,
            "timestamp": event["at"],
            "data": {"match_id": record.match_id, "version": event["seq"], **_noted("metadata", record), **data},
        }
        told.append(Message(identity, record.match_id, kind, orjson.dumps(body).decode(), hook.url, hook.secret))
    return told


def _noted(member: str, about: Record | Player) -> Data:
    return {member: about.metadata} if about.metadata else {}


def _player(player: Player) -> Data:
    return {"seat": player.seat, "name": player.name, "kind": player.kind, **_noted("metadata", player)}


def _match_started(record: Record, _event: Data) -> Data:
    return {"name": record.name, "players": [_player(player) for player in record.players]}


def _your_turn(record: Record, event: Data) -> Data | None:
    player = record.player(event["seat"])
    if player.played_by == "bot":
        return None
    about = {"seat": player.seat, "name": player.name, **_noted("player_metadata", player)}
    return {"deal": event["deal"], **about, "deadline": event["deadline"]}


def _deal_ended(_record: Record, event: Data) -> Data:
    return {name: event[name] for name in ("deal", "reason", "winners", "points")}


def _match_ended(record: Record, event: Data) -> Data:
    totals = record.match.totals if record.match else [0] * record.seats
    return {"status": record.status, "totals": totals, "winners": event.get("winners", [])}


_Members: TypeAlias = Callable[[Record, Data], Data | None]
_TOLD: Final[dict[str, tuple[str, _Members]]] = {
    "match_started": ("match_started", _match_started),
    "turn_started": ("your_turn", _your_turn),
    "deal_ended": ("deal_ended", _deal_ended),
    "match_ended": ("match_ended", _match_ended),
    "match_abandoned": ("match_ended", _match_ended),
}
"""What each event of the log is told as, and the members of its message beyond those of all."""
