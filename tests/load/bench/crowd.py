"""Many live streams on one worker: what each takes, and how soon a move reaches the last of them."""

from __future__ import annotations

from pathlib import Path

from tests.load import streams

from .results import Effort, Results


def run(folder: Path, effort: Effort, results: Results) -> None:
    """Open the streams once, and make one move."""
    crowd = streams.run_crowd(folder, streams=effort.streams)
    assert crowd.is_kept(), crowd
    results.add("stream, kB", crowd.kilobytes_a_stream)
    results.add(f"move to {effort.streams} listeners, p50 ms", crowd.p50_ms)
    results.add(f"move to {effort.streams} listeners, p99 ms", crowd.p99_ms)
