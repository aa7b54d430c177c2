"""The introduction of the contract tells what the code does."""

from __future__ import annotations

import random
import re

import pytest

from service import changes
from service.api.advice import ADVICE
from service.api.introduction import introduction
from service.api.problems import KINDS
from service.engine.clauses import CLAUSES
from service.engine.legal import legal_moves
from service.identity import Caller
from service.telling import EVENT_TYPES
from service.view import Data, redacted
from tests.tables import NOW_MS, record

TEXT = introduction()
HOUSE_RULES: dict[str, object] = {
    "stock_out": "reshuffle",
    "hand_size": 3,
    "deals": 2,
    "last_card_call": "tek",
    "ace": "everyone_draws",
}


@pytest.fixture(scope="module")
def table() -> dict[str, set[str]]:
    """The members of each type of event, as the introduction has them."""
    section = TEXT[TEXT.index("## Events") : TEXT.index("## Problems")]
    rows = re.findall(r"^\| `(\w+)` \|([^|]*)\|", section, re.MULTILINE)
    return {kind: set(re.findall(r"`(\w+)`", members)) for kind, members in rows}


def test_every_event_of_the_game_is_in_the_table_with_its_members(table: dict[str, set[str]]) -> None:
    seen: dict[str, set[str]] = {}
    for number in range(200):
        for event in played(random.Random(number)):
            shown = redacted(event, Caller(event.get("seat", 0), False))
            seen.setdefault(shown.pop("type"), set()).update(shown.keys() - {"seq", "at", "deal"})
        if seen.keys() >= set(EVENT_TYPES.values()):
            break
    assert {kind: seen[kind] for kind in EVENT_TYPES.values()} == {kind: table[kind] for kind in EVENT_TYPES.values()}


def played(chance: random.Random) -> list[Data]:
    match = record(0, 1, 2, seats=3, options=HOUSE_RULES, last_seed=chance.randbytes(32))
    change = changes.started(match, NOW_MS)
    while (game := change.record.match) and game.deal.turn is not None:
        move = chance.choice(legal_moves(game.deal))
        change = changes.made(change.record, game.deal.turn, move, change.journal, "player")
    return change.journal.events


def test_every_clause_stands_there() -> None:
    for number, clause in CLAUSES.items():
        assert f"\n#### {number} {clause.title}\n\n{clause.text}\n" in TEXT


def test_there_is_advice_for_every_problem_and_no_other() -> None:
    assert ADVICE.keys() == KINDS.keys()


def test_names_of_problems_in_the_introduction_exist() -> None:
    section = TEXT[TEXT.index("## Problems") : TEXT.index("## Limits")]
    named = set(re.findall(r"`([a-z]+(?:_[a-z]+)+)`", section)) - {"if_version"}
    assert named <= KINDS.keys() | {"invalid_token"}
