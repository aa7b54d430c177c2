"""What eights, tens, sevens and aces do (R10-R13, R23, R25, R28)."""

from __future__ import annotations

import pytest

from tests.builders import after, events, hand, legal, position, refused

STOCK = "stock 2D 3D 4D 5D 6D 8D 9D 10D QD KD"
THREE = f"hands AS 8S 10S 7S KS / 2C 3C 7C / 4C 5C 7D; pile 9S; {STOCK}"
TWO = f"hands AS 8S 10S 7S KS / 2C 3S 7C; pile 9S; {STOCK}"


def test_r10_an_eight_makes_the_next_seat_miss_its_turn() -> None:
    assert after(position(THREE), "8S").turn == 2


def test_r10_an_eight_skips_in_the_direction_of_play() -> None:
    assert after(position(THREE + "; direction counterclockwise"), "8S").turn == 1


def test_r10_with_two_seats_the_same_seat_moves_in_a_new_turn() -> None:
    deal = after(position(TWO), "draw", "8S")
    assert (deal.turn, deal.drawn) == (0, 0)
    assert refused(deal, "pass") == ("R7", None)


def test_r10_eight_none_does_nothing() -> None:
    assert after(position(THREE, eight="none"), "8S").turn == 1


def test_r11_a_ten_reverses_the_direction() -> None:
    deal = after(position(THREE), "10S")
    assert (deal.turn, deal.direction) == (2, -1)


@pytest.mark.parametrize("option,turn", [("none", 1), ("skip", 0)])
@pytest.mark.parametrize("eight", ["skip", "none"])
def test_r11_with_two_seats_a_ten_reverses_and_skips_only_with_ten_two_seats(
    option: str, turn: int, eight: str
) -> None:
    deal = after(position(TWO, ten_two_seats=option, eight=eight), "10S")
    assert (deal.turn, deal.direction) == (turn, -1)


def test_r11_ten_two_seats_does_not_matter_at_a_bigger_table() -> None:
    assert after(position(THREE, ten_two_seats="skip"), "10S").turn == 2


def test_r12_a_seven_asks_for_an_answer_or_three_cards_and_nothing_else() -> None:
    deal = after(position(f"hands 7S KS / 7C 9S JD; pile 9S; {STOCK}"), "7S")
    assert legal(deal) == "7C, draw 3"
    assert [refused(deal, text) for text in ("JD[D]", "9S", "pass")] == [("R12", None)] * 3


def test_r12_penalty_is_drawn_whole() -> None:
    deal = after(position(THREE), "7S", "draw")
    assert (hand(deal, 1), deal.turn, deal.penalty) == ("2C 3C 7C 2D 3D 4D", 2, 0)


def test_r12_a_run_of_sevens_adds_three_each() -> None:
    deal = after(position(THREE), "7S", "7C", "7D")
    assert (deal.penalty, deal.turn) == (9, 0)
    deal = after(deal, "draw")
    assert len(deal.hands[0]) == 4 + 9


def test_r12_a_settled_seven_is_an_ordinary_card_and_a_seven_on_it_starts_at_three() -> None:
    deal = after(position(THREE), "7S", "draw")
    assert legal(deal) == "7D, draw"
    assert after(deal, "7D").penalty == 3


def test_r12_it_may_draw_the_penalty_while_it_holds_a_seven_whatever_governs_choice() -> None:
    deal = position(THREE, draw_only_if_unable=True, draw_limit=1, must_play_if_able=True)
    assert legal(after(deal, "7S")) == "7C, draw 3"
    assert len(after(deal, "7S", "draw").hands[1]) == 6


@pytest.mark.parametrize("draw", [2, 3])
def test_r12_seven_draw_sets_the_cards_a_seven(draw: int) -> None:
    deal = after(position(THREE, seven_draw=draw), "7S", "7C")
    assert deal.penalty == 2 * draw


