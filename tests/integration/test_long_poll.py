"""Views that are held until the match changes, from a real service with two workers."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.client import Client, Game, Reply, Service


@pytest.fixture
def game(client: Client) -> Game:
    return Game(client)


def poll(service: Service, game: Game, etag: str, seconds: int, token: str | None = None) -> tuple[Reply, float]:
    began = time.monotonic()
    with service.client() as client:
        reply = client.get(f"{game.path}?wait={seconds}", token, If_None_Match=etag)
    return reply, time.monotonic() - began


@pytest.mark.parametrize("reader", [0, 1, None])
def test_a_held_answer_comes_with_the_change(service: Service, game: Game, reader: int | None) -> None:
    token = None if reader is None else game.tokens[reader]
    etag = game.client.get(game.path, token).headers["ETag"]
    with ThreadPoolExecutor(4) as pool:
        held = [pool.submit(poll, service, game, etag, 20, token) for _ in range(4)]
        time.sleep(0.5)
        assert not any(future.done() for future in held)
        game.move_on(1)
        for future in held:
            reply, seconds = future.result()
            assert reply.expect(200) == game.view(reader)
            assert reply.headers["ETag"] != etag
            assert seconds < 15


def test_a_held_answer_comes_unchanged_when_the_time_is_over(service: Service, game: Game) -> None:
    etag = game.client.get(game.path).headers["ETag"]
    reply, seconds = poll(service, game, etag, 1)

    assert (reply.status, reply.headers["ETag"], reply.body) == (304, etag, b"")
    assert 1 <= seconds < 4


def test_who_has_an_older_view_is_answered_at_once(service: Service, game: Game) -> None:
    etag = game.client.get(game.path).headers["ETag"]
    game.move_on(1)
    reply, seconds = poll(service, game, etag, 20)

    assert reply.expect(200) == game.view()
    assert seconds < 5


def test_without_an_etag_or_with_a_strangers_nothing_is_held(service: Service, game: Game) -> None:
    began = time.monotonic()
    game.client.get(f"{game.path}?wait=20").expect(200)
    etag = game.client.get(game.path, game.tokens[0]).headers["ETag"]
    game.client.get(f"{game.path}?wait=20", game.tokens[1], If_None_Match=etag).expect(200)

    assert time.monotonic() - began < 5


@pytest.mark.parametrize("wait", ["31", "-1", "1.5", "x", ""])
def test_a_wait_is_a_number_of_seconds_up_to_thirty(game: Game, wait: str) -> None:
    etag = game.client.get(game.path).headers["ETag"]
    for headers in ({}, {"If_None_Match": etag}):
        reply = game.client.get(f"{game.path}?wait={wait}", **headers)
        assert (reply.status, reply.code) == (422, "invalid_query")


def test_who_loses_their_seat_while_waiting_is_told_that_their_token_died(service: Service, client: Client) -> None:
    game = Game(client, 3, seated=2)
    etag = client.get(game.path, game.tokens[1]).headers["ETag"]
    with ThreadPoolExecutor(1) as pool:
        held = pool.submit(poll, service, game, etag, 20, game.tokens[1])
        time.sleep(0.3)
        client.call("DELETE", f"{game.path}/players/1", token=game.tokens[0]).expect(200)
        reply, _ = held.result()
    assert (reply.status, reply.code) == (401, "token_invalid")
