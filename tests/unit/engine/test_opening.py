"""The table and the deal (R1-R3), and the opening (R4-R6, R29)."""

from __future__ import annotations

from collections import Counter

import pytest

from service.engine.cards import card_names
from service.engine.play import deal_cards
from service.engine.shuffle import Shuffler
from tests.builders import after, dealt, events, hand, legal, position, refused, rules

PLENTY = "stock 2D 3D 4D 5D 6D 8D 9D"


@pytest.mark.parametrize("seats,decks", [(2, 1), (3, 1), (4, 1), (5, 1), (6, 2), (7, 2), (8, 2), (9, 2), (10, 2)])
def test_r1_one_pack_serves_five_seats_and_two_packs_serve_more(seats: int, decks: int) -> None:
    deal = dealt(seats)
    cards = Counter([*deal.stock, *(card for cards in deal.hands for card in cards)])
    assert deal.rules.decks == decks
    assert set(cards.values()) == {decks}
    assert len(cards) == 52


@pytest.mark.parametrize("decks", [1, 2, 3, 4])
def test_r1_decks_overrides_the_number_of_packs(decks: int) -> None:
    deal = dealt(2, decks=decks)
    assert len(deal.stock) == 52 * decks - 14


def test_r3_the_cards_go_round_one_at_a_time_from_the_dealers_left() -> None:
    shuffler = Shuffler(bytes(32), "test", 1, ("",) * 3)
    deal, _ = deal_cards(rules(3), shuffler, 1, dealer=0)
    pack = shuffler.pack(1)
    assert deal.turn == 1
    for place, seat in enumerate((1, 2, 0)):
        assert deal.hands[seat] == tuple(sorted(pack[place:21:3]))
    assert deal.stock == tuple(pack[21:])


def test_r3_no_card_is_turned_up_and_play_starts_clockwise() -> None:
    deal = dealt(4, dealer=3)
    assert (deal.discards, deal.suit, deal.direction, deal.turn) == ((), None, 1, 0)
    assert (deal.penalty, deal.drawn, deal.moves, deal.reshuffles) == (0, 0, 0, 0)


@pytest.mark.parametrize("size", range(3, 14))
def test_r3_hand_size_sets_the_cards_of_each_seat(size: int) -> None:
    assert [len(cards) for cards in dealt(3, hand_size=size).hands] == [size] * 3


def test_r4_the_opener_must_play_a_club_that_it_holds() -> None:
    deal = position(f"hands 5C JH 7D / 2C 3C; {PLENTY}")
    assert legal(deal) == "5C"
    assert [refused(deal, text) for text in ("JH[H]", "7D", "draw", "pass")] == [("R4", None)] * 4


def test_r4_without_a_club_the_opener_draws_one_card_at_a_time_until_it_has_one() -> None:
    deal = position("hands JH 7D / 2C 3C; stock 4D 5C 6C")
    assert legal(deal) == "draw"
    assert refused(deal, "pass") == ("R4", None)
    deal = after(deal, "draw")
    assert (hand(deal, 0), legal(deal)) == ("4D 7D JH", "draw")
    assert legal(after(deal, "draw")) == "5C"


def test_r4_an_opening_draw_is_not_one_by_choice() -> None:
    deal = after(position("hands JH 7D / 2C 3C; stock 4D 5D 6C", draw_limit=1), "draw", "draw")
    assert (deal.drawn, legal(deal)) == (0, "draw")


@pytest.mark.parametrize("card,legal_then", [("7C", "2C, draw"), ("8C", "2C, draw"), ("AC", "2C, draw")])
def test_r5_the_opening_card_has_no_effect(card: str, legal_then: str) -> None:
    deal = after(position(f"hands {card} KH QH / 2C 3D / 4C 5D; {PLENTY}"), card)
    assert (deal.turn, deal.penalty, deal.phase, legal(deal)) == (1, 0, "turn", legal_then)


def test_r5_an_opening_ten_does_not_reverse() -> None:
    deal = after(position(f"hands 10C KH QH / 2C 3D / 4C 5D; {PLENTY}"), "10C")
    assert (deal.turn, deal.direction) == (1, 1)


def test_r5_an_opening_jack_nominates_nothing_and_clubs_are_in_force() -> None:
    start = position(f"hands JC KH QH / 2C JD 9H / 4C 5D; {PLENTY}")
    assert legal(start) == "JC"
    deal = after(start, "JC")
    assert legal(deal) == "2C, draw"
    assert refused(deal, "JD[D]") == ("R8", None)


def test_r5_an_opening_jack_takes_a_jack_with_jack_on_jack() -> None:
    deal = after(position(f"hands JC KH QH / 2C JD 9H; {PLENTY}", jack_on_jack=True), "JC")
    assert legal(deal) == "2C, JD*, draw"


def test_r5_a_suit_given_with_an_opening_jack_is_ignored() -> None:
    deal = after(position(f"hands JC KH QH / 2C 2H; {PLENTY}"), "JC[H]")
    assert legal(deal) == "2C, draw"


@pytest.mark.parametrize("run,penalty", [("add", 3), ("double", 3), ("single", 3)])
def test_r5_a_seven_on_an_opening_seven_starts_a_penalty_of_three(run: str, penalty: int) -> None:
    deal = position(f"hands 7C KH QH / 7H 3D / 4C 5D; {PLENTY}", seven_run=run)
    assert after(deal, "7C", "7H").penalty == penalty


def test_r6_the_opening_is_the_openers_turn() -> None:
    assert events(position(f"hands 5C KH QH / 2C 3D; {PLENTY}"), "5C") == [
        "CardPlayed 0 5C",
        "TurnStarted 1 turn 0",
    ]


def test_r6_opening_everyone_makes_every_first_turn_an_opening() -> None:
    deal = position(f"hands 5C KH QH / 5H 9C 3D / 4D 5D; {PLENTY}", opening="everyone")
    deal = after(deal, "5C")
    assert (deal.turn, deal.phase, legal(deal)) == (1, "opening", "9C")
    assert [refused(deal, text) for text in ("5H", "draw", "pass")] == [("R4", "opening")] * 3
    deal = after(deal, "9C")
    assert (deal.turn, deal.phase, legal(deal)) == (2, "opening", "draw")


def test_r6_after_everyones_opening_the_opener_has_an_ordinary_turn() -> None:
    deal = position(f"hands 5C KH 9H / 3D 9C; {PLENTY}", opening="everyone")
    deal = after(deal, "5C", "9C")
    assert (deal.turn, deal.phase, legal(deal)) == (0, "turn", "9H, draw")


@pytest.mark.parametrize("card", ["7C", "8C", "10C", "AC", "JC"])
@pytest.mark.parametrize("ace", ["again", "must_follow", "everyone_draws", "next_draws", "skip", "none"])
def test_r29_no_card_has_an_effect_in_any_first_turn(card: str, ace: str) -> None:
    deal = position(f"hands 2C KH / {card} 3D 5D / 4C 5D; {PLENTY}", opening="everyone", ace=ace)
    assert events(deal, "2C", card) == [f"CardPlayed 1 {card}", "TurnStarted 2 opening 0"]


def test_r29_a_later_openers_club_is_legal_on_an_opening_jack_even_a_jack() -> None:
    deal = position(f"hands JC KH / JC 3C 5D / 4C 5D; {PLENTY}", opening="everyone", decks=2)
    deal = after(deal, "JC")
    assert legal(deal) == "3C, JC"
    deal = after(deal, "JC[H]")
    assert (deal.turn, legal(deal), card_names(deal.discards)) == (2, "4C", ["JC", "JC"])
