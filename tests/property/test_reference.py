"""The engine and the reference play the same random deals and must agree on everything after every move."""

from __future__ import annotations

import os
from collections import Counter
from multiprocessing import get_context

import pytest

from tests.property.comparing import compare_deal

# What the coverage of these would show is covered elsewhere, and measuring it doubles their time.
pytestmark = pytest.mark.no_cover

FEW = int(os.environ.get("ENGINE_DEALS", "100"))
MANY = 20_000


@pytest.mark.parametrize("part", range(4))
def test_engine_and_reference_agree_over_random_deals_and_options(part: int) -> None:
    seen = sum((compare_deal(seed) for seed in range(part, FEW, 4)), Counter[str]())
    assert seen["went_out"] + seen["stock_out"] == len(range(part, FEW, 4))


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_engine_and_reference_agree_over_twenty_thousand_deals() -> None:
    with get_context("spawn").Pool() as pool:
        seen = sum(pool.imap_unordered(compare_deal, range(1_000_000, 1_000_000 + MANY), 50), Counter[str]())
    assert seen["went_out"] + seen["stock_out"] == MANY
    rare = ("reshuffled", "by the move limit", "by the last seven", "barred", "jack on jack", "everyone opens")
    assert all(seen[what] for what in rare), seen
