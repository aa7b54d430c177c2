"""`/metrics` over two workers: every count, once; and nothing that is secret."""

from __future__ import annotations

import os
import re
import signal
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from flask.testing import FlaskClient

from service.app import create_app
from service.engine.cards import CARD_NAMES
from service.settings import Settings
from service.store.embedded import EmbeddedServer
from tests.client import Client, Game, Service, serving, within
from tests.figures import grown, read_figures
from tests.integration.processes import workers
from tests.sse import Stream


@pytest.fixture(scope="module")
def service(server: EmbeddedServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service of two workers that does nothing but what is told here."""
    folder = tmp_path_factory.mktemp("counted")
    with serving(folder, REDIS_URL=f"{server.url}?db=5") as running:
        yield running


def figures(service: Service) -> dict[str, float]:
    """Ask over a connection of its own, which any worker may take."""
    with service.client() as client:
        reply = client.get("/metrics")
    assert reply.status == 200
    assert reply.headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8"
    assert reply.headers["Cache-Control"] == "no-store"
    return read_figures(reply.body.decode())


def counted(before: dict[str, float], service: Service) -> dict[str, float]:
    """What was counted meanwhile, but for the questions after it and the durations, which nobody can know."""
    told = grown(before, figures(service))
    return {
        name: value for name, value in told.items() if "getMetrics" not in name and not re.search("_(sum|bucket)", name)
    }


def play(service: Service) -> tuple[Game, int]:
    """Play a match, each move over a connection of its own; tell how many moves it had."""
    with service.client() as client:
        game = Game(client, 2, rules={"deals": 1, "hand_size": 3})
    moves, view = 0, None
    while view is None or view["status"] == "playing":
        with service.client() as game.client:
            view = game.move_on(1)
        moves += 1
    return game, moves


def test_every_count_is_there_once_and_outlives_its_worker(service: Service) -> None:
    with service.client() as client:
        followed = Game(client)
    with Stream(service.port, f"{followed.path}/stream") as stream:
        stream.take(1)
        before = figures(service)
        game, moves = play(service)
        with service.client() as client:
            assert client.get(game.path, "py_nobody_nothing").code == "not_your_match"
            assert client.get("/nowhere").code == "not_found"
        expected = expected_of(moves)
        assert within(5, lambda: counted(before, service) == expected), counted(before, service)
        for worker in workers(service):
            os.kill(worker, signal.SIGKILL)
            assert within(20, lambda: len(set(workers(service)) - {worker}) == 2)  # noqa: B023  # it is over by the next
        assert counted(before, service) == expected | {'followers{kind="stream"}': -1}


def test_a_worker_that_ends_takes_none_of_its_counts_with_it(service: Service) -> None:
    before, leaving = figures(service), workers(service)
    for _ in range(30):
        with service.client() as client:
            assert client.get("/v1/rules").status == 200
    for worker in leaving:
        os.kill(worker, signal.SIGTERM)
    assert within(20, lambda: len(set(workers(service)) - set(leaving)) == 2)
    assert counted(before, service)['http_requests_total{method="GET",operation="listRules",status="200"}'] == 30


def expected_of(moves: int) -> dict[str, float]:
    """What is counted of one match of so many moves, and two requests that are refused."""
    return {
        'matches_created_total{app=""}': 1,
        'moves_total{by="player"}': moves,
        "deals_ended_total": 1,
        'matches_ended_total{status="finished"}': 1,
        'refusals_total{code="not_your_match"}': 1,
        'refusals_total{code="not_found"}': 1,
        'http_requests_total{method="POST",operation="createMatch",status="201"}': 1,
        'http_requests_total{method="POST",operation="joinMatch",status="201"}': 1,
        'http_requests_total{method="POST",operation="makeMove",status="200"}': moves,
        'http_requests_total{method="GET",operation="listLegalMoves",status="200"}': moves,
        'http_requests_total{method="GET",operation="getMatch",status="200"}': moves,
        'http_requests_total{method="GET",operation="getMatch",status="403"}': 1,
        'http_requests_total{method="GET",operation="",status="404"}': 1,
        'http_request_duration_seconds_count{operation="createMatch"}': 1,
        'http_request_duration_seconds_count{operation="joinMatch"}': 1,
        'http_request_duration_seconds_count{operation="makeMove"}': moves,
        'http_request_duration_seconds_count{operation="listLegalMoves"}': moves,
        'http_request_duration_seconds_count{operation="getMatch"}': moves + 1,
        'http_request_duration_seconds_count{operation=""}': 1,
    }


def test_streams_and_polls_are_counted_while_they_last(service: Service) -> None:
    def open_now(kind: str) -> float:
        return figures(service)[f'followers{{kind="{kind}"}}']

    assert within(5, lambda: open_now("stream") == open_now("poll") == 0)
    before, began = figures(service), time.monotonic()
    with service.client() as client, service.client() as other, ThreadPoolExecutor(1) as pool:
        game = Game(client)
        etag = client.get(game.path).headers["ETag"]
        with Stream(service.port, f"{game.path}/stream?after=0") as stream:
            seen = len(stream.take(game.view()["version"]))
            held = pool.submit(lambda: other.get(f"{game.path}?wait=30", If_None_Match=etag).status)
            assert within(20, lambda: open_now("poll") == 1)
            assert open_now("stream") == 1
            time.sleep(1)
            seen += len(stream.take(game.move_on(1)["version"] - seen))
            assert held.result() == 200
            assert open_now("poll") == 0
    told = grown(before, figures(service))
    assert told["stream_events_total"] == seen
    durations = told['http_request_duration_seconds_sum{operation="getMatch"}']
    assert durations < time.monotonic() - began - 1, "the time of a held poll does not count"


def test_the_figures_hold_no_token_no_card_and_no_identity(service: Service) -> None:
    game, _ = play(service)
    with service.client() as client:
        assert client.call("BREW", game.path, token=game.tokens[0]).code == "method_not_allowed"
        text = client.get("/metrics").body.decode()
    words = set(re.findall(r"\w+", text))
    assert not words & set(CARD_NAMES)
    assert not words & {game.path.rpartition("/")[2], *game.tokens, "Player", "BREW"}
    assert not re.search("[0-9a-f]{32}|py_", text)


def without_a_store(**variables: str) -> FlaskClient:
    return create_app(
        Settings.from_env({"DATA_DIR": "/nowhere", "REDIS_URL": "unix:///nowhere", **variables})
    ).test_client()


def test_the_figures_need_no_store() -> None:
    client = without_a_store()
    assert client.get("/v1/matches").status_code == 503
    told = read_figures(client.get("/metrics").text)
    assert told["store_failures_total"] >= 1
    assert told['http_requests_total{method="GET",operation="listMatches",status="503"}'] == 1
    assert told['refusals_total{code="store_unavailable"}'] == 1


def test_an_operator_can_have_nothing_counted() -> None:
    client = without_a_store(METRICS="off")
    assert client.get("/healthz").status_code == 200
    reply = client.get("/metrics")
    assert (reply.status_code, reply.mimetype) == (404, "application/problem+json")


@pytest.mark.parametrize(
    "accept",
    [
        "text/plain",
        "text/plain;version=0.0.4",
        "text/plain;version=0.0.4;charset=utf-8",
        "application/openmetrics-text;version=1.0.0;q=0.6,text/plain;version=1.0.0;q=0.4,*/*;q=0.2",
    ],
)
def test_the_figures_are_served_to_whoever_reads_the_text_format(client: Client, accept: str) -> None:
    assert client.get("/metrics", Accept=accept).status == 200
