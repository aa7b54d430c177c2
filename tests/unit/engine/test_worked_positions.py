"""The worked positions of the rules, as a table: the position, what is legal, the moves, and what is so then.

Where a position does not tell the other hands, they hold cards that take no part in it.
"""

from __future__ import annotations

import pytest

from service.engine.notation import format_position
from tests.builders import after, events, hand, legal, position

# number, position, legal moves, moves, what stands in the position after them
WORKED = [
    ("1", "hands 5C JC AC 7H 9D 2S KH / 3C 4D", "AC, 5C, JC", ["AC"], "turn 1; phase turn"),
    ("2", "hands 3D 9H JS QD KD 2S AH / 3S; stock 4D QS 7C", "draw", ["draw"] * 3, "turn 0; phase opening"),
    ("3", "hands 2S 3S / 4C JH 7D; pile JC; stock 2D; turn 1", "4C, draw", [], ""),
    ("4", "hands JS 6H 9D / 2C; pile 6C; stock 2D", "6H, JS*, draw", [], ""),
    ("5", "hands JH 9H 8S 7C / 2C; pile JS[H]; stock 2D", "9H, draw", [], ""),
    ("6", "hands 8S 7C / 2C 3H; pile JS[H]; stock KD 2D", "draw", ["draw", "pass"], "pile JS[H]; turn 1"),
    ("7", "hands 7S JC 8D / 2C; pile 7D; stock 2D 3D; penalty 3", "7S, draw 3", ["7S"], "penalty 6"),
    (
        "8",
        "hands 2C / KD 5S / 2S 7H JD 9C; pile 7D 7S; stock 2D 3D 4D 5D 6D 8D 9D; turn 1; penalty 6",
        "draw 6",
        ["draw"],
        "turn 2; phase turn; penalty 0",
    ),
    (
        "8, then",
        "hands 2C / KD 5S / 2S 7H JD 9C; pile 7D 7S; stock 9D; turn 2",
        "JD*, 7H, 2S, draw",
        ["7H"],
        "penalty 3",
    ),
    ("9", "hands 2C 3C / 7H KD / 2S 3S; pile 7C; stock 9D; turn 1", "7H, draw", ["7H"], "penalty 3; turn 2"),
    ("10", "hands AH AD 9H KS JC / 2C; pile 3H; stock 9D", "JC*, AH, 9H, draw", ["AH"], "turn 0"),
    ("11", "hands AS 8S KD / 2C 3C / 4C 5C; pile 3S; stock 9D", "AS, 8S, draw", ["AS", "8S"], "turn 2"),
    (
        "12",
        "hands 8H KD / 10H KC / 2C 3C / 4C 5C; pile 3H; stock 9D; turn 1",
        "10H, draw",
        ["10H", "8H"],
        "turn 2; phase turn; direction counterclockwise",
    ),
    ("13", "hands 7S / JH 7D 10C / AD KC 2H; pile 4S; stock 9D", "7S, draw", [], ""),
    ("14", "hands AC JC / QD 8S; pile AH; stock 9D", "AC, JC*, draw", ["AC"], "turn 0"),
    (
        "15",
        "hands 9C 2D / 4H / KD 5S; pile 7D 7S; stock 7H 3C; turn 2; penalty 6",
        "draw 6",
        [],
        "",
    ),
    ("16", "hands 9D 4H / 2D 3C; pile 9S", "9D", ["9D"], "turn 1"),
    ("18", "hands 8H 10H KC / 2C 3C; pile 3H; stock 9D", "8H, 10H, draw", ["8H"], "turn 0"),
    ("19", "hands 9D 4H / 2S 3C; pile 9S; stock 2C", "9D, draw", ["draw"], "drawn 1"),
]


@pytest.mark.parametrize("text,listed,moves,then", [pytest.param(*row[1:], id=row[0]) for row in WORKED])
def test_worked_positions_allow_what_they_say(text: str, listed: str, moves: list[str], then: str) -> None:
    deal = position(text)
    assert legal(deal) == listed
    members = format_position(after(deal, *moves)).split("; ")
    assert [member for member in then.split("; ") if member and member not in members] == []


