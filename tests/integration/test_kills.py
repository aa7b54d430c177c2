"""What `kill -9` leaves: every match, every token, every event, and a game that goes on."""

from __future__ import annotations

import http.client
import os
import signal
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from tests.client import Client, Game, Reply, Service, serving, within
from tests.integration.processes import kill, store_server, workers
from tests.sse import Stream


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("killed")


@pytest.fixture(scope="module")
def safe(folder: Path) -> Iterator[Service]:
    """A service whose own store forces every write to the disk."""
    with serving(folder, APPENDFSYNC="always", STORE_TIMEOUT_SECONDS="1.5") as running:
        yield running


@pytest.fixture
def client(safe: Service) -> Iterator[Client]:
    with safe.client() as connected:
        yield connected


def everything(game: Game) -> Any:
    """What all readers see of a match."""
    readers: list[int | None] = [None, *range(len(game.tokens))]
    return [(game.view(seat), game.events(seat)) for seat in readers]


def is_ready(service: Service) -> bool:
    with service.client() as client, suppress(OSError, http.client.HTTPException):
        return client.get("/readyz").status == 200
    return False


def test_a_killed_store_is_back_with_all_that_was_acknowledged(safe: Service, client: Client) -> None:
    games = [Game(client, seats) for seats in (2, 3)]
    for game in games:
        game.move_on(8)
    before = [everything(game) for game in games]

    kill(store_server(safe))

    assert within(15, lambda: is_ready(safe))
    assert [everything(game) for game in games] == before
    for game in games:
        version = game.view()["version"]
        assert game.move_on(3)["version"] > version
        numbers = [event["seq"] for event in game.events()]
        assert numbers == list(range(1, len(numbers) + 1))


def test_while_the_store_is_away_the_service_says_so_and_stays_alive(safe: Service, client: Client) -> None:
    game = Game(client)
    game.move_on(2)
    before = everything(game)
    stopped = store_server(safe)
    os.kill(stopped, signal.SIGSTOP)
    try:
        began = time.monotonic()
        seat = before[0][0]["deal"]["turn_seat"]
        replies = [
            client.get(game.path),
            client.get("/readyz"),
            client.get("/v1/matches"),
            game.move(seat, {"type": "draw"}),
            client.post("/v1/matches", {"seats": 2}),
        ]
        assert time.monotonic() - began < 5 * 2.5
        for reply in replies:
            assert (reply.status, reply.code) == (503, "store_unavailable")
            assert int(reply.headers["Retry-After"]) > 0
        assert client.get("/healthz").status == 200
    finally:
        os.kill(stopped, signal.SIGCONT)
    assert within(10, lambda: is_ready(safe))
    log = game.events(seat)
    draws = [event for event in log[len(before[0][1]) :] if event["type"] == "cards_drawn"]
    assert len(draws) <= 1, "a write that was not acknowledged counts at most once"
    assert client.get(f"{game.path}/legal-moves", game.tokens[0]).status == 200


def test_a_stream_survives_a_killed_store(safe: Service, client: Client) -> None:
    game = Game(client)
    with Stream(safe.port, f"{game.path}/stream", game.tokens[0]) as stream:
        version = stream.take(1)[0].id
        game.move_on(2)
        kill(store_server(safe))
        assert within(15, lambda: is_ready(safe))
        game.move_on(4)
        log = game.events(0, version)
        assert [message.data for message in stream.take(len(log))] == log


def test_a_killed_worker_loses_nothing_that_was_acknowledged(safe: Service, client: Client) -> None:
    game = Game(client)
    acknowledged: list[Any] = []
    stop = time.monotonic() + 3

    def play() -> None:
        with safe.client() as own:
            while time.monotonic() < stop:
                reply = one_move(game, own)
                if reply is None:
                    time.sleep(0.05)
                elif reply.status == 200:
                    acknowledged.append(reply.json["events"])

    with ThreadPoolExecutor(1) as pool:
        playing = pool.submit(play)
        for _ in range(3):
            time.sleep(0.6)
            kill(workers(safe)[0])
        playing.result()
    assert within(10, lambda: is_ready(safe))
    with safe.client() as fresh:
        game.client = fresh
        log = {event["seq"]: event for event in game.events()}
    assert list(log) == list(range(1, len(log) + 1))
    assert acknowledged
    for events in acknowledged:
        for event in events:
            hidden = ("cards", "hand")
            assert {n: v for n, v in event.items() if n not in hidden} == log[event["seq"]]


def one_move(game: Game, client: Client) -> Reply | None:
    """Make a move if the service answers."""
    try:
        view = client.get(game.path).expect(200)
        if view["status"] != "playing":
            return None
        seat = view["deal"]["turn_seat"]
        moves = client.get(f"{game.path}/legal-moves", game.tokens[seat]).expect(200)["moves"]
        return game.move(seat, moves[0], client) if moves else None
    except (OSError, http.client.HTTPException):
        return None


def test_after_a_killed_master_the_next_service_goes_on(tmp_path: Path) -> None:
    settings = {"APPENDFSYNC": "always", "TMPDIR": str(tmp_path), "WORKERS": "1"}
    with serving(tmp_path, measured=False, **settings) as first, first.client() as client:
        game = Game(client, 3)
        game.move_on(5)
        before = everything(game)
        first.kill()
        with serving(tmp_path, measured=False, **settings) as second, second.client() as fresh:
            assert list(tmp_path.glob("pis-yedili-metrics-*"))
            game.client = fresh
            assert everything(game) == before
            assert game.move_on(3)["version"] > before[0][0]["version"]
    assert within(5, lambda: not list(tmp_path.glob("pis-yedili-metrics-*"))), "no figures are left of either"
