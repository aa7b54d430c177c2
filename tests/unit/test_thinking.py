"""What bots may spend."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import Any

import pytest

from service import thinking
from service.bots.choosing import Budget, Level
from service.metrics import Metrics
from service.thinking import LOOKS_IN_A_ROW, SEARCHED_PART, UNATTENDED_SEARCH_MS, Thinking
from tests.figures import figures_of


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Level, Budget]]:
    """What the bots are asked, instead of asking them."""
    asked: list[tuple[Level, Budget]] = []

    def choose(level: Level, view: Any, log: Any, random: Random, budget: Budget) -> Any:
        asked.append((level, budget))
        end = budget.clock() + (budget.seconds if level == "hard" else 0)
        while budget.clock() < end:
            pass
        return {"type": "pass"}

    monkeypatch.setattr(thinking, "choose", choose)
    return asked


class Steps:
    """The time, which passes in the pauses of a search alone: 1 ms in each, 10 ms in one."""

    def __init__(self, late: int = 0) -> None:
        self.now = 0.0
        self.pauses = 0
        self._late = late

    def perf_counter(self) -> float:
        return self.now

    monotonic = perf_counter

    def sleep(self, seconds: float) -> None:
        self.now += seconds

    def a_moment(self) -> None:
        self.pauses += 1
        self.now += 0.01 if self.pauses == self._late else 0.001

    def stand_in(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(thinking, "time", self)
        monkeypatch.setattr(thinking, "pause", self)


def told(counting: Metrics) -> tuple[float, float, float]:
    """How many moves were chosen, how many as `normal` does instead, and how long was searched."""
    figures = figures_of(counting)
    chosen = sum(value for name, value in figures.items() if name.startswith("bot_moves_total"))
    return chosen, figures["bot_moves_downgraded_total"], figures["bot_search_seconds_sum"]


def ask(thoughts: Thinking, level: Level = "hard", searched_ms: int = 0) -> int:
    body, spent_ms = thoughts.choose(level, searched_ms, {}, [], Random(1))
    assert body == {"type": "pass"}
    return spent_ms


def test_a_search_takes_its_set_time_and_is_counted(asked: list[tuple[Level, Budget]]) -> None:
    counting = Metrics()
    thoughts = Thinking(1.0, counting, search_ms=20)
    began = time.perf_counter()
    assert 0 < ask(thoughts) < 2000, "a busy machine may add to it"
    assert time.perf_counter() - began >= 0.02, "what is left is waited"
    assert asked[0][0] == "hard"
    assert asked[0][1].seconds == 0.02 * SEARCHED_PART
    chosen, downgraded, seconds = told(counting)
    assert (chosen, downgraded) == (1, 0)
    assert 0 < seconds < 2


@pytest.mark.parametrize("level", ["easy", "normal"])
def test_the_other_levels_search_nothing(level: Level, asked: list[tuple[Level, Budget]]) -> None:
    counting = Metrics()
    assert ask(Thinking(0.0, counting), level) == 0
    assert asked[0][0] == level
    assert told(counting) == (1, 0, 0)


def test_beyond_its_share_hard_plays_as_normal_in_the_same_time(asked: list[tuple[Level, Budget]]) -> None:
    counting = Metrics()
    thoughts = Thinking(0.0, counting)
    began = time.perf_counter()
    assert ask(thoughts) == 0
    assert time.perf_counter() - began >= 0.05
    assert asked[0][0] == "normal"
    assert told(counting) == (1, 1, 0)


def test_a_share_is_saved_up_to_a_bound_and_earned_anew(asked: list[tuple[Level, Budget]]) -> None:
    thoughts = Thinking(0.1, search_ms=60)
    for _ in range(10):
        thoughts._looked = time.monotonic()
        ask(thoughts)
    assert [level for level, _ in asked][-5:] == ["normal"] * 5
    assert asked[0][0] == "hard"
    thoughts._looked -= 3600
    ask(thoughts)
    assert asked[-1][0] == "hard"
    assert thoughts._saved <= 0.2


def test_however_small_a_share_a_search_can_be_saved_up(asked: list[tuple[Level, Budget]]) -> None:
    thoughts = Thinking(0.01)
    ask(thoughts)
    thoughts._looked -= 3600
    ask(thoughts)
    assert [level for level, _ in asked] == ["normal", "hard"]


def test_bots_that_search_at_the_same_time_share_what_is_saved(asked: list[tuple[Level, Budget]]) -> None:
    thoughts = Thinking(0.05)
    with ThreadPoolExecutor(6) as pool:
        list(pool.map(lambda _: ask(thoughts), range(6)))
    assert sorted(level for level, _ in asked) == ["hard"] * 2 + ["normal"] * 4


def test_the_bots_of_one_match_may_search_for_a_time_from_one_act_of_a_human_to_the_next(
    asked: list[tuple[Level, Budget]],
) -> None:
    thoughts = Thinking(1.0)
    ask(thoughts, searched_ms=UNATTENDED_SEARCH_MS - 1)
    ask(thoughts, searched_ms=UNATTENDED_SEARCH_MS)
    assert [level for level, _ in asked] == ["hard", "normal"]


def test_a_search_ends_before_a_step_that_would_take_it_beyond_its_time(
    asked: list[tuple[Level, Budget]], monkeypatch: pytest.MonkeyPatch
) -> None:
    pauses: list[float] = []
    slept = time.sleep

    def sleep(seconds: float) -> None:
        pauses.append(seconds)
        slept(max(seconds, 0.02))  # others take that long

    monkeypatch.setattr(time, "sleep", sleep)
    ask(Thinking(1.0))
    assert len(pauses) <= 3, "two steps of the search, and what is left of its time"


def test_a_search_ends_in_time_whichever_look_at_the_clock_comes_late(
    asked: list[tuple[Level, Budget]], monkeypatch: pytest.MonkeyPatch
) -> None:
    counting = Metrics()
    for late in range(1, 51):
        steps = Steps(late)
        steps.stand_in(monkeypatch)
        assert ask(Thinking(1.0, counting)) > 0
        assert steps.now == pytest.approx(0.05)
    assert figures_of(counting)['bot_search_seconds_bucket{le="0.05"}'] == 50


def test_several_searches_let_others_go_first_as_often_as_one(monkeypatch: pytest.MonkeyPatch) -> None:
    steps = Steps()
    steps.stand_in(monkeypatch)
    thoughts = Thinking(1.0)
    looks: list[float] = []

    def choose(level: Level, view: Any, log: Any, random: Random, budget: Budget) -> Any:
        if not looks:
            looks.append(0)
            ask(thoughts)  # another search, while this one lasts
        before = steps.pauses
        for _ in range(4 * LOOKS_IN_A_ROW + 1):
            budget.clock()
        looks.append(4 * LOOKS_IN_A_ROW / (steps.pauses - before))
        return {"type": "pass"}

    monkeypatch.setattr(thinking, "choose", choose)
    ask(thoughts)
    assert looks[1:] == [LOOKS_IN_A_ROW / 2, LOOKS_IN_A_ROW]
