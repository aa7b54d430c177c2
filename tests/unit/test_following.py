"""Following one match: its stream, the wait for its next change, its tickets."""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import orjson
import pytest

from service import following
from service.errors import Refusal, StoreUnavailable
from service.following import Ending, Follower, Heartbeat
from service.identity import STRANGER
from service.store.base import Entry
from service.store.redis import RedisStore
from service.store.wakes import channel
from service.streaming import REMEMBERED, Hub
from service.usecases import UseCases
from tests import tables
from tests.client import within
from tests.conftest import TTL_SECONDS
from tests.tables import Table, caller


@pytest.fixture
def hub(store: RedisStore) -> Iterator[Hub]:
    hub = Hub(store)
    yield hub
    hub.stop()


@pytest.fixture
def follower(store: RedisStore, hub: Hub) -> Follower:
    return tables.following(store, hub, max_streams=2)


@pytest.fixture
def table(usecases: UseCases) -> Table:
    return Table(usecases).fill()


def play_on(table: Table, moves: int) -> None:
    """Draw, which is always allowed in the middle of a deal, or do what else there is."""
    for _ in range(moves):
        match = table.record.match
        assert match
        seat = match.deal.turn
        assert seat is not None
        first = table.usecases.legal_moves(table.visit(table.tokens[seat]))[0]
        nominated = f"[{first['suit']}]" if "suit" in first else ""
        table.move(seat, first["card"] + nominated if first["type"] == "play" else first["type"])


def take(stream: Iterator[Any], count: int) -> list[Any]:
    return [next(stream) for _ in range(count)]


def test_a_stream_gives_the_log_then_what_happens(follower: Follower, table: Table) -> None:
    stream = follower.stream(table.record, STRANGER, 0)
    log = table.events()
    assert take(stream, len(log)) == log
    table.start()
    later = table.events(after=len(log))
    assert take(stream, len(later)) == later
    stream.close()  # type: ignore[attr-defined]  # a generator


def test_a_reader_who_fell_far_behind_misses_nothing(follower: Follower, table: Table, hub: Hub) -> None:
    table.start()
    version = table.record.version
    stream = follower.stream(table.record, caller(0), version)
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(next, stream)
        assert within(5, lambda: hub.following == 1)
        while table.record.version < version + 3 * REMEMBERED and table.record.status == "playing":
            play_on(table, 1)
        log = table.events(table.tokens[0], version)
        assert [first.result(), *take(stream, len(log) - 1)] == log
    stream.close()  # type: ignore[attr-defined]  # a generator


def told_of_a_move(follower: Follower, table: Table, database: Any) -> tuple[Iterator[Any], int]:
    """Start the match and let a stream tell a stranger of its first move; give the stream and the last number."""
    table.start()
    version = table.record.version
    stream = follower.stream(table.record, STRANGER, version)
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(next, stream)
        assert within(5, lambda: database.pubsub_numsub(channel(table.match_id))[0][1] == 1)
        play_on(table, 1)
        log = table.events(after=version)
        assert [first.result(), *take(stream, len(log) - 1)] == log
    return stream, log[-1]["seq"]


def test_a_gap_in_what_is_heard_is_filled_from_the_log(follower: Follower, table: Table, database: Any) -> None:
    stream, told = told_of_a_move(follower, table, database)
    database.client_kill_filter(_type="pubsub")
    play_on(table, 2)
    later = table.events(after=told)
    assert take(stream, len(later)) == later
    last = later[-1]["seq"]
    unheard = Entry(last + 5, orjson.dumps({"at": "now", "events": [{"type": "far ahead"}]}))
    database.publish(channel(table.match_id), b"%d %s" % (unheard.last, unheard.data))
    play_on(table, 1)
    final = table.events(after=last)
    assert take(stream, len(final)) == final
    stream.close()  # type: ignore[attr-defined]  # a generator


def test_a_stream_ends_when_the_store_has_lost_what_it_gave(
    follower: Follower, table: Table, hub: Hub, database: Any
) -> None:
    stream, told = told_of_a_move(follower, table, database)
    database.hset(f"py:{{{table.match_id}}}", "version", told - 1)
    database.client_kill_filter(_type="pubsub")
    assert within(5, lambda: hub.losses == 1)
    assert list(stream) == [Ending()]


