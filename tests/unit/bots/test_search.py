"""The search: what it finds, and that it keeps to its budget."""

import itertools
from math import inf
from random import Random

import pytest

from service.bots.choosing import LEVELS, Budget, Level, choose
from service.bots.search import FEWEST
from service.view import Data
from tests.builders import position
from tests.unit.bots.test_thumb import seen

QUIET = "hands 9C 9H 2H 4H JD / 5C 6C 3S 4D; pile 9D; stock KD KC 2C 3C 5H 6H"


def searched(text: str, budget: Budget, seed: int = 1) -> Data:
    return choose("hard", seen(position(text)), [], Random(seed), budget)


def test_it_goes_out_with_an_ace_and_its_follower() -> None:
    text = "hands AD 9D / 5C 6C; pile 4D; stock KD KC 2C 3C 5H 6H"

    assert searched(text, Budget(inf, 100)) == {"type": "play", "card": "AD"}


def test_it_stops_a_seat_with_one_card_by_a_seven() -> None:
    text = "hands 7D 9D KS 3H / 5C; pile 4D; stock KD KC 2C 3C 5H 6H"

    assert searched(text, Budget(inf, 400)) == {"type": "play", "card": "7D"}


def test_with_the_same_chance_and_rollouts_it_chooses_the_same() -> None:
    assert len({str(searched(QUIET, Budget(inf, 40), seed=7)) for _ in range(3)}) == 1


def test_with_no_time_at_all_it_plays_as_normal_does() -> None:
    late = Budget(0.5, clock=itertools.count().__next__)
    choices = [choose(level, seen(position(QUIET)), [], Random(1), late) for level in LEVELS[1:]]

    assert choices[0] == choices[1]


def test_with_time_for_few_rollouts_it_plays_as_normal_does() -> None:
    def as_normal(rollouts: int) -> list[bool]:
        budget, sight = Budget(inf, rollouts), seen(position(QUIET))
        both = [[choose(level, sight, [], Random(seed), budget) for level in LEVELS[1:]] for seed in range(20)]
        return [normal == hard for normal, hard in both]

    assert all(as_normal(FEWEST - 1))
    assert not all(as_normal(FEWEST))


@pytest.mark.parametrize("seconds", [0.005, 0.05, 0.5])
def test_it_stops_when_its_time_is_over(seconds: float) -> None:
    clock = itertools.count(step=0.001)
    searched(QUIET, Budget(seconds, clock=clock.__next__))

    assert seconds <= next(clock) < seconds + 0.01


@pytest.mark.parametrize("level", LEVELS)
def test_one_legal_move_is_made_without_thinking(level: Level) -> None:
    clock = itertools.count()
    text = "hands 9C 4S / 5C 6C 3S; pile KD; stock 2H KC"

    assert choose(level, seen(position(text)), [], Random(1), Budget(clock=clock.__next__)) == {"type": "draw"}
    assert next(clock) == 1


def test_easy_plays_any_card_that_fits() -> None:
    view = seen(position(QUIET))
    cards = {choose("easy", view, [], Random(seed), Budget())["card"] for seed in range(50)}

    assert cards == {"9C", "9H", "JD"}
