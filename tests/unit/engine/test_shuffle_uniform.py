"""Shuffles favour no card, no place and no neighbour (R22): chi-square over many packs, from seeds that are the same
in every run."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping
from math import erfc, sqrt
from typing import Any

import pytest

from service.engine.shuffle import Shuffler

SUSPICIOUS = 0.001
"""A p value below this speaks against uniformity, one above its complement against randomness."""


def p_values(shuffles: int) -> dict[str, float]:
    """Shuffle so many packs and give the p value of each count, were all outcomes equally likely."""
    first, last, neighbours = Counter[int](), Counter[int](), Counter[tuple[int, int]]()
    for number in range(shuffles):
        pack = Shuffler(hashlib.sha256(str(number).encode()).digest(), "uniform", 1, ("", "")).pack(1)
        first[pack[0]] += 1
        last[pack[-1]] += 1
        # One pair a pack, each time from the next place: pairs of the same pack are not independent.
        place = number % 51
        neighbours[pack[place], pack[place + 1]] += 1
    return {
        "first card": p_value(first, 52, shuffles),
        "last card": p_value(last, 52, shuffles),
        "neighbours": p_value(neighbours, 52 * 51, shuffles),
    }


def p_value(counts: Mapping[Any, float], outcomes: int, trials: int) -> float:
    """Give the chance of a chi-square at least as large, by the approximation of Wilson and Hilferty."""
    expected = trials / outcomes
    unseen = outcomes - len(counts)
    chi_square = sum((count - expected) ** 2 for count in counts.values()) / expected + unseen * expected
    freedom = outcomes - 1
    spread = 2 / (9 * freedom)
    deviation = ((chi_square / freedom) ** (1 / 3) - (1 - spread)) / sqrt(spread)
    return erfc(deviation / sqrt(2)) / 2


def test_the_p_value_is_that_of_the_tables() -> None:
    # 68.67 is the upper 5 % point of chi-square with 51 degrees of freedom.
    halves = {outcome: 1000 + (36.34 if outcome % 2 else -36.34) for outcome in range(52)}
    assert p_value(halves, 52, 52_000) == pytest.approx(0.05, abs=0.001)


def test_r22_five_thousand_shuffles_favour_nothing() -> None:
    assert all(SUSPICIOUS < p < 1 - SUSPICIOUS for p in p_values(5_000).values())


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_r22_two_hundred_thousand_shuffles_favour_nothing() -> None:
    found = p_values(200_000)
    print(found)
    assert all(SUSPICIOUS < p < 1 - SUSPICIOUS for p in found.values())
