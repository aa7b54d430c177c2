"""Any table, any house rules, any moves: what must always hold, found out move by move."""

from __future__ import annotations

import os

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from service.engine.legal import legal_moves
from service.engine.moves import Draw, Play, format_move
from service.engine.play import MOVE_LIMIT, apply
from service.engine.state import Deal
from tests.property.comparing import (
    assert_listed_exactly_when_accepted,
    assert_same,
    assert_sound,
    assert_survives_notation,
    assert_survives_storing,
    reference_of,
)
from tests.reference import ReferenceDeal
from tests.strategies import deals

# What the coverage of these would show is covered elsewhere, and measuring it doubles their time.
pytestmark = pytest.mark.no_cover

EXAMPLES = int(os.environ.get("ENGINE_EXAMPLES", "10"))


class DealMachine(RuleBasedStateMachine):
    """One deal, played by moves that are chosen freely among the listed ones."""

    deal: Deal
    reference: ReferenceDeal

    @initialize(deal=deals())
    def begin(self, deal: Deal) -> None:
        self.deal = deal
        self.reference = reference_of(deal)

    def is_on(self) -> bool:
        return self.deal.turn is not None

    def is_over(self) -> bool:
        return self.deal.turn is None

    @precondition(is_over)
    @rule(deal=deals())
    def begin_another(self, deal: Deal) -> None:
        self.begin(deal)

    def make(self, number: int, kinds: tuple[type, ...]) -> None:
        """Make one of the listed moves of some kinds, if there is one; else any."""
        assert self.deal.turn is not None
        listed = legal_moves(self.deal)
        wanted = [move for move in listed if isinstance(move, kinds)] or list(listed)
        move = wanted[number % len(wanted)]
        following, told = apply(self.deal, self.deal.turn, move)
        assert told
        assert following.moves == self.deal.moves + 1 <= MOVE_LIMIT
        assert self.reference.do(format_move(move))
        self.deal = following

    @precondition(is_on)
    @rule(number=st.integers(0, 999))
    def play(self, number: int) -> None:
        self.make(number, (Play,))

    @precondition(is_on)
    @rule(number=st.integers(0, 999))
    def draw(self, number: int) -> None:
        self.make(number, (Draw,))

    @precondition(is_on)
    @rule(number=st.integers(0, 999))
    def move(self, number: int) -> None:
        self.make(number, (object,))

    @invariant()
    def cards_are_conserved_and_a_deal_that_is_not_over_has_a_move(self) -> None:
        assert_sound(self.deal)

    @invariant()
    def a_move_is_listed_exactly_when_it_is_accepted_and_a_refused_one_changes_nothing(self) -> None:
        assert_listed_exactly_when_accepted(self.deal)

    @invariant()
    def the_state_survives_storing_and_the_notation(self) -> None:
        assert_survives_storing(self.deal)
        assert_survives_notation(self.deal)

    @invariant()
    def the_reference_agrees(self) -> None:
        assert_same(self.deal, self.reference)


TestDeal = DealMachine.TestCase
TestDeal.settings = settings(max_examples=EXAMPLES, stateful_step_count=60)
