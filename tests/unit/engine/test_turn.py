"""The ordinary turn: drawing and passing (R7), what may be laid on what (R8), jacks (R9, R31)."""

from __future__ import annotations

import pytest

from tests.builders import after, legal, legal_texts, position, refusal, refused

JACKS = "hands JS JH 9H 8S 7C / 2C 3H; stock 2D 3D"


def test_r7_a_seat_plays_one_card_or_draws_one() -> None:
    deal = position("hands 9D 4H / 2C 3H; pile 9S; stock 2C KD")
    assert legal(deal) == "9D, draw"
    assert after(deal, "9D").turn == 1
    assert after(deal, "draw").turn == 0


def test_r7_it_may_draw_as_often_as_it_likes_even_when_it_could_play() -> None:
    deal = after(position("hands 9D 4H / 2C 3H; pile 9S; stock 2C KD QD JD"), "draw", "draw", "draw")
    assert (deal.drawn, legal(deal)) == (3, "9D, draw, pass")


def test_r7_it_may_pass_only_after_drawing_in_this_turn() -> None:
    deal = position("hands 9D 4H / 9C 3H; pile 9S; stock 2C KD QD")
    assert refused(deal, "pass") == ("R7", None)
    deal = after(deal, "draw")
    assert legal(deal) == "9D, draw, pass"
    assert refused(after(deal, "pass"), "pass") == ("R7", None)


def test_r7_after_drawing_any_legal_card_may_be_played() -> None:
    deal = after(position("hands 9D 4H / 2C 3H; pile 9S; stock 5S KD"), "draw")
    assert legal(deal) == "9D, 5S, draw, pass"


@pytest.mark.parametrize("limit", [1, 2, 10])
def test_r7_draw_limit_counts_the_cards_drawn_by_choice_in_one_turn(limit: int) -> None:
    stock = "2D 2H 3D 3H 4D 4H 5D 5H 6D 6H 8D"
    deal = position(f"hands KC QC / 2C 3C; pile 9S; stock {stock}", draw_limit=limit)
    deal = after(deal, *["draw"] * limit)
    assert (deal.drawn, legal(deal)) == (limit, "pass")
    assert refused(deal, "draw") == ("R7", "draw_limit")
    assert str(limit) in refusal(deal, "draw").detail


def test_r7_draw_limit_begins_anew_in_the_next_turn() -> None:
    deal = position("hands KC QC / 2C 3C; pile 9S; stock 2D 2H 3D", draw_limit=1)
    assert legal(after(deal, "draw", "pass")) == "draw"


def test_r7_without_draw_limit_a_seat_may_draw_the_whole_stock() -> None:
    deal = position("hands KC QC / 2C 3C; pile 9S; stock 2D 2H 3D 3H 4D", draw_limit=None)
    assert legal(after(deal, *["draw"] * 5)) == "pass"


@pytest.mark.parametrize("option,listed", [(False, "9D, draw"), (True, "9D")])
def test_r7_draw_only_if_unable(option: bool, listed: str) -> None:
    deal = position("hands 9D 4H / 2C 3H; pile 9S; stock 2C", draw_only_if_unable=option)
    assert legal(deal) == listed
    assert legal(position("hands 9D 4H / 2C; pile KS; stock 2C", draw_only_if_unable=option)) == "draw"
    if option:
        assert refused(deal, "draw") == ("R7", "draw_only_if_unable")


@pytest.mark.parametrize("option,listed", [(False, "9D, draw, pass"), (True, "9D, draw")])
def test_r7_must_play_if_able(option: bool, listed: str) -> None:
    deal = after(position("hands 9D 4H / 2C 3H; pile 9S; stock 2C 3D", must_play_if_able=option), "draw")
    assert legal(deal) == listed
    if option:
        assert refused(deal, "pass") == ("R7", "must_play_if_able")


def test_r7_must_play_if_able_leaves_an_aces_second_card_optional() -> None:
    deal = position("hands AS 4S KD / 2C 3H; pile 9S; stock 2C", must_play_if_able=True)
    assert legal(after(deal, "AS")) == "4S, pass"


@pytest.mark.parametrize("option,listed", [("after_draw", "draw, pass"), ("only_if_stuck", "draw")])
def test_r7_pass_only_if_stuck_asks_for_drawing_on(option: str, listed: str) -> None:
    deal = after(position("hands KD 4H / 2C 3H; pile 9S; stock 2C 3D", pass_=option), "draw")
    assert legal(deal) == listed
    if option == "only_if_stuck":
        assert refused(deal, "pass") == ("R7", "pass")
    assert legal(after(deal, "draw")) == "pass"


