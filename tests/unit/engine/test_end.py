"""The end of a deal (R14-R19), with a reshuffled stock (R26) and a last seven that draws (R27)."""

from __future__ import annotations

import pytest

from service.engine.cards import card_names
from service.engine.events import Result
from service.engine.play import MOVE_LIMIT
from service.engine.state import Deal
from tests.builders import after, events, hand, legal, position, refused

STOCK = "stock 2D 3D 4D 5D 6D 8D 9D"


def result(deal: Deal) -> Result:
    assert deal.result is not None
    assert (deal.turn, deal.phase, legal(deal)) == (None, "over", "")
    return deal.result


def test_r14_a_seat_whose_hand_is_empty_wins_at_once() -> None:
    over = result(after(position(f"hands 9D / 2C KD / 4H; pile 9S; {STOCK}"), "9D"))
    assert over == ("went_out", (0,), 1, (0, 12, 4), 25 - 4)


def test_r14_it_wins_in_the_middle_of_an_aces_second_card_too() -> None:
    over = result(after(position(f"hands AS 5S / 2C KD; pile 9S; {STOCK}"), "AS", "5S"))
    assert (over.winners, over.points) == ((0,), (0, 12))


@pytest.mark.parametrize("card", ["7S", "8S", "10S", "AS"])
def test_r14_effects_of_the_last_card_are_not_carried_out(card: str) -> None:
    deal = position(f"hands {card} / 2C KD / 4H; pile 9S; {STOCK}")
    assert events(deal, card) == [f"CardPlayed 0 {card}", "DealEnded"]


def test_r15_every_other_seat_scores_its_hand() -> None:
    deal = position(f"hands 9D / JC 7C AC / KC QC 10C / 9C 8C 2C; pile 9S; {STOCK}")
    assert result(after(deal, "9D")).points == (0, 60, 30, 19)


@pytest.mark.parametrize("card,multiplier", [("7S", 3), ("JS", 2), ("AS", 1), ("10S", 1)])
def test_r16_going_out_with_a_seven_triples_and_with_a_jack_doubles(card: str, multiplier: int) -> None:
    over = result(after(position(f"hands {card} / 2C KD / 4H; pile 9S; {STOCK}"), card))
    assert (over.multiplier, over.points) == (multiplier, (0, 12 * multiplier, 4 * multiplier))


def test_r16_the_last_card_alone_decides_however_long_the_run_was() -> None:
    over = result(after(position(f"hands 7S 2S / 7C / 4H; pile 9S; {STOCK}"), "7S", "7C"))
    assert (over.winners, over.multiplier, over.points) == ((1,), 3, (6, 0, 12))


def test_r17a_a_penalty_that_asks_for_too_much_takes_what_is_left_and_ends_the_deal() -> None:
    deal = position("hands 7S KD / 5C 3C / 4H; pile 9S; stock 2D 3D")
    assert events(deal, "7S", "draw") == ["CardsDrawn 1 2D 3D penalty", "DealEnded"]


def test_r17a_the_discards_are_not_reused() -> None:
    deal = after(position("hands 7S KD / 5C 3C / 4H; pile 9C 9D 9S; stock 2D 3D"), "7S", "draw")
    assert card_names(deal.discards) == ["9C", "9D", "9S", "7S"]


def test_r17a_a_penalty_that_just_empties_the_stock_does_not_end_the_deal() -> None:
    deal = after(position("hands 7S KD / 5C 3C / 4S; pile 9S; stock 2D 3D 4D"), "7S", "draw")
    assert (deal.turn, legal(deal)) == (2, "4S")


def test_r17b_the_deal_ends_when_a_penalty_is_owed_without_a_seven_or_a_card_to_draw() -> None:
    deal = position("hands 7S KD / 5C 3C / 4H; pile 9S")
    assert events(deal, "7S") == ["CardPlayed 0 7S", "PenaltyRaised 3", "DealEnded"]


def test_r17b_the_deal_ends_when_the_opener_draws_the_whole_stock_without_a_club() -> None:
    deal = position("hands KD QD / 5C 3C; stock 2D 3D")
    assert events(deal, "draw", "draw") == ["CardsDrawn 0 3D opening", "DealEnded"]


