"""What happens in a deal, one type an event.

They hold everything, also what only some players may see: whoever shows them to a player redacts them first.
"""

from __future__ import annotations

from typing import Final, Literal, NamedTuple, TypeAlias

from .cards import Card, Suit
from .memo import Memo

Phase: TypeAlias = Literal["opening", "turn", "second_card", "over"]
DrawReason: TypeAlias = Literal["choice", "opening", "penalty", "ace", "last_seven"]
SkipReason: TypeAlias = Literal["eight", "ten", "ace", "barred"]
Hand: TypeAlias = tuple[Card, ...]


class Result(NamedTuple):
    """How a deal ended.

    Attributes:
        reason: `went_out` (R14) or `stock_out` (R18).
        winners: the winning seats, ascending.
        multiplier: what the others' points were multiplied by (R16).
        points: what each seat scores for the deal.
        final_card: the card that went out, else None.
    """

    reason: Literal["went_out", "stock_out"]
    winners: tuple[int, ...]
    multiplier: int
    points: tuple[int, ...]
    final_card: Card | None


class DealStarted(NamedTuple):
    """The cards are dealt (R3)."""

    dealer_seat: int
    seed_commitment: str
    stock_count: int
    hands: tuple[Hand, ...]


class TurnStarted(NamedTuple):
    """A seat is on turn; `penalty` is what it owes."""

    seat: int
    phase: Phase
    penalty: int


class CardPlayed(NamedTuple):
    """A card is laid; `suit` is the one that a jack nominates."""

    seat: int
    card: Card
    suit: Suit | None
    call: str | None


class CardsDrawn(NamedTuple):
    """A seat takes cards from the stock."""

    seat: int
    cards: Hand
    reason: DrawReason


class TurnPassed(NamedTuple):
    """A seat ends its turn without playing."""

    seat: int


class TurnSkipped(NamedTuple):
    """A seat misses its turn."""

    seat: int
    reason: SkipReason


class DirectionReversed(NamedTuple):
    """Play goes the other way round: 1 is clockwise, -1 counterclockwise."""

    direction: int


class PenaltyRaised(NamedTuple):
    """A seven makes the next seat owe `penalty` cards in all."""

    penalty: int


class StockReshuffled(NamedTuple):
    """The discards were shuffled into a new stock (R26)."""

    stock_count: int


class DealEnded(NamedTuple):
    """The deal is over: its result, the hands as they were left, and the seed that shuffled it."""

    result: Result
    hands: tuple[Hand, ...]
    seed: str


class MatchEnded(NamedTuple):
    """The last deal is over."""

    totals: tuple[int, ...]
    winners: tuple[int, ...]


Event: TypeAlias = (
    DealStarted
    | TurnStarted
    | CardPlayed
    | CardsDrawn
    | TurnPassed
    | TurnSkipped
    | DirectionReversed
    | PenaltyRaised
    | StockReshuffled
    | DealEnded
    | MatchEnded
)

TURN_STARTED: Final = Memo(TurnStarted)
CARD_PLAYED: Final = Memo(CardPlayed)
CARDS_DRAWN: Final = Memo(CardsDrawn)
TURN_PASSED: Final = Memo(TurnPassed)
TURN_SKIPPED: Final = Memo(TurnSkipped)
DIRECTION_REVERSED: Final = Memo(DirectionReversed)
PENALTY_RAISED: Final = Memo(PenaltyRaised)
"""The events of most moves, by their attributes in order: there are few different ones, and they are values."""
