"""The store on a real server: a commit counts once or not at all, and everything is forgotten in time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from service.idempotency import KEPT_MS
from service.store.base import Entry, Found, Place, Stored
from service.store.redis import RedisStore
from tests.conftest import TTL_SECONDS
from tests.servers import Way
from tests.tables import commit, contents, new_id

LONG_MS = 24 * 60 * 60 * 1000


@pytest.fixture
def store(way: Way) -> Iterator[RedisStore]:
    """The store, empty, over each link."""
    made = way.store(ttl_seconds=TTL_SECONDS, timeout_seconds=3)
    yield made
    made.close()


@pytest.fixture
def database(way: Way) -> Any:
    return way.database


def test_a_match_is_found_as_it_was_committed(store: RedisStore) -> None:
    assert store.load("a") == Found(None, None)
    assert store.version("a") == 0
    assert store.commit("a", commit(0, 2, b"\x00 any bytes \xff")) is True
    assert store.load("a") == Found(Stored(2, b"\x00 any bytes \xff"), None)
    assert store.version("a") == 2


def test_a_commit_on_the_right_version_replaces_the_state_and_appends_to_the_log(store: RedisStore) -> None:
    store.commit("a", commit(0, 2))
    assert store.commit("a", commit(2, 5, b"next")) is True
    assert store.load("a").stored == Stored(5, b"next")
    assert store.entries("a", 0, 10) == [Entry(2, b"events to 2"), Entry(5, b"events to 5")]


@pytest.mark.parametrize("expected", [0, 1, 3, 20])
def test_a_commit_on_another_version_changes_nothing_at_all(store: RedisStore, database: Any, expected: int) -> None:
    store.commit("a", commit(0, 2))
    before = contents(database)
    assert store.commit("a", commit(expected, 30, b"lost", scope="key", receipt=b"kept")) is False
    assert contents(database) == before


def test_a_commit_to_a_match_that_does_not_exist_changes_nothing(store: RedisStore, database: Any) -> None:
    assert store.commit("a", commit(2, 3, scope="key", receipt=b"kept")) is False
    assert contents(database) == {}


def test_the_same_commit_sent_twice_counts_once(store: RedisStore, database: Any) -> None:
    store.commit("a", commit(0, 2))
    again = commit(2, 4, b"next", scope="key", receipt=b"kept")
    assert store.commit("a", again) is True
    before = contents(database)
    assert store.commit("a", again) is True
    assert contents(database) == before
    store.commit("a", commit(4, 6, b"later"))
    assert store.commit("a", again) is True
    assert store.load("a").stored == Stored(6, b"later")


def test_versions_compare_as_numbers_of_any_length(store: RedisStore) -> None:
    store.commit("a", commit(0, 9_999_999_999))
    assert store.commit("a", commit(9_999_999_999, 10_000_000_000)) is True
    assert store.version("a") == 10_000_000_000
    assert [entry.last for entry in store.entries("a", 9_999_999_998, 9)] == [9_999_999_999, 10_000_000_000]


def test_a_receipt_is_kept_with_its_write_and_answers_the_next_one(store: RedisStore, database: Any) -> None:
    assert store.commit("a", commit(0, 2, scope="key", receipt=b"first")) is True
    before = contents(database)
    assert store.commit("a", commit(2, 3, scope="key", receipt=b"second")) == b"first"
    assert contents(database) == before
    assert store.load("a", "key") == Found(Stored(2, b"state"), b"first")
    assert store.load("a", "another key").receipt is None
    assert store.commit("a", commit(2, 3, scope="another key", receipt=b"second")) is True


def test_the_receipt_of_a_create_outlives_the_match(store: RedisStore, database: Any) -> None:
    store.commit("a", commit(0, 2, scope="key", receipt=b"first"))
    assert KEPT_MS == LONG_MS
    assert LONG_MS - 5_000 < database.pttl("py:{a}:key:key") <= LONG_MS
    database.delete("py:{a}", "py:{a}:log")
    assert store.load("a", "key") == Found(None, b"first")
    assert store.commit("a", commit(0, 2, scope="key")) == b"first"


def test_all_keys_of_a_match_share_a_hash_tag_and_expire(store: RedisStore, database: Any) -> None:
    store.commit("a", commit(0, 2, scope="key"))
    store.keep_ticket("a", "hash", "holder", 60)
    keys = {key.decode() for key in database.scan_iter()}
    assert keys == {"py:{a}", "py:{a}:log", "py:{a}:key:key", "py:{a}:ticket:hash"}
    assert all(database.pttl(key) > 0 for key in keys)


def test_a_commit_renews_the_expiry_of_state_and_log(store: RedisStore, database: Any) -> None:
    store.commit("a", commit(0, 2))
    keys = ("py:{a}", "py:{a}:log")
    for key in keys:
        database.pexpire(key, 5_000)
    assert store.commit("a", commit(1, 3)) is False
    assert all(database.pttl(key) <= 5_000 for key in keys)
    assert store.commit("a", commit(2, 3)) is True
    expiries = {database.pexpiretime(key) for key in keys}
    assert len(expiries) == 1
    assert TTL_SECONDS * 1000 - 5_000 < database.pttl("py:{a}") <= TTL_SECONDS * 1000


def test_reading_does_not_renew_the_expiry(store: RedisStore, database: Any) -> None:
    store.commit("a", commit(0, 2))
    before = database.pexpiretime("py:{a}")
    _ = store.load("a"), store.version("a"), store.entries("a", 0, 9), store.load_many(["a"])
    assert database.pexpiretime("py:{a}") == before


def test_a_match_is_forgotten_after_its_time(store: RedisStore, database: Any) -> None:
    store.commit("a", commit(0, 2))
    database.pexpire("py:{a}", 30)
    database.pexpire("py:{a}:log", 30)
    while database.exists("py:{a}", "py:{a}:log"):
        pass
    assert store.load("a").stored is None
    assert store.entries("a", 0, 9) == []
    assert store.commit("a", commit(2, 3)) is False
    assert store.commit("a", commit(0, 1, b"a new life")) is True


def test_an_entry_of_the_log_has_the_number_of_its_last_event(store: RedisStore, database: Any) -> None:
    store.commit("a", commit(0, 2))
    store.commit("a", commit(2, 7))
    assert [entry_id for entry_id, _ in database.xrange("py:{a}:log")] == [b"2-0", b"7-0"]


def test_the_log_is_read_from_the_entry_in_whose_middle_a_reader_stopped(store: RedisStore) -> None:
    for before, after in ((0, 2), (2, 7), (7, 8), (8, 12)):
        store.commit("a", commit(before, after))
    assert [entry.last for entry in store.entries("a", 0, 99)] == [2, 7, 8, 12]
    assert [entry.last for entry in store.entries("a", 1, 99)] == [2, 7, 8, 12]
    assert [entry.last for entry in store.entries("a", 2, 99)] == [7, 8, 12]
    assert [entry.last for entry in store.entries("a", 4, 99)] == [7, 8, 12]
    assert [entry.last for entry in store.entries("a", 7, 1)] == [8]
    assert store.entries("a", 12, 99) == store.entries("unknown", 0, 99) == []


def test_several_matches_are_read_at_once_in_their_order(store: RedisStore) -> None:
    store.commit("a", commit(0, 2, b"first"))
    store.commit("b", commit(0, 1, b"second"))
    assert store.load_many(["b", "gone", "a"]) == [Stored(1, b"second"), None, Stored(2, b"first")]
    assert store.load_many([]) == []


def test_the_lobby_lists_the_newest_first(store: RedisStore) -> None:
    places = [Place(created, match_id) for created, match_id in ((10, "a"), (30, "b"), (20, "c"))]
    for place in places:
        store.publish(place, "waiting")
    assert store.published("waiting", None, 9) == sorted(places, reverse=True)
    assert store.published(None, None, 2) == [Place(30, "b"), Place(20, "c")]
    assert store.published("playing", None, 9) == []


def test_a_match_moves_in_the_lobby_to_its_status(store: RedisStore) -> None:
    store.publish(Place(10, "a"), "waiting")
    store.publish(Place(10, "a"), "playing")
    listed = {status: store.published(status, None, 9) for status in (None, "waiting", "playing", "finished")}
    assert listed == {None: [Place(10, "a")], "waiting": [], "playing": [Place(10, "a")], "finished": []}


def test_a_match_that_is_taken_out_of_the_lobby_is_in_no_list(store: RedisStore, database: Any) -> None:
    store.publish(Place(10, "a"), "waiting")
    store.publish(Place(20, "b"), "finished")
    store.unpublish("a")
    store.unpublish("unknown")
    assert store.published(None, None, 9) == [Place(20, "b")]
    assert store.published("waiting", None, 9) == []
    store.unpublish("b")
    assert contents(database) == {}


@pytest.mark.parametrize("size", [1, 2, 3, 5])
def test_pages_of_the_lobby_meet_without_gap_or_repeat_among_equal_times(store: RedisStore, size: int) -> None:
    places = [Place(created, new_id()) for created in (5, 7, 7, 7, 7, 7, 9, 9)]
    for place in places:
        store.publish(place, "waiting")
    found: list[Place] = []
    while page := store.published("waiting", found[-1] if found else None, size):
        assert len(page) <= size
        found += page
    assert found == sorted(places, reverse=True)


def test_a_page_of_the_lobby_goes_on_where_a_match_has_vanished_or_come(store: RedisStore) -> None:
    for created in (1, 2, 3, 4):
        store.publish(Place(created, f"match{created}"), "waiting")
    first = store.published(None, None, 2)
    store.unpublish(first[-1].match_id)
    store.publish(Place(5, "match5"), "waiting")
    assert store.published(None, first[-1], 2) == [Place(2, "match2"), Place(1, "match1")]


def test_a_random_pick_gives_different_matches_of_the_lobby(store: RedisStore) -> None:
    assert store.some_published(2) == []
    for number in range(5):
        store.publish(Place(number, f"match{number}"), "waiting")
    assert len(set(store.some_published(2))) == 2
    assert {match_id for _ in range(200) for match_id in store.some_published(1)} == {f"match{n}" for n in range(5)}


def test_a_match_and_a_receipt_are_read_at_the_same_moment(store: RedisStore, database: Any) -> None:
    database.config_resetstat()
    store.load("b", "scope")  # the first node of a cluster keeps it, of which the figures are
    assert database.info("commandstats")["cmdstat_exec"]["calls"] == 1


def test_the_first_proposal_of_a_secret_is_everybodys(store: RedisStore, database: Any) -> None:
    assert store.salt(b"first") == b"first"
    assert store.salt(b"second") == b"first"
    database.config_set("maxmemory", 1)
    try:
        assert store.salt(b"third") == b"first", "a store that takes no writes serves readers"
    finally:
        database.config_set("maxmemory", 0)


def test_a_ticket_lives_long_once_it_has_been_used_in_time(store: RedisStore, database: Any) -> None:
    store.keep_ticket("a", "hash", "holder", 60)
    assert 0 < database.ttl("py:{a}:ticket:hash") <= 60
    assert store.use_ticket("a", "hash", 3600) == "holder"
    assert 60 < database.ttl("py:{a}:ticket:hash") <= 3600
    database.expire("py:{a}:ticket:hash", 10)
    assert store.use_ticket("a", "hash", 3600) == "holder"
    assert database.ttl("py:{a}:ticket:hash") <= 10
    assert store.use_ticket("a", "another", 3600) is None
    assert store.use_ticket("b", "hash", 3600) is None


def test_a_ticket_that_was_not_used_in_time_is_forgotten(store: RedisStore, database: Any) -> None:
    store.keep_ticket("a", "hash", "holder", 60)
    assert store.use_ticket("a", "hash", 60) == "holder"
    database.delete("py:{a}:ticket:hash")
    assert store.use_ticket("a", "hash", 60) is None
