"""Who is here, from a real service with two workers: in views, and as events that are not part of the log."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.client import Client, Game, Service, serving, within
from tests.figures import followers
from tests.integration.processes import workers
from tests.sse import Stream

MOST_SECONDS = 35
"""For so long a killed worker may deceive."""


@pytest.fixture
def game(client: Client) -> Game:
    return Game(client, 3)


def present(game: Game) -> list[bool]:
    """What a view tells of each seat."""
    return [player["present"] for player in game.view()["players"]]


def open_at_every_worker(service: Service, game: Game, stack: ExitStack) -> list[Stream]:
    """Open streams of a stranger until each worker of the service holds some."""
    return [stack.enter_context(Stream(service.port, f"{game.path}/stream")) for _ in range(8)]


def test_who_opens_a_stream_is_here_and_everybody_is_told(service: Service, game: Game) -> None:
    with ExitStack() as stack:
        strangers = open_at_every_worker(service, game, stack)
        assert present(game) == [False, False, False]
        with Stream(service.port, f"{game.path}/stream", game.tokens[1]) as stream:
            for stranger in strangers:
                assert next(stranger.presence()) == (1, True)
            assert present(game) == [False, True, False]
            [snapshot] = stream.take(1)
            assert [player["present"] for player in snapshot.data["players"]] == [False, True, False]
            ticket = game.client.post(f"{game.path}/stream-tickets", {}, game.tokens[2]).expect(201)["ticket"]
            with Stream(service.port, f"{game.path}/stream?ticket={ticket}"):
                for reader in (*strangers, stream):
                    assert next(reader.presence()) == (2, True), "a reader is told of others, not of themselves"
        game.move_on(1)  # a worker notices at its next message that a reader has left
        gone = {next(strangers[0].presence()) for _ in range(2)}
        assert gone == {(1, False), (2, False)}
        assert present(game) == [False, False, False]


def test_a_held_poll_counts_and_the_next_one_is_no_return(service: Service, game: Game) -> None:
    token = game.tokens[0]

    def poll() -> int:
        with service.client() as own:
            etag = own.get(game.path, token).headers["ETag"]
            return own.get(f"{game.path}?wait=20", token, If_None_Match=etag).status

    with Stream(service.port, f"{game.path}/stream") as watching, ThreadPoolExecutor(1) as pool:
        for expected in (True, None, None):
            held = pool.submit(poll)
            if expected:
                assert next(watching.presence()) == (0, True)
            assert within(10, lambda: followers(game.client, "poll") == 1)
            assert present(game)[0]
            game.move_on(1)
            assert held.result() == 200
        assert next(watching.presence()) == (0, False), "nothing else was told meanwhile"


def test_presence_is_no_part_of_the_log_and_changes_neither_version_nor_etag(service: Service, game: Game) -> None:
    before = game.client.get(game.path)
    log = game.events()
    with Stream(service.port, f"{game.path}/stream?after={len(log) - 1}", game.tokens[1]) as stream:
        assert stream.take(1)[0].data == log[-1]
        assert [next(stream.presence()) for _ in range(3)] == [(0, False), (1, True), (2, False)]
        assert within(5, lambda: present(game)[1])
        assert game.client.get(game.path).headers["ETag"] == before.headers["ETag"]
        assert game.client.get(game.path, If_None_Match=before.headers["ETag"]).status == 304
        assert game.events() == log
        game.move_on(1)
        assert stream.take(1)[0].id == len(log) + 1
    with Stream(service.port, f"{game.path}/stream", game.tokens[1], Last_Event_ID=str(len(log) + 1)) as resumed:
        assert [next(resumed.presence()) for _ in range(3)] == [(0, False), (1, True), (2, False)]


def test_a_limit_does_not_count_who_comes_and_goes(service: Service, game: Game) -> None:
    with Stream(service.port, f"{game.path}/stream?limit=2", game.tokens[0]) as stream:
        assert stream.take(1)[0].event == "snapshot"
        with Stream(service.port, f"{game.path}/stream", game.tokens[1]):
            assert next(stream.presence()) == (1, True)
        game.move_on(1)
        assert len(list(stream.messages())) == 1


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Service]:
    with serving(tmp_path) as running:
        yield running


@pytest.mark.slow
def test_a_server_that_stops_takes_its_players_along(own: Service) -> None:
    with own.client() as client:
        game = Game(client)
        with Stream(own.port, f"{game.path}/stream", game.tokens[0]):
            assert within(5, lambda: present(game)[0])
            began = time.monotonic()
            old = workers(own)
            os.kill(own.master.pid, signal.SIGHUP)
            assert within(10, lambda: not set(old) & set(workers(own)))
            with own.client() as game.client:  # the worker behind the other is gone
                assert within(5, lambda: not present(game)[0])
            assert time.monotonic() - began < 10


@pytest.mark.slow
def test_nobody_is_here_through_a_worker_that_was_killed(own: Service) -> None:
    with own.client() as client, ExitStack() as stack:
        game = Game(client)
        strangers = open_at_every_worker(own, game, stack)
        with Stream(own.port, f"{game.path}/stream", game.tokens[0]):
            for stranger in strangers:
                assert next(stranger.presence()) == (0, True)
            for pid in workers(own):
                os.kill(pid, signal.SIGKILL)
            died = time.monotonic()
            with own.client() as fresh:
                game.client = fresh
                assert within(10, lambda: fresh.get("/readyz").status == 200)
                watching = stack.enter_context(Stream(own.port, f"{game.path}/stream"))
                assert watching.take(1)[0].data["players"][0]["present"]
                assert next(watching.presence()) == (0, False)
                assert not present(game)[0]
                assert time.monotonic() - died < MOST_SECONDS
