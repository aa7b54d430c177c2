"""A match as one document, over HTTP: what its reader may see, and what the verifiers say of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from tests.client import Client, Game
from tests.unit.verify.test_command import ended
from tests.unit.verify.test_javascript import NODE, VERIFIER, node

SHORT = {"deals": 2, "hand_size": 3}


def export(game: Game, seat: int | None = None) -> Any:
    return game.client.get(f"{game.path}/export", None if seat is None else game.tokens[seat]).expect(200)


@pytest.fixture
def over(client: Client) -> Game:
    """A match that is over."""
    game = Game(client, 2, rules=SHORT)
    game.move_on(1000)
    return game


def test_an_export_holds_what_its_reader_is_shown_elsewhere_and_no_more(client: Client) -> None:
    game = Game(client, 3, spectators="hidden", rules={"deals": 4, "hand_size": 3})
    while not game.view()["results"]:
        game.move_on(5)
    for seat in (0, None):
        document = export(game, seat)
        assert list(document) == ["match", "deals", "events"]
        assert document["match"] == game.view(seat)
        assert document["events"] == game.events(seat)
        assert len(document["deals"]) == (0 if seat is None else 1)
    closed = Game(client, 2, spectators="none")
    assert client.get(f"{closed.path}/export").code == "token_required"


def test_an_exported_match_is_checked_with_its_view(over: Game, tmp_path: Path, capsys: Any) -> None:
    path = tmp_path / "match.json"
    document = export(over)
    path.write_text(json.dumps(document))
    assert ended(path) == 0
    assert "deals 1, 2 of match" in capsys.readouterr().out
    if NODE is not None:
        assert node(VERIFIER, path).returncode == 0
    document["match"]["players"][0]["score"] += 1
    path.write_text(json.dumps(document))
    assert ended(path) == 1
    assert "✗ scores, at /view/players/0/score" in capsys.readouterr().out


LACKING: list[tuple[Callable[[Any], Any], str]] = [
    (lambda document: document["deals"].pop(), "must hold the proofs of these deals"),
    (lambda document: document["deals"].reverse(), "in this order: 1, 2."),
    (lambda document: document["deals"][0].update(match_id="other"), "must hold the proofs"),
    (lambda document: document.update(deals=7), "must hold the proofs"),
    (lambda document: document.update(deals=[7, None]), "must hold the proofs"),
    (lambda document: document.pop("match"), "is not a match"),
    (lambda document: document["match"].update(results=[]), "No deal of"),
]


def test_an_export_without_all_that_belongs_to_it_is_not_read(over: Game, tmp_path: Path, capsys: Any) -> None:
    path = tmp_path / "match.json"
    whole = export(over)
    for change, says in LACKING:
        document = deepcopy(whole)
        change(document)
        path.write_text(json.dumps(document))
        assert ended(path) == 2
        assert says in capsys.readouterr().err
