"""The number of all sequences of moves to a depth, from fixed positions: a net that small changes do not slip through.

The counts of dealt positions are checked against the reference; those of the small ones were counted by hand.
"""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from service.engine.legal import legal_moves
from service.engine.play import apply
from service.engine.state import Deal
from tests.builders import after, dealt, position
from tests.property.comparing import reference_of
from tests.reference import ReferenceDeal

# What the coverage of these would show is covered elsewhere, and measuring it doubles their time.
pytestmark = pytest.mark.no_cover

# seats, seed, options, moves already made, sequences to depth 1, 2, 3 …
DEALT: dict[str, tuple[int, int, dict[str, Any], str, list[int]]] = {
    "classic": (4, 10, {}, "", [5, 14, 75, 340, 1296, 4501, 15003]),
    "classic, later": (
        3,
        14,
        {},
        "draw draw draw draw draw draw draw draw draw draw 5C JD[S] 10S QS draw QH QC KC KD 7D 7H 7S draw draw KS",
        [4, 24, 92, 301, 1048, 3994, 15210],
    ),
    "two seats": (
        2,
        16,
        {"ten_two_seats": "skip", "ace": "everyone_draws"},
        "draw draw draw 10C KC draw JC[S] 7S draw 7D draw 6D",
        [10, 40, 138, 474, 1649, 5745, 19858],
    ),
    "everyone opens": (
        3,
        14,
        {"opening": "everyone", "decks": 2},
        "6C QC",
        [2, 18, 68, 286, 1211, 4961, 20565],
    ),
    "jacks": (
        2,
        36,
        {"jack_on_jack": True, "jack_suit": "different"},
        "draw draw draw QC 8C JC[S] 6S JH[H]",
        [7, 39, 192, 820, 3111, 11126],
    ),
    "sevens": (
        3,
        16,
        {"seven_run": "double", "after_penalty": "continue", "last_seven": "draws"},
        "draw draw draw 4C JS[D] draw 8D 9D draw 10D 10S 4S JH[D] draw 3D JC[H]",
        [6, 35, 126, 446, 1530, 4999, 15939],
    ),
    "calls": (
        3,
        44,
        {"hand_size": 3, "last_card_call": "tek", "ace": "must_follow"},
        "10C 5C 7C draw draw draw draw pass",
        [5, 20, 66, 191, 505, 1414, 3810, 10279],
    ),
    "reshuffles": (
        4,
        16,
        {"hand_size": 12, "stock_out": "reshuffle", "pass": "only_if_stuck"},
        "8C JC[H] 6H JH[S] 3S 5S 4S 10S 10D 7D draw draw 7C 7H draw 4H",
        [15, 80, 543, 3369, 19769],
    ),
}

# position, options, sequences to depth 1, 2, 3 …
BY_HAND: list[tuple[str, dict[str, Any], list[int]]] = [
    # 9D, draw | 9C, draw; 9D, pass | draw; 9C, pass; 9C; 9C | pass; (stuck); KD; (stuck); 9D
    ("hands 9D KD / 9C 3C; pile 9S; stock 2H", {}, [2, 4, 5, 3]),
    # three suits for the jack, and 4S | after C: 2C; after D: draw; after H: 5H; after 4S: draw
    ("hands JS 4S 6D / 2C 5H; pile 9S; stock 3D 3H", {"jack_suit": "different", "draw_only_if_unable": True}, [4, 4]),
    # 9D with and without the call, draw | twice 5D with and without the call, draw; 9D, draw, pass
    ("hands 9D KD / 3C 5D; pile 9S; stock 2H 4H", {"last_card_call": "tek"}, [3, 9]),
    # the whole penalty, or the seven | the turn passes: draw; 6 cards owed: draw
    ("hands 7D 4H / 2C 3C; pile 7S; stock 2H 2D 3H 3D 4D 5D 6D; penalty 3", {}, [2, 2]),
    # nothing is left: the seven ends the deal for the next seat
    ("hands 7D 4H / 2C 3C; pile 7S; penalty 3", {}, [1, 0, 0]),
]


def perft(deal: Deal, depth: int) -> int:
    listed = legal_moves(deal)
    if depth == 1:
        return len(listed)
    seat = deal.turn
    return sum(perft(apply(deal, seat, move)[0], depth - 1) for move in listed) if seat is not None else 0


def reference_perft(deal: ReferenceDeal, depth: int) -> int:
    if depth == 0:
        return 1
    count = 0
    for text in deal.moves():
        following = deepcopy(deal)
        assert following.do(text)
        count += reference_perft(following, depth - 1)
    return count


@pytest.mark.parametrize("name", DEALT)
def test_a_dealt_position_has_so_many_sequences_of_moves(name: str) -> None:
    seats, seed, options, moves, counts = DEALT[name]
    deal = after(dealt(seats, seed, **options), *moves.split())
    assert [perft(deal, depth) for depth in range(1, len(counts) + 1)] == counts


@pytest.mark.parametrize("name", DEALT)
def test_the_reference_counts_as_many_sequences(name: str) -> None:
    seats, seed, options, moves, counts = DEALT[name]
    reference = reference_of(dealt(seats, seed, **options))
    assert all(reference.do(text) for text in moves.split())
    few = [count for count in counts if count < 1500]
    assert [reference_perft(reference, depth) for depth in range(1, len(few) + 1)] == few


@pytest.mark.parametrize("text,options,counts", BY_HAND)
def test_a_small_position_has_as_many_sequences_as_were_counted_by_hand(
    text: str, options: dict[str, Any], counts: list[int]
) -> None:
    deal = position(text, **options)
    assert [perft(deal, depth) for depth in range(1, len(counts) + 1)] == counts
