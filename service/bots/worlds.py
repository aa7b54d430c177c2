"""Deals that may be the one that is played: what a seat does not see is filled in at random, as the log suggests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random
from typing import Final

from ..engine.cards import PACK, Card
from ..engine.events import Hand
from ..engine.moves import Draw, Pass
from ..engine.play import openings_asked
from ..engine.shuffle import SEED_BYTES, Shuffler
from ..engine.state import Deal
from .memory import Lack, Memory
from .sight import Data, Sight

_TRUST: Final = 0.9
"""In how many of the worlds a seat that drew or passed had nothing that fits."""


def worlds(sight: Sight, log: Sequence[Data], random: Random) -> Iterator[Deal]:
    """Give possible deals without end, each the one that is played but for the cards that the seat does not see."""
    memory = Memory(sight.rules, len(sight.counts), log)
    pile = _known_pile(sight, memory)
    assert sight.rules.decks is not None
    unseen = list((Counter(PACK * sight.rules.decks) - Counter(sight.hand) - Counter(pile)).elements())
    places = _places(sight, memory)
    deal = _outline(sight, memory)
    while True:
        random.shuffle(unseen)
        hands, rest = _hand_out(sight, places, unseen, trust=random.random() < _TRUST)
        yield deal._replace(
            shuffler=Shuffler(random.randbytes(SEED_BYTES), "", 1, ("",) * len(hands)),
            hands=hands,
            stock=tuple(rest[: sight.stock_count]),
            discards=(*rest[sight.stock_count :], *pile),
        )


def _known_pile(sight: Sight, memory: Memory) -> list[Card]:
    """Give the discard pile as far as it is known: all of it, or without a complete log its top card."""
    if len(memory.discards) == sight.discard_count or sight.top is None:
        return memory.discards
    return [sight.top]


def _places(sight: Sight, memory: Memory) -> list[tuple[int, Lack]]:
    """Give the places of the unseen cards in hands: the seat and what the card is likely not, the narrowest first."""
    places = []
    for seat, count in enumerate(sight.counts):
        if seat != sight.seat:
            lacks = [frozenset[Card]()] * count + memory.lacks[seat]
            places += [(seat, lack) for lack in lacks[-count:]]
    return sorted(places, key=lambda place: -len(place[1]))


def _hand_out(
    sight: Sight, places: list[tuple[int, Lack]], unseen: list[Card], *, trust: bool
) -> tuple[tuple[Hand, ...], list[Card]]:
    rest = unseen.copy()
    hands: list[list[Card]] = [[] for _ in sight.counts]
    hands[sight.seat] += sight.hand
    for seat, lack in places:
        hands[seat].append(_take(rest, lack) if trust and lack else rest.pop())
    return tuple(tuple(sorted(hand)) for hand in hands), rest


def _take(cards: list[Card], lack: Lack) -> Card:
    """Take the last card that is none of those lacking; if there is none, the last."""
    for place in range(len(cards) - 1, -1, -1):
        if cards[place] not in lack:
            return cards.pop(place)
    return cards.pop()


def _outline(sight: Sight, memory: Memory) -> Deal:
    """Give the deal without the cards."""
    openings = openings_asked(sight.rules, len(sight.counts)) - max(memory.opened, sight.discard_count)
    return Deal(
        rules=sight.rules,
        shuffler=Shuffler(b"", "", 1, ()),
        number=1,
        dealer=sight.dealer,
        hands=(),
        stock=(),
        discards=(),
        turn=sight.seat,
        phase=sight.phase,
        openings=max(openings, 1) if sight.phase == "opening" else 0,
        direction=sight.direction,
        suit=sight.suit,
        penalty=sight.penalty,
        drawn=sight.drawn,
        has_drawn=sight.drawn > 0 or memory.has_drawn or Pass() in sight.moves,
        ace_drawn=Draw() not in sight.moves,
        barred=sight.barred,
        # After an ace, a seat with one card left came to it with that ace, in this turn.
        bar_is_new=sight.phase == "second_card" and sight.seat in sight.barred,
        moves=0,
        reshuffles=0,
        result=None,
    )
