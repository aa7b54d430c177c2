"""The service on stores of several servers: matches as on one, and what callers are told while a server is missed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest
from redis.crc import key_slot

from tests.client import Game, Service, serving, within
from tests.integration.processes import frozen
from tests.receiver import SECRET, receiving
from tests.servers import SLOTS, Cluster, Replicated, cluster, replicated
from tests.sse import Stream

KEY = "an-app-key"
TOLD = ("match_started", "turn_started", "deal_ended", "match_ended")
BACK_SECONDS = 20.0


@contextmanager
def shop(folder: Path, url: str) -> Iterator[Service]:
    """A service with an app key, of which no fault is logged."""
    with serving(
        folder,
        REDIS_URL=url,
        STORE_TIMEOUT_SECONDS="1",
        API_KEYS=f"shop:{KEY}",
        WEBHOOKS_ALLOW_PRIVATE="on",
        BOT_PAUSE_MS="0",
        WORKERS="1",
    ) as service:
        yield service
    assert "Traceback" not in service.log.read_text()


class Behind(NamedTuple):
    """A service, and the servers behind it."""

    service: Service
    servers: Replicated


class On(NamedTuple):
    """A service, and the cluster behind it."""

    service: Service
    servers: Cluster


@pytest.fixture(scope="module")
def behind_sentinel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Behind]:
    folder = tmp_path_factory.mktemp("behind")
    with replicated(folder, down_after_ms=1000) as servers, shop(folder, servers.url) as service:
        yield Behind(service, servers)


@pytest.fixture(scope="module")
def on_cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[On]:
    folder = tmp_path_factory.mktemp("on")
    with cluster(folder) as servers, shop(folder, servers.url) as service:
        yield On(service, servers)


@pytest.mark.parametrize("several", ["behind_sentinel", "on_cluster"])
def test_matches_are_played_by_players_and_bots_streamed_and_told_of(
    several: str, request: pytest.FixtureRequest
) -> None:
    service: Service = request.getfixturevalue(several).service
    with service.client() as client, receiving() as receiver:
        assert client.get("/readyz").status == 200
        hook = {"url": receiver.url, "secret": SECRET}
        game = Game(client, app_key=KEY, webhook=hook)
        with Stream(service.port, f"{game.path}/stream", game.tokens[1]) as stream:
            [snapshot] = stream.take(1)
            game.move_on(12)
            events = game.events(1)
            assert [message.data for message in stream.take(len(events) - snapshot.id)] == events[snapshot.id :]
        due = {f"msg_{match_id(game)}_{event['seq']}" for event in events if event["type"] in TOLD}
        assert within(10, lambda: receiver.taken == due)
        bots = Game(client, 3, seated=0, app_key=KEY, bots=[{"level": "easy"}] * 3)
        assert within(20, lambda: len(bots.events()) > 20), "they go on by themselves"


def match_id(game: Game) -> str:
    return game.path.rpartition("/")[2]


class NextMove:
    """A move that is sent again and again, with the same key, until the store is there."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.seat = game.view()["deal"]["turn_seat"]
        self.move = game.legal_moves(self.seat)[0]
        self.refusals = 0

    def is_made(self) -> bool:
        """Send it, and tell whether it was made; the only other answer is that the store is not there."""
        key = {"Idempotency_Key": "a key of twenty-two chars"}
        reply = self.game.client.post(f"{self.game.path}/moves", self.move, self.game.tokens[self.seat], **key)
        if reply.status == 200:
            return True
        assert (reply.status, reply.code) == (503, "store_unavailable")
        self.refusals += 1
        return False


def test_when_the_master_dies_moves_are_refused_until_its_replica_goes_on(behind_sentinel: Behind) -> None:
    service, servers = behind_sentinel
    with service.client() as client:
        game = Game(client, app_key=KEY)
        game.move_on(8)
        before = game.events(0)
        with Stream(service.port, f"{game.path}/stream", game.tokens[0]) as stream:
            stream.take(1)
            move = NextMove(game)
            assert servers.client.wait(1, 5000) == 1, "the replica has it all, as it usually does"
            servers.master.kill()
            assert within(BACK_SECONDS, move.is_made)
            assert move.refusals
            events = game.events(0)
            assert events[: len(before)] == before
            assert [event["type"] for event in events].count("match_started") == 1
            assert move.is_made(), "its repeat counts as the same move"
            assert game.events(0) == events
            assert [message.data for message in stream.take(len(events) - len(before))] == events[len(before) :]
        assert game.move_on(4)["version"] > events[-1]["seq"]
        assert client.get("/readyz").status == 200


def test_a_silent_node_of_a_cluster_is_missed_by_its_own_matches_alone(on_cluster: On) -> None:
    service, servers = on_cluster
    with service.client() as client:
        games: dict[int, Game] = {}
        while games.keys() < {0, 1, 2}:
            game = Game(client, app_key=KEY)
            games[key_slot(f"{{{match_id(game)}}}".encode()) * len(servers.nodes) // SLOTS] = game
        lost, others = NextMove(games[2]), [games[0], games[1]]
        with frozen(servers.nodes[2].process.pid):
            assert not lost.is_made()
            for game in others:
                assert NextMove(game).is_made()
                assert client.get(f"{games[2].path}").code == "store_unavailable"
                game.move_on(2)
            assert client.get("/readyz").status == 200
        assert within(BACK_SECONDS, lost.is_made)
        assert games[2].move_on(4)["status"] in ("playing", "finished")
