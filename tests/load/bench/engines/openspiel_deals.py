"""Play random deals of OpenSpiel's Crazy Eights with four players: python openspiel_deals.py SECONDS."""

from __future__ import annotations

import random
import sys
import time
from typing import Any

import pyspiel  # type: ignore[import-not-found]  # only where the benchmark installs it


def main(seconds: float) -> None:
    """Play."""
    game: Any = pyspiel.load_game("crazy_eights", {"players": 4})
    rnd = random.Random(1)
    moves = 0
    began = time.process_time()
    while time.process_time() - began < seconds:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(rnd.choice(state.legal_actions()))  # a card is drawn or dealt
                continue
            state.apply_action(rnd.choice(state.legal_actions()))
            moves += 1
    print(moves / (time.process_time() - began))


if __name__ == "__main__":
    main(float(sys.argv[1]))