def test_r17b_the_deal_ends_when_a_later_opener_is_stuck() -> None:
    deal = position("hands 5C QD / 5H 3D; stock", opening="everyone")
    assert result(after(deal, "5C")).reason == "stock_out"


def test_r17b_a_seat_that_drew_the_last_card_may_pass_so_the_deal_goes_on() -> None:
    deal = after(position("hands KD QD / 9C 3C; pile 9S; stock 2D"), "draw")
    assert legal(deal) == "pass"
    assert legal(after(deal, "pass")) == "9C"


def test_r17_while_no_card_can_be_drawn_a_seat_must_play_if_it_can() -> None:
    deal = position("hands 9D 4H / 2C 3C; pile 9S")
    assert legal(deal) == "9D"
    assert (refused(deal, "draw"), refused(deal, "pass")) == (("R17", None), ("R7", None))


def test_r17_without_cards_a_seven_must_answer_a_penalty() -> None:
    deal = position("hands 7D 4H / 2C 3C; pile 9S 7S; penalty 3")
    assert legal(deal) == "7D"
    assert refused(deal, "draw") == ("R17", None)


def test_r17_an_aces_second_card_stays_optional_without_cards_to_draw() -> None:
    assert legal(after(position("hands AS 4S KD / 2S 3C; pile 9S"), "AS")) == "4S, pass"


def test_r18_the_lowest_hand_wins_with_nothing_and_the_others_score_without_a_multiplier() -> None:
    deal = position("hands 7S KD / 5C / 4H 2C; pile 9S", stock_out_score="winner_zero")
    assert result(after(deal, "7S")) == ("stock_out", (1,), 1, (10, 0, 6), None)


def test_r18_equal_lowest_hands_all_win_and_score_nothing() -> None:
    over = result(after(position("hands 7S KD / 5C / 3H 2C; pile 9S"), "7S"))
    assert (over.winners, over.points) == ((1, 2), (10, 0, 0))


def test_r18_all_score_lets_the_winners_score_their_hands_too() -> None:
    over = result(after(position("hands 7S KD / 5C / 3H 2C; pile 9S", stock_out_score="all_score"), "7S"))
    assert (over.winners, over.points) == ((1, 2), (10, 5, 5))


def test_r19_after_a_thousand_moves_a_deal_ends_as_without_cards() -> None:
    deal = position("hands 9D QD / 2C 3C; pile 9S; stock 2H 3D", stock_out="reshuffle")
    deal = deal._replace(moves=MOVE_LIMIT - 2)
    deal = after(deal, "draw")
    assert deal.turn == 0
    assert events(deal, "draw") == ["CardsDrawn 0 3D choice", "DealEnded"]
    assert result(after(deal, "draw")).winners == (1,)


def test_r19_a_thousandth_move_that_goes_out_ends_the_deal_by_itself() -> None:
    deal = position("hands 9D / 2C 3C; pile 9S; stock 2H", stock_out="reshuffle")
    assert result(after(deal._replace(moves=MOVE_LIMIT - 1), "9D")).reason == "went_out"


def test_r19_the_limit_is_a_thousand_moves() -> None:
    assert MOVE_LIMIT == 1000


def test_r26_a_draw_takes_what_is_left_then_the_reshuffled_pile_but_its_top_card() -> None:
    deal = position("hands 7S KD / 5C 3C; pile 9C 9D 9S; stock 2D", stock_out="reshuffle")
    deal = after(deal, "7S")
    assert events(deal, "draw")[:3] == [
        "CardsDrawn 1 2D penalty",
        "StockReshuffled 3",
        "CardsDrawn 1 " + " ".join(card_names(deal.shuffler.reshuffle(1, deal.discards[:-1])[:2])) + " penalty",
    ]
    deal = after(deal, "draw")
    assert (card_names(deal.discards), len(deal.stock), deal.reshuffles) == (["7S"], 1, 1)


