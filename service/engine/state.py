"""The state of one deal: `Deal`, the immutable value, and `Table`, the copy that a move works on."""

from __future__ import annotations

from typing import Any, Final, NamedTuple, TypeAlias

from .cards import Card, Suit
from .events import Event, Hand, Phase, Result
from .rules import Rules
from .shuffle import Shuffler

CLOCKWISE: Final = 1
COUNTERCLOCKWISE: Final = -1


class Deal(NamedTuple):
    """One deal between two moves. Seats count from 0, clockwise.

    Attributes:
        rules: the options that it is played by.
        shuffler: the source of a reshuffle.
        number: which deal of the match this is, from 1.
        dealer: the seat that dealt.
        hands: the cards of each seat, sorted.
        stock: the face-down cards, the next one first.
        discards: the discard pile from bottom to top.
        turn: the seat to move; None when the deal is over.
        phase: what kind of move is asked for.
        openings: how many seats still have to open with a club (R4, R6).
        direction: 1 clockwise, -1 counterclockwise.
        suit: the suit in force; None before the opening card.
        penalty: the cards that the seat to move owes because of sevens.
        drawn: the cards drawn by choice in this turn (R7).
        has_drawn: whether the seat counts as having drawn in this turn (R7, R12).
        ace_drawn: whether the draw that an ace asks for was made (R23).
        barred: the seats that may not go out (R24), ascending.
        bar_is_new: whether the bar of the seat to move came in this turn, so that its next turn is still to come.
        moves: how many moves the deal has seen (R19).
        reshuffles: how often the stock was renewed (R26).
        result: how it ended; None while it is played.
    """

    rules: Rules
    shuffler: Shuffler
    number: int
    dealer: int
    hands: tuple[Hand, ...]
    stock: tuple[Card, ...]
    discards: tuple[Card, ...]
    turn: int | None
    phase: Phase
    openings: int
    direction: int
    suit: Suit | None
    penalty: int
    drawn: int
    has_drawn: bool
    ace_drawn: bool
    barred: tuple[int, ...]
    bar_is_new: bool
    moves: int
    reshuffles: int
    result: Result | None


OWN: Final = slice(2, -1)
"""The fields of a deal that nothing else tells: all but its rules, its shuffler and its result."""


class Table:
    """A deal while a move is carried out: the same fields, open to change, and the events so far."""

    __slots__ = (*Deal._fields, "events", "turn_is_new")

    def __init__(self, deal: Deal) -> None:
        """Take a copy of a deal to carry a move out on."""
        self.hands: Any
        self.turn: Any
        (
            self.rules,
            self.shuffler,
            self.number,
            self.dealer,
            hands,
            self.stock,
            self.discards,
            self.turn,
            self.phase,
            self.openings,
            self.direction,
            self.suit,
            self.penalty,
            self.drawn,
            self.has_drawn,
            self.ace_drawn,
            self.barred,
            self.bar_is_new,
            self.moves,
            self.reshuffles,
            self.result,
        ) = deal
        self.hands = list(hands)
        self.events: list[Event] = []
        self.turn_is_new = False

    def neighbour(self, seat: int) -> int:
        """Give the next seat in the direction of play."""
        return (seat + self.direction) % len(self.hands)

    def freeze(self) -> Deal:
        """Give the deal as an immutable value."""
        return Deal._make(
            (
                self.rules,
                self.shuffler,
                self.number,
                self.dealer,
                tuple(self.hands),
                self.stock,
                self.discards,
                self.turn,
                self.phase,
                self.openings,
                self.direction,
                self.suit,
                self.penalty,
                self.drawn,
                self.has_drawn,
                self.ace_drawn,
                self.barred,
                self.bar_is_new,
                self.moves,
                self.reshuffles,
                self.result,
            )
        )


Position: TypeAlias = Deal | Table
"""A deal to be looked at, in either form."""


def thaw(deal: Deal) -> Table:
    """Give a copy of a deal to carry a move out on."""
    return Table(deal)
