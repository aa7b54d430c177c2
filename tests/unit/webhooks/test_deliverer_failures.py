"""Delivering to receivers that fail, from stores that fail, and by deliverers that die; and what is given up."""

from __future__ import annotations

import time
from itertools import pairwise
from typing import Any

import gevent
import orjson
import pytest
from gevent import GreenletExit

from service.errors import StoreUnavailable
from service.settings import WEBHOOKS_RETRY_SECONDS
from service.store.base import Note
from service.store.outbox import Outbox
from service.store.redis import RedisStore
from service.usecases import UseCases
from service.webhooks import deliverer as delivering
from service.webhooks.deliverer import Deliverer
from service.webhooks.messages import Message
from service.webhooks.sending import Sender
from tests.conftest import TTL_SECONDS
from tests.receiver import SECRET, Receiver, receiving
from tests.tables import NOW_MS, Table, commit
from tests.unit.webhooks.driving import LEASE_MS, Post, hook, left_over, notes, started


def test_a_failing_receiver_is_tried_over_a_day_and_then_the_message_is_dead(
    usecases: UseCases, post: Post, receiver: Receiver, database: Any
) -> None:
    receiver.answer = lambda _: 500
    table = started(usecases, receiver)
    post.tick()
    times = [post.now_ms]
    while due := database.zrange("py:{webhooks}:due", 0, 0, withscores=True):
        post.tick(int(due[0][1]) - 1)
        assert len(receiver.posts) == len(times)
        post.tick(int(due[0][1]))
        times.append(post.now_ms)
    pauses = [(after - before) / 1000 for before, after in pairwise(times)]

    assert all(least <= pause <= 1.2 * least for least, pause in zip(WEBHOOKS_RETRY_SECONDS, pauses, strict=True))
    assert 23 * 3600 < sum(pauses) < 30 * 3600
    assert len(set(receiver.identities)) == len({found.body for found in receiver.posts}) == 1
    [story] = map(orjson.loads, post.outbox.dead())
    assert (story["match_id"], story["type"], story["attempts"]) == (table.match_id, "match_started", 9)
    assert story["reason"] == "status 500"
    assert SECRET not in str(story)
    assert receiver.url not in str(story)
    assert left_over(database) == set()
    assert post.counting.outcomes == {"failed": 8, "dead": 1}


def test_a_receiver_that_recovers_gets_the_same_message(usecases: UseCases, post: Post, receiver: Receiver) -> None:
    receiver.answer = lambda _: 503 if len(receiver.posts) < 3 else 200
    started(usecases, receiver)
    for hour in range(4):
        post.tick(NOW_MS + hour * 3_600_000)
    assert len(receiver.posts) == 3
    assert len({(found.identity, found.body) for found in receiver.posts}) == 1
    assert post.counting.outcomes == {"failed": 2, "delivered": 1}


def test_a_redirect_is_an_attempt_that_failed(usecases: UseCases, post: Post, receiver: Receiver) -> None:
    with receiving() as other:
        receiver.answer = lambda _: (302, other.url)
        started(usecases, receiver)
        post.tick()
        assert (other.connections, len(receiver.posts)) == (0, 1)
    assert post.counting.outcomes == {"failed": 1}


def test_a_receiver_that_answers_410_hears_no_more_of_its_match(
    usecases: UseCases, post: Post, receiver: Receiver, database: Any
) -> None:
    receiver.answer = lambda _: 410
    table = Table(usecases, webhook=hook(receiver)).fill()
    table.start()
    post.tick()
    heard = len(receiver.posts)
    table.play_on()
    post.tick()

    assert 1 <= heard <= 2
    assert len(receiver.posts) == heard
    assert (notes(database), left_over(database)) == (0, set())
    other = started(usecases, receiver)
    post.tick()
    assert other.match_id in receiver.identities[-1]


def test_a_message_whose_deliverer_has_died_is_sent_by_another(
    usecases: UseCases, store: RedisStore, outbox: Outbox, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    def die(message: Message) -> int:
        raise GreenletExit

    first, second = Post(store, outbox), Post(store, outbox)
    monkeypatch.setattr(first.sender, "send", die)
    started(usecases, receiver)
    first.tick()
    second.tick()
    assert receiver.posts == []
    second.tick(NOW_MS + LEASE_MS)
    assert len(receiver.posts) == 1


def test_beyond_the_most_that_may_wait_messages_are_given_up(
    usecases: UseCases, post: Post, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(delivering, "MOST_WAITING", 1)
    receiver.answer = lambda _: 500
    for _ in range(2):
        started(usecases, receiver)
    post.tick()
    assert post.counting.outcomes == {"failed": 1, "dead": 1}
    assert orjson.loads(post.outbox.dead()[0])["reason"] == "too many messages wait"


def test_what_cannot_be_read_keeps_nothing_waiting_and_is_left(
    usecases: UseCases,
    store: RedisStore,
    post: Post,
    receiver: Receiver,
    database: Any,
    caplog: pytest.LogCaptureFixture,
) -> None:
    assert store.commit("newer", commit(identity="newer"))
    store.announce(Note("newer", 0, "newer", b"not JSON"))
    database.set("py:{webhooks}:message:msg_newer", b"neither")
    database.zadd("py:{webhooks}:due", {"msg_newer": NOW_MS})
    started(usecases, receiver)
    post.tick()
    assert len(receiver.posts) == 1
    assert notes(database) == 1
    assert left_over(database) == {b"py:{webhooks}:due", b"py:{webhooks}:message:msg_newer"}
    assert caplog.text.count("cannot be told") == 2


def test_a_store_that_is_away_leaves_a_message_to_be_sent_once_more(
    usecases: UseCases,
    post: Post,
    receiver: Receiver,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    def settle(*_: object) -> None:
        raise StoreUnavailable("it is away")

    started(usecases, receiver)
    with monkeypatch.context() as patched:
        patched.setattr(post.outbox, "settle", settle)
        post.tick()
    post.tick(NOW_MS + LEASE_MS)
    assert len(receiver.posts) == 2
    assert len(set(receiver.identities)) == 1
    assert "may be sent once more: it is away" in caplog.text
    assert receiver.url not in caplog.text


def test_it_runs_until_it_is_stopped_and_outlives_a_flushed_store(
    usecases: UseCases, store: RedisStore, outbox: Outbox, receiver: Receiver, database: Any
) -> None:
    deliverer = Deliverer(
        store,
        outbox,
        Sender(timeout_seconds=1, allow_private=True),
        clock=lambda: time.time_ns() // 1_000_000,
        retry_seconds=(1,),
        timeout_seconds=1,
        ttl_seconds=TTL_SECONDS,
    )
    running = gevent.spawn(deliverer.run)
    gevent.sleep(0.05)
    database.flushdb()
    gevent.sleep(0.5)
    started(usecases, receiver)
    with gevent.Timeout(10):
        while not receiver.posts:
            gevent.sleep(0.05)
    deliverer.stop()
    running.join(5)
    assert running.ready()
    assert len(receiver.posts) == 1
