"""Seating bots: those that the creator asks for, and those that fill a table."""

from __future__ import annotations

from collections.abc import Sequence

from .bots.choosing import Level
from .dealings import BotOrder
from .errors import Refusal
from .record import Player, Record


def with_bots(record: Record, orders: Sequence[BotOrder]) -> Record:
    """Seat the bots that a creator asks for: first those with a seat, then the others at the lowest free seats.

    Raises:
        Refusal: `invalid_body`, when they cannot all sit.
    """
    errors = []
    for number, order in enumerate(orders):
        if order.seat is None:
            continue
        if order.seat in record.free_seats:
            record = record.with_player(_bot(record, order.seat, order.level))
        else:
            detail = "Is taken already." if order.seat < record.seats else "This table has no such seat."
            errors.append({"pointer": f"/bots/{number}/seat", "detail": detail})
    others = [order.level for order in orders if order.seat is None]
    if len(others) > len(record.free_seats):
        errors.append({"pointer": "/bots", "detail": "There are more bots than free seats."})
    if errors:
        raise Refusal("invalid_body", "The bots cannot all sit.", errors=errors)
    for seat, level in zip(record.free_seats, others, strict=False):
        record = record.with_player(_bot(record, seat, level))
    return record


def with_stand_ins(record: Record) -> Record:
    """Seat those who are awaited, with bots in their place."""
    return record._replace(players=tuple(sorted((*record.players, *record.awaited))), awaited=())


def filled(record: Record, level: Level) -> Record:
    """Seat bots at all seats: in the place of those who are awaited, and others at those that are free."""
    record = with_stand_ins(record)
    for seat in record.free_seats:
        record = record.with_player(_bot(record, seat, level))
    return record


def _bot(record: Record, seat: int, level: Level) -> Player:
    number = 1 + sum(player.kind == "bot" for player in record.players)
    return Player(seat, f"Bot {number} ({level})", "", kind="bot", level=level, played_by="bot")
