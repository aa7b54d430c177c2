"""The one function of the bots: from what a seat sees to the move that it makes."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from random import Random
from typing import Final, Literal, NamedTuple, TypeAlias, get_args

from ..engine.moves import Draw, Move, Pass, Play
from .search import by_search
from .sight import Body, Data, Sight, look
from .thumb import by_thumb

Level: TypeAlias = Literal["easy", "normal", "hard"]
LEVELS: Final[tuple[Level, ...]] = get_args(Level)


class Budget(NamedTuple):
    """What `hard` may spend on one move: it stops at whichever limit comes first.

    Attributes:
        seconds: how long it may think, by `clock`.
        rollouts: how often it may try a move out.
        clock: tells the time, in seconds from any moment on.
    """

    seconds: float = 0.05
    rollouts: int = sys.maxsize
    clock: Callable[[], float] = time.perf_counter

    def begin(self) -> Callable[[int], float]:
        """Begin to spend it; give what tells, after so many rollouts, which part is spent (1: all)."""
        began = self.clock()
        return lambda rollouts: max((self.clock() - began) / self.seconds, rollouts / self.rollouts)


def choose(level: Level, view: Data, log: Sequence[Data], random: Random, budget: Budget) -> Body:
    """Choose a move for a seat that is on turn.

    Args:
        level: `easy` plays any legal card, `normal` by rules of thumb, `hard` by trying the moves out in
            many possible deals.
        view: the match as a player at the seat sees it, with `you`.
        log: the events that this player could have followed, as they were shown to them, in order; those before the
            last `deal_started` are not needed. Without its beginning, or without any of it, `hard` knows less.
        random: decides what is left to chance. With `hard` under a clock the choice depends on the time too.
        budget: what `hard` may spend; the others take no notice of it, and a seat with one move takes no time.

    Returns:
        The move, as a body that can be posted.
    """
    spent = budget.begin()
    sight = look(view)
    if len(sight.moves) == 1:
        move = next(iter(sight.moves))
    elif level == "easy":
        move = _at_random(sight, random)
    elif level == "normal":
        move = by_thumb(sight, random)
    else:
        move = by_search(sight, log, random, spent)
    return sight.moves[move]


def _at_random(sight: Sight, random: Random) -> Move:
    """Play a legal card; without one, pass, and draw only to be allowed to."""
    plays = [move for move in sight.moves if isinstance(move, Play)]
    if plays:
        return random.choice(plays)
    return Pass() if Pass() in sight.moves else Draw()
