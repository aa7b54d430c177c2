"""What the figures should be, and the tables that tell what they are."""

from __future__ import annotations

import os
import platform
import re
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from .results import LOAD_FIGURES, Results, Values, digits

BEGIN: Final = "<!-- written by `make bench` -->"
END: Final = "<!-- until here -->"


class Bar(NamedTuple):
    """What is asked of a figure, or of its ratio to another.

    Attributes:
        title: what it is called.
        bar: what it must reach.
        goal: what it should reach.
        figure: the name among the results.
        divisor: the name of what it is divided by, round by round; none for the figure itself.
    """

    title: str
    bar: float
    goal: float
    figure: str
    divisor: str | None = None

    @property
    def is_least(self) -> bool:
        """Whether more is better."""
        return self.goal > self.bar

    def measured(self, results: Results) -> Values | None:
        """Find the values; None if they were not measured."""
        if self.divisor is None:
            return results.find(self.figure)
        return results.ratio(self.figure, self.divisor)

    def verdict(self, value: float) -> str:
        """Say what a value reaches."""
        for reached, limit in (("goal", self.goal), ("bar", self.bar)):
            if value >= limit if self.is_least else value <= limit:
                return reached
        return "no"


BARS: Final = (
    Bar("moves a second ÷ boardgame.io's", 1.2, 1.45, "move, a second", "boardgame.io, a second"),
    Bar("server CPU of a move ÷ the floor's", 1.4, 1.25, "move, server CPU µs", "floor, server CPU µs"),
    Bar("p99 of a move ÷ the floor's", 1.5, 1.25, "move, p99 ms", "floor, p99 ms"),
    Bar("moves a second with metrics ÷ without", 0.9, 0.95, "move, a second", "move without metrics, a second"),
    Bar("store commands a move", 2, 2, "store commands a move"),
    Bar(
        "engine's moves a second ÷ OpenSpiel's",
        0.3,
        1,
        "engine, moves a second",
        "OpenSpiel crazy_eights, moves a second",
    ),
    Bar("engine's moves a second ÷ RLCard's", 4, 10, "engine, moves a second", "RLCard uno, moves a second"),
    Bar("server CPU of move 400 ÷ move 1", 1.1, 1.05, "move 400, server CPU µs", "move 1, server CPU µs"),
    Bar(
        "server CPU of a move among many matches ÷ few",
        1.1,
        1.05,
        "move among many matches, server CPU µs",
        "move among few matches, server CPU µs",
    ),
    Bar("memory of a match of 4, state alone, kB", 4, 2, "match of 4, state, kB"),
    Bar(
        "memory of a match of 4, with its log after 100 moves, kB",
        24,
        10,
        "match of 4, state and log after 100 moves, kB",
    ),
    Bar("memory of a stream, kB", 25, 20, "stream, kB"),
)


def report(results: Results) -> str:
    """Write the tables, in Markdown."""
    lines = [
        f"Measured on {time.strftime('%Y-%m-%d')} on {machine()}. Medians; in brackets the range of the rounds.",
        *results.notes,
        "",
        *_table(("figure", "bar", "goal", "measured", "reached"), _judged(results)),
        *_table(("under load", *LOAD_FIGURES), (_load(name, results) for name in results.loads)),
        *_table(("else", "measured"), ((name, str(values)) for name, values in results.others())),
    ]
    return "\n".join(lines).rstrip()


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    filled = list(rows)
    lines = [f"| {' | '.join(row)} |" for row in (heads, ["---"] * len(heads), *filled)]
    return [*lines, ""] if filled else []


def _load(name: str, results: Results) -> list[str]:
    found = [results.find(f"{name}, {what}") for what in LOAD_FIGURES]
    return [name, *(digits(values.median) for values in found if values)]


def _judged(results: Results) -> Iterator[list[str]]:
    for bar in BARS:
        sign = "≥" if bar.is_least else "≤"
        values = bar.measured(results)
        outcome = ["not measured", ""] if values is None else [str(values), bar.verdict(values.median)]
        yield [bar.title, f"{sign} {bar.bar:g}", f"{sign} {bar.goal:g}", *outcome]


def machine() -> str:
    """Describe the machine and its software."""
    model = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text())
    processor = model[1] if model else platform.machine()
    return f"{os.cpu_count()} cores of {processor}, Linux {platform.release()}, Python {platform.python_version()}"


def write(page: Path, text: str) -> None:
    """Put the tables into a page, between the marks."""
    before, begin, rest = page.read_text().partition(BEGIN)
    _, end, after = rest.partition(END)
    assert begin, f"{page} has no {BEGIN}"
    assert end, f"{page} has no {END}"
    page.write_text(f"{before}{begin}\n{text}\n{end}{after}")
