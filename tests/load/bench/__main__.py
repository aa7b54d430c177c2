"""`python -m tests.load.bench [move …] [--rounds N] [--seconds S] [--quick]` prints the figures."""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from . import move
from .results import Effort, Results

PARTS = {"move": move.run}


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.load.bench")
    parser.add_argument("parts", nargs="*", metavar="part", help=f"what to measure: {', '.join(PARTS)}; without, all")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=2.0)
    asked = parser.parse_args()
    results = Results()
    for name in asked.parts or PARTS:
        with tempfile.TemporaryDirectory(prefix="pis-yedili-bench-") as folder:
            PARTS[name](Path(folder), Effort(asked.rounds, asked.seconds, True, 10_000, 2000), results)
    for name, values in results:
        print(f"{name:32} {values}")
    for what in ("server CPU µs", "p99 ms"):
        print(f"move ÷ floor, {what:18} {results.ratio(f'move, {what}', f'floor, {what}')}")


if __name__ == "__main__":
    main()
