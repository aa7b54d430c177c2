"""Playing a possible deal on for a while, fast, and judging how it then stands."""

from __future__ import annotations

from math import exp
from random import Random
from typing import Final, NamedTuple

from ..engine.cards import CLUBS, JACK, POINTS, RANK, SEVEN, SUIT, Card, Suit
from ..engine.events import Hand
from ..engine.legal import FOLLOWERS, may_call, nominable_suits, pass_ban, play_ban
from ..engine.moves import Call, Draw, Move, Pass, Play
from ..engine.play import carry_out
from ..engine.state import Table

_DRAW: Final = Draw()
_PASS: Final = Pass()


def play_on(table: Table, moves: int, random: Random) -> None:
    """Make some quick moves, and more until a turn begins or the deal ends."""
    while table.turn is not None and (moves > 0 or not _turn_begins(table)):
        carry_out(table, quick_move(table, random))
        moves -= 1


def _turn_begins(table: Table) -> bool:
    return table.phase == "turn" and not table.has_drawn


def quick_move(table: Table, random: Random) -> Move:
    """Give a legal move that is quickly found: any card that fits, a jack only if nothing else does.

    After an ace it rather passes than to spend a jack.
    """
    hand = table.hands[table.turn]
    fitting = _fitting(table, hand)
    if len(hand) == 1 and fitting and play_ban(table, hand[0]):
        fitting = []
    if not fitting:
        return _DRAW if pass_ban(table) else _PASS
    card = random.choice([card for card in fitting if RANK[card] != JACK] or fitting)
    if RANK[card] == JACK and table.phase == "second_card" and len(hand) > 1 and pass_ban(table) is None:
        return _PASS
    call: Call | None = "tek" if may_call(table) else None
    return Play(card, _longest(hand, nominable_suits(table, card)), call)


def _fitting(table: Table, hand: Hand) -> list[Card]:
    """Give what `legal.play_ban` allows, but for the bar, which forbids a last card."""
    if table.phase == "opening":
        return [card for card in hand if SUIT[card] == CLUBS]
    if table.penalty:
        return [] if table.rules.seven_run == "single" else [card for card in hand if RANK[card] == SEVEN]
    allowed = FOLLOWERS[table.discards[-1], table.suit, table.rules.jack_on_jack]
    return [card for card in hand if card in allowed]


def _longest(hand: Hand, suits: tuple[Suit, ...]) -> Suit | None:
    """Give the suit, of some, of which a hand holds most."""
    held = [SUIT[card] for card in hand]
    return max(suits, key=held.count) if suits else None


class _Weights(NamedTuple):
    """What a seat's chance to win the deal is judged by: the logarithm of its odds is the sum of these.

    Attributes:
        ranks: for each card in hand, by rank.
        few: for a hand of 1, 2, 3 … cards, beside its cards; nothing for longer ones.
        low_stock: for each point in hand when the stock is empty; less the more it holds, nothing from 15 on.
        on_turn: for being on turn.
        able: for holding a card that fits, on turn.
        fits: for each card that fits, up to three.
        owed: for each card owed.
        answer: for each card owed, with a seven in hand.
    """

    ranks: tuple[float, ...]
    few: tuple[float, ...]
    low_stock: float
    on_turn: float
    able: float
    fits: float
    owed: float
    answer: float


# Fitted to which seat won, in deals of the written game that quick and rule-of-thumb players played.
_OF_TWO: Final = _Weights(
    ranks=(0.06, -0.23, -0.23, -0.23, -0.23, -0.23, 0.22, 0.05, -0.23, -0.21, 0.38, -0.23, -0.23),
    few=(1.04, 0.47, 0.25, 0.17, 0.08, 0.04),
    low_stock=-0.023,
    on_turn=-0.19,
    able=0.38,
    fits=0.12,
    owed=-0.12,
    answer=0.24,
)
_OF_MORE: Final = _Weights(
    ranks=(-0.09, -0.4, -0.4, -0.4, -0.4, -0.4, -0.05, -0.3, -0.4, -0.4, 0.32, -0.4, -0.4),
    few=(0.93, 0.33, 0.10, 0.02, 0.02, 0.0),
    low_stock=-0.029,
    on_turn=-0.55,
    able=0.89,
    fits=0.09,
    owed=-0.2,
    answer=0.2,
)
_LOW_STOCK: Final = 15


def chance(table: Table, seat: int) -> float:
    """Give a seat's chance to win the deal, from 0 to 1; when it is over, its share of the win."""
    if table.result is not None:
        winners = table.result.winners
        return 1 / len(winners) if seat in winners else 0.0
    weights = _OF_TWO if len(table.hands) == 2 else _OF_MORE
    odds = [exp(_strength(table, other, weights)) for other in range(len(table.hands))]
    return odds[seat] / sum(odds)


def _strength(table: Table, seat: int, weights: _Weights) -> float:
    hand = table.hands[seat]
    strength = weights.few[len(hand) - 1] if len(hand) <= len(weights.few) else 0.0
    for card in hand:
        strength += weights.ranks[RANK[card]]
    if len(table.stock) < _LOW_STOCK:
        emptiness = 1 - len(table.stock) / _LOW_STOCK
        strength += weights.low_stock * emptiness * sum([POINTS[card] for card in hand])
    if table.penalty:
        if seat == table.turn:
            can_answer = any(RANK[card] == SEVEN for card in hand)
            strength += table.penalty * (weights.answer if can_answer else weights.owed)
        return strength
    fitting = len(_fitting(table, hand))
    strength += weights.fits * min(fitting, 3)
    if seat == table.turn:
        strength += weights.on_turn + (weights.able if fitting else 0.0)
    return strength
