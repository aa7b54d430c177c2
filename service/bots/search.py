"""`hard`: information-set Monte Carlo search over the engine.

What the seat does not see is filled in at random, over and over (`worlds`). In each such deal every move that is still
in question is made, a few quick moves follow, and the seat's chance to win the deal is judged (`playout`). The worse
half of the moves is dropped whenever its part of the budget is spent, so that the rest goes to the best (sequential
halving). All moves meet the same deals, which makes their means comparable early. The move of the rules of thumb has a
small advance, because what few rollouts find better is often chance.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import ceil, log2
from random import Random
from typing import Final

from ..engine.moves import Move
from ..engine.play import carry_out
from ..engine.state import Deal, thaw
from .playout import chance, play_on
from .sight import Data, Sight
from .thumb import by_thumb
from .worlds import worlds

MOVES_AHEAD: Final = 4
"""So many quick moves follow a move before the outcome is judged: it answers, and sees it answered."""
FEWEST: Final = 30
"""What fewer rollouts find is chance more often than not: then the rules of thumb play better."""
ADVANCE: Final = 0.02
"""By how much of a chance to win the move of the rules of thumb may look worse than the best, and be made."""


class _Candidate:
    """A move in question, with an advance on the chance to win the deal that is found after it."""

    def __init__(self, move: Move, advance: float) -> None:
        self.move = move
        self._advance = advance
        self._rollouts = 0
        self._total = 0.0

    @property
    def worth(self) -> float:
        """The mean chance to win the deal after this move, with its advance; of one that was not tried the advance."""
        return self._advance + (self._total / self._rollouts if self._rollouts else 0.0)

    def roll_out(self, deal: Deal, seat: int, random: Random) -> None:
        """Try the move in a possible deal."""
        table = thaw(deal)
        carry_out(table, self.move)
        play_on(table, MOVES_AHEAD, random)
        self._total += chance(table, seat)
        self._rollouts += 1


def by_search(sight: Sight, log: Sequence[Data], random: Random, spent: Callable[[int], float]) -> Move:
    """Choose the move with the best chance to win the deal.

    Args:
        sight: what the seat sees.
        log: what it could follow.
        random: fills in what it does not see.
        spent: tells what part of the budget is spent after so many rollouts; from 1 on the search stops.

    Returns:
        The best move found; with time for few rollouts alone, what the rules of thumb say.
    """
    first = by_thumb(sight, random)
    others = [move for move in sight.moves if move != first]
    alive = [_Candidate(first, ADVANCE), *(_Candidate(move, 0.0) for move in others)]
    deals = worlds(sight, log, random)
    rounds = ceil(log2(len(alive)))
    rollouts = 0
    for number in range(1, rounds + 1):
        while spent(rollouts) < number / rounds:
            deal = next(deals)
            for candidate in alive:
                if spent(rollouts) >= 1:
                    break
                candidate.roll_out(deal, sight.seat, random)
                rollouts += 1
        alive = sorted(alive, key=lambda candidate: -candidate.worth)[: ceil(len(alive) / 2)]
    return alive[0].move if rollouts >= FEWEST else first
