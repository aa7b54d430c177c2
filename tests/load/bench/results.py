"""What a run has measured: several values a figure, one a round."""

from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from .driving import Measured

FETCHED: Final = Path("build/bench")
"""Where other people's programs are installed."""


class Effort(NamedTuple):
    """How much is done.

    Attributes:
        rounds: how often everything is measured, one after the other.
        seconds: how long each stretch of load is.
        with_peers: whether to fetch and measure other people's programs.
        live_matches: how many matches are many.
        streams: how many streams one worker is given.
    """

    rounds: int
    seconds: float
    with_peers: bool
    live_matches: int
    streams: int


class Values(NamedTuple):
    """The values of a figure."""

    values: tuple[float, ...]

    @property
    def median(self) -> float:
        """The one in the middle."""
        return statistics.median(self.values)

    def __str__(self) -> str:
        """Give the median and the range, with three digits."""
        if len(self.values) == 1:
            return _digits(self.median)
        return f"{_digits(self.median)} ({_digits(min(self.values))} to {_digits(max(self.values))})"


def _digits(value: float) -> str:
    if abs(value) >= 1000:
        return f"{value:,.0f}"
    return f"{value:.0f}" if abs(value) >= 100 else f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"


class Results:
    """The figures by name, and what was left out."""

    def __init__(self) -> None:
        """Begin with none."""
        self._values: defaultdict[str, list[float]] = defaultdict(list)
        self.notes: list[str] = []

    def add(self, name: str, value: float) -> None:
        """Add the value of one round."""
        self._values[name].append(value)

    def add_load(self, name: str, load: Measured) -> None:
        """Add what one stretch of load showed."""
        self.add(f"{name}, a second", load.rate)
        self.add(f"{name}, server CPU µs", load.worker_us)
        self.add(f"{name}, store CPU µs", load.store_us)
        self.add(f"{name}, p50 ms", load.p50_ms)
        self.add(f"{name}, p99 ms", load.p99_ms)

    def note(self, text: str) -> None:
        """Tell something about the run."""
        print(text, flush=True)
        self.notes.append(text)

    def find(self, name: str) -> Values | None:
        """Give the values of a figure; None if it was not measured."""
        return Values(tuple(self._values[name])) if name in self._values else None

    def ratio(self, name: str, divisor: str) -> Values | None:
        """Divide one figure by another, round by round."""
        values, divisors = self.find(name), self.find(divisor)
        if values is None or divisors is None:
            return None
        return Values(tuple(a / b for a, b in zip(values.values, divisors.values, strict=True)))

    def __iter__(self) -> Iterator[tuple[str, Values]]:
        """Give every figure in the order of measuring."""
        return ((name, Values(tuple(values))) for name, values in self._values.items())