def test_r26_nothing_is_reshuffled_before_a_draw_asks_for_more_than_the_stock_holds() -> None:
    deal = after(position("hands KD QD / 5C 3C; pile 9C 9D 9S; stock 2D", stock_out="reshuffle"), "draw")
    assert (len(deal.stock), len(deal.discards), legal(deal)) == (0, 3, "draw, pass")
    assert events(deal, "draw")[0] == "StockReshuffled 2"


def test_r26_the_top_card_alone_cannot_be_drawn() -> None:
    deal = position("hands KD 9D / 9C 3C; pile 9S", stock_out="reshuffle")
    assert legal(deal) == "9D"
    assert refused(deal, "draw") == ("R17", None)


def test_r26_a_penalty_beyond_a_reshuffle_takes_what_there_is_and_ends_the_deal() -> None:
    deal = position("hands 7S KD / 5C 3C; pile 9S; stock 2D", stock_out="reshuffle")
    told = events(deal, "7S", "draw")
    assert told == ["CardsDrawn 1 2D penalty", "StockReshuffled 1", "CardsDrawn 1 9S penalty", "DealEnded"]


def test_r26_a_jack_keeps_its_nominated_suit_across_a_reshuffle() -> None:
    deal = position("hands 8D 4H / 5C 3C; pile 9C JS[H]", stock_out="reshuffle")
    deal = after(deal, "draw")
    assert legal(deal) == "4H, pass"


def test_r26_everyone_draws_across_a_reshuffle() -> None:
    deal = position("hands AS KS / 2C / 4C; pile 9C 9S; stock 2D", ace="everyone_draws", stock_out="reshuffle")
    told = events(deal, "AS")
    assert told[1:3] == ["CardsDrawn 1 2D ace", "StockReshuffled 2"]
    assert told[-1] == "TurnStarted 0 turn 0"


def test_r27_last_seven_draws_makes_the_next_seat_draw_the_runs_whole_penalty_before_the_count() -> None:
    deal = position(f"hands 7S 2S / 7C / 4H; pile 9S; {STOCK}", last_seven="draws")
    assert events(deal, "7S", "7C") == ["CardPlayed 1 7C", "CardsDrawn 2 2D 3D 4D 5D 6D 8D last_seven", "DealEnded"]
    over = result(after(deal, "7S", "7C"))
    assert (over.winners, over.multiplier, over.points) == ((1,), 3, (6, 0, (4 + 28) * 3))


@pytest.mark.parametrize("run,count", [("add", 4), ("double", 4), ("single", 2)])
def test_r27_the_penalty_is_the_one_that_the_run_would_ask(run: str, count: int) -> None:
    deal = position(f"hands 7C / 4H; pile 7S; {STOCK}", last_seven="draws", seven_run=run, seven_draw=2)
    deal = deal._replace(penalty=2 if run != "single" else 0)
    assert len(after(deal, "7C").hands[1]) == 1 + count


def test_r27_it_goes_in_the_direction_of_play() -> None:
    deal = position(f"hands 7C / 4H / 5H; pile 7S; direction counterclockwise; {STOCK}", last_seven="draws")
    assert hand(after(deal, "7C"), 2) == "2D 3D 4D 5H"


def test_r27_too_few_cards_are_drawn_as_far_as_there_are_and_winner_and_multiplier_stand() -> None:
    deal = position("hands 7S / 4H / 5H; pile 9S; stock 2D", last_seven="draws", after_penalty="continue")
    assert result(after(deal, "7S")) == ("went_out", (0,), 3, (0, 18, 15), 45)


def test_r27_a_reshuffle_serves_the_last_seven_too() -> None:
    deal = position("hands 7S / 4H; pile 2D 9S; stock", last_seven="draws", stock_out="reshuffle")
    assert hand(after(deal, "7S"), 1) == "2D 4H 9S"


def test_r27_last_seven_free_lets_nobody_draw() -> None:
    deal = position(f"hands 7S / 4H / 5H; pile 9S; {STOCK}", last_seven="free")
    assert result(after(deal, "7S")).points == (0, 12, 15)
