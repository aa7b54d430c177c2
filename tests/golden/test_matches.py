"""Matches that were recorded are replayed and must be told again word for word."""

from __future__ import annotations

import pytest

from tests.golden.record import FOLDER, TABLES, moves_of, tell


def test_every_recorded_match_is_replayed() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(TABLES)


@pytest.mark.parametrize("name", TABLES)
def test_a_recorded_match_is_told_again_word_for_word(name: str) -> None:
    recorded = (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    client_seeds, asked = TABLES[name]
    assert "\n".join(tell(asked, client_seeds, name, moves_of(recorded))) + "\n" == recorded
