"""What a process hears and remembers of the matches that somebody follows."""

import threading
import time
from collections.abc import Iterator
from typing import Any

import orjson
import pytest

from service.store.base import Entry
from service.store.redis import RedisStore
from service.store.wakes import channel
from service.streaming import REMEMBERED, Hub, Topic, read_log
from tests.client import within
from tests.tables import commit, new_id


def encoded(count: int = 1) -> bytes:
    return orjson.dumps({"at": "now", "events": [{"type": "something"}] * count})


def entry(last: int, count: int = 1) -> Entry:
    return Entry(last, encoded(count))


def numbers(events: list[dict[str, Any]] | None) -> list[int] | None:
    return None if events is None else [event["seq"] for event in events]


@pytest.fixture
def hub(store: RedisStore) -> Iterator[Hub]:
    hub = Hub(store)
    yield hub
    hub.stop()


def has_subscribed(database: Any, match_id: str, count: int = 1) -> bool:
    return bool(database.pubsub_numsub(channel(match_id))[0][1] == count)


def test_a_new_topic_remembers_nothing_and_says_so() -> None:
    assert Topic().after(0) is None


def test_a_topic_gives_what_follows_a_number_even_from_the_middle_of_an_entry() -> None:
    topic = Topic()
    topic.add(entry(7, 3))
    topic.add(entry(9, 2))

    assert numbers(topic.after(4)) == [5, 6, 7, 8, 9]
    assert numbers(topic.after(6)) == [7, 8, 9]
    assert numbers(topic.after(9)) == []
    assert topic.after(3) is None


def test_a_topic_forgets_what_stood_before_a_gap() -> None:
    topic = Topic()
    topic.add(entry(3))
    topic.add(entry(5))

    assert topic.after(3) is None
    assert numbers(topic.after(4)) == [5]


def test_a_topic_remembers_the_latest_entries_only() -> None:
    topic = Topic()
    for number in range(1, REMEMBERED + 11):
        topic.add(entry(number))

    assert topic.after(9) is None
    assert numbers(topic.after(10)) == list(range(11, REMEMBERED + 11))


def test_a_stir_forgets_everything_so_that_the_log_is_read() -> None:
    topic = Topic()
    topic.add(entry(1))
    topic.stir()

    assert topic.after(0) is None
    assert topic.stirs == 2


def test_who_has_all_of_a_log_that_was_read_to_its_end_need_not_read_it_until_the_next_stir() -> None:
    topic = Topic()
    topic.stir()
    topic.settle(topic.stirs, 5)

    assert topic.after(5) == []
    assert topic.after(6) == []
    assert topic.after(4) is None
    topic.stir()
    assert topic.after(5) is None
    topic.settle(topic.stirs - 1, 5)
    assert topic.after(5) is None, "a look that a stir overtook settles nothing"


def test_waiting_ends_with_a_stir_or_when_the_time_is_over() -> None:
    topic = Topic()
    assert topic.wait(topic.stirs, 0.01) is False
    stirs = topic.stirs
    later = threading.Timer(0.05, topic.stir)
    later.start()
    began = time.monotonic()
    assert topic.wait(stirs, 10) is True
    assert time.monotonic() - began < 5
    later.join()
    assert topic.wait(stirs, 10) is True, "a stir before the wait counts"


def test_a_follower_hears_of_commits(hub: Hub, store: RedisStore) -> None:
    match_id = new_id()
    with hub.follow(match_id) as topic:
        assert within(5, lambda: topic.stirs == 1), "the subscription is confirmed by a look at the log"
        store.commit(match_id, commit(0, 2, entry=encoded(2)))
        assert within(5, lambda: numbers(topic.after(0)) == [1, 2])


def test_followers_of_one_match_share_its_topic_and_the_process_one_connection(
    hub: Hub, store: RedisStore, database: Any
) -> None:
    one, other = new_id(), new_id()
    with hub.follow(one) as first:
        with hub.follow(one) as second, hub.follow(other):
            assert second is first
            assert hub.following == 3
            assert within(5, lambda: has_subscribed(database, one) and has_subscribed(database, other))
        assert within(5, lambda: has_subscribed(database, other, 0))
        assert has_subscribed(database, one)
        assert hub.following == 1
    assert within(5, lambda: has_subscribed(database, one, 0))
    assert hub.following == 0


def test_a_lost_connection_is_made_anew_and_everybody_looks_at_the_log(
    hub: Hub, store: RedisStore, database: Any, caplog: pytest.LogCaptureFixture
) -> None:
    match_id = new_id()
    with hub.follow(match_id) as topic:
        assert within(5, lambda: has_subscribed(database, match_id))
        store.commit(match_id, commit(0, 1, entry=encoded()))
        assert within(5, lambda: numbers(topic.after(0)) == [1])
        stirs = topic.stirs
        database.client_kill_filter(_type="pubsub")
        assert within(5, lambda: topic.stirs > stirs)
        assert topic.after(0) is None
        assert within(5, lambda: has_subscribed(database, match_id))
        store.commit(match_id, commit(1, 2, entry=encoded()))
        assert within(5, lambda: numbers(topic.after(1)) == [2])
    assert "The connection that hears of commits is lost" in caplog.text


def test_a_stopping_hub_wakes_everybody(hub: Hub) -> None:
    with hub.follow(new_id()) as topic:
        assert within(5, lambda: topic.stirs == 1)
        hub.stop()
        assert topic.wait(1, 5)
    assert hub.stopping


def test_what_is_heard_of_a_match_that_nobody_follows_any_more_is_dropped(
    hub: Hub, store: RedisStore, database: Any
) -> None:
    followed, left = new_id(), new_id()
    with hub.follow(followed) as topic:
        with hub.follow(left):
            assert within(5, lambda: has_subscribed(database, left))
        store.commit(left, commit(0, 1, entry=encoded()))
        store.commit(followed, commit(0, 1, entry=encoded()))
        assert within(5, lambda: numbers(topic.after(0)) == [1])


def test_a_log_is_read_from_the_middle_of_an_entry_up_to_a_limit(store: RedisStore) -> None:
    match_id = new_id()
    store.commit(match_id, commit(0, 3, entry=encoded(3)))
    store.commit(match_id, commit(3, 5, entry=encoded(2)))

    assert numbers(read_log(store, match_id, 0, 100)) == [1, 2, 3, 4, 5]
    assert numbers(read_log(store, match_id, 1, 3)) == [2, 3, 4]
    assert read_log(store, match_id, 5, 100) == []
