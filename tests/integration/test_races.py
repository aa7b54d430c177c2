"""Many clients at once, on a service with two workers."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from typing import Any

import pytest

from tests.client import Client, Game, Reply, Service

RACERS = 16


class Race:
    """Connections that send at the same moment."""

    def __init__(self, clients: list[Client], pool: ThreadPoolExecutor) -> None:
        self.clients = clients
        self.pool = pool

    def run(self, send: Callable[[int, Client], Reply]) -> list[Reply]:
        gate = threading.Barrier(len(self.clients))

        def go(number: int) -> Reply:
            gate.wait()
            return send(number, self.clients[number])

        return list(self.pool.map(go, range(len(self.clients))))


@pytest.fixture(scope="module")
def race(service: Service) -> Iterator[Race]:
    with ExitStack() as stack, ThreadPoolExecutor(RACERS) as pool:
        yield Race([stack.enter_context(service.client()) for _ in range(RACERS)], pool)


def outcomes(replies: list[Reply], success: int) -> Counter[str]:
    return Counter("done" if reply.status == success else reply.code for reply in replies)


def mover(game: Game, seat: int, body: Mapping[str, Any]) -> Callable[[int, Client], Reply]:
    return lambda _, racer: game.move(seat, body, racer)


def joiner(game: Game) -> Callable[[int, Client], Reply]:
    return lambda _, racer: game.join(racer)


def test_of_one_move_posted_many_times_at_once_exactly_one_counts(race: Race, client: Client) -> None:
    game = Game(client)
    played = 0
    while played < 5:
        view = game.view()
        seat = view["deal"]["turn_seat"]
        plays = [move for move in game.legal_moves(seat) if move["type"] == "play"]
        if not plays:
            game.move_on(1)
            continue
        played += 1
        body = {**plays[0], "if_version": view["version"]}
        found = outcomes(race.run(mover(game, seat, body)), 200)
        assert found.pop("done") == 1
        assert found.keys() <= {"version_mismatch", "conflict"}
        version = game.view()["version"]
        assert sum(event["type"] == "card_played" for event in game.events(None, view["version"])) == 1
        assert version > view["version"]


def test_without_a_version_a_racing_move_finds_another_seat_on_turn(race: Race, client: Client) -> None:
    game = Game(client, 3)
    view = game.view()
    seat = view["deal"]["turn_seat"]
    while not (plays := [move for move in game.legal_moves(seat) if move["type"] == "play"]):
        game.move_on(1)
    found = outcomes(race.run(mover(game, seat, plays[0])), 200)

    assert found.pop("done") == 1
    assert found.keys() <= {"not_your_turn", "conflict"}


def test_draws_that_race_are_each_counted_once(race: Race, client: Client) -> None:
    game = Game(client)
    while game.view()["deal"]["phase"] == "opening":
        game.move_on(1)
    view = game.view()
    seat = view["deal"]["turn_seat"]
    replies = race.run(mover(game, seat, {"type": "draw"}))
    found = outcomes(replies, 200)

    assert found.keys() <= {"done", "conflict", "illegal_move", "not_your_turn"}
    drawn = [event for event in game.events(None, view["version"]) if event["type"] == "cards_drawn"]
    answered = [event["seq"] for reply in replies if reply.status == 200 for event in reply.json["events"]]
    assert len(drawn) == found["done"] > 0
    assert len(answered) == len(set(answered))


def test_the_last_seat_is_taken_once_and_the_match_starts_once(race: Race, client: Client) -> None:
    for _ in range(3):
        game = Game(client, 3, seated=2)
        found = outcomes(race.run(joiner(game)), 201)
        assert found.pop("done") == 1
        assert found.keys() <= {"match_already_started", "match_full", "conflict"}
        kinds = Counter(event["type"] for event in game.events())
        assert (kinds["player_joined"], kinds["match_started"], kinds["deal_started"]) == (3, 1, 1)


def test_players_who_join_at_once_all_sit_at_different_seats(race: Race, client: Client) -> None:
    game = Game(client, 10, seated=1, auto_start=False)
    replies = race.run(joiner(game))
    seats = [reply.json["seat"] for reply in replies if reply.status == 201]

    assert sorted(seats) == list(range(1, len(seats) + 1))
    assert outcomes(replies, 201).keys() <= {"done", "match_full", "conflict"}
    assert [player["seat"] for player in game.view()["players"]] == [0, *sorted(seats)]


def test_a_racing_start_deals_once(race: Race, client: Client) -> None:
    game = Game(client, 2, auto_start=False)
    found = outcomes(race.run(lambda _, racer: racer.post(f"{game.path}/start", {}, game.tokens[0])), 200)

    assert found.pop("done") == 1
    assert found.keys() <= {"match_already_started", "conflict"}
    assert [event["type"] for event in game.events()].count("deal_started") == 1


@pytest.mark.parametrize("kind", ["create", "join", "move", "start", "leave"])
def test_of_racing_repeats_one_is_carried_out_and_the_others_are_answered_alike(
    race: Race, client: Client, kind: str
) -> None:
    key = {"Idempotency_Key": f"a-key-of-{kind}-{'x' * 22}"}
    game = Game(client, 3, seated=3 if kind == "start" else 2, auto_start=False)
    if kind == "move":
        game = Game(client, 3)
    turn = game.view()["deal"]["turn_seat"] if kind == "move" else 0
    move = game.legal_moves(turn)[0] if kind == "move" else {}
    version = game.view()["version"]

    def send(_: int, racer: Client) -> Reply:
        if kind == "create":
            return racer.post("/v1/matches", {"seats": 4}, **key)
        if kind == "join":
            return racer.post(f"{game.path}/players", {"name": "A", "join_code": game.join_code}, **key)
        if kind == "move":
            return racer.post(f"{game.path}/moves", move, game.tokens[turn], **key)
        if kind == "start":
            return racer.post(f"{game.path}/start", {}, game.tokens[0], **key)
        headers = {"Idempotency-Key": key["Idempotency_Key"]}
        return racer.call("DELETE", f"{game.path}/players/1", token=game.tokens[1], headers=headers)

    replies = race.run(send)
    statuses = {reply.status for reply in replies}
    assert len(statuses) == 1
    assert statuses < {200, 201}
    assert sum(reply.headers["Idempotency-Replayed"] is None for reply in replies) == 1
    answers = [reply.json for reply in replies]
    for name in ("token", "seat", "events", "join_code"):
        assert all(answer.get(name) == answers[0].get(name) for answer in answers)
    assert len({answer["match"]["id"] for answer in answers}) == 1
    if kind != "create":
        told = {"join": "player_joined", "start": "match_started", "leave": "player_left"}.get(kind)
        kinds = [event["type"] for event in game.events(None, version)]
        assert told is None or kinds.count(told) == 1