def test_a_silent_match_gives_heartbeats(follower: Follower, table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(following, "HEARTBEAT_SECONDS", 0.2)
    stream = follower.stream(table.record, STRANGER, table.record.version)
    assert take(stream, 2) == [Heartbeat(), Heartbeat()]
    stream.close()  # type: ignore[attr-defined]  # a generator


def test_a_stream_ends_when_its_match_expires(
    follower: Follower, table: Table, database: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(following, "HEARTBEAT_SECONDS", 0.1)
    quiet = table.record._replace(active_ms=table.record.active_ms - TTL_SECONDS * 1000)
    stream = follower.stream(quiet, STRANGER, table.record.version)
    assert take(stream, 2) == [Heartbeat(), Heartbeat()], "another server has seen it change: it is still there"
    database.flushdb()
    assert list(stream) == []


def test_a_stream_ends_with_a_sign_when_the_service_stops(follower: Follower, table: Table, hub: Hub) -> None:
    stream = follower.stream(table.record, STRANGER, table.record.version)
    with ThreadPoolExecutor(1) as pool:
        ending = pool.submit(next, stream)
        assert within(5, lambda: hub.following == 1)
        hub.stop()
        assert ending.result(5) == Ending()
    assert follower.stopping
    assert hub.following == 0
    assert list(stream) == []


def test_a_stream_outlives_a_store_that_does_not_answer(
    follower: Follower, table: Table, store: RedisStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(following, "_RETRY_SECONDS", 0.01)
    failures = iter([StoreUnavailable("away"), StoreUnavailable("away")])
    entries = store.entries

    def sometimes(match_id: str, after: int, count: int) -> list[Entry]:
        for failure in failures:
            raise failure
        return entries(match_id, after, count)

    monkeypatch.setattr(store, "entries", sometimes)
    stream = follower.stream(table.record, STRANGER, 0)
    assert take(stream, 1)[0]["seq"] == 1
    stream.close()  # type: ignore[attr-defined]  # a generator


def test_who_leaves_goes_on_as_a_stranger_and_who_takes_the_seat_sees_their_own(
    follower: Follower, table: Table
) -> None:
    left = follower.stream(table.record, caller(1), table.record.version)
    before = table.record.version
    table.leave(1)
    table.join()
    came = follower.stream(table.record, caller(1), 0)
    table.start()
    public, own = table.events(), table.events(table.tokens[1])

    assert public != own
    assert take(left, len(public) - before) == public[before:]
    assert take(came, len(own)) == own
    for stream in (left, came):
        stream.close()  # type: ignore[attr-defined]  # generators


def test_a_match_that_is_over_is_not_waited_for(follower: Follower, table: Table) -> None:
    for seat in (1, 0):
        table.leave(seat)
    assert table.record.status == "abandoned"
    began = time.monotonic()
    follower.wait(table.record, STRANGER, 30)
    assert time.monotonic() - began < 3


def test_a_wait_ends_with_the_change_or_the_time(follower: Follower, table: Table, hub: Hub) -> None:
    before = table.record
    began = time.monotonic()
    follower.wait(before, STRANGER, 0.3)
    assert 0.3 <= time.monotonic() - began < 3
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(follower.wait, before, STRANGER, 30)
        assert within(5, lambda: hub.following == 1)
        table.start()
        waiting.result(5)
        follower.wait(before, STRANGER, 30)
        stopped = pool.submit(follower.wait, table.record, STRANGER, 30)
        assert within(5, lambda: hub.following == 1)
        hub.stop()
        stopped.result(5)
    assert time.monotonic() - began < 15


def test_there_is_room_for_so_many(follower: Follower) -> None:
    first, _ = follower.take_room(), follower.take_room()
    with pytest.raises(Refusal, match="too_many_streams"):
        follower.take_room()
    first()
    follower.take_room()


def test_a_ticket_stands_for_who_got_it_and_dies_when_they_leave(follower: Follower, table: Table) -> None:
    ticket = "a ticket"
    assert follower.admit_ticket(table.record, caller(1), ticket)
    assert not follower.admit_ticket(table.record, caller(1), ticket), "a repeat"
    for _ in range(2):
        assert follower.ticket_holder(table.record, ticket) == caller(1)
    table.leave(1)
    table.join()
    for wrong in (ticket, "0" * 64):
        with pytest.raises(Refusal, match="token_invalid"):
            follower.ticket_holder(table.record, wrong)
