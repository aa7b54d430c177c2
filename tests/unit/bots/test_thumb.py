"""What the player by rules of thumb does, position by position."""

from random import Random

import pytest

from service.bots.choosing import Budget, choose
from service.engine.state import Deal
from service.identity import Caller
from service.view import Data, match_view
from tests.builders import position
from tests.tables import playing


def seen(deal: Deal) -> Data:
    """Give the view of the seat on turn."""
    return match_view(playing(deal, rules=deal.rules), Caller(deal.turn, is_host=False), ttl_seconds=60)


def chosen(text: str, **options: object) -> Data:
    return choose("normal", seen(position(text, **options)), [], Random(1), Budget())


def played(text: str, **options: object) -> str:
    """Give the card that `normal` plays."""
    card: str = chosen(text, **options)["card"]
    return card


def test_it_leads_towards_its_longest_suit() -> None:
    assert played("hands 9C 9H 2H 4H / 5C 6C 3S; pile 9D; stock KD KC") == "9H"


def test_it_keeps_a_jack_while_anything_else_fits() -> None:
    assert played("hands JS 2D 9H / 5C 6C 3S; pile 9D; stock KD KC") in ("2D", "9H")


def test_a_jack_nominates_the_longest_suit() -> None:
    assert chosen("hands JS 2H 4H KC / 5C 6C 3S; pile 9D; stock KD KC") == {"type": "play", "card": "JS", "suit": "H"}


@pytest.mark.parametrize("cards,card", [("5C 6C 3S", "9D"), ("5C 6C", "7D")])
def test_it_keeps_a_seven_until_the_next_seat_is_about_to_go_out(cards: str, card: str) -> None:
    assert played(f"hands 7D 9D 2D 7S / {cards}; pile 4D; stock KD KC") == card


def test_of_two_seats_it_plays_an_eight_that_it_can_follow() -> None:
    assert played("hands 8D 9D KS 8H / 5C 6C 3S; pile 4D; stock KD KC") == "8D"
    assert played("hands 8D 9S KD 3C / 5C 6C 3S; pile 4D; stock 2D KC") == "8D"
    assert played("hands 8C 9D 4S / 5C 6C 3S; pile 8D; stock 2D KC") == "9D"


def test_it_spends_an_ace_on_getting_rid_of_two_cards() -> None:
    assert played("hands AD 9D 4S 5S / 5C 6C 3S; pile 4D; stock KD KC") == "AD"


def test_after_an_ace_it_passes_rather_than_to_spend_a_jack() -> None:
    assert chosen("hands JS 9C / 5C 6C 3S; pile AD; phase second_card; stock KD KC") == {"type": "pass"}
    assert played("hands JS / 5C 6C 3S; pile AD; phase second_card; stock KD KC") == "JS"


def test_it_draws_only_if_nothing_fits_and_then_once() -> None:
    assert chosen("hands 9C 4S / 5C 6C 3S; pile KD; stock 2H KC") == {"type": "draw"}
    assert chosen("hands 9C 4S 2H / 5C 6C 3S; pile KD; drawn 1; stock KC") == {"type": "pass"}


def test_r12_it_answers_a_seven_with_a_seven() -> None:
    assert played("hands 7C 4S / 5C 6C 3S; pile 7D; penalty 3; stock 2H KC KH") == "7C"


def test_r24_it_calls_its_last_card_where_the_table_wants_that() -> None:
    assert chosen("hands 9D 4S / 5C 6C 3S; pile KD; stock 2H", last_card_call="tek")["call"] == "tek"
    assert "call" not in chosen("hands 9D 4S / 5C 6C 3S; pile KD; stock 2H")
