"""Players to measure bots against, and the bots themselves."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from math import inf
from random import Random

from service.bots.choosing import Budget, Level, choose
from service.view import Data

from .tables import Player


def plays_first(view: Data, _log: Sequence[Data], random: Random) -> Data:
    """Play a random legal card; without one, draw one, then play or pass."""
    listed = view["you"]["legal_moves"]
    plays = [move for move in listed if move["type"] == "play"]
    return _body(random.choice(plays), random) if plays else {"type": listed[-1]["type"]}


def any_move(view: Data, _log: Sequence[Data], random: Random) -> Data:
    """Make any legal move: each listed one is as likely as any other."""
    return _body(random.choice(view["you"]["legal_moves"]), random)


def _body(move: Data, random: Random) -> Data:
    """Give the body of a listed move, without a call: the tables measured have none."""
    if move["type"] != "play":
        return {"type": move["type"]}
    suit = {"suit": random.choice(move["suits"])} if "suits" in move else {}
    return {"type": "play", "card": move["card"], **suit}


def bot(level: Level, rollouts: int = sys.maxsize, seconds: float = inf) -> Player:
    """Give a bot; `hard` is held to a number of rollouts, or to seconds of the processor."""
    budget = Budget(seconds, rollouts, time.thread_time)
    return lambda view, log, random: choose(level, view, log, random, budget)
