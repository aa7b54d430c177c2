"""Any table, any house rules, any moves: the log alone gives back the moves, and the moves every position."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from multiprocessing import get_context
from random import Random

import pytest

from service.engine.cards import card_names
from service.engine.moves import Move, as_move
from service.engine.replay import replay
from service.engine.state import Deal
from service.journal import Journal, read_entry
from service.proof import moves_of, reshuffles_of
from service.store.base import Entry
from service.view import Data
from tests.strategies import random_deal, random_play
from tests.tables import NOW_MS

# What the coverage of these would show is covered elsewhere, and measuring it doubles their time.
pytestmark = pytest.mark.no_cover

FEW = 150
MANY = 5_000


def log_of(deal: Deal, moves: list[tuple[int, Move]]) -> list[Data]:
    """Give the events of a deal as they come out of the store."""
    journal = Journal(7, NOW_MS)
    for _, events in replay(deal.rules, deal.shuffler, deal.number, deal.dealer, moves):
        journal.add_all((deal.number, event) for event in events)
    return read_entry(Entry(journal.version, journal.encode()))


def assert_rebuilt(positions: list[Deal], made: list[tuple[int, Move]]) -> None:
    """Rebuild a deal from its log, and compare everything with what was played."""
    dealt = positions[0]
    log = log_of(dealt, made)
    told = [(move["seat"], as_move(move)) for move in moves_of(log, dealt.rules)]
    assert told == made
    assert log[0]["hands"] == [card_names(hand) for hand in dealt.hands]
    replayed = replay(dealt.rules, dealt.shuffler, dealt.number, log[0]["dealer_seat"], told)
    assert [deal for deal, _ in replayed] == positions
    assert_reshuffles(positions, list(reshuffles_of(log, dealt.shuffler)))


def assert_reshuffles(positions: list[Deal], told: list[Data]) -> None:
    """Hold the reshuffles that are told against the piles and stocks of the positions around them."""
    around = [(before, after) for before, after in pairwise(positions) if after.reshuffles > before.reshuffles]
    assert len(told) == positions[-1].reshuffles == len(around)
    for (before, after), reshuffle in zip(around, told, strict=True):
        stock = card_names(after.stock)
        # What is left of the new stock after the draw; the draw may have followed a card laid in the same move.
        assert reshuffle["stock"][-len(stock) :] == stock or not stock
        assert reshuffle["pile"] in (card_names(before.discards[:-1]), card_names(before.discards))


def check_deal(seed: int) -> Counter[str]:
    """Play the deal of a seed and rebuild it; a failure names the seed and the options.

    Returns:
        What was seen.
    """
    random = Random(seed)
    positions = [random_deal(random)]
    made: list[tuple[int, Move]] = []
    for before, move, after in random_play(positions[0], random):
        assert before.turn is not None
        made.append((before.turn, move))
        positions.append(after)
    rules, last = positions[0].rules, positions[-1]
    try:
        assert_rebuilt(positions, made)
    except Exception as error:
        raise AssertionError(f"seed {seed}, options {rules.options}: {error!r}") from error
    return Counter({"deals": 1, "moves": len(made), "reshuffles": last.reshuffles, f"ace {rules.ace}": 1})


def test_r22_the_log_gives_back_every_move_and_every_position() -> None:
    assert sum(map(check_deal, range(FEW)), Counter[str]())["deals"] == FEW


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_r22_the_log_gives_back_every_position_of_thousands_of_deals() -> None:
    with get_context("spawn").Pool() as pool:
        seen = sum(pool.imap_unordered(check_deal, range(1_000_000, 1_000_000 + MANY), 50), Counter[str]())
    assert seen["deals"] == MANY
    assert min(seen.values()) > 100, seen
    print(f"\nRebuilt from their logs: {dict(seen)}")
