"""`python -m tests.load.bench [part …]` measures, `--help` tells the rest."""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from . import calls, crowd, engines, move, size
from .report import report, write
from .results import Effort, Results

PARTS: Final[dict[str, Callable[[Path, Effort, Results], None]]] = {
    "move": move.run,
    "calls": calls.run,
    "engine": engines.run,
    "streams": crowd.run,
    "size": size.run,
}
FULL: Final = Effort(rounds=25, seconds=1.0, with_peers=True, live_matches=10_000, streams=2000)
QUICK: Final = Effort(rounds=3, seconds=0.7, with_peers=False, live_matches=1000, streams=200)


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.load.bench", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="part", help=f"what to measure: {', '.join(PARTS)}; else all")
    parser.add_argument("--quick", action="store_true", help="a minute, without the programs of others")
    parser.add_argument("--rounds", type=int, help="how often each figure is taken")
    parser.add_argument("--seconds", type=float, help="how long each stretch of load is")
    parser.add_argument("--write", action="store_true", help="put the tables into README.md")
    asked = parser.parse_args()
    effort = QUICK if asked.quick else FULL
    effort = effort._replace(rounds=asked.rounds or effort.rounds, seconds=asked.seconds or effort.seconds)
    results = Results()
    for name in asked.parts or PARTS:
        began = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="pis-yedili-bench-") as folder:
            PARTS[name](Path(folder), effort, results)
        print(f"{name}: {time.monotonic() - began:.0f} s", flush=True)
    text = report(results)
    print(text)
    if asked.write:
        write(Path("README.md"), text)


if __name__ == "__main__":
    main()
