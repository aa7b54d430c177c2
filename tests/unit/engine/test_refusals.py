"""Why a move is refused: the clause, the house rule if it is one that forbids, and words that a player understands."""

from __future__ import annotations

import pytest

from service.engine.errors import NotOnTurn
from tests.builders import after, position, refusal

STOCK = "stock 2D 3D 4D 5D"

# position, options, moves before, refused move, clause, house rule, what the text says
REFUSALS: list[tuple[str, dict[str, object], list[str], str, str, str | None, str]] = [
    ("hands 5C 7D / 2C", {}, [], "7D", "R4", None, "must be a club"),
    ("hands 5C 7D / 2C", {}, [], "draw", "R4", None, "hold a club"),
    ("hands 5C 7D / 2C", {}, [], "pass", "R4", None, "cannot pass"),
    ("hands 5C 7D / 2C 3D", {"opening": "everyone"}, ["5C"], "3D", "R4", "opening", "must be a club"),
    ("hands 5C 7D / 2C 3D", {"opening": "everyone"}, ["5C"], "draw", "R4", "opening", "hold a club"),
    ("hands 5C 7D / 2C 3D", {"opening": "everyone"}, ["5C"], "pass", "R4", "opening", "cannot pass"),
    ("hands 9D 4H / 2C; pile 9S", {}, [], "pass", "R7", None, "only after drawing"),
    ("hands 9D 4H / 2C; pile 9S", {"draw_limit": 1}, ["draw"], "draw", "R7", "draw_limit", "no more than 1"),
    ("hands 9D 4H / 2C; pile 9S", {"draw_only_if_unable": True}, [], "draw", "R7", "draw_only_if_unable", "legal"),
    ("hands 9D 4H / 2C; pile 9S", {"must_play_if_able": True}, ["draw"], "pass", "R7", "must_play_if_able", "must"),
    ("hands 9D 4H / 2C; pile 9S", {"pass": "only_if_stuck"}, ["draw"], "pass", "R7", "pass", "neither play nor"),
    ("hands 9D 4H / 2C; pile 9S", {}, [], "4H", "R8", None, "neither the rank nor the suit of 9S"),
    ("hands 9D 4H / 2C; pile JS[C]", {}, [], "4H", "R8", None, "clubs"),
    ("hands JD 4H / 2C; pile JS[C]", {}, [], "JD[C]", "R8", None, "jack cannot be played on a jack"),
    ("hands JD 4H / 2C; pile 9S", {}, [], "JD", "R9", None, "say which"),
    ("hands 9D 4H / 2C; pile 9S", {}, [], "9D[D]", "R9", None, "Only a jack"),
    ("hands JD 4H / 2C; pile 9S", {"jack_suit": "different"}, [], "JD[S]", "R31", "jack_suit", "than spades"),
    ("hands 9D 4H / 2C; pile 7S; penalty 3", {}, [], "9D", "R12", None, "You owe 3 cards: play a 7 or draw"),
    ("hands 9D JH / 2C; pile 7S; penalty 6", {}, [], "JH[H]", "R12", None, "You owe 6 cards"),
    ("hands 9D 4H / 2C; pile 7S; penalty 3", {}, [], "pass", "R12", None, "cannot pass"),
    ("hands 7D 4H / 2C; pile 7S; penalty 3", {"seven_run": "single"}, [], "7D", "R28", "seven_run", "draw"),
    ("hands 7D 4H / 2C; pile 7S; penalty 3", {"seven_run": "single"}, [], "4H", "R12", None, "draw them"),
    ("hands AS 4H 5H / 2C; pile 9S", {}, ["AS"], "4H", "R13", None, "added to AS"),
    ("hands AS 4H 5H / 2C; pile 9S", {}, ["AS"], "draw", "R13", None, "no drawing after an ace"),
    ("hands AS 4S 5H / 2C; pile 9S", {"ace": "must_follow"}, ["AS"], "pass", "R23", "ace", "follows AS"),
    ("hands AS 4S 5H / 2C; pile 9S", {"ace": "must_follow"}, ["AS"], "draw", "R23", "ace", "follows AS"),
    ("hands AS 4H 5H / 2C; pile 9S", {"ace": "must_follow"}, ["AS"], "pass", "R23", "ace", "draw one"),
    ("hands AS 4H 5H / 2C; pile 9S", {"ace": "must_follow"}, ["AS", "draw"], "draw", "R23", "ace", "already"),
    ("hands 9D 4H / 2C; pile 9S; stock", {}, [], "draw", "R17", None, "no card left"),
    ("hands 9D 4H / 2C; pile 9S; stock", {}, [], "pass", "R7", None, "must play"),
    ("hands 9D 4H / 2C; pile 9S", {}, [], "10H", "R21", None, "do not hold"),
    ("hands 9D / 2C; pile 9S; barred 0", {"last_card_call": "tek"}, [], "9D", "R24", "last_card_call", "tek"),
    ("hands 9D 4H / 2C; pile 9S", {}, [], "9D!tek", "R24", "last_card_call", "where that is the rule"),
]


@pytest.mark.parametrize("text,options,moves,refused,clause,option,words", REFUSALS)
def test_a_refusal_names_its_clause_and_house_rule_and_says_why(
    text: str, options: dict[str, object], moves: list[str], refused: str, clause: str, option: str | None, words: str
) -> None:
    stocked = text if "stock" in text else f"{text}; {STOCK}"
    error = refusal(after(position(stocked, **options), *moves), refused)
    assert (error.clause, error.option) == (clause, option)
    assert words in error.detail
    assert str(error) == f"{clause}: {error.detail}"


def test_r21_a_seat_that_is_not_on_turn_may_not_move() -> None:
    error = refusal(position(f"hands 9D 4H / 9C 2C; pile 9S; {STOCK}"), "9C", seat=1)
    assert isinstance(error, NotOnTurn)
    assert (error.clause, error.option) == ("R21", None)
    assert "seat 0" in error.detail


def test_r21_in_a_finished_deal_nobody_may_move() -> None:
    over = after(position(f"hands 9D / 9C 2C; pile 9S; {STOCK}"), "9D")
    for seat in (0, 1):
        error = refusal(over, "draw", seat)
        assert isinstance(error, NotOnTurn)
        assert "over" in error.detail


def test_r21_the_other_of_two_packs_equal_cards_is_held_once() -> None:
    deal = position(f"hands 9D 4H KC / 9C 2C 3C; pile 9S; {STOCK}", decks=2)
    assert refusal(after(deal, "9D", "9C"), "9D").clause == "R21"
