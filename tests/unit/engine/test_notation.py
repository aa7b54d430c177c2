"""The text forms of moves and positions, there and back."""

from __future__ import annotations

import pytest

from service.engine.errors import NotationError, RulesError
from service.engine.moves import Draw, Pass, Play, format_move, parse_move
from service.engine.notation import format_position, parse_position
from tests.builders import position
from tests.strategies import ALL_MOVES

FULL = (
    "hands 5C AS / - / 10D JH; pile 2C JS[H]; stock 4C 9H; turn 2; dealer 1; phase turn; "
    "direction counterclockwise; penalty 0; drawn 2; barred 0 2"
)


def test_moves_are_told_apart() -> None:
    assert len(set(ALL_MOVES)) == len(ALL_MOVES) == 52 * 5 * 2 + 2
    assert len({Draw(), Pass()}) == 2


def test_every_move_survives_its_text_form() -> None:
    assert all(parse_move(format_move(move)) == move for move in ALL_MOVES)


def test_a_move_reads_as_the_rules_write_it() -> None:
    assert parse_move("JS[H]!tek") == Play(49, 2, "tek")
    assert format_move(Play(49, 2, "tek")) == "JS[H]!tek"


@pytest.mark.parametrize(
    "text", ["", "Draw", "draw 3", "9D!", "9D!pis", "JS[]", "JS[X]", "JS[HH]", "JS H", "[H]", "9D\n"]
)
def test_a_text_that_is_no_move_is_refused(text: str) -> None:
    with pytest.raises(NotationError):
        parse_move(text)


def test_a_position_survives_its_text_form() -> None:
    assert format_position(parse_position(FULL)) == FULL
    assert parse_position(format_position(parse_position(FULL))) == parse_position(FULL)


def test_a_short_position_takes_what_is_usual() -> None:
    deal = position("hands 5C AS / 2D 10D / JH; pile 2C")
    assert format_position(deal) == (
        "hands 5C AS / 2D 10D / JH; pile 2C; turn 0; dealer 2; phase turn; direction clockwise; penalty 0; drawn 0"
    )


def test_a_position_stands_in_the_first_deal_before_any_reshuffle() -> None:
    deal = position("hands 5C AS / 2D 10D; pile 2C")
    assert (deal.number, deal.moves, deal.reshuffles) == (1, 0, 0)


def test_without_a_pile_a_position_is_an_opening() -> None:
    assert position("hands 5C AS / 2D 10D").phase == "opening"


@pytest.mark.parametrize(
    "pile,openings",
    [("", 3), ("; pile 2C; phase opening", 2), ("; pile 2C 3C; phase opening", 1), ("; pile 2C 3C 4C", 0)],
)
def test_the_openings_still_to_come_follow_from_the_pile(pile: str, openings: int) -> None:
    assert position("hands 5C AS / 2D 10D / 3C 4C" + pile, opening="everyone").openings == openings


@pytest.mark.parametrize(
    "text",
    [
        "",
        "pile 9S",
        "hands",
        "hands 5C 2D",
        "hands " + " / ".join(["2C"] * 11),
        "hands 5X / 2D",
        "hands 5C / 2D; hands 5C / 2D",
        "hands 5C / 2D; king 3",
        "hands 5C / 2D; turn 2",
        "hands 5C / 2D; turn -1",
        "hands 5C / 2D; turn one",
        "hands 5C / 2D; dealer 9",
        "hands 5C / 2D; barred 2",
        "hands 5C / 2D; barred x",
        "hands 5C / 2D; pile 9S; penalty three",
        "hands 5C / 2D; pile 9S; penalty -3",
        "hands 5C / 2D; pile 9S; drawn 1.5",
        "hands 5C / 2D; pile 9S; direction left",
        "hands 5C / 2D; pile 9S; phase over",
        "hands 5C / 2D; phase turn",
        "hands 5C / 2D; pile 9S[H]",
        "hands 5C / 2D; pile JS[H] 9H[H]",
        "hands 5C / 2D; pile JS[X]",
        "hands 5C / 2D; pile 9S!tek",
        "hands 5C / 2D; pile draw",
        "hands 5C / 2D; pile JS[H] 9H",
        "hands 5C / 2D; stock 9",
    ],
)
def test_a_text_that_is_no_position_is_refused(text: str) -> None:
    with pytest.raises(NotationError):
        parse_position(text)


def test_a_position_under_refused_options_is_refused() -> None:
    with pytest.raises(RulesError):
        parse_position("hands 5C / 2D", {"jokers": 2})


def test_barred_seats_ascend_and_stand_once() -> None:
    assert position("hands 5C / 2D / 3D; pile 9S; barred 2 0 2").barred == (0, 2)
