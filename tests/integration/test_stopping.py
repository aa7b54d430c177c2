"""Limits of a service that is asked too much, and how it stops: streams and polls end, nothing is cut."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest

from tests.client import Client, Game, Reply, Service, serving, within
from tests.figures import followers
from tests.integration.processes import workers
from tests.sse import Stream


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service with one worker that holds two streams."""
    with serving(tmp_path_factory.mktemp("small"), measured=True, WORKERS="1", MAX_STREAMS="2") as running:
        yield running


@pytest.fixture
def client(small: Service) -> Iterator[Client]:
    with small.client() as connected:
        yield connected


def held_poll(service: Service, game: Game, seconds: int) -> Reply:
    with service.client() as own:
        etag = own.get(game.path).headers["ETag"]
        return own.get(f"{game.path}?wait={seconds}", If_None_Match=etag)


def admitted_poll(service: Service, game: Game, seconds: int) -> Reply:
    """Poll until there is room: what others hold, or the test's own look at the cap, may take it for a moment."""
    while (reply := held_poll(service, game, seconds)).status == 503:
        time.sleep(0.05)
    return reply


def test_beyond_the_cap_streams_and_polls_are_refused_until_others_end(small: Service, client: Client) -> None:
    game = Game(client)
    path = f"{game.path}/stream"
    with Stream(small.port, path) as first, Stream(small.port, path) as second:
        for opened in (first, second):
            opened.take(1)
        game.move_on(1)
        for opened in (first, second):
            opened.take(1)  # who hears of a move is counted
        etag = client.get(game.path).headers["ETag"]
        for reply in (client.get(path), client.get(f"{game.path}?wait=5", If_None_Match=etag)):
            assert (reply.status, reply.code) == (503, "too_many_streams")
            assert int(reply.headers["Retry-After"]) > 0
        assert client.get(game.path, If_None_Match=etag).status == 304
        assert client.get(f"{game.path}?wait=5").status == 200
        game.move_on(1)
        assert first.take(1)
        assert second.take(1)

    def has_room() -> bool:
        game.move_on(1)  # a worker notices at its next message that a reader has left
        return followers(client, "stream") == 0 and client.get(f"{path}?limit=1").status == 200

    assert within(10, has_room)


def test_of_many_streams_that_are_opened_at_once_no_more_are_taken_than_the_cap_allows(
    small: Service, client: Client
) -> None:
    game = Game(client)
    assert within(10, lambda: followers(client, "stream") == 0)
    with ThreadPoolExecutor(16) as pool:
        opened = list(pool.map(lambda _: Stream(small.port, f"{game.path}/stream"), range(16)))
    try:
        assert sorted(stream.status for stream in opened) == [200] * 2 + [503] * 14
    finally:
        for stream in opened:
            stream.__exit__()
    assert within(10, lambda: game.move_on(1) and followers(client, "stream") == 0)
    assert client.get(f"{game.path}/stream?limit=1").status == 200


def test_a_held_poll_counts_against_the_cap(small: Service, client: Client) -> None:
    game = Game(client)
    with ThreadPoolExecutor(2) as pool:
        polls = [pool.submit(admitted_poll, small, game, 5) for _ in range(2)]
        assert within(5, lambda: client.get(f"{game.path}/stream?limit=1").status == 503)
        assert [future.result().status for future in polls] == [304, 304]
    assert within(5, lambda: client.get(f"{game.path}/stream?limit=1").status == 200)


@pytest.mark.parametrize("to_workers", [False, True])
def test_sigterm_ends_streams_and_polls_with_whole_answers(tmp_path: Path, to_workers: bool) -> None:
    with serving(tmp_path, WORKERS="1") as service, service.client() as client, ThreadPoolExecutor(1) as pool:
        game = Game(client)
        with Stream(service.port, f"{game.path}/stream", game.tokens[0]) as stream:
            stream.take(1)
            poll = pool.submit(held_poll, service, game, 30)
            assert within(10, lambda: followers(client, "poll") == 1)
            began = time.monotonic()
            if to_workers:
                [worker] = workers(service)
                os.kill(worker, signal.SIGTERM)
            else:
                service.master.send_signal(signal.SIGTERM)
            *_, last = stream.blocks
            assert "stops" in last[""]
            assert int(last["retry"]) > 0
            reply = poll.result()
            assert reply.status == 304
            if not to_workers:
                assert service.master.wait(timeout=10) == 0
            assert time.monotonic() - began < 10


def test_a_move_in_flight_is_answered_while_the_service_stops(tmp_path: Path) -> None:
    with serving(tmp_path, WORKERS="1") as service, service.client() as client:
        game = Game(client)
        seat = game.view()["deal"]["turn_seat"]
        moves = game.legal_moves(seat)
        with ThreadPoolExecutor(1) as pool:
            answered = pool.submit(game.move, seat, moves[0])
            service.master.send_signal(signal.SIGTERM)
            with suppress(OSError):  # it came after the end
                assert answered.result().status in (200, 503)
        assert service.master.wait(timeout=10) == 0
        assert "Traceback" not in service.log.read_text()
