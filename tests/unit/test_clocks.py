"""How long turns last, what is left in the banks, and what the clock plays."""

from __future__ import annotations

import pytest

from service.clocks import Clock, Timing, clock_move, put_off, wound
from service.engine.events import DealStarted, TurnPassed, TurnStarted
from service.engine.match import Happening
from service.engine.moves import format_move
from tests.builders import position

CLOCK = Clock(turn_seconds=10, bank_seconds=5, deal_pause=8)
NOW = 1_000_000


def after_turn(timing: Timing, turn: int, now_ms: int, next_seat: int) -> Timing:
    happenings: list[Happening] = [(1, TurnPassed(turn)), (1, TurnStarted(next_seat, "turn", 0))]
    wounded = wound(CLOCK, timing, turn, happenings, 2, now_ms)
    assert wounded is not None
    return wounded


def test_the_first_turn_of_a_deal_has_its_time_its_bank_and_the_pause() -> None:
    dealt: list[Happening] = [(1, DealStarted(0, "", 38, ())), (1, TurnStarted(1, "opening", 0))]
    first = wound(CLOCK, None, None, dealt, 2, NOW)
    assert first == Timing(NOW + 23_000, NOW, (5_000, 5_000))
    assert wound(CLOCK, Timing(NOW, NOW, (1, 2)), 0, dealt, 2, NOW) == first, "a new deal has new banks"


def test_a_move_that_ends_no_turn_gives_no_new_time() -> None:
    timing = Timing(NOW, NOW, (1, 2))
    assert wound(CLOCK, timing, 0, [], 2, NOW + 9_000) is timing


@pytest.mark.parametrize("used_ms,left_ms", [(0, 5_000), (10_000, 5_000), (12_000, 3_000), (15_000, 0), (16_000, 0)])
def test_a_turn_that_lasts_longer_takes_from_the_bank_of_its_seat(used_ms: int, left_ms: int) -> None:
    timing = Timing(NOW + 15_000, NOW, (5_000, 5_000))
    assert after_turn(timing, 0, NOW + used_ms, 1) == Timing(NOW + used_ms + 15_000, NOW + used_ms, (left_ms, 5_000))
    assert after_turn(timing, 0, NOW + used_ms, 0).deadline_ms == NOW + used_ms + 10_000 + left_ms


@pytest.mark.parametrize(
    "outages,lost_ms",
    [
        ([], 0),
        ([(NOW - 9_000, NOW)], 0),
        ([(NOW - 9_000, NOW + 2_000)], 2_000),
        ([(NOW + 1_000, NOW + 2_000), (NOW + 3_000, NOW + 4_500)], 2_500),
        ([(NOW + 19_000, NOW + 30_000)], 11_000),
    ],
)
def test_what_of_a_turn_fell_into_outages_is_added_once(outages: list[tuple[int, int]], lost_ms: int) -> None:
    timing = put_off(Timing(NOW + 20_000, NOW, (0, 0)), outages, NOW + 30_000)
    assert timing == Timing(NOW + 20_000 + lost_ms, NOW + 30_000, (0, 0))
    assert put_off(timing, outages, NOW + 40_000).deadline_ms == timing.deadline_ms


@pytest.mark.parametrize(
    "text,options,move",
    [
        ("hands 7S JC / KD; pile 7D; stock 2C; penalty 3", {}, "draw"),
        ("hands 5C 9D / KD; pile 2C; stock 4S; drawn 1", {}, "pass"),
        ("hands 9D 4H / KD; pile AD; phase second_card; stock 4S", {}, "pass"),
        ("hands 5C 9D / KD; pile 2C; stock 4S", {}, "draw"),
        ("hands 5C 6C / KD; phase opening; stock 4S", {}, "5C"),
        ("hands 5D 6D / KD; phase opening; stock 4S", {}, "draw"),
        ("hands JS 9D KD / KD; pile 3H; stock 4S; drawn 1", {"must_play_if_able": True, "draw_limit": 1}, "JS[C]"),
        ("hands 9D 3S / KD; pile 9S", {"last_card_call": "tek"}, "9D!tek"),
    ],
)
def test_the_clock_draws_a_penalty_else_passes_else_draws_else_plays(
    text: str, options: dict[str, object], move: str
) -> None:
    assert format_move(clock_move(position(text, **options))) == move
