"""Every move that can be written down, posted at a random table: those that are not listed change nothing."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import pytest

from service.engine.cards import CARD_NAMES, SUIT_NAMES
from tests.client import Client, Game
from tests.strategies import random_options

BODIES: list[dict[str, Any]] = [
    {"type": "draw"},
    {"type": "pass"},
    *(
        {"type": "play", "card": card} | suit | call
        for card in CARD_NAMES
        for suit in ({}, *({"suit": name} for name in SUIT_NAMES))
        for call in ({}, {"call": "tek"})
    ),
]


def everything(game: Game) -> Any:
    return [(view, game.events(seat)) for seat, view in enumerate(game.views())]


def may_stand(body: dict[str, Any], moves: list[dict[str, Any]]) -> bool:
    """Tell whether a move is listed, or is one of a jack whose suit is ignored (R9)."""
    bare = {name: value for name, value in body.items() if name != "suit"}
    return body in moves or (body["type"] == "play" and body["card"][0] == "J" and bare in moves)


@pytest.mark.parametrize("seed", range(4))
def test_a_move_that_is_not_listed_names_its_clause_and_changes_nothing(client: Client, seed: int) -> None:
    random = Random(seed)
    seats = random.randint(2, 5)
    game = Game(client, seats, rules=random_options(random, seats, 0.0 if seed == 0 else 0.6))
    for _ in range(4):
        game.move_on(random.randint(2, 12), random.choice)
        before = everything(game)
        view = before[0][0]
        assert view["version"] == before[0][1][-1]["seq"]
        if view["status"] != "playing":
            break
        on_turn = view["deal"]["turn_seat"]
        moves = game.legal_moves(on_turn)
        for body in random.sample(BODIES, 60) + BODIES[:2]:
            if not may_stand(body, moves):
                reply = game.move(on_turn, body)
                assert (reply.status, reply.code) == (409, "illegal_move"), body
                assert re.fullmatch(r"R\d+", reply.json["rule"])
                assert reply.json["detail"].endswith(".")
        for seat in range(seats):
            stale = game.move(seat, {**moves[0], "if_version": view["version"] - 1})
            assert (stale.status, stale.code) == (409, "version_mismatch")
            if seat != on_turn:
                for body in (*moves, {"type": "pass"}, {"type": "draw", "if_version": view["version"]}):
                    reply = game.move(seat, body)
                    assert (reply.status, reply.code, reply.json["rule"]) == (409, "not_your_turn", "R21")
        assert everything(game) == before


def test_every_listed_move_can_be_posted_as_it_is(client: Client) -> None:
    kinds = set()
    for _ in range(2):
        game = Game(client, 2, rules={"last_card_call": "tek", "hand_size": 3, "deals": 1})
        while (view := game.view())["status"] == "playing":
            seat = view["deal"]["turn_seat"]
            moves = game.legal_moves(seat)
            new = [move for move in moves if (move["type"], "suit" in move, "call" in move) not in kinds]
            move = (new or moves)[0]
            kinds.add((move["type"], "suit" in move, "call" in move))
            answer = game.move(seat, move | {"if_version": view["version"]}).expect(200)
            assert answer["events"][0]["seq"] == view["version"] + 1
            assert answer["events"][-1]["seq"] == answer["match"]["version"]
            assert answer["match"] == game.view(seat)
    assert {("play", False, False), ("draw", False, False)} <= kinds
