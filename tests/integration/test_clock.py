"""Turns that run out, on real servers: in time, once, whoever dies, and not while the store stands still."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from tests.client import Client, Game, Service, serving, within
from tests.integration.processes import kill, store_server, workers

TURN_SECONDS = 5
CLOCK = {"turn_seconds": TURN_SECONDS, "deal_pause": 0}
LEASE_SECONDS = 2.0
BUSY_SECONDS = 1.0
"""What a busy machine may add."""


@pytest.fixture(scope="module")
def timed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service with two workers and a store of its own."""
    with serving(tmp_path_factory.mktemp("timed"), STORE_TIMEOUT_SECONDS="1.5") as running:
        yield running


@pytest.fixture
def client(timed: Service) -> Iterator[Client]:
    with timed.client() as connected:
        yield connected


def seconds(text: str) -> float:
    return datetime.fromisoformat(text).timestamp()


def delays(game: Game) -> list[float]:
    """Give how long after the deadline each turn ran out, and check that each ran out once."""
    found, deadline = [], None
    for event in game.events():
        if event["type"] in ("turn_started", "deadline_changed"):
            deadline = event["deadline"]
        elif event["type"] == "turn_timed_out":
            assert deadline is not None, "it ran out before"
            found.append(seconds(event["at"]) - seconds(deadline))
            deadline = None
    return found


def test_turns_run_out_within_a_second_and_once_though_two_servers_look(client: Client) -> None:
    games = [Game(client, clock=CLOCK) for _ in range(12)]
    assert games[0].view()["clock"] == {**CLOCK, "bank_seconds": 0}
    assert within(TURN_SECONDS + 5, lambda: all(map(delays, games)))
    for game in games:
        assert 0 <= delays(game)[0] < 1 + BUSY_SECONDS
        by = [event["by"] for event in game.events() if "by" in event]
        assert set(by) == {"clock"}


def test_when_a_server_dies_the_others_see_to_its_matches(timed: Service, client: Client) -> None:
    games = [Game(client, clock=CLOCK) for _ in range(12)]
    time.sleep(max(seconds(games[0].view()["deal"]["deadline"]) - time.time(), 0))
    kill(workers(timed)[0])
    with timed.client() as fresh:
        for game in games:
            game.client = fresh
        assert within(TURN_SECONDS + 5, lambda: all(map(delays, games)))
        for game in games:
            assert 0 <= delays(game)[0] < LEASE_SECONDS + 1 + BUSY_SECONDS


def test_a_late_move_and_its_time_out_come_to_one_result(timed: Service, client: Client) -> None:
    def race(number: int) -> tuple[int, str | None]:
        with timed.client() as connection:
            game = Game(connection, clock=CLOCK)
            view = game.view()
            seat = view["deal"]["turn_seat"]
            move = game.legal_moves(seat)[0]
            time.sleep(max(seconds(view["deal"]["deadline"]) + (number - 2) * 0.05 - time.time(), 0))
            reply = game.move(seat, {**move, "if_version": view["version"]})
            first = game.events(after=view["version"], limit=1)[0]
            return reply.status, first.get("by")

    with ThreadPoolExecutor(8) as pool:
        for status, by in pool.map(race, range(8)):
            assert (status, by) in ((200, "player"), (409, None)), "the time-out came first, or the move did"


def test_time_stands_still_while_the_store_does(timed: Service, client: Client) -> None:
    game = Game(client, clock=CLOCK)
    deadline = seconds(game.view()["deal"]["deadline"])
    store = store_server(timed)
    os.kill(store, signal.SIGSTOP)
    time.sleep(TURN_SECONDS + 1)
    os.kill(store, signal.SIGCONT)
    resumed = time.time()

    def changed() -> list[Any]:
        return [event for event in game.events() if event["type"] == "deadline_changed"]

    assert within(5, lambda: bool(changed()))
    put_off = seconds(changed()[0]["deadline"])
    assert put_off - deadline == pytest.approx(TURN_SECONDS + 1, abs=1.5)
    assert put_off > resumed
    assert within(TURN_SECONDS + 3, lambda: bool(delays(game)))
    assert delays(game)[0] >= 0


@pytest.mark.slow
def test_deadlines_outlive_the_service(tmp_path: Path) -> None:
    with serving(tmp_path, WORKERS="1") as before, before.client() as client:
        game = Game(client, clock=CLOCK)
    with serving(tmp_path, WORKERS="1") as after, after.client() as client:
        game.client = client
        assert within(3 * TURN_SECONDS, lambda: bool(delays(game)))
