"""What a run has measured: several values a figure, one a round."""

from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from .driving import Measured

LOAD_FIGURES: Final = ("a second", "p50 ms", "p99 ms", "server CPU µs", "store CPU µs")
"""The names of the members of `Measured`, in order."""
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
            return digits(self.median)
        return f"{digits(self.median)} ({digits(min(self.values))} to {digits(max(self.values))})"


def digits(value: float) -> str:
    """Write a number with three digits, or all those before the point."""
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}"


class Results:
    """The figures by name.

    Attributes:
        loads: the names of what was put under load, in order; each has all the `LOAD_FIGURES`.
        notes: what else is to be told.
    """

    def __init__(self) -> None:
        """Begin with none."""
        self._values: defaultdict[str, list[float]] = defaultdict(list)
        self.loads: dict[str, None] = {}
        self.notes: list[str] = []

    def add(self, name: str, value: float) -> None:
        """Add the value of one round."""
        self._values[name].append(value)

    def add_load(self, name: str, load: Measured) -> None:
        """Add what one stretch of load showed."""
        self.loads[name] = None
        for figure, value in zip(LOAD_FIGURES, load, strict=True):
            self.add(f"{name}, {figure}", value)

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

    def others(self) -> Iterator[tuple[str, Values]]:
        """Give the figures that belong to no load, in the order of measuring."""
        of_loads = {f"{name}, {figure}" for name in self.loads for figure in LOAD_FIGURES}
        return ((name, Values(tuple(values))) for name, values in self._values.items() if name not in of_loads)