def test_r12_after_penalty_continue_goes_on_in_the_same_turn_as_having_drawn() -> None:
    deal = after(position(THREE, after_penalty="continue", draw_limit=1), "7S", "draw")
    assert (deal.turn, deal.drawn, deal.penalty) == (1, 0, 0)
    assert legal(deal) == "7C, draw, pass"
    assert after(deal, "7C").penalty == 3
    assert after(deal, "pass").turn == 2
    assert legal(after(deal, "draw")) == "7C, pass"


def test_r12_after_penalty_continue_lets_a_seat_pass_when_the_stock_is_gone() -> None:
    deal = position("hands 7S KS / 2C 3C; pile 9S; stock 2D 3D 4D", after_penalty="continue")
    assert legal(after(deal, "7S", "draw")) == "pass"


def test_r28_double_doubles_the_penalty() -> None:
    deal = position(f"hands 7S 7H KS / 7C 2C 3C / 7D 4C; pile 9S; {STOCK}", seven_run="double", seven_draw=2)
    assert [after(deal, *moves).penalty for moves in (["7S"], ["7S", "7C"], ["7S", "7C", "7D"])] == [2, 4, 8]
    assert after(deal, "7S", "7C", "7D", "7H").penalty == 16


def test_r28_single_cannot_be_answered() -> None:
    deal = after(position(THREE, seven_run="single"), "7S")
    assert legal(deal) == "draw 3"
    assert refused(deal, "7C") == ("R28", "seven_run")
    assert refused(deal, "2C") == ("R12", None)
    assert legal(after(deal, "draw")) == "7D, draw"
    assert after(deal, "draw", "7D").penalty == 3


def test_r13_an_ace_allows_one_more_card_of_its_rank_or_suit_or_a_jack() -> None:
    deal = after(position(f"hands AS AD KS KD JH 7S / 2C; pile 9S; {STOCK}"), "AS")
    assert (deal.turn, deal.phase) == (0, "second_card")
    assert legal(deal) == "AD, JH*, 7S, KS, pass"
    assert [refused(deal, text) for text in ("KD", "draw")] == [("R13", None)] * 2


def test_r13_it_may_end_its_turn_without_drawing() -> None:
    assert after(position(THREE), "AS", "pass").turn == 1


def test_r13_a_second_ace_grants_another_card() -> None:
    deal = after(position(f"hands AS AD KD KS / 2C; pile 9S; {STOCK}"), "AS", "AD")
    assert legal(deal) == "KD, pass"
    assert after(deal, "KD").turn == 1


@pytest.mark.parametrize("card,turn,penalty", [("7S", 1, 3), ("8S", 2, 0), ("10S", 2, 0), ("KS", 1, 0)])
def test_r13_the_second_card_has_its_usual_effect(card: str, turn: int, penalty: int) -> None:
    deal = after(position(THREE), "AS", card)
    assert (deal.turn, deal.penalty, deal.phase) == (turn, penalty, "turn")


def test_r13_a_jack_as_second_card_nominates() -> None:
    deal = position(f"hands AS JH KS / 2C 4D; pile 9S; {STOCK}")
    assert refused(after(deal, "AS"), "JH") == ("R9", None)
    assert legal(after(deal, "AS", "JH[D]")) == "4D, draw"


def test_r23_must_follow_makes_a_seat_play_a_follower() -> None:
    deal = after(position(THREE, ace="must_follow"), "AS")
    assert legal(deal) == "7S, 8S, 10S, KS"
    assert [refused(deal, text) for text in ("draw", "pass")] == [("R23", "ace")] * 2


def test_r23_must_follow_without_a_follower_draws_one_card_once() -> None:
    start = position(f"hands AS KD QD / 2C; pile 9S; {STOCK}", ace="must_follow")
    deal = after(start, "AS")
    assert legal(deal) == "draw"
    assert refused(deal, "pass") == ("R23", "ace")
    deal = after(deal, "draw")
    assert (legal(deal), deal.drawn) == ("pass", 0)
    assert refused(deal, "draw") == ("R23", "ace")
    assert after(deal, "pass").turn == 1


