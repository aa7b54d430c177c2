"""How strong the bots are: `make strength` plays whole series of deals and prints the share that each bot wins.

One bot sits at a table of others; the seats rotate, and the cards of a series follow from its number. A deal that
several win is shared. `hard` is held to a number of rollouts, so that the figures can be repeated, or with `--seconds`
to a time. How long a move takes is measured beside it, in the time of the processor, where there is a choice.

`python -m tests.strength --deals 200 hard normal` plays shorter series of the rows with these words in their name.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from service.engine.rules import resolve
from service.view import Data

from .players import any_move, bot, plays_first
from .tables import Player, deal_of, play_deal


class Row(NamedTuple):
    """A series to play: one bot among opponents, and the share of deals that it must win."""

    level: str
    opponent: str
    seats: int
    least: float


ROWS = (
    Row("normal", "plays-first", 2, 0.58),
    Row("normal", "plays-first", 4, 0.31),
    Row("normal", "any-move", 2, 0.90),
    Row("normal", "any-move", 4, 0.65),
    Row("hard", "plays-first", 2, 0.64),
    Row("hard", "plays-first", 4, 0.33),
    Row("hard", "normal", 2, 0.54),
    Row("hard", "normal", 4, 0.26),
)


class Clocked:
    """A player, with the time that each of its moves took where there was a choice."""

    def __init__(self, player: Player) -> None:
        self._player = player
        self.milliseconds: list[float] = []

    def __call__(self, view: Data, log: Sequence[Data], random: Random) -> Data:
        began = time.thread_time()
        body = self._player(view, log, random)
        if len(view["you"]["legal_moves"]) > 1:
            self.milliseconds.append((time.thread_time() - began) * 1000)
        return body

    def __str__(self) -> str:
        taken = sorted(self.milliseconds)
        p50, p99, most = (taken[int(part * (len(taken) - 1))] for part in (0.5, 0.99, 1.0))
        return f"ms a move: p50 {p50:.2f}, p99 {p99:.2f}, max {most:.2f}, mean {sum(taken) / len(taken):.2f}"


def share_won(player: Player, opponent: Player, seats: int, deals: int, seed: int) -> float:
    """Play a series of deals; give the share that the player wins.

    It sits at each seat in turn. The deal's cards, and all that chance decides in it, follow from seed and number.
    """
    rules = resolve({}, seats).rules
    won = 0.0
    for number in range(deals):
        random = Random(f"{seed}/{number}")
        seat = number % seats
        players = [player if place == seat else opponent for place in range(seats)]
        *_, end = play_deal(deal_of(rules, seats, random), players, random)
        assert end.deal.result
        won += (seat in end.deal.result.winners) / len(end.deal.result.winners)
    return won / deals


def main() -> int:
    """Play the rows asked for; give the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.strength", description="Measure the bots.")
    parser.add_argument("--deals", type=int, default=2000, help="deals a row (2000)")
    parser.add_argument("--rollouts", type=int, default=100, help="rollouts a move of hard (100)")
    parser.add_argument("--seconds", type=float, help="the time a move of hard, instead of rollouts")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("words", nargs="*", help="only rows with all of these words, as in: hard any-move 4")
    asked = parser.parse_args()
    players = {
        "plays-first": plays_first,
        "any-move": any_move,
        "normal": bot("normal"),
        "hard": bot("hard", seconds=asked.seconds) if asked.seconds else bot("hard", asked.rollouts),
    }
    missed = 0
    for row in ROWS:
        if not set(asked.words) <= {row.level, row.opponent, str(row.seats)}:
            continue
        player = Clocked(players[row.level])
        share = share_won(player, players[row.opponent], row.seats, asked.deals, asked.seed)
        error = 1.96 * math.sqrt(share * (1 - share) / asked.deals)
        missed += share < row.least
        name = f"{row.level:6} against {row.opponent:11}, {row.seats} seats"
        print(f"{name}: {share:.3f} ± {error:.3f} (at least {row.least:.2f}); {player}", flush=True)
    return 1 if missed else 0


if __name__ == "__main__":
    raise SystemExit(main())
