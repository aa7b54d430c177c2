"""The ticker over a real store: what is claimed, kept and dropped."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import wait
from typing import Any

import pytest

from service.clocks import Clock
from service.engine.legal import legal_moves
from service.engine.moves import format_move
from service.errors import StoreUnavailable
from service.store.base import Due
from service.store.redis import RedisStore
from service.ticker import LEASE_MS, Ticker
from service.usecases import UseCases
from tests.conftest import TTL_SECONDS
from tests.tables import NOW_MS, BusyStore, Table, numbered_entropy, refusal

TURN = Clock(turn_seconds=10, bank_seconds=0, deal_pause=0)


class Server:
    """A server with a ticker that is driven by hand."""

    def __init__(self, store: RedisStore, database: Any, **members: Any) -> None:
        self.now_ms = NOW_MS
        self.database = database
        clock: Callable[[], int] = lambda: self.now_ms  # noqa: E731  # the time can be set
        self.store = store
        self.usecases = UseCases(store, ttl_seconds=TTL_SECONDS, clock=clock, entropy=numbered_entropy(7), **members)
        self.ticker = Ticker(store, self.usecases, clock=clock, timeout_seconds=3)

    def tick(self, at_ms: int) -> None:
        """Let it be a time, as if a server had run all along, and do what is due."""
        self.database.set("py:{clock}:beat", at_ms)
        self.now_ms = at_ms
        wait(self.ticker.tick())

    def scheduled(self) -> list[int]:
        """List the times that are written down."""
        return sorted(int(member.split(b":")[1]) for member in self.database.zrange("py:{clock}:due", 0, -1))

    def timed_out(self, table: Table) -> int:
        """Count the turns that have run out."""
        return sum(event["type"] == "turn_timed_out" for event in table.events())


@pytest.fixture
def node(store: RedisStore, database: Any) -> Server:
    """A server on an empty store."""
    return Server(store, database)


def running(node: Server) -> Table:
    return Table(node.usecases, 2, auto_start=True, clock=TURN).fill()


def test_turns_run_out_one_after_the_other(node: Server) -> None:
    table = running(node)
    node.tick(NOW_MS + 9_999)
    assert node.timed_out(table) == 0
    for number in range(1, 4):
        node.tick(NOW_MS + 10_000 * number)
        assert node.timed_out(table) == number
        assert len(node.scheduled()) == 1


def test_an_entry_of_a_turn_that_was_ended_in_time_is_dropped(node: Server) -> None:
    table = running(node)
    node.now_ms = NOW_MS + 4_000
    while table.record.due_ms == NOW_MS + 10_000:
        table.play_on()
    assert node.scheduled() == [NOW_MS + 10_000, NOW_MS + 14_000]
    node.tick(NOW_MS + 10_000)
    assert node.timed_out(table) == 0
    assert node.scheduled() == [NOW_MS + 14_000]


def test_two_servers_do_not_claim_the_same(store: RedisStore) -> None:
    due = [Due(f"match{number}", NOW_MS + number, NOW_MS) for number in range(6)]
    for entry in due:
        store.schedule(entry)
    first, second = store.claim(NOW_MS + 3, LEASE_MS, 3), store.claim(NOW_MS + 9, LEASE_MS, 9)
    assert (first.due, second.due) == (due[:3], due[3:])
    assert store.claim(NOW_MS + 10, LEASE_MS, 9).due == []
    store.drop(due[0])
    assert store.claim(NOW_MS + 9 + LEASE_MS, LEASE_MS, 9).due == due[1:], "what was not dropped can be claimed anew"


def test_matches_that_nobody_plays_keep_no_turn_from_running_out(node: Server, store: RedisStore) -> None:
    table = running(node)
    for number in range(100):
        store.schedule(Due(f"bots{number}", NOW_MS + number, NOW_MS, attended=False))
    node.tick(NOW_MS + 10_000)
    assert node.timed_out(table) == 1


def test_of_what_is_claimed_some_is_kept_for_matches_that_humans_play(store: RedisStore) -> None:
    bots = [Due(f"bots{number}", NOW_MS, NOW_MS, attended=False) for number in range(6)]
    humans = [Due(f"match{number}", NOW_MS + 1, NOW_MS) for number in range(6)]
    for entry in (*bots, *humans[:1]):
        store.schedule(entry)
    assert store.claim(NOW_MS + 1, LEASE_MS, 5, 2).due == [humans[0], *bots[:2]]
    for entry in humans[1:]:
        store.schedule(entry)
    assert store.claim(NOW_MS + 1, LEASE_MS, 5, 2).due == humans[1:]
    store.drop(bots[0])
    assert sorted(store.claim(NOW_MS + 1 + LEASE_MS, LEASE_MS, 20, 2).due) == sorted([*humans, *bots[1:]])


def test_a_server_that_dies_with_a_claim_leaves_it_to_the_others(node: Server, store: RedisStore) -> None:
    table = running(node)
    assert len(store.claim(NOW_MS + 10_000, LEASE_MS, 9).due) == 1
    node.tick(NOW_MS + 10_500)
    assert node.timed_out(table) == 0
    node.tick(NOW_MS + 10_000 + LEASE_MS)
    assert node.timed_out(table) == 1


def test_an_entry_whose_commit_may_be_on_its_way_is_kept(node: Server, store: RedisStore) -> None:
    store.schedule(Due("notyet", NOW_MS + 50, NOW_MS))
    node.tick(NOW_MS + 50)
    node.tick(NOW_MS + 50 + LEASE_MS)
    assert node.scheduled() == [NOW_MS + 50]
    node.tick(NOW_MS + 10_000)
    assert node.scheduled() == []


def test_time_without_any_server_does_not_count(node: Server) -> None:
    table = running(node)
    node.tick(NOW_MS + 1_000)
    node.now_ms = NOW_MS + 61_000
    wait(node.ticker.tick())
    assert node.timed_out(table) == 0
    [changed] = [event for event in table.events() if event["type"] == "deadline_changed"]
    assert table.record.timing is not None
    assert table.record.timing.deadline_ms == NOW_MS + 70_000
    assert changed["seat"] == (table.record.match and table.record.match.deal.turn)
    node.tick(NOW_MS + 70_000)
    assert node.timed_out(table) == 1


def test_a_short_silence_is_no_outage(store: RedisStore) -> None:
    for at in (0, 1_900, 3_800, 3_000, 5_700):
        assert store.claim(NOW_MS + at, LEASE_MS, 9).outages == []
    assert store.claim(NOW_MS + 9_000, LEASE_MS, 9).outages == [(NOW_MS + 5_700, NOW_MS + 9_000)]
    week_ms = 7 * 24 * 60 * 60 * 1000
    assert store.claim(NOW_MS + week_ms, LEASE_MS, 9).outages == [(NOW_MS + 9_000, NOW_MS + week_ms)]


def test_a_move_and_its_time_out_race_to_one_result(store: RedisStore, database: Any) -> None:
    quick = Server(store, database)
    rivals: list[int] = []

    def race(match_id: str) -> None:
        if rivals:
            assert quick.usecases.come_due(match_id, rivals.pop())

    slow = Server(BusyStore(store, race), database)  # type: ignore[arg-type]  # it stands for the store
    table = running(slow)
    match, due_ms = table.record.match, table.record.due_ms
    assert match
    assert match.deal.turn is not None
    assert due_ms
    slow.now_ms = quick.now_ms = due_ms
    rivals.append(due_ms)
    refused = refusal(lambda: table.move(match.deal.turn, format_move(legal_moves(match.deal)[0])))  # type: ignore[arg-type]
    assert refused.code == "not_your_turn"
    assert slow.timed_out(table) == 1
    assert not slow.usecases.come_due(table.match_id, due_ms)


def test_a_turn_that_others_keep_from_running_out_again_and_again_runs_out_later(
    store: RedisStore, database: Any
) -> None:
    quick = Server(store, database)
    table = Table(quick.usecases, 3, auto_start=True, clock=TURN).fill()
    assert table.record.match
    assert table.record.match.deal.turn is not None
    restless = (table.record.match.deal.turn + 1) % 3

    def come_and_go(match_id: str) -> None:
        if table.record.player(restless).played_by == "player":
            table.leave(restless)
        else:
            quick.usecases.return_to_seat(table.visit(table.tokens[restless], "player"), restless)

    slow = Server(BusyStore(store, come_and_go), database)  # type: ignore[arg-type]  # it stands for the store
    slow.tick(NOW_MS + 10_000)
    assert slow.timed_out(table) == 0
    quick.tick(NOW_MS + 10_000 + LEASE_MS)
    assert quick.timed_out(table) == 1


def test_a_store_that_does_not_answer_is_no_end_of_the_ticker(node: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    table = running(node)

    def fail(*arguments: object) -> None:
        raise StoreUnavailable("away")

    with monkeypatch.context() as broken:
        broken.setattr(node.usecases, "come_due", fail)
        node.tick(NOW_MS + 10_000)
    with monkeypatch.context() as broken:
        broken.setattr(node.usecases, "come_due", lambda *_: 1 / 0)
        node.tick(NOW_MS + 10_000 + LEASE_MS)
    assert node.timed_out(table) == 0
    node.tick(NOW_MS + 10_000 + 2 * LEASE_MS)
    assert node.timed_out(table) == 1


def test_it_runs_until_it_is_stopped(node: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[int] = []

    def tick() -> set[Any]:
        calls.append(1)
        if len(calls) > 2:
            node.ticker.stop()
        raise StoreUnavailable("away")

    monkeypatch.setattr(node.ticker, "tick", tick)
    node.ticker.start().join(5)
    assert len(calls) == 3
