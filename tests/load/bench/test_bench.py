"""The benchmark in short: that it measures, not what."""

from pathlib import Path

import pytest

from . import move, report
from .report import BEGIN, END, Bar
from .results import Effort, Results


def test_a_move_is_measured_beside_the_floor(tmp_path: Path) -> None:
    results = Results()
    move.run(tmp_path, Effort(rounds=1, seconds=0.5, with_peers=False, live_matches=0, streams=0), results)
    cost = results.ratio("move, server CPU µs", "floor, server CPU µs")
    assert cost is not None
    assert 0.5 < cost.median < 10


@pytest.mark.parametrize("value,reached", [(1.1, "no"), (1.2, "bar"), (1.44, "bar"), (1.45, "goal")])
def test_a_figure_is_held_against_its_bar_and_goal(value: float, reached: str) -> None:
    assert Bar("more is better", bar=1.2, goal=1.45, figure="").verdict(value) == reached
    assert Bar("less is better", bar=-1.2, goal=-1.45, figure="").verdict(-value) == reached


def test_the_tables_replace_those_before_them_and_nothing_else(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"before\n{BEGIN}\nold\n{END}\nafter\n")
    report.write(page, report.report(Results()))
    before, _, rest = page.read_text().partition(BEGIN)
    tables, _, after = rest.partition(END)
    assert (before, after) == ("before\n", "\nafter\n")
    assert "| store commands a move | ≤ 2 | ≤ 2 | not measured |  |" in tables
    assert "old" not in tables
