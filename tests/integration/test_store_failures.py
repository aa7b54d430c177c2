"""A store that is dead, silent or refuses: the service says so in time, and goes on by itself when it is back."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import partial
from pathlib import Path

import pytest
import redis

from service import deadline
from service.codes import LIMITS
from service.errors import StoreUnavailable
from service.store.base import Place, Stored
from service.store.embedded import EmbeddedServer
from service.store.link import PooledLink
from service.store.redis import RedisStore
from service.store.shared import SharedLink
from tests.client import within
from tests.integration.processes import frozen
from tests.servers import Way
from tests.tables import commit

TIMEOUT_SECONDS = 0.6
SLACK_SECONDS = 1.0

CALLS: dict[str, Callable[[RedisStore], object]] = {
    "load": lambda store: store.load("a"),
    "load with a key": lambda store: store.load("a", "key"),
    "load_many": lambda store: store.load_many(["a", "b"]),
    "version": lambda store: store.version("a"),
    "commit": lambda store: store.commit("a", commit(0, 1)),
    "entries": lambda store: store.entries("a", 0, 9),
    "salt": lambda store: store.salt(b"salt"),
    "keep_ticket": lambda store: store.keep_ticket("a", "hash", "holder", 9),
    "use_ticket": lambda store: store.use_ticket("a", "hash", 9),
    "publish": lambda store: store.publish(Place(1, "a"), "waiting", "fit"),
    "unpublish": lambda store: store.unpublish("a"),
    "published": lambda store: store.published(None, None, 9),
    "the next published": lambda store: store.published(None, Place(1, "a"), 9),
    "some_published": lambda store: store.some_published(1),
    "keep_code": lambda store: store.keep_code("CODE", "a"),
    "judge_guess": lambda store: store.judge_guess("client", LIMITS, is_wrong=True),
    "ping": lambda store: store.ping(),
}
every_call = pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)


@pytest.fixture(scope="module")
def own_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedServer]:
    """A server that these tests alone stop and kill."""
    with EmbeddedServer.start(tmp_path_factory.mktemp("failing"), "always") as running:
        yield running


@pytest.fixture
def patient_store(way: Way) -> Iterator[RedisStore]:
    """A store over each link."""
    store = way.store(ttl_seconds=60, timeout_seconds=TIMEOUT_SECONDS)
    store.load_many("abc")  # each node of a cluster keeps one
    yield store
    store.close()


@pytest.fixture(params=[SharedLink, PooledLink])
def own_store(own_server: EmbeddedServer, request: pytest.FixtureRequest) -> Iterator[RedisStore]:
    with redis.Redis.from_url(own_server.url) as database:
        database.flushdb()
    store = RedisStore(own_server.url, ttl_seconds=60, timeout_seconds=TIMEOUT_SECONDS, link=request.param)
    store.ping()
    yield store
    store.close()


def refused_within(seconds: float, call: Callable[[], object]) -> str:
    began = time.monotonic()
    with pytest.raises(StoreUnavailable) as refused:
        call()
    assert time.monotonic() - began < seconds
    return str(refused.value)


@every_call
def test_without_a_server_every_call_says_so_at_once(tmp_path: Path, call: Callable[[RedisStore], object]) -> None:
    for url in (
        f"unix://{tmp_path}/none",
        "redis://127.0.0.1:1",
        "redis+sentinel://[::1]:1/x",
        "redis+cluster://[::1]:1",
    ):
        store = RedisStore(url, ttl_seconds=60, timeout_seconds=TIMEOUT_SECONDS)
        assert "does not answer" in refused_within(SLACK_SECONDS, partial(call, store))


@every_call
def test_a_silent_server_is_given_up_within_the_time(
    own_server: EmbeddedServer, own_store: RedisStore, call: Callable[[RedisStore], object]
) -> None:
    with frozen(own_server.pid):
        assert "does not answer" in refused_within(TIMEOUT_SECONDS + SLACK_SECONDS, lambda: call(own_store))
    call(own_store)


def test_all_calls_at_once_are_given_up_within_the_time(way: Way, patient_store: RedisStore) -> None:
    def refused(call: Callable[[RedisStore], object]) -> bool:
        return "does not answer" in refused_within(TIMEOUT_SECONDS + SLACK_SECONDS, lambda: call(patient_store))

    with ThreadPoolExecutor(len(CALLS)) as pool, frozen(*way.pids):
        assert all(pool.map(refused, CALLS.values()))
    for call in CALLS.values():
        call(patient_store)


def test_a_silent_server_is_not_asked_again_once_the_time_of_the_request_is_over(
    own_server: EmbeddedServer, own_store: RedisStore
) -> None:
    def request() -> None:
        deadline.begin(TIMEOUT_SECONDS / 4)
        refused_within(TIMEOUT_SECONDS, own_store.ping)
        assert refused_within(0.3, own_store.ping) == "The store answers too slowly."

    with frozen(own_server.pid):
        copy_context().run(request)


def test_a_commit_whose_answer_was_lost_is_known_when_it_is_sent_again(way: Way, patient_store: RedisStore) -> None:
    lost = commit(0, 2)
    for match_id in ("b", "c", "{a}another"):  # each server must know the script, or it only says so
        assert patient_store.commit(match_id, commit(0, 1)) is True
    with frozen(*way.pids):
        refused_within(TIMEOUT_SECONDS + SLACK_SECONDS, lambda: patient_store.commit("a", lost))
    assert within(5, lambda: patient_store.version("a") == 2)
    assert patient_store.commit("a", lost) is True
    assert len(patient_store.entries("a", 0, 9)) == 1
    assert patient_store.commit("a", commit(0, 2)) is False


def test_a_server_that_was_killed_and_is_back_is_used_again_with_all_that_was_committed(
    own_server: EmbeddedServer, own_store: RedisStore
) -> None:
    assert own_store.commit("a", commit(0, 2, b"kept")) is True
    pid = own_server.pid
    os.kill(pid, signal.SIGKILL)

    def answers() -> bool:
        try:
            own_store.ping()
        except StoreUnavailable:
            return False
        return own_server.pid != pid

    assert within(10, answers)
    assert own_store.load("a").stored == Stored(2, b"kept")
    assert own_store.commit("a", commit(2, 3)) is True


@pytest.mark.parametrize("key", ["py:{a}", "py:{a}:log"])
def test_a_commit_that_the_server_cannot_carry_out_is_not_taken_for_done(
    own_server: EmbeddedServer, own_store: RedisStore, key: str
) -> None:
    with redis.Redis.from_url(own_server.url) as database:
        database.set(key, "of another kind")
        assert "cannot carry out" in refused_within(1, lambda: own_store.commit("a", commit(0, 1)))
        assert database.keys() == [key.encode()]


def test_a_server_without_the_script_is_given_it(way: Way, patient_store: RedisStore) -> None:
    patient_store.commit("a", commit(0, 2))
    way.database.script_flush()
    assert patient_store.commit("a", commit(2, 3)) is True


def test_a_server_that_is_full_refuses_and_forgets_nothing(own_server: EmbeddedServer, own_store: RedisStore) -> None:
    own_store.commit("a", commit(0, 2))
    with redis.Redis.from_url(own_server.url) as database:
        database.config_set("maxmemory", 1)
        try:
            assert "cannot carry out" in refused_within(1, lambda: own_store.commit("a", commit(2, 3)))
        finally:
            database.config_set("maxmemory", 0)
    assert own_store.version("a") == 2
    assert own_store.commit("a", commit(2, 3)) is True
