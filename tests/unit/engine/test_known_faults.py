"""What other implementations of this game got wrong, each as a test."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from random import Random

import pytest

from service.engine import match as matches
from service.engine.errors import NotOnTurn
from service.engine.legal import legal_moves
from service.engine.moves import parse_move
from service.engine.play import apply
from tests.builders import after, events, hand, legal, legal_texts, position, refused, rules

STOCK = "stock 2D 3D 4D 5D 6D 8D 9D"


def test_a_penalty_is_counted_once() -> None:
    deal = after(position(f"hands 7S KD / 7C 3C / 4H 5H; pile 9S; {STOCK}"), "7S", "7C", "draw")
    assert (len(deal.hands[2]), deal.penalty) == (2 + 6, 0)
    assert legal(deal) == "draw"
    assert len(after(deal, "draw").hands[0]) == 2


def test_a_penalty_is_never_drawn_card_by_card() -> None:
    deal = position(f"hands 7S KD / 2C 3C; pile 9S; {STOCK}", draw_limit=1)
    assert events(deal, "7S", "draw")[0] == "CardsDrawn 1 2D 3D 4D penalty"


def test_a_drawn_seven_does_not_answer_the_penalty_it_was_drawn_for() -> None:
    deal = after(position("hands 7S KD / 2C 3C; pile 9S; stock 7D 7H 3D 4D"), "7S", "draw")
    assert (deal.turn, hand(deal, 1)) == (0, "2C 3C 3D 7D 7H")


def test_the_nominated_suit_survives_a_pass() -> None:
    deal = after(position(f"hands JS KD / 2C 3C / 4H 5C; pile 9S; {STOCK}"), "JS[H]", "draw", "pass")
    assert legal(deal) == "4H, draw"


def test_the_nominated_suit_survives_a_seat_that_is_skipped() -> None:
    deal = position(f"hands JS KD / 2C / 4H 5C; pile 9S; barred 1; {STOCK}", last_card_call="tek")
    deal = after(deal._replace(stock=()), "JS[H]!tek")
    assert (deal.turn, legal(deal)) == (2, "4H")


def test_the_nominated_suit_is_not_carried_into_the_next_deal() -> None:
    match, _ = matches.start("m", rules(2), bytes(32), ("", ""))
    deal = position(f"hands 5H / 2C 3C; pile JS[H]; {STOCK}")
    match = match._replace(deal=deal._replace(shuffler=match.deal.shuffler))
    match, _ = matches.play(match, 0, parse_move("5H"))
    assert (match.deal.number, match.deal.suit, match.deal.discards) == (2, None, ())


def test_a_jack_that_goes_out_is_not_asked_for_a_suit() -> None:
    deal = position(f"hands JS / 2C 3C; pile 9S; {STOCK}")
    assert legal_texts(deal) == ["JS", "draw"]
    assert after(deal, "JS").result is not None


def test_a_reverse_with_two_seats_gives_the_other_seat_the_turn() -> None:
    deal = after(position(f"hands 10S 9C / 10C 3C 4D; pile 9S; {STOCK}"), "10S")
    assert deal.turn == 1
    assert after(deal, "10C").turn == 0


def test_an_empty_stock_where_nobody_can_move_ends_the_deal() -> None:
    deal = after(position("hands 9S KD / 2C 3C / 4H 5H; pile 9H"), "9S")
    assert deal.result is not None


@pytest.mark.parametrize("after_penalty", ["end_turn", "continue"])
@pytest.mark.parametrize("stock_out", ["deal_ends", "reshuffle"])
def test_an_empty_stock_a_penalty_and_the_last_card_rule_do_not_lock(after_penalty: str, stock_out: str) -> None:
    options = {"after_penalty": after_penalty, "stock_out": stock_out, "last_card_call": "tek"}
    deal = after(position("hands 9D 7S / 7D 3H 4H; pile 9S", **options), "9D", "7D")
    while deal.turn is not None:
        listed = legal_moves(deal)
        assert listed
        deal, _ = apply(deal, deal.turn, listed[-1])
    assert deal.result is not None


def test_a_reshuffle_doubles_no_card() -> None:
    deal = position("hands KD QD / 9C 3C; pile 2H 3H 4H 5H 9S; stock 6H", stock_out="reshuffle")
    everything = sorted([*deal.stock, *deal.discards, *deal.hands[0], *deal.hands[1]])
    for count in range(1, 6):
        then = after(deal, *["draw"] * count)
        assert sorted([*then.stock, *then.discards, *then.hands[0], *then.hands[1]]) == everything


def test_a_move_sent_twice_does_not_count_twice() -> None:
    deal = position(f"hands 9S 9D / 9C 3C; pile 9H; {STOCK}", decks=2)
    then = after(deal, "9S")
    with pytest.raises(NotOnTurn):
        apply(then, 0, parse_move("9S"))


def test_a_card_played_twice_in_one_seats_run_of_turns_is_not_held_the_second_time() -> None:
    deal = after(position(f"hands 8S 9D / 9C 3C; pile 9S; {STOCK}"), "8S")
    assert refused(deal, "8S") == ("R21", None)


def test_two_moves_from_one_state_do_not_disturb_each_other() -> None:
    deal = position(f"hands 9S 9D / 9C 3C; pile 9H; {STOCK}")
    one, other = after(deal, "9S"), after(deal, "draw")
    assert hand(deal, 0) == "9D 9S"
    assert (hand(one, 0), hand(other, 0)) == ("9D", "2D 9D 9S")


def test_no_deal_begins_with_the_cards_of_the_one_before() -> None:
    match, _ = matches.start("m", rules(4, deals=4), bytes(32), ("",) * 4)
    random, dealt = Random(0), [match.deal.hands]
    while match.deal.turn is not None:
        number = match.deal.number
        match, _ = matches.play(match, match.deal.turn, random.choice(legal_moves(match.deal)))
        if match.deal.number != number:
            dealt.append(match.deal.hands)
            assert Counter(Counter([*match.deal.stock, *sum(match.deal.hands, ())]).values()) == {1: 52}
    assert len(dealt) == 4
    assert all(one != other for one, other in pairwise(dealt))
