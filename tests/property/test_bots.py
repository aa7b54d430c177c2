"""At any table, under any house rules, a bot's move is legal, and the deals that it imagines fit what it sees."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from service.bots.choosing import LEVELS
from service.bots.search import FEWEST
from service.bots.sight import look
from service.bots.worlds import worlds
from service.engine.legal import legal_moves
from service.engine.play import apply
from service.engine.rules import resolve
from service.engine.state import Deal
from tests.strategies import random_options
from tests.strength.players import any_move, bot
from tests.strength.tables import Moment, deal_of, play_deal

# What the coverage of these would show is covered elsewhere, and measuring it doubles their time.
pytestmark = pytest.mark.no_cover

PLAYERS = (any_move, *(bot(level, rollouts=FEWEST) for level in LEVELS))
UNTOLD = ("shuffler", "number", "hands", "stock", "discards", "moves", "reshuffles")


def moments(seed: int) -> list[Moment]:
    """Play a deal of bots at a random table; that each of their moves is legal is checked on the way."""
    random = Random(seed)
    seats = random.choice((2, 3, 4, random.randint(2, 10)))
    rules = resolve(random_options(random, seats, random.choice((0.0, 0.4, 1.0))), seats).rules
    players = [random.choice(PLAYERS) for _ in range(seats)]
    return [
        moment._replace(log=list(moment.log)) for moment in play_deal(deal_of(rules, seats, random), players, random)
    ]


def assert_may_be(world: Deal, moment: Moment) -> None:
    """Compare an imagined deal with the real one, in what the seat on turn sees of it."""
    real = moment.deal
    assert real.turn is not None
    assert world.hands[real.turn] == real.hands[real.turn]
    assert [len(hand) for hand in world.hands] == [len(hand) for hand in real.hands]
    assert len(world.stock) == len(real.stock)
    assert len(world.discards) == len(real.discards)
    assert world.discards[-1:] == real.discards[-1:]
    everywhere = Counter([*world.stock, *world.discards, *(card for hand in world.hands for card in hand)])
    assert set(everywhere.values()) == {real.rules.decks}
    assert len(everywhere) == 52


@pytest.mark.parametrize("seed", range(24))
def test_every_move_of_a_bot_is_legal_and_every_deal_it_imagines_fits_what_it_sees(seed: int) -> None:
    random = Random(seed)
    *turns, end = moments(seed)

    assert end.deal.result
    for moment in turns:
        sight = look(moment.view)
        world = next(worlds(sight, moment.log, random))
        assert_may_be(world, moment)
        assert world.discards == moment.deal.discards
        assert set(sight.moves) <= set(legal_moves(world)) == set(legal_moves(moment.deal))
        assert_may_be(next(worlds(sight, moment.log[-random.randint(0, len(moment.log)) :], random)), moment)


@pytest.mark.parametrize("seed", range(12))
def test_with_the_true_cards_put_in_an_imagined_deal_goes_on_as_the_real_one(seed: int) -> None:
    for moment in moments(1000 + seed)[:-1]:
        real = moment.deal
        world = next(worlds(look(moment.view), moment.log, Random(seed)))
        world = world._replace(**{name: getattr(real, name) for name in UNTOLD})
        for move in legal_moves(real):
            assert real.turn is not None
            assert apply(world, real.turn, move)[1] == apply(real, real.turn, move)[1]


def test_r24_a_bot_that_is_left_with_one_card_has_called_it_where_the_table_wants_that() -> None:
    random = Random(3)
    rules = resolve({"last_card_call": "tek"}, 3).rules
    players = [bot("normal"), bot("easy"), bot("hard", FEWEST)]
    seen = [moment.deal for _ in range(5) for moment in play_deal(deal_of(rules, 3, random), players, random)]

    assert any(len(hand) == 1 for deal in seen for hand in deal.hands)
    assert not any(deal.barred for deal in seen)
