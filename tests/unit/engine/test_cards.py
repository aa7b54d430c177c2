"""Cards, their names and their points."""

from __future__ import annotations

import pytest

from service.engine.cards import CARD_NAMES, PACK, parse_card, parse_suit, points_of
from service.engine.errors import NotationError
from tests.builders import cards, names


def test_r1_a_pack_has_fifty_two_cards_and_no_joker() -> None:
    assert len(set(CARD_NAMES)) == len(PACK) == 52
    assert {name[:-1] for name in CARD_NAMES} == {"A", "J", "Q", "K", *map(str, range(2, 11))}
    assert {name[-1] for name in CARD_NAMES} == set("CDHS")


POINTS = {"JS": 25, "7H": 20, "AC": 15, "KD": 10, "QD": 10, "10S": 10, "9C": 9, "8H": 8, "6C": 6, "5C": 5, "4C": 4}


@pytest.mark.parametrize("name,points", [*POINTS.items(), ("3C", 3), ("2C", 2)])
def test_r15_each_rank_has_its_points(name: str, points: int) -> None:
    assert points_of([parse_card(name)]) == points


def test_r15_a_full_pack_is_508() -> None:
    assert points_of(PACK) == 508


def test_cards_sort_by_suit_then_rank_with_the_ace_low() -> None:
    assert names(sorted(cards("KS AS JH 10H 2D AD 3C"))) == "3C AD 2D 10H JH AS KS"


@pytest.mark.parametrize("name", ["", "J", "JX", "1C", "11H", "js", "JS ", "SJ", "T♣", "10"])
def test_a_name_of_no_card_is_refused(name: str) -> None:
    with pytest.raises(NotationError, match="is not a card"):
        parse_card(name)


@pytest.mark.parametrize("name", ["", "c", "X", "CD", "♣"])
def test_a_letter_of_no_suit_is_refused(name: str) -> None:
    with pytest.raises(NotationError, match="is not a suit"):
        parse_suit(name)
