"""What a match does by itself, over a real store."""

from __future__ import annotations

import json
from typing import Any

import pytest

from service import thinking
from service.autoplay import TOGETHER_MS
from service.bots import choosing
from service.clocks import Clock
from service.dealings import BotOrder
from service.reception import require_own_seat
from service.store.base import Due
from service.store.redis import RedisStore
from service.thinking import Thinking
from service.usecases import UseCases
from service.verify import verify
from tests.conftest import TTL_SECONDS
from tests.tables import NOW_MS, Table, numbered_entropy, once, refusal


class Time:
    """A clock that stands still until it is set."""

    def __init__(self) -> None:
        self.now_ms = NOW_MS

    def __call__(self) -> int:
        return self.now_ms


@pytest.fixture
def time() -> Time:
    """The time of the service."""
    return Time()


@pytest.fixture
def usecases(store: RedisStore, time: Time) -> UseCases:
    """The use cases under a clock that stands still, so that there is always time for one more move."""
    return UseCases(store, ttl_seconds=TTL_SECONDS, clock=time, entropy=numbered_entropy(5))


def types(events: list[dict[str, Any]]) -> list[str]:
    return [event["type"] for event in events]


def come_due(table: Table, time: Time) -> bool:
    """Let the time come at which the match goes on by itself."""
    due_ms = table.record.due_ms
    assert due_ms is not None
    time.now_ms = due_ms
    return table.usecases.come_due(table.match_id, due_ms)


def test_a_creator_with_bots_plays_at_once_and_every_answer_ends_at_their_turn(usecases: UseCases) -> None:
    table = Table(usecases, 4, auto_start=True, bots=[BotOrder("easy"), BotOrder("normal"), BotOrder("easy")])
    view = table.made.match
    moves = 0
    while view["status"] == "playing":
        assert view["deal"]["turn_seat"] == 0
        answered = table.play_on()
        view, moves = answered.match, moves + 1
        if view["status"] == "playing":
            assert answered.events[-1]["type"] in ("turn_started", "card_played", "cards_drawn")
    bys = {event["by"] for event in table.events() if "by" in event}
    assert bys == {"player", "bot"}
    assert len(view["results"]) == 4
    assert moves < 500


def test_a_repeat_gets_the_events_of_the_bots_too(usecases: UseCases) -> None:
    table = Table(usecases, 2, auto_start=True, bots=[BotOrder("easy")])
    move = "draw" if "draw" in [move["type"] for move in usecases.legal_moves(table.visit(table.tokens[0]))] else None
    text = move or usecases.legal_moves(table.visit(table.tokens[0]))[0]["card"]
    first = table.move(0, text, once=once())
    again = table.move(0, text, once=once())
    assert again.replayed
    assert again.events == first.events


