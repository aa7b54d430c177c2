"""The clauses in words: complete, in order, and of every clause that the engine names."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import service
from service.engine import bans
from service.engine.clauses import CLAUSES
from service.engine.rules import OPTIONS, Option

SOURCES = sorted(Path(service.__file__).parent.rglob("*.py"))
BANS = {name: ban for name, ban in vars(bans).items() if isinstance(ban, bans.Ban)}


def test_the_clauses_are_numbered_in_order_without_gaps() -> None:
    assert len(CLAUSES) >= 31
    assert list(CLAUSES) == [f"R{number}" for number in range(1, len(CLAUSES) + 1)]


@pytest.mark.parametrize("name", BANS)
def test_the_clause_of_every_ban_can_be_looked_up(name: str) -> None:
    assert BANS[name].clause in CLAUSES


@pytest.mark.parametrize("option", OPTIONS.values(), ids=list(OPTIONS))
def test_the_clause_of_every_house_rule_speaks_of_it(option: Option) -> None:
    text = " ".join(CLAUSES[option.clause])
    assert f"`{option.name}`" in text or f"`{option.name}: " in text


def test_every_clause_that_code_names_can_be_looked_up() -> None:
    code = "".join(path.read_text("utf-8") for path in SOURCES)
    assert set(re.findall(r"\bR[1-9][0-9]*\b", code)) <= CLAUSES.keys()


@pytest.mark.parametrize("number", CLAUSES)
def test_clauses_refer_only_to_clauses_and_options_that_exist(number: str) -> None:
    text = " ".join(CLAUSES[number])
    assert set(re.findall(r"\bR[0-9]+", text)) <= CLAUSES.keys()
    words = {word for option in OPTIONS.values() for word in option.values}
    for code in re.findall(r"`([^`]+)`", text):
        name, _, value = code.partition(": ")
        assert name in {*OPTIONS, "suit", "call", "draw", "pass"} | words
        assert not value or name == "call" or value in OPTIONS[name].values
