"""A store behind sentinels: another master is found, and nothing is taken for done that the old one did not do."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import suppress

import pytest
import redis

from service.errors import StoreUnavailable
from service.store.base import Entry, Stored
from service.store.redis import RedisStore
from service.store.sentinel import SentinelLink
from tests.client import within
from tests.integration.processes import frozen
from tests.servers import Replicated, replicated
from tests.tables import commit

DOWN_AFTER_MS = 300
TIMEOUT_SECONDS = 0.6
FAILOVER_SECONDS = 20.0


@pytest.fixture
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Replicated]:
    """Servers of which one may die."""
    with replicated(tmp_path_factory.mktemp("failover"), DOWN_AFTER_MS) as running:
        yield running


@pytest.fixture
def store(servers: Replicated) -> Iterator[RedisStore]:
    made = RedisStore(servers.url, ttl_seconds=60, timeout_seconds=TIMEOUT_SECONDS)
    yield made
    made.close()


def in_time(call: Callable[[], object]) -> bool:
    """Make a call, and tell whether the store answered; it must be told in time."""
    began = time.monotonic()
    try:
        call()
    except StoreUnavailable:
        return False
    finally:
        assert time.monotonic() - began < TIMEOUT_SECONDS + 1
    return True


def test_when_the_master_dies_its_replica_goes_on_with_all_that_it_had(servers: Replicated, store: RedisStore) -> None:
    wakes = store.wakes()
    wakes.listen("a")
    assert wakes.next(1) == ("a", None)
    store.commit("a", commit(0, 2, b"kept"))
    assert wakes.next(1) == ("a", Entry(2, b"events to 2"))
    assert servers.client.wait(1, 5000) == 1
    servers.master.kill()
    with pytest.raises(StoreUnavailable):
        wakes.next(1)
    next_one = commit(2, 3, b"next")
    assert not in_time(lambda: store.commit("a", next_one))
    assert within(FAILOVER_SECONDS, lambda: in_time(lambda: store.commit("a", next_one)))
    assert store.load("a").stored == Stored(3, b"next")
    assert [entry.last for entry in store.entries("a", 0, 9)] == [2, 3]
    assert wakes.next(1) == ("a", None), "who hears of commits is connected to the new master"
    store.commit("a", commit(3, 4))
    assert wakes.next(1) == ("a", Entry(4, b"events to 4"))
    wakes.close()


def test_a_master_that_falls_silent_is_left_for_the_new_one(servers: Replicated, store: RedisStore) -> None:
    store.commit("a", commit(0, 2))
    assert servers.client.wait(1, 5000) == 1
    with frozen(servers.master.process.pid):
        assert within(FAILOVER_SECONDS, lambda: in_time(lambda: store.commit("a", commit(2, 3))))
        assert store.version("a") == 3


def test_a_master_that_has_become_a_replica_is_left_at_the_first_write(servers: Replicated, store: RedisStore) -> None:
    store.commit("a", commit(0, 1))
    with servers.replica.client() as other:
        other.replicaof("NO", "ONE")
        servers.client.replicaof("127.0.0.1", servers.replica.port)  # connections stay, as if no sentinel had done it
        assert within(5, lambda: servers.client.info("replication")["master_link_status"] == "up")
        assert not in_time(lambda: store.commit("a", commit(1, 2)))
        with suppress(redis.ResponseError), servers.sentinel.client() as sentinel:
            sentinel.execute_command("SENTINEL FAILOVER", "mymaster")
    assert within(FAILOVER_SECONDS, lambda: in_time(lambda: store.commit("a", commit(1, 2))))


def test_a_master_that_must_not_write_without_replicas_takes_nothing_without_them(
    servers: Replicated, store: RedisStore
) -> None:
    assert store.commit("a", commit(0, 1)) is True
    servers.client.config_set("min-replicas-to-write", 1)
    servers.replica.kill()
    assert within(5, lambda: not in_time(lambda: store.commit("b", commit(0, 1))))
    assert store.version("b") == 0
    assert store.version("a") == 1


def test_servers_and_sentinels_are_told_user_and_password_and_the_database(servers_of_sentinel: Replicated) -> None:
    port = servers_of_sentinel.sentinel.port
    with servers_of_sentinel.sentinel.client() as sentinel:
        for server, name, word in ((servers_of_sentinel.client, "ayşe", "s3cret/?"), (sentinel, "watch", "w@tch")):
            server.acl_setuser(name, enabled=True, passwords=[f"+{word}"], categories=["+@all"], keys=["*"])
        link = SentinelLink(
            f"redis+sentinel://ay%C5%9Fe:s3cret%2F%3F@127.0.0.1:{port}/mymaster/7"
            "?sentinel_username=watch&sentinel_password=w%40tch",
            3,
        )
        assert link.execute(("ACL", "WHOAMI")) == ["ayşe".encode()]
        assert b" db=7 " in link.execute(("CLIENT", "INFO"))[0]
        assert {client["user"] for client in sentinel.client_list()} >= {"watch"}
        link.close()
        for login, options in (("ay%C5%9Fe:wrong", ""), ("", "?sentinel_username=watch&sentinel_password=wrong")):
            refused = SentinelLink(f"redis+sentinel://{login}@127.0.0.1:{port}/mymaster{options}", 3)
            with pytest.raises(StoreUnavailable):
                refused.execute(("PING",))
            refused.close()


def test_a_name_that_no_sentinel_knows_is_told(servers_of_sentinel: Replicated) -> None:
    link = SentinelLink(servers_of_sentinel.url.replace("mymaster", "unknown"), 3)
    with pytest.raises(StoreUnavailable, match=r"No master found for 'unknown' : 127\.0\.0\.1:1 - \S+Error$"):
        link.execute(("PING",))
    link.close()