def test_r7_pass_only_if_stuck_asks_for_playing() -> None:
    deal = after(position("hands 9D 4H / 2C 3H; pile 9S; stock 2C", pass_="only_if_stuck"), "draw")
    assert legal(deal) == "9D"


def test_r7_pass_only_if_stuck_lets_a_seat_at_its_draw_limit_pass() -> None:
    deal = position("hands KD 4H / 2C 3H; pile 9S; stock 2C 3D", pass_="only_if_stuck", draw_limit=1)
    assert legal(after(deal, "draw")) == "pass"


def test_r7_pass_only_if_stuck_leaves_an_aces_second_card_optional() -> None:
    deal = position("hands AS 4S KD / 2C 3H; pile 9S; stock 2C", pass_="only_if_stuck")
    assert legal(after(deal, "AS")) == "4S, pass"


def test_r8_a_card_follows_in_rank_or_suit_and_a_jack_on_anything() -> None:
    deal = position("hands 9C 4S JD 5H / 2C; pile 9S; stock 2C")
    assert legal(deal) == "9C, JD*, 4S, draw"
    assert refused(deal, "5H") == ("R8", None)


def test_r8_on_a_jack_only_the_suit_in_force_is_legal_and_no_jack() -> None:
    deal = position(JACKS + "; pile JD[H]")
    assert legal(deal) == "9H, draw"
    assert [refused(deal, text) for text in ("JH[C]", "JS[C]", "8S")] == [("R8", None)] * 3


def test_r8_jack_on_jack_allows_a_jack_of_any_suit() -> None:
    deal = position(JACKS + "; pile JD[H]", jack_on_jack=True)
    assert legal(deal) == "9H, JH*, JS*, draw"


def test_r9_a_jack_nominates_any_suit_the_current_one_too() -> None:
    deal = position("hands JD 4H / 2C 3S; pile 9S; stock 2C")
    assert legal_texts(deal) == ["JD[C]", "JD[D]", "JD[H]", "JD[S]", "draw"]
    assert after(deal, "JD[S]").suit == 3


def test_r9_the_nominated_suit_stays_through_draws_passes_and_turns() -> None:
    deal = position("hands JD 4H / 2C 3S / 2S 3H; pile 9S; stock 4C 5C 6C 8C")
    deal = after(deal, "JD[H]", "draw", "pass", "draw", "pass")
    assert (deal.turn, deal.suit, legal(deal)) == (0, 2, "4H, draw")


def test_r9_another_card_lifts_the_nominated_suit() -> None:
    deal = after(position("hands JD 4H / 2C 3H 3S 9S; pile 9S; stock 4C 5C"), "JD[H]", "3H")
    assert legal(deal) == "4H, draw"


@pytest.mark.parametrize("move", ["JD", "9D[H]", "9D[D]"])
def test_r9_a_missing_suit_or_one_with_another_card_is_illegal(move: str) -> None:
    deal = position("hands JD 9D 4H / 2C 3S; pile 9S; stock 2C")
    assert refused(deal, move) == ("R9", None)


def test_r9_a_suit_with_an_opening_card_that_is_no_jack_is_illegal() -> None:
    assert refused(position("hands 9C 4H / 2C 3S; stock 2C"), "9C[C]") == ("R9", None)


@pytest.mark.parametrize("suit", ["", "[C]", "[D]", "[H]", "[S]"])
@pytest.mark.parametrize("option", ["any", "different"])
def test_r9_a_jack_that_goes_out_needs_no_suit_and_one_given_is_ignored(suit: str, option: str) -> None:
    deal = position("hands JD / 2C 3S; pile 9S; stock 2C", jack_suit=option)
    assert legal_texts(deal) == ["JD", "draw"]
    over = after(deal, "JD" + suit)
    assert over.result is not None
    assert over.suit == 1


def test_r31_jack_suit_different_forbids_the_suit_in_force() -> None:
    deal = position("hands JD 4H / 2C 3S; pile 9S; stock 2C", jack_suit="different")
    assert legal(deal) == "JD[CDH], draw"
    assert refused(deal, "JD[S]") == ("R31", "jack_suit")
    assert refused(deal, "JD") == ("R9", None)


def test_r31_on_a_jack_the_nominated_suit_is_the_one_in_force() -> None:
    deal = position("hands JD 4S / 2C; pile JS[H]; stock 2C", jack_suit="different", jack_on_jack=True)
    assert legal(deal) == "JD[CDS], draw"


def test_r31_for_an_aces_second_card_the_aces_suit_counts() -> None:
    deal = position("hands AD AS JD 4H / 2C 3S; pile 9S; stock 2C", jack_suit="different")
    assert legal(after(deal, "AS")) == "AD, JD[CDH], pass"
    assert legal(after(deal, "AS", "AD")) == "JD[CHS], pass"
