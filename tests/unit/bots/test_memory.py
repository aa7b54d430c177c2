"""What is remembered of a deal, and how it shows in the deals that are imagined."""

from itertools import islice
from random import Random
from typing import Any

from service.bots.memory import Memory
from service.bots.sight import look
from service.bots.worlds import worlds
from service.engine.cards import CLUBS, SUIT, parse_card
from tests.builders import position, rules
from tests.unit.bots.test_thumb import seen

DEALT: dict[str, Any] = {"type": "deal_started"}
OPENED: dict[str, Any] = {"type": "card_played", "seat": 0, "card": "9C", "suit": None}


def drew(seat: int, count: int, reason: str) -> dict[str, Any]:
    return {"type": "cards_drawn", "seat": seat, "count": count, "reason": reason}


def passed(seat: int) -> dict[str, Any]:
    return {"type": "turn_passed", "seat": seat}


def lacks(memory: Memory, seat: int, name: str) -> list[bool]:
    """Tell of each card of a seat, in the order in which they came, whether it is likely not this one."""
    return [parse_card(name) in lack for lack in memory.lacks[seat]]


def test_r4_who_drew_in_the_opening_had_no_club_before() -> None:
    memory = Memory(rules(2), 2, [DEALT, drew(0, 1, "opening"), drew(0, 1, "opening"), OPENED])

    assert lacks(memory, 0, "2C") == [True] * 8
    assert not any(lacks(memory, 0, "2D"))


def test_r7_who_drew_had_nothing_that_fits_and_who_passed_has_nothing_still() -> None:
    memory = Memory(rules(2), 2, [DEALT, OPENED, drew(1, 1, "choice")])
    assert lacks(memory, 1, "9D") == lacks(memory, 1, "KC") == lacks(memory, 1, "JH") == [True] * 7 + [False]
    assert not any(lacks(memory, 1, "2D"))

    memory = Memory(rules(2), 2, [DEALT, OPENED, drew(1, 1, "choice"), passed(1)])
    assert lacks(memory, 1, "9D") == [True] * 8


def test_r12_who_drew_a_penalty_had_no_seven_unless_no_seven_would_have_answered() -> None:
    log = [DEALT, OPENED, drew(1, 3, "penalty")]

    assert lacks(Memory(rules(2), 2, log), 1, "7D") == [True] * 7 + [False] * 3
    assert not any(lacks(Memory(rules(2, seven_run="single"), 2, log), 1, "7D"))


def test_r25_a_draw_that_an_ace_imposes_tells_nothing() -> None:
    log = [DEALT, OPENED, drew(1, 1, "ace")]

    assert not any(lacks(Memory(rules(2, ace="everyone_draws"), 2, log), 1, "9D"))
    assert any(lacks(Memory(rules(2, ace="must_follow"), 2, log), 1, "9D"))


def test_what_was_drawn_last_is_what_is_played_then() -> None:
    nine = {"type": "card_played", "seat": 1, "card": "9D", "suit": None}
    memory = Memory(rules(2), 2, [DEALT, OPENED, drew(1, 1, "choice"), nine])

    assert lacks(memory, 1, "9D") == [True] * 7


def test_r26_a_reshuffle_leaves_the_top_card_and_a_new_deal_begins_anew() -> None:
    king = {"type": "card_played", "seat": 1, "card": "KC", "suit": None}
    memory = Memory(rules(2), 2, [DEALT, OPENED, king, {"type": "stock_reshuffled", "stock_count": 1}])
    assert memory.discards == [parse_card("KC")]

    assert Memory(rules(2), 2, [DEALT, OPENED, king, DEALT]).discards == []


def test_in_most_imagined_deals_a_seat_lacks_what_it_is_likely_to_lack() -> None:
    sight = look(seen(position("hands 9D 4S 3H / 2C 3D 4D 5D 6D 7D 8D 9H; pile 9C; stock " + "2H KC " * 10)))
    deals = list(islice(worlds(sight, [DEALT, OPENED, drew(1, 1, "choice"), passed(1)], Random(1)), 200))

    without = [deal for deal in deals if not any(SUIT[card] == CLUBS for card in deal.hands[1])]
    assert 160 < len(without) < 200
