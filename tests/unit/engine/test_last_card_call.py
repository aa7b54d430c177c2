"""The call of the last card (R24)."""

from __future__ import annotations

import pytest

from tests.builders import after, events, legal, legal_texts, position, refused

STOCK = "stock 2D 3D 4D 5D 6D 8D 9D"
TWO_CARDS = f"hands 9D KD / 2C 3D 4H; pile 9S; {STOCK}"


def test_r24_a_play_that_leaves_one_card_may_carry_the_call() -> None:
    assert legal_texts(position(TWO_CARDS, last_card_call="tek")) == ["9D", "9D!tek", "draw"]


def test_r24_without_the_call_the_play_stands_and_the_seat_is_barred() -> None:
    deal = position(TWO_CARDS, last_card_call="tek")
    assert after(deal, "9D").barred == (0,)
    assert after(deal, "9D!tek").barred == ()


def test_r24_a_barred_seat_may_not_go_out_in_its_next_turn() -> None:
    deal = after(position(TWO_CARDS, last_card_call="tek"), "9D", "3D")
    assert legal(deal) == "draw"
    assert refused(deal, "KD") == ("R24", "last_card_call")


def test_r24_drawing_to_two_cards_lifts_the_bar_at_once() -> None:
    deal = after(position(TWO_CARDS, last_card_call="tek"), "9D", "3D", "draw")
    assert (deal.barred, legal(deal)) == ((), "2D, KD, draw, pass")
    assert after(deal, "2D!tek").barred == ()
    assert after(deal, "2D").barred == (0,)


def test_r24_the_bar_holds_for_an_aces_second_card() -> None:
    deal = after(position(f"hands AS KS / 2C 3D; pile 9S; {STOCK}", last_card_call="tek"), "AS")
    assert (deal.phase, deal.barred, legal(deal)) == ("second_card", (0,), "pass")
    assert refused(deal, "KS") == ("R24", "last_card_call")


def test_r24_a_called_ace_may_go_out_with_its_second_card() -> None:
    deal = after(position(f"hands AS KS / 2C 3D; pile 9S; {STOCK}", last_card_call="tek"), "AS!tek")
    assert legal(deal) == "KS, pass"


def test_r24_a_barred_follower_is_none_for_must_follow() -> None:
    deal = position(f"hands AS KS / 2C 3D; pile 9S; {STOCK}", last_card_call="tek", ace="must_follow")
    deal = after(deal, "AS")
    assert legal(deal) == "draw"
    deal = after(deal, "draw")
    assert (deal.barred, legal(deal)) == ((), "KS")


def test_r24_a_barred_card_is_no_legal_card_for_draw_only_if_unable() -> None:
    deal = position(TWO_CARDS, last_card_call="tek", draw_only_if_unable=True)
    assert legal(after(deal, "9D", "3D")) == "draw"


def test_r24_a_turn_missed_through_an_eight_is_not_its_turn() -> None:
    deal = position(f"hands 9D KD / 8D 3H 4H; pile 9S; {STOCK}", last_card_call="tek")
    deal = after(deal, "9D", "8D")
    assert (deal.turn, deal.barred) == (1, (0,))


def test_r24_a_turn_missed_through_a_ten_is_not_its_turn() -> None:
    deal = position(f"hands 9D KD / 10D 3H 4H; pile 9S; {STOCK}", last_card_call="tek", ten_two_seats="skip")
    assert after(deal, "9D", "10D").barred == (0,)


def test_r24_a_turn_missed_through_an_ace_is_not_its_turn() -> None:
    deal = position(f"hands 9D KD / AD 3H 4H; pile 9S; {STOCK}", last_card_call="tek", ace="skip")
    assert after(deal, "9D", "AD").barred == (0,)


@pytest.mark.parametrize("ace", ["everyone_draws", "next_draws"])
def test_r24_a_card_that_an_ace_imposes_lifts_the_bar(ace: str) -> None:
    deal = position(f"hands 9D KD / AD 3H 4H; pile 9S; {STOCK}", last_card_call="tek", ace=ace)
    assert after(deal, "9D", "AD").barred == ()


