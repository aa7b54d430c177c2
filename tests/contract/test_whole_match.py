"""Whole matches over HTTP, every answer held against the contract, with illegal and stale moves on the way."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import pytest

from service.engine.cards import CARD_NAMES
from tests.client import Game, Service
from tests.contract.checking import CheckedClient

Move = dict[str, Any]


@pytest.fixture
def checked(service: Service) -> Iterator[CheckedClient]:
    """A connection that checks every answer."""
    with CheckedClient(service.port) as connected:
        yield connected


def illegal(random: Random, legal: Sequence[Move], hand: Sequence[str]) -> Move:
    """Make up a move that the contract allows and the rules forbid."""
    suits = [None, "C", "D", "H", "S"]
    while True:
        kind = random.choice(["play", "play", "play", "draw", "pass"])
        move: Move = {"type": kind}
        if kind == "play":
            move["card"] = random.choice([*hand, random.choice(CARD_NAMES)])
            suit = random.choice(suits)
            move |= {} if suit is None else {"suit": suit}
        # A suit that is given with a jack that needs none is ignored.
        if move not in legal and {"type": kind, "card": move.get("card")} not in legal:
            return move


def refuse(game: Game, seat: int, move: Move, code: str) -> Any:
    """Demand that a move is refused and changes nothing."""
    before = game.views()
    reply = game.move(seat, move)
    assert (reply.status, reply.code) == (409, code), (move, reply)
    assert game.views() == before
    return reply.json


def disturb(game: Game, random: Random, view: Any, legal: Sequence[Move]) -> None:
    """Try what must not count, as the seat on turn and as another."""
    seat, version = view["deal"]["turn_seat"], view["version"]
    problem = refuse(game, seat, illegal(random, legal, view["you"]["hand"]), "illegal_move")
    assert problem["rule"].startswith("R")
    assert len(problem["detail"]) > 10
    other = (seat + 1) % view["seats"]
    assert refuse(game, other, random.choice(legal), "not_your_turn")["rule"] == "R21"
    for stale in (version - 1, version + 1):
        problem = refuse(game, seat, {**random.choice(legal), "if_version": stale}, "version_mismatch")
        assert "rule" not in problem


def play(game: Game, random: Random, disturbed: float) -> Any:
    """Play until the match ends, and give its last view."""
    view = game.view(0)
    while view["status"] == "playing":
        seat, version = view["deal"]["turn_seat"], view["version"]
        mine = game.view(seat)
        legal = game.legal_moves(seat)
        assert legal, "whoever is on turn may do something"
        if random.random() < disturbed:
            disturb(game, random, mine, legal)
        plays = [move for move in legal if move["type"] == "play"]
        move = random.choice(plays or legal)
        answer = game.move(seat, {**move, "if_version": version}).expect(200)
        view = answer["match"]
        assert [event["seq"] for event in answer["events"]] == list(range(version + 1, view["version"] + 1))
        if view["deal"]["number"] > mine["deal"]["number"]:
            look_back(game, mine["deal"]["number"])
    return view


def look_back(game: Game, number: int) -> None:
    """Look at a deal that is over, as somebody who plays and as somebody who does not."""
    shown = game.client.get(f"{game.path}/deals/{number}").expect(200)
    assert game.client.get(f"{game.path}/deals/{number}", game.tokens[-1]).expect(200) == shown
    assert len(shown["hands"]) == len(game.tokens)
    assert [not hand for hand in shown["hands"]].count(True) == (shown["reason"] == "went_out")
    moves = len(shown["moves"])
    for move in (0, moves // 2, moves):
        position = game.client.get(f"{game.path}/deals/{number}/positions?move={move}").expect(200)
        assert position["moves"] == moves


@pytest.mark.parametrize("seats,deals,disturbed", [(4, 2, 0.15), (2, 4, 0.15), (8, 1, 0.05)])
def test_a_whole_match_is_answered_as_the_contract_says(
    checked: CheckedClient, seats: int, deals: int, disturbed: float
) -> None:
    game = Game(checked, seats, rules={"deals": deals}, auto_start=False)
    seed = checked.call("PUT", f"{game.path}/players/1/client-seed", {"client_seed": "tuz"}, token=game.tokens[1])
    assert seed.expect(200)["match"]["you"]["client_seed"] == "tuz"
    checked.get(game.path).expect(200)
    refused = game.move(0, {"type": "draw"})
    assert refused.code == "match_not_started"
    checked.post(f"{game.path}/start", {}, game.tokens[0]).expect(200)

    last = play(game, Random(seats), disturbed)

    assert (last["status"], last["deal"]["phase"], last["deal"]["turn_seat"]) == ("finished", "over", None)
    assert len(last["results"]) == deals
    totals = [sum(result["points"][seat] for result in last["results"]) for seat in range(seats)]
    assert [player["score"] for player in last["players"]] == totals
    assert last["winners"] == [seat for seat in range(seats) if totals[seat] == min(totals)]
    for number in range(1, deals + 1):
        look_back(game, number)
    for seat in (None, *range(seats)):
        events = game.events(seat)
        assert [event["seq"] for event in events] == list(range(1, min(last["version"], 1000) + 1))
    assert game.move(0, {"type": "draw"}).code == "match_finished"
    assert {("makeMove", 200), ("makeMove", 409), ("getDeal", 200), ("listEvents", 200)} <= checked.seen


def test_every_house_rule_s_answers_fit_the_contract(checked: CheckedClient) -> None:
    for preset in ("wikipedia-tr", "iskambilci", "oyunes"):
        game = Game(checked, 3, rules={"preset": preset, "deals": 1})
        assert play(game, Random(preset), 0.02)["status"] == "finished"


def test_everything_else_is_answered_as_the_contract_says(checked: CheckedClient) -> None:
    paths = ["/healthz", "/readyz", "/docs", "/openapi.yaml", "/openapi.json", "/v1/rules", "/v1/rules/classic"]
    for path in (*paths, "/docs/fairness", "/docs/fairness/vectors.json", "/docs/fairness/verify.mjs", "/metrics"):
        assert checked.get(path).status == 200
    game = Game(checked, 3, seated=2, visibility="public")
    assert checked.get("/v1/matches?status=waiting&limit=1").expect(200)["matches"]
    etag = checked.get(game.path, game.tokens[0]).headers["ETag"]
    assert checked.get(game.path, game.tokens[0], If_None_Match=etag).status == 304
    assert checked.get(f"{game.path}/stream?limit=1").status == 200
    ticket = checked.post(f"{game.path}/stream-tickets", {}, game.tokens[0]).expect(201)["ticket"]
    assert checked.get(f"{game.path}/stream?limit=2&after=0&ticket={ticket}").status == 200
    key = '"a key that nobody guesses"'
    first = checked.post(f"{game.path}/players", {"name": "Elif"}, Idempotency_Key=key)
    again = checked.post(f"{game.path}/players", {"name": "Elif"}, Idempotency_Key=key)
    assert (first.headers["Idempotency-Replayed"], again.headers["Idempotency-Replayed"]) == (None, "true")
    assert first.expect(201)["token"] == again.expect(201)["token"]
    waiting = Game(checked, 2, seated=1)
    assert checked.call("DELETE", f"{waiting.path}/players/0", token=waiting.tokens[0]).status == 200
    assert checked.get(f"{waiting.path}/stream?after=99").status == 204
