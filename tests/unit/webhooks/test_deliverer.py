"""Delivering over a real store to a real receiver: at least once, with the same identity."""

from __future__ import annotations

from typing import Any

import pytest

from service.errors import StoreUnavailable
from service.store.redis import RedisStore
from service.usecases import UseCases
from service.webhooks import deliverer as delivering
from service.webhooks.messages import messages
from tests.conftest import TTL_SECONDS
from tests.receiver import SECRET, Receiver
from tests.tables import NOW_MS, BusyStore, Table, commit
from tests.unit.webhooks.driving import Post, hook, left_over, notes


def test_every_event_of_a_match_is_delivered_once_and_nothing_is_left(
    usecases: UseCases, post: Post, receiver: Receiver, database: Any
) -> None:
    table = Table(usecases, rules={"deals": 1, "hand_size": 3}, webhook=hook(receiver)).fill()
    table.start()
    while table.record.status == "playing":
        table.play_on()
    post.tick()
    log = table.events(table.host_token)
    due = [message.identity for message in messages(table.record, [*log])]

    assert sorted(receiver.identities) == sorted(due)
    assert {found.message["type"] for found in receiver.posts} == {
        "match_started",
        "your_turn",
        "deal_ended",
        "match_ended",
    }
    assert (notes(database), left_over(database)) == (0, set())
    assert post.counting.outcomes == {"delivered": len(due)}


def test_a_match_without_a_webhook_costs_the_store_nothing(usecases: UseCases, database: Any) -> None:
    Table(usecases).fill().start()
    assert database.keys("py:{webhooks}:*") == []


def test_the_webhook_is_in_no_view_and_no_event(usecases: UseCases, receiver: Receiver) -> None:
    table = Table(usecases, auto_start=True, webhook=hook(receiver)).fill()
    shown = [table.made, table.usecases.view(table.visit(table.host_token)), table.events(table.host_token)]
    for secret in (SECRET, receiver.url, "webhook"):
        assert secret not in repr(shown)


def test_a_message_whose_commit_has_not_come_yet_waits_for_it(
    usecases: UseCases, store: RedisStore, post: Post, receiver: Receiver
) -> None:
    def tick(match_id: str) -> None:
        post.tick()
        counted.append(len(receiver.posts))

    counted: list[int] = []
    table = Table(usecases, webhook=hook(receiver, "match_started")).fill()
    busy = UseCases(BusyStore(store, tick), ttl_seconds=TTL_SECONDS, clock=lambda: NOW_MS)
    table.usecases = busy
    table.start()
    post.tick()

    assert counted == [0]
    assert len(receiver.posts) == 1


@pytest.mark.parametrize("is_overtaken", [False, True])
def test_a_note_whose_commit_does_not_come_is_forgotten_and_nothing_is_told(
    usecases: UseCases,
    store: RedisStore,
    post: Post,
    receiver: Receiver,
    database: Any,
    is_overtaken: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(match_id: str) -> None:
        if is_overtaken:
            version, made = store.version(match_id), 6  # as the commit that does not come would have made it
            assert store.commit(match_id, commit(version, made, database.hget(f"py:{{{match_id}}}", "state")))
        raise StoreUnavailable("the server is killed")

    table = Table(usecases, webhook=hook(receiver, "match_started")).fill()
    table.usecases = UseCases(BusyStore(store, fail), ttl_seconds=TTL_SECONDS, clock=lambda: NOW_MS)
    with pytest.raises(StoreUnavailable):
        table.start()
    post.tick()
    assert notes(database) == (0 if is_overtaken else 1)
    monkeypatch.setattr(delivering, "IN_FLIGHT_SECONDS", 0)
    post.tick()
    assert (notes(database), receiver.posts) == (0, [])


def test_what_was_noted_of_a_match_that_has_expired_since_is_told(
    usecases: UseCases, post: Post, receiver: Receiver, database: Any
) -> None:
    table = Table(usecases, webhook=hook(receiver, "match_started")).fill()
    table.start()
    database.delete(f"py:{{{table.match_id}}}", f"py:{{{table.match_id}}}:log")
    post.tick()
    assert [found.message["type"] for found in receiver.posts] == ["match_started"]
