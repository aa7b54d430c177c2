"""The long fault tests: `make chaos` prints their figures and fails if a promise is broken.

`python -m tests.load kills races …` runs some of them.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from . import kills, leaks, leavers, lobby, presence, proxy, quick, races, stopped, streams, thinking, webhooks

RUNS: dict[str, Callable[[Path], object]] = {
    "kills": lambda folder: kills.run(folder, worker_kills=100, store_kills=20),
    "proxy": lambda folder: proxy.run(folder, moves=20_000),
    "races": lambda folder: races.run(folder, turns=1000),
    "cuts": lambda folder: streams.run_cuts(folder, cuts=1000),
    "crowd": lambda folder: streams.run_crowd(folder, streams=2000),
    "leaks": lambda folder: leaks.run(folder, matches=10),
    "leavers": lambda folder: leavers.run(folder, matches=1000, kills=40, pause=15, deals=1),
    "quick": lambda folder: quick.run(folder, callers=4000, kills=20),
    "lobby": lambda folder: lobby.run(folder, stay=5000, come=500, go=500),
    "webhooks": lambda folder: webhooks.run(folder, matches=60, kills=30),
    "presence": lambda folder: presence.run(folder, matches=100),
    "stopped": lambda folder: stopped.run(folder, seconds=10),
    "thinking": lambda folder: thinking.run(folder, seconds=20),
}


def main(names: list[str]) -> int:
    """Run the named tests, or all; give the exit status."""
    broken = []
    for name in names or RUNS:
        began = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="pis-yedili-chaos-") as folder:
            outcome = RUNS[name](Path(folder))
        kept = outcome.is_kept()  # type: ignore[attr-defined]  # every outcome tells
        print(f"{name}: {outcome} [{time.monotonic() - began:.0f} s] {'ok' if kept else 'BROKEN'}", flush=True)
        if not kept:
            broken.append(name)
    return 1 if broken else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
