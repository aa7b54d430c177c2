"""What is counted, of what the use cases do over a real store."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from service import figures
from service.clocks import Clock
from service.counting import UNCOUNTED
from service.dealings import BotOrder
from service.errors import StoreUnavailable
from service.metrics import Metrics
from service.store.redis import RedisStore
from service.thinking import Thinking
from service.usecases import UseCases
from tests.client import within
from tests.conftest import TTL_SECONDS
from tests.figures import figures_of, grown
from tests.tables import NOW_MS, BusyStore, Table, numbered_entropy, once, refusal


class Time:
    """The time of the use cases, which stands still unless it is set."""

    now_ms = NOW_MS

    def __call__(self) -> int:
        return self.now_ms


@pytest.fixture
def metrics() -> Metrics:
    return Metrics()


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def rivals() -> list[Callable[[], object]]:
    """What happens before the next commits."""
    return []


@pytest.fixture
def usecases(store: RedisStore, metrics: Metrics, time: Time, rivals: list[Callable[[], object]]) -> UseCases:
    return UseCases(
        BusyStore(store, lambda match_id: rivals.pop()() if rivals else None),
        ttl_seconds=TTL_SECONDS,
        clock=time,
        entropy=numbered_entropy(3),
        thinking=Thinking(1.0, metrics),
        counting=metrics,
    )


def on_turn(table: Table) -> int:
    deal = table.record.match and table.record.match.deal
    assert deal is not None
    assert deal.turn is not None
    return deal.turn


def test_a_match_is_counted_from_its_creation_to_its_end(usecases: UseCases, metrics: Metrics) -> None:
    before = figures_of(metrics)
    table = Table(usecases, 2, rules={"deals": 2}, app="shop").fill()
    table.start()
    moves = 0
    while table.record.status == "playing":
        table.play_on()
        moves += 1
    assert grown(before, figures_of(metrics)) == {
        'matches_created_total{app="shop"}': 1,
        'moves_total{by="player"}': moves,
        "deals_ended_total": 2,
        'matches_ended_total{status="finished"}': 1,
    }


def test_an_abandoned_match_has_not_finished(usecases: UseCases, metrics: Metrics) -> None:
    before = figures_of(metrics)
    Table(usecases).leave(0)
    assert grown(before, figures_of(metrics)) == {
        'matches_created_total{app=""}': 1,
        'matches_ended_total{status="abandoned"}': 1,
    }


def test_the_moves_of_bots_and_of_the_clock_are_told_from_those_of_players(
    usecases: UseCases, metrics: Metrics, time: Time
) -> None:
    clock = Clock(turn_seconds=10, bank_seconds=0, deal_pause=0)
    table = Table(usecases, 3, auto_start=True, clock=clock, bots=[BotOrder("easy", 1), BotOrder("normal", 2)])
    before = figures_of(metrics)
    time.now_ms += 10_000
    assert usecases.come_due(table.match_id, time.now_ms)
    counted = grown(before, figures_of(metrics))
    assert counted["turns_timed_out_total"] == 1
    assert counted['moves_total{by="clock"}'] >= 1
    assert counted['moves_total{by="bot"}'] >= 2
    assert 'moves_total{by="player"}' not in counted
    chosen = [value for name, value in counted.items() if name.startswith("bot_moves_total")]
    assert sum(chosen) == counted['moves_total{by="bot"}']
    assert len(chosen) == 2, "of both levels"


def test_what_is_refused_or_only_asked_about_is_no_move(usecases: UseCases, metrics: Metrics) -> None:
    table = Table(usecases).fill()
    table.start()
    before, seat = figures_of(metrics), on_turn(table)
    assert refusal(lambda: table.move(1 - seat, "draw")).code == "not_your_turn"
    usecases.legal_moves(table.visit(table.tokens[seat]))
    assert grown(before, figures_of(metrics)) == {}


def test_a_move_that_is_decided_anew_counts_once(
    usecases: UseCases, metrics: Metrics, rivals: list[Callable[[], object]]
) -> None:
    table = Table(usecases, 4).fill()
    table.start()
    before, other = figures_of(metrics), (on_turn(table) + 2) % 4
    rivals.append(lambda: table.leave(other))
    table.play_on()
    assert grown(before, figures_of(metrics))['moves_total{by="player"}'] == 1


def test_a_repeat_is_counted_as_one(usecases: UseCases, metrics: Metrics) -> None:
    before, key = figures_of(metrics), once()
    for _ in range(2):
        Table(usecases, once=key)
    assert grown(before, figures_of(metrics)) == {'matches_created_total{app=""}': 1, "replays_total": 1}


def test_requests_are_counted_under_closed_names(metrics: Metrics) -> None:
    before = figures_of(metrics)
    for method in ("GET", "BREW", "WHEN", "GET"):
        metrics.answered("getMatch", method, "200", 0.004)
    counted = grown(before, figures_of(metrics))
    name = 'http_requests_total{method="%s",operation="getMatch",status="200"}'
    assert {name % "GET": 2, name % "other": 2}.items() <= counted.items()
    assert counted['http_request_duration_seconds_count{operation="getMatch"}'] == 4
    assert counted['http_request_duration_seconds_sum{operation="getMatch"}'] == pytest.approx(0.016)
    assert counted['http_request_duration_seconds_bucket{le="0.005",operation="getMatch"}'] == 4
    assert 'http_request_duration_seconds_bucket{le="0.002",operation="getMatch"}' not in counted
    assert "BREW" not in str(counted)


def test_searches_that_take_longer_than_is_set_are_told_from_others(metrics: Metrics) -> None:
    before = figures_of(metrics)
    for milliseconds in (39, 50, 51, 75, 76):
        metrics.chosen("hard", searched_seconds=milliseconds / 1000)
    metrics.chosen("hard", downgraded=True)
    counted = grown(before, figures_of(metrics))
    assert counted["bot_search_seconds_count"] == 5
    assert counted["bot_search_seconds_sum"] == pytest.approx(0.291)
    within = [counted[f'bot_search_seconds_bucket{{le="{seconds}"}}'] for seconds in (0.04, 0.05, 0.06, 0.075, 0.1)]
    assert within == [1, 2, 3, 4, 5]


def test_what_the_store_does_not_carry_out_is_counted(metrics: Metrics, tmp_path: Path) -> None:
    store = RedisStore(f"unix://{tmp_path}/none", ttl_seconds=60, timeout_seconds=0.2, counting=metrics)
    with pytest.raises(StoreUnavailable):
        store.ping()
    assert figures_of(metrics)["store_failures_total"] == 1


def test_nothing_is_counted_where_nothing_is_to_be() -> None:
    with UNCOUNTED.following("stream"):
        UNCOUNTED.streamed()
    assert UNCOUNTED.text() is None


def test_what_a_worker_has_noted_is_written_down_when_it_ends(metrics: Metrics) -> None:
    metrics.answered("getMatch", "GET", "200", 0.01)
    application = SimpleNamespace(extensions={"counting": metrics})
    figures.leave(SimpleNamespace(pid=os.getpid(), ppid=os.getppid(), app=SimpleNamespace(wsgi=lambda: application)))
    assert metrics._registry.get_sample_value(
        "pis_yedili_http_requests_total", {"operation": "getMatch", "method": "GET", "status": "200"}
    )


def test_figures_that_cannot_be_written_down_stop_no_later_ones(
    metrics: Metrics, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    settled: list[bool] = []

    def settle() -> None:
        settled.append(True)
        if len(settled) == 1:
            raise OSError("no space left on device")

    monkeypatch.setattr(metrics, "settle", settle)
    monkeypatch.setattr("service.metrics.SETTLING_SECONDS", 0.001)
    metrics.start()
    assert within(5, lambda: len(settled) > 1)
    assert "some figures are lost" in caplog.text
