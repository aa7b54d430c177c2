"""Who is here: what the workers note, and what of it counts. Two workers stand side by side here, on one store."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from service import following, presence
from service.errors import StoreUnavailable
from service.following import Ending, Follower, Heartbeat, Seen
from service.identity import STRANGER
from service.presence import Presence
from service.store.base import Attendance, Here
from service.store.redis import RedisStore
from service.streaming import Hub
from service.usecases import UseCases
from tests import tables
from tests.client import within
from tests.tables import Table, caller


class Worker:
    """What a worker process has of its own."""

    def __init__(self, store: RedisStore) -> None:
        self.hub = Hub(store)
        self.presence = Presence(store, self.hub, timeout_seconds=3)
        self.follower: Follower = tables.following(store, self.hub, self.presence)
        self.thread = self.presence.start()

    def end(self) -> None:
        self.presence.stop()
        self.hub.stop()
        self.thread.join()


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(presence, "TICK_SECONDS", 0.01)
    monkeypatch.setattr(presence, "BEAT_SECONDS", 0.1)
    monkeypatch.setattr(presence, "LINGER_SECONDS", 0.2)
    monkeypatch.setattr(presence, "LIFE_SECONDS", 2)
    monkeypatch.setattr(presence, "_RETRY_SECONDS", 0.05)
    monkeypatch.setattr(following, "HEARTBEAT_SECONDS", 0.3)


@pytest.fixture
def workers(store: RedisStore) -> Iterator[tuple[Worker, Worker]]:
    two = Worker(store), Worker(store)
    yield two
    for worker in two:
        worker.end()


@pytest.fixture
def table(usecases: UseCases) -> Table:
    return Table(usecases).fill()


def seats_here(worker: Worker, store: RedisStore, match_id: str) -> frozenset[int]:
    here = store.load(match_id).here
    return frozenset() if here is None else worker.presence.seats(here)


def watch(worker: Worker, table: Table, seat: int | None = None, told: frozenset[int] | None = frozenset()) -> Any:
    """Open a stream at a worker and give what it tells of players, without heartbeats and events."""
    record = table.record
    stream = worker.follower.stream(record, STRANGER if seat is None else caller(seat), record.version, told)
    return (happened for happened in stream if isinstance(happened, Seen))


def test_who_opens_a_stream_is_here_for_all_workers_until_it_ends(
    workers: tuple[Worker, Worker], table: Table, store: RedisStore
) -> None:
    one, other = workers
    watching = watch(other, table)
    with one.presence.attending(table.match_id, 1):
        assert next(watching) == Seen(1, True)
        for worker in workers:
            assert seats_here(worker, store, table.match_id) == {1}
    assert next(watching) == Seen(1, False)
    for worker in workers:
        assert seats_here(worker, store, table.match_id) == set()
    watching.close()


def test_a_stream_without_a_snapshot_tells_of_every_player_first(
    workers: tuple[Worker, Worker], usecases: UseCases, store: RedisStore
) -> None:
    one, other = workers
    table = Table(usecases, 3)
    table.join(2)
    with one.presence.attending(table.match_id, 2):
        assert within(5, lambda: seats_here(other, store, table.match_id) == {2})
        watching = watch(other, table, told=None)
        assert [next(watching), next(watching)] == [Seen(0, False), Seen(2, True)]
        table.join(1)
        with other.presence.attending(table.match_id, 1):
            assert next(watching) == Seen(1, True)
        watching.close()


def test_several_streams_of_a_player_are_one_presence_and_the_next_poll_is_no_return(
    workers: tuple[Worker, Worker], table: Table, store: RedisStore
) -> None:
    one, other = workers
    watching = watch(other, table)
    numbers = set()
    for _ in range(3):
        with one.presence.attending(table.match_id, 0), one.presence.attending(table.match_id, 0):
            time.sleep(0.1)
            assert within(5, lambda: seats_here(other, store, table.match_id) == {0})
            here = store.load(table.match_id).here
            assert here
            numbers.add(here.number)
        time.sleep(0.05)
    assert numbers == {1}, "one write for all of them"
    assert [next(watching), next(watching)] == [Seen(0, True), Seen(0, False)]
    watching.close()


def test_who_is_here_through_two_workers_goes_with_the_last(workers: tuple[Worker, Worker], table: Table) -> None:
    one, other = workers
    watching = watch(other, table)
    with one.presence.attending(table.match_id, 0):
        assert next(watching) == Seen(0, True)
        with other.presence.attending(table.match_id, 0):
            time.sleep(0.1)
        with other.presence.attending(table.match_id, 1):
            assert next(watching) == Seen(1, True), "nothing is told of the first, who has stayed"
    assert {next(watching), next(watching)} == {Seen(0, False), Seen(1, False)}
    watching.close()


def test_strangers_and_hosts_without_a_seat_are_not_here(
    workers: tuple[Worker, Worker], table: Table, database: Any
) -> None:
    one, _ = workers
    watching = watch(one, table, told=None)
    assert [next(watching), next(watching)] == [Seen(0, False), Seen(1, False)]
    assert not database.hexists(f"py:{{{table.match_id}}}", "here")
    watching.close()


def test_who_loses_their_seat_is_not_here_for_who_takes_it(
    workers: tuple[Worker, Worker], table: Table, store: RedisStore
) -> None:
    one, other = workers
    record = table.record
    left: Iterator[Any] = one.follower.stream(record, caller(1), record.version, frozenset({1}))
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(next, left)
        assert within(5, lambda: seats_here(other, store, table.match_id) == {1})
        table.leave(1)
        assert first.result()["type"] == "player_left"
        table.join()
        assert next(left)["type"] == "player_joined"
        assert within(5, lambda: seats_here(other, store, table.match_id) == set())
        assert next(happened for happened in left if isinstance(happened, Seen)) == Seen(1, False)
        one.hub.stop()
        assert not [happened for happened in left if isinstance(happened, Seen)]


def test_what_a_killed_worker_has_noted_counts_no_more_when_its_time_is_over(
    workers: tuple[Worker, Worker], table: Table, store: RedisStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = workers
    killed = Worker(store)
    watching = watch(other, table)
    with killed.presence.attending(table.match_id, 0), one.presence.attending(table.match_id, 1):
        assert {next(watching), next(watching)} == {Seen(0, True), Seen(1, True)}
        monkeypatch.setattr(killed.presence, "_end", lambda: None)
        killed.end()
        died = time.monotonic()
        assert next(watching) == Seen(0, False)
        assert 0.5 < time.monotonic() - died < presence.LIFE_SECONDS + 3
        assert seats_here(other, store, table.match_id) == {1}
    assert next(watching) == Seen(1, False)
    assert within(5, lambda: store.load(table.match_id).here == Here(3, ())), "the next who writes forgets it"
    watching.close()


def test_a_worker_that_stops_takes_its_players_along_at_once(
    workers: tuple[Worker, Worker], table: Table, store: RedisStore
) -> None:
    one, other = workers
    watching = watch(other, table)
    with one.presence.attending(table.match_id, 1):
        assert next(watching) == Seen(1, True)
        began = time.monotonic()
        one.presence.stop()
        assert next(watching) == Seen(1, False)
        assert time.monotonic() - began < 1
        assert seats_here(other, store, table.match_id) == set()
    watching.close()


def test_nothing_is_told_of_a_short_outage_and_what_it_hid_is_told_after_it(
    workers: tuple[Worker, Worker],
    table: Table,
    store: RedisStore,
    database: Any,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    def fail(*_: object) -> Any:
        raise StoreUnavailable("away")

    one, other = workers
    stream = watch(other, table)
    with one.presence.attending(table.match_id, 0):
        assert next(stream) == Seen(0, True)
        with monkeypatch.context() as away:
            for worker in workers:
                away.setattr(worker.presence, "_roll", type("Away", (), {"beat": fail, "attend": fail})())
            with one.presence.attending(table.match_id, 1):
                time.sleep(0.5)
            database.delete("py:{here}:workers")  # as if it had lasted for longer
            came = one.presence.attending(table.match_id, 1)
            came.__enter__()
        assert next(stream) == Seen(1, True), "nobody has gone"
        came.__exit__(None, None, None)
        assert next(stream) == Seen(1, False)
    assert next(stream) == Seen(0, False)
    stream.close()
    assert "who is here" in caplog.text


def test_what_a_store_has_lost_is_noted_again_and_what_it_has_kept_too_long_is_dropped(
    workers: tuple[Worker, Worker], table: Table, store: RedisStore, database: Any
) -> None:
    one, other = workers
    key = f"py:{{{table.match_id}}}"
    record = table.record
    own = one.follower.stream(record, caller(0), record.version, frozenset({0}))
    assert isinstance(next(own), Heartbeat)
    assert seats_here(other, store, table.match_id) == {0}
    name = one.presence._name.encode()
    assert database.hget(key, "here") == b"1 %s:0" % name
    database.hset(key, "here", b"1 %s:1" % name)  # it has forgotten who is here, and got back who had gone
    database.client_kill_filter(_type="pubsub")
    with ThreadPoolExecutor(1) as pool:
        last = pool.submit(lambda: list(own)[-1])
        noted = within(5, lambda: 0 in seats_here(other, store, table.match_id))
        dropped = within(5, lambda: seats_here(other, store, table.match_id) == {0})
        one.hub.stop()
        assert last.result() == Ending()
    assert noted
    assert dropped


def test_a_match_that_is_gone_is_not_revived(
    workers: tuple[Worker, Worker], table: Table, store: RedisStore, database: Any
) -> None:
    one, _ = workers
    assert store.roll().attend("worker", [Attendance("nowhere", (0,))], ("worker",)) == [None]
    database.pexpire(f"py:{{{table.match_id}}}", 300)
    with one.presence.attending(table.match_id, 0):
        assert within(5, lambda: bool(store.load(table.match_id).here))
        assert database.pttl(f"py:{{{table.match_id}}}") <= 300
        assert within(5, lambda: store.version(table.match_id) == 0)
    time.sleep(0.4)
    assert set(database.scan_iter()) == {f"py:{{{table.match_id}}}:log".encode(), b"py:{here}:workers"} | {
        key for key in database.scan_iter() if b"lobby" in key or key == b"py:salt"
    }


def test_a_commit_and_the_presence_do_not_touch_each_other(
    workers: tuple[Worker, Worker], table: Table, store: RedisStore
) -> None:
    one, _ = workers
    with one.presence.attending(table.match_id, 0):
        assert within(5, lambda: bool(store.load(table.match_id).here))
        version, here = table.record.version, store.load(table.match_id).here
        table.start()
        assert store.load(table.match_id).here == here
    assert within(5, lambda: store.load(table.match_id).here == Here(2, ()))
    assert table.events(after=version)[0]["seq"] == version + 1


def test_many_matches_are_written_in_few_round_trips(
    workers: tuple[Worker, Worker], usecases: UseCases, store: RedisStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = Presence(store, Hub(store), timeout_seconds=3)
    made = [Table(usecases).match_id for _ in range(120)]
    contexts = [alone.attending(match_id, 0) for match_id in made]
    for context in contexts:
        context.__enter__()
    trips: list[int] = []
    attend = alone._roll.attend

    def counted(worker: str, attendances: Any, running: Any) -> Any:
        trips.append(len(attendances))
        return attend(worker, attendances, running)

    monkeypatch.setattr(alone._roll, "attend", counted)
    alone.tick()
    assert trips == [50, 50, 20]
    alone.tick()
    assert trips == [50, 50, 20], "what stays is not written again"
    assert all(store.load(match_id).here for match_id in made)
