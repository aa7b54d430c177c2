"""The events of the engine as the log keeps them: plain data with all their members, of which `view` redacts some."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final, Literal, TypeAlias

from .engine import events as happened
from .engine.cards import CARD_NAMES, card_names
from .engine.notation import DIRECTION_NAMES
from .view import Data, result_data, suit_name

Mover: TypeAlias = Literal["player", "bot", "clock"]


@lru_cache(maxsize=4096, typed=True)  # events of different types may be equal, as tuples are
def told(event: happened.Event, by: Mover = "player") -> tuple[str, Data]:
    """Give the type of an event of the engine, and all its members, as the log keeps them.

    Kept for the next time, so change nothing of it; `redacted` makes a copy that is fit to be shown.

    Args:
        event: the event.
        by: who made the move.
    """
    kind, members = _TOLD[type(event)]
    return kind, members(event, by)


def event_data(event: happened.Event, by: Mover = "player") -> Data:
    """Give what `told` gives as one object."""
    kind, members = told(event, by)
    return {"type": kind, **members}


def _plain(event: happened.Event, _by: Mover) -> Data:
    return event._asdict()


def _deal_started(event: happened.DealStarted, _by: Mover) -> Data:
    return {**event._asdict(), "hands": [card_names(hand) for hand in event.hands]}


def _turn_started(event: happened.TurnStarted, _by: Mover) -> Data:
    return {**event._asdict(), "deadline": None}


def _card_played(event: happened.CardPlayed, by: Mover) -> Data:
    return {
        **event._asdict(),
        "card": CARD_NAMES[event.card],
        "suit": suit_name(event.suit),
        "by": by,
    }


def _cards_drawn(event: happened.CardsDrawn, by: Mover) -> Data:
    cards = card_names(event.cards)
    return {"seat": event.seat, "count": len(cards), "reason": event.reason, "by": by, "cards": cards}


def _deal_ended(event: happened.DealEnded, _by: Mover) -> Data:
    hands = [card_names(hand) for hand in event.hands]
    return {**result_data(event.result), "hands": hands, "seed": event.seed}


_TOLD: Final[dict[type[happened.Event], tuple[str, Callable[[Any, Mover], Data]]]] = {
    happened.DealStarted: ("deal_started", _deal_started),
    happened.TurnStarted: ("turn_started", _turn_started),
    happened.CardPlayed: ("card_played", _card_played),
    happened.CardsDrawn: ("cards_drawn", _cards_drawn),
    happened.TurnPassed: ("turn_passed", lambda event, by: {"seat": event.seat, "by": by}),
    happened.TurnSkipped: ("turn_skipped", _plain),
    happened.DirectionReversed: (
        "direction_reversed",
        lambda event, _: {"direction": DIRECTION_NAMES[event.direction]},
    ),
    happened.PenaltyRaised: ("penalty_raised", _plain),
    happened.StockReshuffled: ("stock_reshuffled", _plain),
    happened.DealEnded: ("deal_ended", _deal_ended),
    happened.MatchEnded: ("match_ended", _plain),
}
EVENT_TYPES: Final = {event: kind for event, (kind, _) in _TOLD.items()}
"""What the events of the engine are called in the log."""
