"""What callers and the use cases hand each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias

from .bots.choosing import Level
from .clocks import Clock
from .idempotency import NOT_REPEATABLE, Once, Receipt
from .identity import Caller
from .named import Named
from .record import Record, Spectators, Visibility
from .view import Data
from .webhooks.hook import Webhook

Access: TypeAlias = Literal["anyone", "reader", "member", "player", "host"]
"""Who may ask: a reader is anyone, unless the match is closed to those without a token."""


class Lookup(Named):
    """A match that was looked up, with what is kept for the request's idempotency key."""

    record: Record
    receipt: Receipt | None


class Visit(Named):
    """A match that somebody looked up, and who they are there.

    Attributes:
        record: the match as it was.
        caller: who asks.
        token: the token that they sent, to be judged again if the match changes meanwhile.
        access: what was asked of them.
        receipt: what is kept for the request's idempotency key: it was carried out before.
        once: how a repeat of the request is told.
    """

    record: Record
    caller: Caller
    token: str | None
    access: Access
    receipt: Receipt | None
    once: Once = NOT_REPEATABLE


class Written(Named):
    """A write that was carried out, now or by an earlier request with the same idempotency key.

    Attributes:
        record: the match as it is now.
        events: what the write caused, complete.
        first: the number of its first event.
        seat: the seat of who created or joined.
        replayed: whether it was an earlier request.
    """

    record: Record
    events: list[Data]
    first: int
    seat: int | None
    replayed: bool


class BotOrder(Named):
    """A bot that a creator asks for.

    Attributes:
        level: how well it plays.
        seat: where it sits; None for the lowest seat that is left.
    """

    level: Level
    seat: int | None = None


class NewMatch(Named):
    """What a creator asks for, and brings.

    Attributes:
        creator_seed: what the creator adds to the shuffles; None for nothing.
        app: the name of the application that asks; None where no app key is asked for.
    """

    seats: int
    rules: Mapping[str, object]
    name: str
    visibility: Visibility
    auto_start: bool
    creator_name: str | None
    spectators: Spectators = "after_deal"
    clock: Clock | None = None
    bots: Sequence[BotOrder] = ()
    creator_seed: str | None = None
    app: str | None = None
    metadata: Mapping[str, str] = {}
    creator_metadata: Mapping[str, str] = {}
    webhook: Webhook | None = None


class NewPlayer(Named):
    """What somebody who joins asks for, and brings.

    Attributes:
        name: their name.
        seat: the seat to take; None for the lowest free one.
        join_code: what a private match asks for.
        client_seed: what they add to the shuffles; None for nothing.
        metadata: what the app notes beside them.
        client: where they ask from, for whom wrong join codes are counted.
    """

    name: str
    seat: int | None = None
    join_code: str | None = None
    client_seed: str | None = None
    metadata: Mapping[str, str] = {}
    client: str = ""


class Admission(Named):
    """What someone gets who creates or joins a match.

    Attributes:
        match: the match as they see it.
        token: their token, which is shown this once.
        seat: their seat; None for a creator who does not play.
        join_code: what lets others into a private match; only its creator gets it.
        replayed: whether an earlier request with the same idempotency key did it.
    """

    match: Data
    token: str
    seat: int | None
    join_code: str | None
    replayed: bool


class Reissued(Named):
    """What an application gets that asks for another token of a player.

    Attributes:
        token: the token, which is shown this once.
        seat: the player's seat.
        replayed: whether an earlier request with the same idempotency key did it.
    """

    token: str
    seat: int
    replayed: bool


class Answered(Named):
    """What a write is answered with.

    Attributes:
        match: the match as the caller sees it now.
        events: the events that the write caused, as the caller sees them.
        replayed: whether an earlier request with the same idempotency key caused them.
    """

    match: Data
    events: list[Data]
    replayed: bool
