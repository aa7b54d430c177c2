"""`normal`: a player by rules of thumb. It looks at its own hand, the top card and how many cards the next seat holds.

It plays when it can and never draws by choice. Jacks it keeps for the turn in which nothing else fits, also after an
ace, where it rather passes; sevens it keeps until the next seat is about to go out. It leads towards the suit in which
it is long, and spends aces and (of two seats) eights when it holds the card that follows them.
"""

from __future__ import annotations

from random import Random
from typing import Final

from ..engine.cards import ACE, EIGHT, JACK, POINTS, RANK, SEVEN, SUIT, TEN
from ..engine.legal import FOLLOWERS
from ..engine.moves import Draw, Move, Pass, Play
from .sight import Sight

# How good a play is, in the worth of no unit but each other's; found by trying them out against other players.
_PER_CARD_OF_SUIT: Final = 0.4
_PER_CARD_OF_RANK: Final = 0.3
_PER_POINT: Final = 0.013
_JACK: Final = -8.0
_SEVEN: Final = -1.0
_SEVEN_IN_DANGER: Final = 0.9
_ACE: Final = 0.5
_ACE_WITH_FOLLOWER: Final = 1.5
_SKIP: Final = 0.3
_SKIP_IN_DANGER: Final = 1.4
_NEW_TURN_WITH_FOLLOWER: Final = 1.5
_NEW_TURN_WITHOUT: Final = -3.7
_FEW_CARDS: Final = 2


def by_thumb(sight: Sight, random: Random) -> Move:
    """Choose the best-looking move; chance decides between equals."""
    plays = [move for move in sight.moves if isinstance(move, Play)]
    if not plays:
        return Pass() if Pass() in sight.moves else Draw()
    best = max(plays, key=lambda play: (_worth(sight, play), random.random()))
    keeps_jack = RANK[best.card] == JACK and len(sight.hand) > 1
    return Pass() if sight.phase == "second_card" and keeps_jack and Pass() in sight.moves else best


def _worth(sight: Sight, play: Play) -> float:
    """Tell how good a play looks."""
    rest = list(sight.hand)
    rest.remove(play.card)
    rank = RANK[play.card]
    suit = SUIT[play.card] if play.suit is None else play.suit
    worth = _PER_POINT * POINTS[play.card] + _PER_CARD_OF_SUIT * sum(SUIT[card] == suit for card in rest)
    if rank == JACK:
        return worth + _JACK
    worth += _PER_CARD_OF_RANK * sum(RANK[card] == rank for card in rest)
    return worth if sight.phase == "opening" else worth + _worth_of_effect(sight, play, rest)


def _worth_of_effect(sight: Sight, play: Play, rest: list[int]) -> float:
    rank, rules = RANK[play.card], sight.rules
    in_danger = sight.counts[sight.following] <= _FEW_CARDS
    if rank == SEVEN:
        return _SEVEN + _SEVEN_IN_DANGER * in_danger
    fitting = FOLLOWERS[play.card, SUIT[play.card], rules.jack_on_jack]
    has_follower = any(card in fitting and RANK[card] != JACK for card in rest)
    if rank == ACE and rules.ace in ("again", "must_follow"):
        return _ACE + _ACE_WITH_FOLLOWER * has_follower
    if not _skips(sight, rank):
        return 0.0
    if len(sight.counts) == 2:
        return _SKIP + (_NEW_TURN_WITH_FOLLOWER if has_follower else _NEW_TURN_WITHOUT)
    return _SKIP + _SKIP_IN_DANGER * in_danger


def _skips(sight: Sight, rank: int) -> bool:
    """Tell whether a card of a rank makes the next seat miss its turn, at this table."""
    rules = sight.rules
    if rank == EIGHT:
        return rules.eight == "skip"
    if rank == TEN:
        return len(sight.counts) == 2 and rules.ten_two_seats == "skip"
    return rank == ACE and rules.ace in ("skip", "next_draws")
