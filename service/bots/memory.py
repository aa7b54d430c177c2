"""What can be known of the cards of others, from the log that a seat could follow."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from typing import Final, TypeAlias

from ..engine.cards import CLUBS, PACK, RANK, SEVEN, SUIT, Card, Suit, parse_card, parse_suit
from ..engine.legal import FOLLOWERS
from ..engine.rules import Rules
from .sight import Data

Lack: TypeAlias = frozenset[Card]
"""Cards that an unknown card is most likely none of."""

_NOTHING: Final[Lack] = frozenset()
_ALL_CLUBS: Final[Lack] = frozenset(card for card in PACK if SUIT[card] == CLUBS)
_ALL_SEVENS: Final[Lack] = frozenset(card for card in PACK if RANK[card] == SEVEN)


class Memory:
    """One deal as it was heard so far.

    Who draws or passes has most likely nothing that fits. So for every card that a seat holds it is kept what it is
    likely not; a card that is drawn later may again be any.

    Attributes:
        lacks: for each seat, what each of its cards is likely not.
        discards: the discard pile, from bottom to top.
        opened: how many seats have opened the deal.
        has_drawn: whether the seat on turn has drawn in this turn, or counts as having drawn.
    """

    def __init__(self, rules: Rules, seats: int, log: Sequence[Data]) -> None:
        """Go through the events of the last deal of a log."""
        self._rules = rules
        self._suit: Suit | None = None
        self.lacks: list[list[Lack]] = [[_NOTHING] * rules.hand_size for _ in range(seats)]
        self.discards: list[Card] = []
        self.opened = 0
        self.has_drawn = False
        since = list(takewhile(lambda event: event["type"] != "deal_started", reversed(log)))
        for event in reversed(since):
            self._hear(event)

    def _hear(self, event: Data) -> None:
        match event["type"]:
            case "turn_started":
                self.has_drawn = False
            case "card_played":
                self._play(event["seat"], parse_card(event["card"]), event["suit"])
            case "cards_drawn":
                self._draw(event["seat"], event["count"], event["reason"])
            case "turn_passed":
                self._has_none_of(event["seat"], self._fitting())
            case "stock_reshuffled":
                del self.discards[:-1]

    def _play(self, seat: int, card: Card, nominated: str | None) -> None:
        self.discards.append(card)
        self._suit = SUIT[card] if nominated is None else parse_suit(nominated)
        self.opened += 1
        lacks = self.lacks[seat]
        possible = [place for place, lack in enumerate(lacks) if card not in lack]
        # The newest: who had nothing that fits has just drawn it.
        if lacks:
            del lacks[possible[-1] if possible else -1]

    def _draw(self, seat: int, count: int, reason: str) -> None:
        if reason == "choice":
            self._has_none_of(seat, self._fitting())
        elif reason == "opening":
            self._has_none_of(seat, _ALL_CLUBS)
        elif reason == "penalty" and self._rules.seven_run != "single":
            self._has_none_of(seat, _ALL_SEVENS)
        elif reason == "ace" and self._rules.ace == "must_follow":
            self._has_none_of(seat, self._fitting())
        self.lacks[seat] += [_NOTHING] * count
        self.has_drawn = True

    def _fitting(self) -> Lack:
        return FOLLOWERS[self.discards[-1], self._suit, self._rules.jack_on_jack] if self.discards else _NOTHING

    def _has_none_of(self, seat: int, cards: Lack) -> None:
        self.lacks[seat] = [lack | cards for lack in self.lacks[seat]]