def test_worked_position_1_an_opening_ace_gives_no_second_card() -> None:
    deal = position("hands 5C JC AC 7H 9D 2S KH / 3C 4D; stock 9D")
    assert legal(after(deal, "AC")) == "3C, draw"


def test_worked_position_2_the_opener_draws_until_it_has_a_club_and_pays_nothing_for_a_seven() -> None:
    deal = after(position("hands 3D 9H JS QD KD 2S AH / 3S; stock 4D QS 7C 2H"), "draw", "draw", "draw")
    assert legal(deal) == "7C"
    deal = after(deal, "7C")
    assert (deal.penalty, len(deal.hands[0])) == (0, 9)


def test_worked_position_6_the_next_seat_still_owes_hearts() -> None:
    deal = after(position("hands 8S 7C / 2C 3H; pile JS[H]; stock KD 2D"), "draw")
    assert legal(deal) == "draw, pass"
    assert legal(after(deal, "pass")) == "3H, draw"


def test_worked_position_9_a_seven_on_an_opening_seven_starts_at_three() -> None:
    deal = position("hands 7C KH 2H / 7H KD / 2S 3S; stock 9D 8D 6D 5D 4D 3D 2D")
    deal = after(deal, "7C", "7H")
    assert (deal.turn, deal.penalty, legal(deal)) == (2, 3, "draw 3")


def test_worked_position_10_only_the_aces_rank_or_suit_or_a_jack_may_follow_it() -> None:
    deal = after(position("hands AH AD 9H KS JC / 2C; pile 3H; stock 9D"), "AH")
    assert legal(deal) == "JC*, AD, 9H, pass"
    assert legal(after(deal, "AD")) == "JC*, pass"


def test_worked_position_12_ten_and_eight_with_four_seats() -> None:
    deal = position("hands 8H KD / 10H KC / 2C 3C / 4C 5C; pile 3H; stock 9D; turn 1")
    assert after(deal, "10H").turn == 0
    assert "TurnSkipped 3 eight" in events(deal, "10H", "8H")


def test_worked_position_13_going_out_with_a_seven_triples_and_nobody_draws() -> None:
    deal = after(position("hands 7S / JH 7D 10C / AD KC 2H; pile 4S; stock 9D"), "7S")
    assert deal.result is not None
    assert (deal.result.winners, deal.result.points) == ((0,), (0, 165, 81))
    assert len(deal.stock) == 1


def test_worked_position_14_going_out_with_a_jack_as_second_card_doubles() -> None:
    deal = after(position("hands AC JC / QD 8S; pile AH; stock 9D"), "AC", "JC")
    assert deal.result is not None
    assert deal.result.points == (0, 36)


def test_worked_position_15_a_penalty_that_the_stock_cannot_pay_ends_the_deal() -> None:
    deal = after(position("hands 9C 2D / 4H / KD 5S; pile 7D 7S; stock 7H 3C; turn 2; penalty 6"), "draw")
    assert deal.result is not None
    assert (deal.result.reason, deal.result.winners, deal.result.points) == ("stock_out", (1,), (11, 0, 38))
    assert hand(deal, 2) == "3C KD 7H 5S"


def test_worked_position_17_the_deal_ends_when_the_turn_comes_to_a_seat_that_is_stuck() -> None:
    deal = after(position("hands 4H KD / 9S 2C; pile 3S; turn 1"), "9S")
    assert deal.result is not None
    assert (deal.result.reason, deal.result.winners, deal.turn) == ("stock_out", (1,), None)


def test_worked_position_18_with_two_seats_an_eight_gives_another_turn_and_a_ten_the_others() -> None:
    deal = after(position("hands 8H 10H KC / 2C 3C; pile 3H; stock 9D"), "8H")
    assert legal(deal) == "10H, draw"
    assert after(deal, "10H").turn == 1


def test_worked_position_19_a_seat_that_drew_the_last_card_may_pass() -> None:
    deal = after(position("hands 9D 4H / 2S 3C; pile 9S; stock 2C"), "draw")
    assert legal(deal) == "9D, pass"
