"""Matches with bots over HTTP, played again on the naive reference: every move legal, every view consistent."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from operator import itemgetter
from random import Random
from typing import Any

import pytest

from service.engine.rules import PRESETS
from tests.client import Client, Game, Service, serving, within
from tests.shadow import in_order, replayed
from tests.strategies import random_options

LEVELS = ("easy", "normal", "hard")


@pytest.fixture(scope="module")
def lively(server: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service whose bots do not pause."""
    with serving(tmp_path_factory.mktemp("bots"), REDIS_URL=f"{server.url}?db=4", BOT_PAUSE_MS="0") as running:
        yield running


@pytest.fixture
def client(lively: Service) -> Iterator[Client]:
    with lively.client() as connected:
        yield connected


def check(game: Game, views: Iterator[dict[str, Any]]) -> set[str]:
    """Hold a finished match, and the views that seat 0 had before each of its moves, against the reference."""
    bys = set()
    for result in game.view()["results"]:
        proof = game.client.get(f"{game.path}/deals/{result['number']}").expect(200)
        for shadow, move in replayed(proof):
            bys.add(move["by"])
            if move["by"] != "player":
                continue
            view = next(views)
            hidden = ("seed_commitment", "deadline")
            assert {name: told for name, told in view["deal"].items() if name not in hidden} == shadow.deal_view()
            assert view["you"]["hand"] == in_order(shadow.deal.hands[0])
            assert view["you"]["legal_moves"] == shadow.compact_moves(0)
            assert [player["hand_count"] for player in view["players"]] == list(map(len, shadow.deal.hands))
    assert next(views, None) is None
    return bys


def played(game: Game, choose: Callable[[list[Any]], Any]) -> list[Any]:
    """Play seat 0 against bots to the end, and give what it saw on each of its turns."""
    seen: list[Any] = []
    while True:
        assert within(10, lambda: game.view()["status"] != "playing" or game.view()["deal"]["turn_seat"] == 0)
        view = game.view(0)
        if view["status"] != "playing":
            return seen
        seen.append(view)
        game.move(0, choose(game.legal_moves(0))).expect(200)


def play_against_bots(client: Client, seed: int, preset: str | None) -> None:
    random = Random(seed)
    seats = random.randint(2, 6)
    rules = {"preset": preset} if preset else random_options(random, seats, 0.5)
    bots = [{"level": random.choice(LEVELS[:2])} for _ in range(seats - 1)]
    game = Game(client, seats, seated=1, rules=rules | {"deals": 1}, bots=bots)
    seen = played(game, random.choice)
    assert check(game, iter(seen)) == {"player", "bot"}, f"seed {seed}, seats {seats}, rules {rules}"
    log = game.events()
    assert [event["seq"] for event in log] == list(range(1, len(log) + 1))


@pytest.mark.parametrize("preset", PRESETS)
def test_bots_play_by_the_rules_of_every_preset(client: Client, preset: str) -> None:
    play_against_bots(client, 1, preset)


@pytest.mark.parametrize("seed", range(2, 5))
def test_bots_play_by_random_house_rules(client: Client, seed: int) -> None:
    play_against_bots(client, seed, None)


def test_bots_alone_play_to_the_end_and_can_be_watched(client: Client) -> None:
    game = Game(client, 3, seated=0, rules={"deals": 1}, bots=[{"level": level} for level in LEVELS])
    versions = set()
    while (reply := client.get(game.path)).expect(200)["status"] != "finished":
        versions.add(reply.json["version"])
        client.get(f"{game.path}?wait=5", If_None_Match=reply.headers["ETag"])
    assert len(versions) > 10, "it goes on step by step"
    assert check(game, iter(())) == {"bot"}


def test_hard_plays_within_its_time_and_the_answer_comes_soon(client: Client) -> None:
    game = Game(client, 4, seated=1, rules={"deals": 1}, bots=[{"level": "hard"}] * 3)
    seen = played(game, itemgetter(0))
    assert check(game, iter(seen)) == {"player", "bot"}


def test_the_clock_and_stand_ins_play_by_the_rules_for_who_sleeps_or_leaves(client: Client) -> None:
    bots = [{"level": "hard"}, {"level": "easy"}]
    game = Game(client, 3, seated=1, rules={"deals": 1}, bots=bots, clock={"turn_seconds": 5, "deal_pause": 0})
    seat, own = f"{game.path}/players/0", game.tokens[0]
    seen: list[Any] = []
    for turn in range(1000):
        assert within(10, lambda: game.view()["status"] != "playing" or game.view()["deal"]["turn_seat"] == 0)
        view = game.view(0)
        if view["status"] != "playing":
            break
        if turn == 0:
            assert within(10, lambda: any(event["type"] == "turn_timed_out" for event in game.events()))
        elif turn % 3 == 1:
            client.call("DELETE", seat, token=own).expect(200)
            client.post(f"{seat}/return", {}, own)
        else:
            seen.append(view)
            game.move(0, game.legal_moves(0)[0]).expect(200)
    assert check(game, iter(seen)) == {"player", "bot", "clock"}
    stood_in = {event["seat"] for event in game.events() if event.get("by") in ("bot", "clock")}
    assert stood_in == {0, 1, 2}