def test_r23_a_follower_that_was_drawn_must_be_played() -> None:
    deal = position("hands AS KD QD / 2C; pile 9S; stock 5S", ace="must_follow")
    assert legal(after(deal, "AS", "draw")) == "5S"


def test_r23_the_draw_is_anew_for_each_ace() -> None:
    deal = position("hands AS KD QD / 2C 3C; pile 9S; stock AH 4C 5C", ace="must_follow")
    assert legal(after(deal, "AS", "draw", "AH")) == "draw"


def test_r23_without_a_card_to_draw_the_only_move_is_pass() -> None:
    deal = after(position("hands AS KD QD / 3C AD; pile 9S", ace="must_follow"), "AS")
    assert legal(deal) == "pass"
    assert refused(deal, "draw") == ("R17", None)


def test_r23_the_draw_is_not_one_by_choice() -> None:
    deal = position("hands AS KD QD / 2C; pile 9S; stock 5C 6C", ace="must_follow", draw_limit=1)
    assert legal(after(deal, "draw", "AS")) == "draw"


def test_ace_everyone_draws_gives_each_other_seat_a_card_and_its_player_a_new_turn() -> None:
    deal = after(position(THREE, ace="everyone_draws"), "draw", "AS")
    assert (deal.turn, deal.phase, deal.drawn) == (0, "turn", 0)
    assert [hand(deal, seat) for seat in (1, 2)] == ["2C 3C 7C 3D", "4C 5C 4D 7D"]
    assert refused(deal, "pass") == ("R7", None)


def test_ace_everyone_draws_in_the_order_of_play() -> None:
    deal = after(position(THREE + "; direction counterclockwise", ace="everyone_draws"), "AS")
    assert [hand(deal, seat) for seat in (1, 2)] == ["2C 3C 7C 3D", "4C 5C 2D 7D"]


def test_ace_next_draws_makes_the_next_seat_draw_and_miss_its_turn() -> None:
    deal = after(position(THREE, ace="next_draws"), "AS")
    assert (deal.turn, hand(deal, 1)) == (2, "2C 3C 7C 2D")


def test_ace_skip_makes_the_next_seat_miss_its_turn() -> None:
    deal = after(position(THREE, ace="skip"), "AS")
    assert (deal.turn, len(deal.stock)) == (2, 10)


def test_ace_none_does_nothing() -> None:
    deal = after(position(THREE, ace="none"), "AS")
    assert (deal.turn, deal.phase, legal(deal)) == (1, "turn", "draw")


@pytest.mark.parametrize("ace", ["everyone_draws", "next_draws", "skip"])
def test_ace_with_two_seats_the_same_seat_moves_again(ace: str) -> None:
    deal = after(position(TWO, ace=ace), "AS")
    assert (deal.turn, deal.phase) == (0, "turn")


def test_r25_everyone_draws_is_served_in_order_and_ends_the_deal_where_it_falls_short() -> None:
    deal = position("hands AS KD / 2C / 4C / 5C; pile 9S; stock 2D 3D", ace="everyone_draws")
    assert events(deal, "AS") == ["CardPlayed 0 AS", "CardsDrawn 1 2D ace", "CardsDrawn 2 3D ace", "DealEnded"]


def test_r25_everyone_draws_with_just_enough_cards_goes_on() -> None:
    deal = after(position("hands AS KS / 2C / 4C; pile 9S; stock 2D 3D", ace="everyone_draws"), "AS")
    assert (deal.turn, legal(deal)) == (0, "KS")


def test_r25_next_draws_without_a_card_ends_the_deal() -> None:
    deal = position("hands AS KS / 2C / 4C; pile 9S", ace="next_draws")
    assert events(deal, "AS") == ["CardPlayed 0 AS", "DealEnded"]


@pytest.mark.parametrize("ace", ["everyone_draws", "next_draws", "skip", "again", "must_follow"])
def test_r25_an_ace_that_goes_out_does_none_of_this(ace: str) -> None:
    deal = position("hands AS / 2C / 4C; pile 9S; stock 2D 3D", ace=ace)
    assert events(deal, "AS") == ["CardPlayed 0 AS", "DealEnded"]