def test_a_bot_is_shown_what_a_player_at_its_seat_sees_and_no_more(
    usecases: UseCases, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[tuple[Any, Any]] = []
    truly = choosing.choose

    def choose(level: Any, view: Any, log: Any, *rest: Any) -> Any:
        shown.append((view, log))
        return truly(level, view, log, *rest)

    monkeypatch.setattr(thinking, "choose", choose)
    table = Table(usecases, 3, auto_start=True, bots=[BotOrder("easy"), BotOrder("easy")])
    while len(shown) < 5:
        table.play_on()
    events = {event["seq"]: event for event in table.events()}
    assert shown
    for view, log in shown:
        seat = view["you"]["seat"]
        assert len(view["you"]["hand"]) == view["players"][seat]["hand_count"]
        assert view["you"]["legal_moves"]
        assert log[-1]["seq"] == view["version"]
        assert [event["seq"] for event in log] == list(range(log[0]["seq"], view["version"] + 1))
        for event in log:
            own = {"hand"} if event["type"] == "deal_started" else {"cards"} if event.get("seat") == seat else set()
            assert event.keys() - own == events[event["seq"]].keys()
            assert own <= event.keys() | {"cards"}


def test_a_bot_plays_on_for_who_leaves_and_they_may_come_back(usecases: UseCases) -> None:
    table = Table(usecases, 2, auto_start=True).fill()
    gone = table.record.match.deal.turn if table.record.match else None
    assert gone is not None
    left = table.leave(gone)
    assert types(left.events)[0] == "seat_control_changed"
    assert {event["by"] for event in left.events if "by" in event} == {"bot"}
    assert left.match["deal"]["turn_seat"] == 1 - gone
    assert left.match["players"][gone]["played_by"] == "bot"
    assert left.match["you"]["seat"] == gone
    assert left.match["you"]["hand"]
    table.play_on()
    assert refusal(lambda: table.move(gone, "draw")).code == "bot_plays"
    back = usecases.return_to_seat(table.visit(table.tokens[gone], "player"), gone)
    assert types(back.events) == ["seat_control_changed"]
    assert usecases.return_to_seat(table.visit(table.tokens[gone], "player"), gone).events == []
    visit = table.visit(table.tokens[gone], "player")
    assert refusal(lambda: require_own_seat(visit, 1 - gone)).code == "not_your_seat"


def test_a_match_that_nobody_plays_goes_on_move_by_move_to_its_end(usecases: UseCases, time: Time) -> None:
    table = Table(usecases, 3, creator_name=None, auto_start=True, rules={"deals": 2}, bots=[BotOrder("easy")] * 3)
    assert table.made.match["status"] == "playing"
    assert types(table.events())[-1] == "turn_started"
    while table.record.status == "playing":
        before, began = table.record, time.now_ms
        assert come_due(table, time)
        assert time.now_ms - began == 500
        if table.record.status == "playing":
            moves = [event for event in table.events(after=before.version) if event.get("by") == "bot"]
            assert len({event["type"] for event in moves}) <= 2
    assert table.record.due_ms is None
    assert {event["by"] for event in table.events() if "by" in event} == {"bot"}


def test_the_host_deletes_a_match_that_nobody_plays_and_its_deal_is_proved(usecases: UseCases, time: Time) -> None:
    table = Table(usecases, 2, auto_start=True).fill()
    table.leave(1)
    table.leave(0)
    come_due(table, time)
    deleted = usecases.delete(table.visit(table.host_token, "host"))
    assert deleted.match["status"] == "abandoned"
    assert (deleted.match["deal"]["phase"], deleted.match["deal"]["turn_seat"]) == ("over", None)
    assert deleted.match["you"]["legal_moves"] == []
    assert table.record.due_ms is None
    shown = usecases.finished_deal(table.visit(), 1)
    assert (shown["reason"], shown["winners"], shown["points"]) == ("abandoned", [], [0, 0])
    assert shown["hands"] == deleted.events[-1]["hands"]
    assert verify(json.loads(json.dumps(shown))).fair
    assert shown["seed"] == deleted.events[-1]["seed"]
    assert usecases.position(table.visit(), 1, len(shown["moves"]))["hands"] == shown["hands"]


def test_a_turn_that_runs_out_is_played_and_the_bots_follow(usecases: UseCases, time: Time) -> None:
    clock = Clock(turn_seconds=10, bank_seconds=0, deal_pause=0)
    table = Table(usecases, 2, auto_start=True, clock=clock, bots=[BotOrder("easy")])
    version = table.record.version
    assert table.record.due_ms == NOW_MS + 10_000
    assert not usecases.come_due(table.match_id, NOW_MS + 10_000), "it is too early"
    assert come_due(table, time)
    events = table.events(after=version)
    assert events[0]["type"] == "turn_timed_out"
    assert [event["by"] for event in events if "by" in event][-1] == "bot"
    assert usecases.view(table.visit())["deal"]["turn_seat"] == 0
    assert not usecases.come_due(table.match_id, NOW_MS + 10_000), "nothing fires twice"


def test_what_is_due_is_written_down_before_the_commit(usecases: UseCases, store: RedisStore) -> None:
    clock = Clock(turn_seconds=10, bank_seconds=0, deal_pause=0)
    table = Table(usecases, 2, auto_start=True, clock=clock)
    table.join()
    claim = store.claim(NOW_MS + 10_000, 2000, 9)
    assert claim.due == [Due(table.match_id, NOW_MS + 10_000, NOW_MS)]


def test_hard_plays_within_the_same_answer_while_there_is_time(usecases: UseCases, store: RedisStore) -> None:
    table = Table(usecases, 2, auto_start=True, bots=[BotOrder("hard")])
    answered = table.play_on()
    assert table.record.bot_on_turn is None or table.record.due_ms is not None
    assert "bot" in [event.get("by") for event in answered.events]


@pytest.mark.parametrize("spare_ms", [0, -1])
def test_the_time_that_hard_is_set_decides_what_fits(store: RedisStore, time: Time, spare_ms: int) -> None:
    usecases = UseCases(
        store,
        ttl_seconds=TTL_SECONDS,
        clock=time,
        entropy=numbered_entropy(5),
        thinking=Thinking(0.0, search_ms=TOGETHER_MS - spare_ms),
    )
    table = Table(usecases, 2, auto_start=True, bots=[BotOrder("hard")])
    while not table.record.bot_on_turn and "bot" not in [event.get("by") for event in table.play_on().events]:
        pass
    assert (table.record.bot_on_turn is None) is (spare_ms == 0)


def test_moves_for_which_there_is_no_time_are_left_to_the_ticker(store: RedisStore) -> None:
    times = iter(range(NOW_MS, NOW_MS + 10_000_000, 200))
    slow = UseCases(store, ttl_seconds=TTL_SECONDS, clock=lambda: next(times), entropy=numbered_entropy(6))
    table = Table(slow, 6, auto_start=True, creator_name=None, bots=[BotOrder("easy")] * 5)
    table.join()
    while not table.record.bot_on_turn:
        table.play_on()
    record = table.record
    assert record.due_ms is not None
    assert slow.come_due(table.match_id, record.due_ms) is (record.due_ms <= next(times))
