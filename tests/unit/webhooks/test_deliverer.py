"""Delivering over a real store to a real receiver: at least once, with the same identity, and what is given up."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import gevent
import orjson
import pytest
from gevent import GreenletExit

from service.counting import Counting, Sent
from service.errors import StoreUnavailable
from service.settings import WEBHOOKS_RETRY_SECONDS
from service.store.base import Note
from service.store.outbox import Outbox
from service.store.redis import RedisStore
from service.usecases import UseCases
from service.webhooks import deliverer as delivering
from service.webhooks.deliverer import Deliverer
from service.webhooks.hook import Webhook
from service.webhooks.messages import Message, messages
from service.webhooks.sending import Sender
from tests.conftest import TTL_SECONDS
from tests.receiver import SECRET, Receiver, receiving
from tests.tables import NOW_MS, BusyStore, Table, commit, numbered_entropy

LEASE_MS = 4000
IDLE_MS = 10


class Tally(Counting):
    """Counts how attempts end."""

    def __init__(self) -> None:
        self.outcomes: Counter[str] = Counter()

    def sent(self, outcome: Sent) -> None:
        self.outcomes[outcome] += 1


class Post:
    """A deliverer that is driven by hand, the time too."""

    def __init__(self, store: RedisStore, outbox: Outbox, retry_seconds: Sequence[float] = ()) -> None:
        self.now_ms = NOW_MS
        self.outbox = outbox
        self.counting = Tally()
        self.sender = Sender(timeout_seconds=1, allow_private=True)
        self.deliverer = Deliverer(
            store,
            outbox,
            self.sender,
            clock=lambda: self.now_ms,
            retry_seconds=retry_seconds or WEBHOOKS_RETRY_SECONDS,
            timeout_seconds=1,
            ttl_seconds=TTL_SECONDS,
            counting=self.counting,
        )
        outbox.open()

    def tick(self, at_ms: int | None = None) -> None:
        """Let it be a time, and do what is due until it is done."""
        self.now_ms = self.now_ms if at_ms is None else at_ms
        time.sleep(2 * IDLE_MS / 1000)
        self.deliverer.tick()
        gevent.wait()


@pytest.fixture(autouse=True)
def taken_anew_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delivering, "IDLE_MS", IDLE_MS)


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as running:
        yield running


@pytest.fixture
def outbox(store_url: str) -> Iterator[Outbox]:
    made = Outbox(store_url, 3)
    yield made
    made.close()


@pytest.fixture
def post(store: RedisStore, outbox: Outbox) -> Post:
    return Post(store, outbox)


@pytest.fixture
def usecases(store: RedisStore) -> UseCases:
    return UseCases(store, ttl_seconds=TTL_SECONDS, clock=lambda: NOW_MS, entropy=numbered_entropy(3))


def hook(receiver: Receiver, *events: str) -> Webhook:
    made = Webhook(f"{receiver.url}/hooks", SECRET)
    return made._replace(events=events) if events else made


def notes(database: Any) -> int:
    return int(database.xlen("py:{webhooks}:notes"))


def left_over(database: Any) -> set[bytes]:
    """All keys of webhooks but for those that hold what has ended."""
    return {
        key
        for key in database.keys("py:{webhooks}:*")
        if not key.endswith((b":notes", b":dead")) and b":gone:" not in key
    }


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


def started(usecases: UseCases, receiver: Receiver) -> Table:
    """Cause one message."""
    table = Table(usecases, webhook=hook(receiver, "match_started")).fill()
    table.start()
    return table


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
    gevent.sleep(0.5)
    deliverer.stop()
    running.join(5)
    assert running.ready()
    assert len(receiver.posts) == 1
