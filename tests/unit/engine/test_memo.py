"""Values that are made once."""

from __future__ import annotations

import pytest

from service.engine import memo
from service.engine.memo import Memo


def test_a_value_is_made_once_of_the_same_arguments() -> None:
    made: list[tuple[int, int]] = []

    def add(left: int, right: int) -> int:
        made.append((left, right))
        return left + right

    sums = Memo(add)
    assert [sums[1, 2], sums[1, 2], sums[2, 2]] == [3, 3, 4]
    assert made == [(1, 2), (2, 2)]


def test_it_keeps_a_bounded_number_of_values(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memo, "_MOST", 3)
    squares = Memo(lambda number: number * number)
    assert [squares[number,] for number in range(10)] == [number * number for number in range(10)]
    assert len(squares) <= 3