def test_r24_a_penalty_lifts_the_bar() -> None:
    deal = position(f"hands 9D KD / 7D 3H 4H; pile 9S; {STOCK}", last_card_call="tek", after_penalty="continue")
    assert after(deal, "9D", "7D", "draw").barred == ()


def test_r24_a_barred_seven_does_not_answer_a_penalty() -> None:
    deal = position(f"hands 9D 7S / 7D 3H 4H; pile 9S; {STOCK}", last_card_call="tek")
    deal = after(deal, "9D", "7D")
    assert legal(deal) == "draw 3"
    assert refused(deal, "7S") == ("R24", "last_card_call")


def test_r24_after_an_eight_of_two_seats_the_new_turn_is_the_next_one() -> None:
    deal = position("hands 8S KS / 2C 3S; pile 9S", last_card_call="tek")
    assert events(deal, "8S") == [
        "CardPlayed 0 8S",
        "TurnSkipped 1 eight",
        "TurnSkipped 0 barred",
        "TurnStarted 1 turn 0",
    ]


def test_r24_a_barred_seat_that_can_do_nothing_misses_its_turn_and_its_bar_ends() -> None:
    deal = position("hands 9D KD / 8S 9H 4D 3H; pile 9S", last_card_call="tek")
    assert events(deal, "9D", "9H") == ["CardPlayed 1 9H", "TurnSkipped 0 barred", "TurnStarted 1 turn 0"]
    deal = after(deal, "9D", "9H")
    assert (deal.turn, deal.barred) == (1, ())


def test_r24_a_missed_turn_comes_before_the_end_of_the_deal_for_the_seat_after_it() -> None:
    deal = position("hands 9D KD / 8S 9H 4D 3H; pile 9S", last_card_call="tek")
    assert events(deal, "9D", "4D") == ["CardPlayed 1 4D", "TurnSkipped 0 barred", "DealEnded"]


def test_r24_two_barred_seats_miss_their_turns_one_after_the_other() -> None:
    deal = position("hands 9D KD / 4D 2D / 5D 6D 3C; pile 9S", last_card_call="tek")
    assert events(deal, "9D", "4D", "6D") == [
        "CardPlayed 2 6D",
        "TurnSkipped 0 barred",
        "TurnSkipped 1 barred",
        "TurnStarted 2 turn 0",
    ]


def test_r24_with_a_penalty_due_a_barred_seat_does_not_escape_the_end_of_the_deal() -> None:
    deal = position("hands 9D 7S / 7D 3H 4H; pile 9S", last_card_call="tek")
    assert events(deal, "9D", "7D")[-1] == "DealEnded"


@pytest.mark.parametrize(
    "text,move",
    [
        ("hands 9D KD QD / 2C; pile 9S; stock 2D", "9D!tek"),
        ("hands 9D / 2C; pile 9S; stock 2D", "9D!tek"),
        ("hands JD KD QD / 2C; pile 9S; stock 2D", "JD[H]!tek"),
        ("hands 5C KD QD / 2C; stock 2D", "5C!tek"),
    ],
)
def test_r24_a_call_on_any_other_play_is_illegal(text: str, move: str) -> None:
    assert refused(position(text, last_card_call="tek"), move) == ("R24", "last_card_call")


def test_r24_a_call_at_a_table_without_the_rule_is_illegal() -> None:
    assert refused(position(TWO_CARDS), "9D!tek") == ("R24", "last_card_call")
    assert legal_texts(position(TWO_CARDS)) == ["9D", "draw"]


def test_r24_without_the_rule_nobody_is_barred() -> None:
    assert after(position(TWO_CARDS, last_card_call="none"), "9D").barred == ()


def test_r24_a_bar_ends_with_the_seats_next_turn() -> None:
    deal = position(f"hands KD / 2C 3D; pile 9S; barred 0; {STOCK}", last_card_call="tek")
    assert legal(deal) == "draw"
    deal = after(deal._replace(has_drawn=True), "pass")
    assert (deal.turn, deal.barred) == (1, ())
