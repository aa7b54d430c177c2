"""Play random deals of RLCard's Uno, which tells the legal moves with each step: python rlcard_deals.py SECONDS."""

from __future__ import annotations

import random
import sys
import time
from typing import Any

import rlcard  # type: ignore[import-not-found]  # only where the benchmark installs it


def main(seconds: float) -> None:
    """Play."""
    environment: Any = rlcard.make("uno", config={"seed": 1})
    rnd = random.Random(1)
    moves = 0
    began = time.process_time()
    while time.process_time() - began < seconds:
        state, _ = environment.reset()
        while not environment.is_over():
            state, _ = environment.step(rnd.choice(list(state["legal_actions"])))
            moves += 1
    print(moves / (time.process_time() - began))


if __name__ == "__main__":
    main(float(sys.argv[1]))
