"""The connection on which commits are heard of, against a real server."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from service.errors import StoreUnavailable
from service.store import wakes as module
from service.store.base import Attendance, Entry, Here
from service.store.embedded import EmbeddedServer
from service.store.redis import RedisStore
from service.store.wakes import RedisWakes
from tests.tables import commit, new_id


@pytest.fixture
def wakes(store: RedisStore) -> Iterator[RedisWakes]:
    opened = store.wakes()
    yield opened
    opened.close()


def heard(wakes: RedisWakes, seconds: float = 5) -> tuple[str, Entry | Here | None]:
    """Wait for the next that is heard of a match."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if (found := wakes.next(0.1)) and found[0]:
            return found
    raise AssertionError("nothing was heard")


def test_a_subscription_is_confirmed_before_its_commits_are_heard(store: RedisStore, wakes: RedisWakes) -> None:
    match_id = new_id()
    wakes.listen(match_id)
    assert heard(wakes) == (match_id, None)
    change = commit(0, 4)
    store.commit(match_id, change)
    assert heard(wakes) == (match_id, Entry(4, change.entry))


def test_who_follows_is_heard_like_a_commit_and_told_from_it(store: RedisStore, wakes: RedisWakes) -> None:
    match_id, roll = new_id(), store.roll()
    store.commit(match_id, commit(0, 4))
    wakes.listen(match_id)
    assert heard(wakes) == (match_id, None)
    for seats, noted in (((1, 0), (("worker", 0), ("worker", 1))), ((), ())):
        [here] = roll.attend("worker", [Attendance(match_id, seats)], ("worker",))
        assert here == store.load(match_id).here
        assert here is not None
        assert here.noted == noted
        assert heard(wakes) == (match_id, here)
    assert roll.attend("worker", [Attendance(match_id, ())], ("worker",)) == [here]
    assert wakes.next(0.1) is None, "no news is not told"


def test_a_match_may_be_added_and_dropped_while_the_connection_is_open(store: RedisStore, wakes: RedisWakes) -> None:
    assert wakes.next(0.1) in (None, ("", None)), "the connection is open before anybody follows"
    first, second = new_id(), new_id()
    for match_id in (first, second):
        wakes.listen(match_id)
        assert heard(wakes) == (match_id, None)
    wakes.ignore(first)
    store.commit(first, commit())
    store.commit(second, commit())
    assert heard(wakes)[0] == second


def test_when_nothing_happens_the_time_passes(wakes: RedisWakes) -> None:
    wakes.next(0.01)
    wakes.next(0.01)
    began = time.monotonic()
    assert wakes.next(0.2) is None
    assert 0.15 < time.monotonic() - began < 2


def test_a_lost_connection_is_told_and_made_anew_with_all_its_matches(
    store: RedisStore, wakes: RedisWakes, database: Any
) -> None:
    matches = {new_id(), new_id()}
    for match_id in matches:
        wakes.listen(match_id)
    assert {heard(wakes)[0] for _ in matches} == matches
    database.client_kill_filter(_type="pubsub")
    with pytest.raises(StoreUnavailable, match="lost"):
        wakes.next(1)
    assert {heard(wakes)[0] for _ in matches} == matches
    for match_id in matches:
        store.commit(match_id, commit())
    assert {heard(wakes)[0] for _ in matches} == matches


def test_a_match_that_is_added_after_the_connection_died_is_heard_of(
    store: RedisStore, wakes: RedisWakes, database: Any
) -> None:
    wakes.next(0.1)
    database.client_kill_filter(_type="pubsub")
    time.sleep(0.1)
    match_id = new_id()
    for _ in range(3):
        wakes.listen(match_id)
        wakes.ignore(match_id)
    wakes.listen(match_id)
    for _ in range(3):
        try:
            assert heard(wakes) == (match_id, None)
            break
        except StoreUnavailable:
            continue
    store.commit(match_id, commit())
    assert heard(wakes)[1]


def test_a_server_that_is_silent_is_pinged_and_then_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_PING_SECONDS", 0.1)
    monkeypatch.setattr(module, "_SILENCE_SECONDS", 1.5)
    with EmbeddedServer.start(tmp_path, "no") as server:
        store = RedisStore(server.url, ttl_seconds=60, timeout_seconds=1.5)
        wakes = store.wakes()
        match_id = new_id()
        wakes.listen(match_id)
        assert heard(wakes) == (match_id, None)
        end = time.monotonic() + 2.5
        while time.monotonic() < end:
            assert wakes.next(0.1) is None, "pings keep a silent match's connection alive"
        os.kill(server.pid, signal.SIGSTOP)
        try:
            with pytest.raises(StoreUnavailable, match="no answer to a ping"):
                heard(wakes)
            with pytest.raises(StoreUnavailable):
                heard(wakes)
        finally:
            os.kill(server.pid, signal.SIGCONT)
        assert heard(wakes) == (match_id, None)
        wakes.close()


def test_without_a_server_the_connection_is_refused(tmp_path: Path) -> None:
    wakes = RedisStore(f"unix://{tmp_path}/socket", ttl_seconds=60, timeout_seconds=1).wakes()
    wakes.listen("a")
    with pytest.raises(StoreUnavailable):
        wakes.next(0.1)
    wakes.close()
