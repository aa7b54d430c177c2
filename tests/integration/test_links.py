"""Links to the store: replies find who asked, and what was lost is neither repeated nor mixed up."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from contextvars import copy_context
from typing import Any

import pytest
import redis

from service import deadline
from service.errors import StoreUnavailable
from service.store import shared
from service.store.cluster import ClusterLink
from service.store.embedded import EmbeddedServer
from service.store.link import Link, PooledLink
from service.store.redis import RedisStore
from service.store.sentinel import SentinelLink
from service.store.shared import SharedLink
from tests.client import ROOT, within
from tests.integration.processes import frozen
from tests.servers import Way

TIMEOUT_SECONDS = 0.6

# 2000 green threads ask at once while the server stands still for a moment, as those of a worker do.
HERD = """
import gevent.monkey
gevent.monkey.patch_all()
import os, signal, sys, gevent
from service.store.shared import SharedLink

url, pid = sys.argv[1], int(sys.argv[2])
link = SharedLink(url, 30)

def reads():
    [info] = link.execute(("INFO", "stats"))
    return int(info.partition(b"total_reads_processed:")[2].split()[0])

def ask(number):
    return link.execute(("SET", f"herd {number}", number), ("GET", f"herd {number}"))

before = reads()
os.kill(pid, signal.SIGSTOP)
herd = [gevent.spawn(ask, number) for number in range(2000)]
gevent.sleep(0.2)
os.kill(pid, signal.SIGCONT)
gevent.joinall(herd)
answered = sum(asked.value == [b"OK", b"%d" % number] for number, asked in enumerate(herd))
print(answered, reads() - before)
"""


THREADS_OF_OTHERS: set[threading.Thread] = set()


@pytest.fixture(scope="module", autouse=True)
def threads_of_others() -> None:
    """Remember the threads that tests of other modules have left."""
    THREADS_OF_OTHERS.update(threading.enumerate())


@pytest.fixture(scope="module")
def own_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedServer]:
    """A server that these tests alone stop and kill."""
    with EmbeddedServer.start(tmp_path_factory.mktemp("links"), "no") as running:
        yield running


@pytest.fixture
def database(own_server: EmbeddedServer) -> Iterator[Any]:
    with redis.Redis.from_url(own_server.url) as client:
        client.flushdb()
        yield client


@pytest.fixture
def link(way: Way) -> Iterator[Link]:
    made = way.link(TIMEOUT_SECONDS)
    made.execute(*(("GET", key) for key in "abc"))  # each node of a cluster keeps one
    yield made
    made.close()


@pytest.fixture
def patient_link(way: Way) -> Iterator[Link]:
    made = way.link(60)
    yield made
    made.close()


@pytest.fixture
def shared_link(own_server: EmbeddedServer, database: Any) -> Iterator[SharedLink]:
    made = SharedLink(own_server.url, TIMEOUT_SECONDS)
    made.execute(("PING",))
    yield made
    made.close()


def connection_of(link: Link) -> int:
    [number] = link.execute(("CLIENT", "ID"))
    return int(number)


def in_a_hurry(call: Callable[[], object]) -> None:
    """Make a call that must fail, in a request whose time is nearly over."""

    def request() -> None:
        deadline.begin(TIMEOUT_SECONDS / 12)
        with pytest.raises(StoreUnavailable):
            call()

    copy_context().run(request)


def test_many_threads_each_get_the_reply_to_their_own_command(patient_link: Link) -> None:
    def ask(number: int) -> bool:
        key, text = f"key {number}", f"{number}" * (number % 50 + 1)
        found = patient_link.execute(("SET", key, text), ("GET", key), ("STRLEN", key))
        return found[1:] == [text.encode(), len(text)] and patient_link.execute(("ECHO", text)) == [text.encode()]

    with ThreadPoolExecutor(50) as pool:
        assert all(pool.map(ask, range(1000)))


def test_a_large_reply_and_a_large_command_pass_whole(link: Link) -> None:
    large = os.urandom(3_000_000)
    link.execute(("SET", "large", large))
    assert link.execute(("GET", "large"), ("STRLEN", "large")) == [large, len(large)]


def test_nothing_is_asked_when_there_are_no_commands(link: Link) -> None:
    assert link.execute() == []


def test_what_the_server_refuses_is_raised_and_the_next_command_is_carried_out(link: Link) -> None:
    link.execute(("SET", "text", "x"))
    for commands in ([("INCR", "text")], [("SET", "a", 1), ("INCR", "text"), ("SET", "b", 1)]):
        with pytest.raises(redis.ResponseError, match="integer"):
            link.execute(*commands)
    assert link.execute(("GET", "a"), ("GET", "b"), ("GET", "text")) == [b"1", b"1", b"x"]


def test_atomic_commands_are_all_carried_out_or_none(link: Link) -> None:
    assert link.execute(("SET", "a", 1), ("INCR", "a"), atomic=True) in ([b"OK", 2], [True, 2])
    with pytest.raises(redis.ResponseError):
        link.execute(("SET", "a", 9), ("NO SUCH COMMAND",), atomic=True)
    assert link.execute(("GET", "a")) == [b"2"]
    with pytest.raises(redis.ResponseError, match="integer"):
        link.execute(("SET", "a", "x"), ("INCR", "a"), atomic=True)


def test_a_command_without_a_reply_in_time_is_not_sent_again(way: Way, link: Link) -> None:
    with frozen(*way.pids), pytest.raises(StoreUnavailable):
        link.execute(("INCR", "count"))
    assert within(5, lambda: link.execute(("GET", "count")) == [b"1"])


def test_a_late_reply_reaches_nobody_else(way: Way, link: Link) -> None:
    way.database.mset({"{a}first": "late", "{a}second": "in time"})
    for _ in range(3):
        with frozen(*way.pids):
            for _ in range(3):
                in_a_hurry(lambda: link.execute(("GET", "{a}first"), ("GET", "{a}first")))
        assert link.execute(("GET", "{a}second")) == [b"in time"]


def test_who_has_no_time_left_does_not_cost_the_others_their_connection(
    own_server: EmbeddedServer, shared_link: SharedLink
) -> None:
    connection = connection_of(shared_link)
    with ThreadPoolExecutor(1) as pool:
        with frozen(own_server.pid):
            patient = pool.submit(shared_link.execute, ("ECHO", "patient"))
            in_a_hurry(lambda: shared_link.execute(("ECHO", "hurried")))
        assert patient.result() == [b"patient"]
    assert connection_of(shared_link) == connection


def test_after_a_whole_wait_in_vain_a_new_connection_is_used(
    own_server: EmbeddedServer, shared_link: SharedLink
) -> None:
    connection = connection_of(shared_link)
    with frozen(own_server.pid), pytest.raises(StoreUnavailable):
        shared_link.execute(("ECHO", "late"))
    assert connection_of(shared_link) != connection
    assert within(5, lambda: threads_that_read() == 1)


def threads_that_read() -> int:
    return sum(thread.name == "store" for thread in set(threading.enumerate()) - THREADS_OF_OTHERS)


def test_a_connection_that_is_cut_fails_all_who_wait_and_is_made_anew(database: Any, shared_link: SharedLink) -> None:
    connection = connection_of(shared_link)

    def wait_for_what_never_comes(_: int) -> bool:
        with pytest.raises(StoreUnavailable, match="does not answer"):
            shared_link.execute(("BLPOP", "never", 0))
        return True

    with ThreadPoolExecutor(8) as pool:
        waiting = pool.map(wait_for_what_never_comes, range(8))
        assert within(5, lambda: database.info("clients")["blocked_clients"] == 1)
        database.client_kill_filter(_id=connection)
        assert all(waiting)
    assert connection_of(shared_link) != connection


def test_a_server_that_was_started_anew_meanwhile_costs_no_command(
    own_server: EmbeddedServer, database: Any, shared_link: SharedLink
) -> None:
    os.kill(own_server.pid, signal.SIGKILL)
    database.connection_pool.disconnect()

    def is_back() -> bool:
        with suppress(redis.ConnectionError):
            return bool(database.ping())
        return False

    assert within(10, is_back)
    assert shared_link.execute(("PING",)) == [b"PONG"]


def test_beyond_a_limit_commands_are_refused_at_once(
    own_server: EmbeddedServer, shared_link: SharedLink, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shared, "MOST_WAITING", 3)
    with frozen(own_server.pid), ThreadPoolExecutor(1) as pool:
        patient = pool.submit(shared_link.execute, ("PING",))
        in_a_hurry(lambda: shared_link.execute(("PING",)))
        in_a_hurry(lambda: shared_link.execute(("PING",)))
        with pytest.raises(StoreUnavailable, match="too many"):
            shared_link.execute(("PING",))
        with suppress(StoreUnavailable):
            patient.result()


def test_a_herd_is_answered_whole_and_its_commands_leave_together(own_server: EmbeddedServer) -> None:
    command = [sys.executable, "-c", HERD, own_server.url, str(own_server.pid)]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True, timeout=60)
    answered, reads = map(int, ended.stdout.split())
    assert answered == 2000
    assert reads < 100


def test_a_closed_link_leaves_no_thread_behind_and_can_be_used_again(
    own_server: EmbeddedServer, shared_link: SharedLink
) -> None:
    shared_link.close()
    assert within(5, lambda: threads_that_read() == 0)
    assert shared_link.execute(("PING",)) == [b"PONG"]
    forgotten = SharedLink(own_server.url, 3)
    forgotten.execute(("PING",))
    assert threads_that_read() == 2
    del forgotten
    assert within(5, lambda: threads_that_read() == 1)


@pytest.mark.parametrize("kind", [SharedLink, PooledLink])
def test_user_password_and_database_of_the_address_count_over_tcp_too(
    own_server: EmbeddedServer, database: Any, kind: type[SharedLink] | type[PooledLink]
) -> None:
    database.acl_setuser("ayşe", enabled=True, passwords=["+s3cret/?"], categories=["+@all"], keys=["*"])
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    database.config_set("port", port)
    path = own_server.url.removeprefix("unix://")
    for url in (
        f"redis://ay%C5%9Fe:s3cret%2F%3F@127.0.0.1:{port}/7",
        f"unix://ay%C5%9Fe:s3cret%2F%3F@{path}?db=7",
    ):
        link: Link = kind(url, 3)
        assert link.execute(("ACL", "WHOAMI")) == ["ayşe".encode()]
        assert b" db=7 " in link.execute(("CLIENT", "INFO"))[0]
        link.close()
        refused: Link = kind(url.replace("s3cret", "wrong"), 3)
        with pytest.raises(StoreUnavailable):
            refused.execute(("PING",))
        refused.close()


def test_the_address_decides_on_the_link_and_encrypted_connections_are_not_shared() -> None:
    links: dict[str, type[Link]] = {
        "redis://x": SharedLink,
        "unix:///x": SharedLink,
        "rediss://x": PooledLink,
        "redis+sentinel://x/name": SentinelLink,
        "redis+cluster://x": ClusterLink,
    }
    for url, kind in links.items():
        assert type(RedisStore(url, ttl_seconds=1, timeout_seconds=1)._link) is kind
