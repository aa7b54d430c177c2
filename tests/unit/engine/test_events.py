"""The order of the events within a move: the card or draw, its effect, its consequences, then the change of turn."""

from __future__ import annotations

from random import Random

import pytest

from service.engine.events import CardsDrawn, DealEnded, TurnStarted
from service.engine.play import apply
from tests.builders import events, position
from tests.strategies import random_deal, random_play

STOCK = "stock 2D 3D 4D 5D 6D 8D 9D"
THREE = f"hands AS 8S 10S 7S KS JS / 2C 3C 7C / 4C 5C 7D; pile 9S; {STOCK}"
TWO = f"hands AS 8S 10S 7S KS JS / 2C 3C 7C; pile 9S; {STOCK}"


@pytest.mark.parametrize(
    "text,options,move,told",
    [
        (THREE, {}, "KS", ["CardPlayed 0 KS", "TurnStarted 1 turn 0"]),
        (THREE, {}, "JS[H]", ["CardPlayed 0 JS H", "TurnStarted 1 turn 0"]),
        (THREE, {}, "8S", ["CardPlayed 0 8S", "TurnSkipped 1 eight", "TurnStarted 2 turn 0"]),
        (THREE, {"eight": "none"}, "8S", ["CardPlayed 0 8S", "TurnStarted 1 turn 0"]),
        (TWO, {}, "8S", ["CardPlayed 0 8S", "TurnSkipped 1 eight", "TurnStarted 0 turn 0"]),
        (THREE, {}, "10S", ["CardPlayed 0 10S", "DirectionReversed -1", "TurnStarted 2 turn 0"]),
        (TWO, {}, "10S", ["CardPlayed 0 10S", "DirectionReversed -1", "TurnStarted 1 turn 0"]),
        (
            TWO,
            {"ten_two_seats": "skip"},
            "10S",
            ["CardPlayed 0 10S", "DirectionReversed -1", "TurnSkipped 1 ten", "TurnStarted 0 turn 0"],
        ),
        (THREE, {}, "7S", ["CardPlayed 0 7S", "PenaltyRaised 3", "TurnStarted 1 turn 3"]),
        (THREE, {}, "AS", ["CardPlayed 0 AS"]),
        (THREE, {"ace": "none"}, "AS", ["CardPlayed 0 AS", "TurnStarted 1 turn 0"]),
        (THREE, {"ace": "skip"}, "AS", ["CardPlayed 0 AS", "TurnSkipped 1 ace", "TurnStarted 2 turn 0"]),
        (
            THREE,
            {"ace": "next_draws"},
            "AS",
            ["CardPlayed 0 AS", "CardsDrawn 1 2D ace", "TurnSkipped 1 ace", "TurnStarted 2 turn 0"],
        ),
        (
            THREE,
            {"ace": "everyone_draws"},
            "AS",
            ["CardPlayed 0 AS", "CardsDrawn 1 2D ace", "CardsDrawn 2 3D ace", "TurnStarted 0 turn 0"],
        ),
        (THREE, {}, "draw", ["CardsDrawn 0 2D choice"]),
    ],
)
def test_a_play_tells_the_card_its_effect_its_consequences_then_the_turn(
    text: str, options: dict[str, str], move: str, told: list[str]
) -> None:
    assert events(position(text, **options), move) == told


def test_a_pass_tells_the_pass_then_the_turn() -> None:
    assert events(position(THREE), "draw", "pass") == ["TurnPassed 0", "TurnStarted 1 turn 0"]


def test_the_pass_after_an_ace_is_told_too() -> None:
    assert events(position(THREE), "AS", "pass") == ["TurnPassed 0", "TurnStarted 1 turn 0"]


def test_an_opening_draw_is_told_as_one_and_starts_no_turn() -> None:
    assert events(position("hands KD QD / 2C; stock 2D 3C"), "draw") == ["CardsDrawn 0 2D opening"]


def test_the_draw_for_an_ace_that_must_be_followed_is_told_as_the_aces() -> None:
    deal = position(f"hands AS KD QD / 2C; pile 9S; {STOCK}", ace="must_follow")
    assert events(deal, "AS", "draw") == ["CardsDrawn 0 2D ace"]


def test_a_penalty_that_ends_the_turn_sends_no_turn_passed() -> None:
    assert events(position(THREE), "7S", "draw") == ["CardsDrawn 1 2D 3D 4D penalty", "TurnStarted 2 turn 0"]


def test_a_penalty_after_which_the_turn_goes_on_starts_no_turn() -> None:
    told = events(position(THREE, after_penalty="continue"), "7S", "draw")
    assert told == ["CardsDrawn 1 2D 3D 4D penalty"]


def test_a_call_is_told_with_its_card() -> None:
    deal = position(f"hands KS 2D / 2C 3C; pile 9S; {STOCK}", last_card_call="tek")
    assert events(deal, "KS!tek")[0] == "CardPlayed 0 KS tek"


def test_a_suit_that_is_ignored_is_not_told() -> None:
    assert events(position(f"hands JS / 2C 3C; pile 9S; {STOCK}"), "JS[H]")[0] == "CardPlayed 0 JS"
    assert events(position(f"hands JC KD / 2C 3C; {STOCK}"), "JC[H]")[0] == "CardPlayed 0 JC"


@pytest.mark.parametrize("seed", range(40))
def test_every_deal_tells_each_change_of_turn_once_and_nothing_after_its_end(seed: int) -> None:
    random = Random(seed)
    for deal, move, following in random_play(random_deal(random), random):
        assert deal.turn is not None
        _, told = apply(deal, deal.turn, move)
        starts = [event for event in told if isinstance(event, TurnStarted)]
        ends = [event for event in told if isinstance(event, DealEnded)]
        assert not any(isinstance(event, CardsDrawn) and not event.cards for event in told)
        if following.turn is None:
            assert (starts, ends) == ([], [told[-1]])
        else:
            assert ends == []
            assert starts in ([], [TurnStarted(following.turn, following.phase, following.penalty)])
            assert starts == [event for event in told[-1:] if isinstance(event, TurnStarted)]
            assert starts or following.turn == deal.turn
