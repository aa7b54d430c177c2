"""What a turn that has run out brings about."""

from __future__ import annotations

from typing import Any

import pytest

from service import changes, leaving
from service.changes import Change
from service.clocks import Clock, Timing
from service.engine.moves import parse_move
from service.engine.rules import resolve
from service.record import Record
from service.timeouts import ran_out
from service.view import timestamp
from tests.builders import position
from tests.tables import NOW_MS, kinds, playing, record

CLOCK = Clock(turn_seconds=10, bank_seconds=0, deal_pause=0)
LATE_MS = NOW_MS + 10_100


def table(text: str = "hands 5C 9D / 6C 3D; pile 2C; stock KS QS 10S", **options: object) -> Record:
    timing = Timing(NOW_MS + 10_000, NOW_MS, (0, 0))
    return playing(position(text, **options), clock=CLOCK)._replace(timing=timing)


def stored(change: Change) -> Record:
    return change.record._replace(version=change.journal.version)


def test_the_clock_plays_until_the_turn_is_over() -> None:
    change = ran_out(table(), [], LATE_MS)
    assert kinds(change) == ["turn_timed_out", "cards_drawn", "turn_passed", "turn_started"]
    assert change.journal.events[0]["seat"] == 0
    assert [event.get("by") for event in change.journal.events] == [None, "clock", "clock", None]
    assert change.journal.events[-1]["deadline"] == timestamp(LATE_MS + 10_000)
    assert change.record.player(0).timed_out == 1


def test_in_the_opening_it_draws_until_there_is_a_club_and_plays_it() -> None:
    change = ran_out(table("hands 5D 6D / 6C 3D; phase opening; stock KS QS 10C"), [], LATE_MS)
    assert kinds(change) == ["turn_timed_out", *["cards_drawn"] * 3, "card_played", "turn_started"]
    assert change.journal.events[-2]["card"] == "10C"


@pytest.mark.parametrize("option", [{"pass": "only_if_stuck"}, {"must_play_if_able": True}])
def test_where_it_may_not_pass_the_clock_draws_while_it_can_and_then_plays(option: dict[str, Any]) -> None:
    change = ran_out(table(**option), [], LATE_MS)
    assert kinds(change) == ["turn_timed_out", *["cards_drawn"] * 3, "card_played", "turn_started"]
    assert change.journal.events[4]["card"] == "5C"


def test_a_draw_limit_bounds_what_the_clock_draws() -> None:
    change = ran_out(table(draw_limit=1, must_play_if_able=True), [], LATE_MS)
    assert kinds(change) == ["turn_timed_out", "cards_drawn", "card_played", "turn_started"]


def test_the_cards_there_are_bound_what_the_clock_does_in_one_turn() -> None:
    rules = resolve({"pass": "only_if_stuck", "decks": 4, "stock_out": "reshuffle"}, 2).rules
    dealt = changes.started(record(0, 1, clock=CLOCK)._replace(rules=rules), NOW_MS)
    opened = ran_out(stored(dealt), [], LATE_MS)
    change = ran_out(stored(opened), [], LATE_MS + 10_000)
    assert kinds(change).count("cards_drawn") > 150
    assert len(change.journal.events) < 4 * 52
    assert len(change.journal.encode()) < 20_000


def test_after_three_turns_in_a_row_a_bot_takes_the_seat() -> None:
    match = table().with_player(table().player(0)._replace(timed_out=2))
    change = ran_out(match, [], LATE_MS)
    assert kinds(change)[-2:] == ["turn_started", "seat_control_changed"]
    assert change.journal.events[-1] | {"at": ""} == {
        "seq": 8,
        "at": "",
        "type": "seat_control_changed",
        "deal": None,
        "seat": 0,
        "played_by": "bot",
        "reason": "timed_out",
    }
    back = leaving.returned(stored(change), 0, LATE_MS).record.player(0)
    assert (back.played_by, back.timed_out) == ("player", 0)


def test_a_turn_that_its_player_ends_breaks_the_row_and_a_move_within_it_does_not() -> None:
    match = table().with_player(table().player(0)._replace(timed_out=2))
    drawn = changes.moved(match, 0, parse_move("draw"), None, NOW_MS + 1)
    assert drawn.record.player(0).timed_out == 2
    assert changes.moved(stored(drawn), 0, parse_move("pass"), None, NOW_MS + 2).record.player(0).timed_out == 0


def test_a_turn_that_fell_into_an_outage_is_put_off_and_the_log_tells_it() -> None:
    change = ran_out(table(), [(NOW_MS + 5_000, NOW_MS + 9_000)], LATE_MS)
    assert kinds(change) == ["deadline_changed"]
    assert change.journal.events[0]["seat"] == 0
    assert change.journal.events[0]["deadline"] == timestamp(NOW_MS + 14_000)
    assert change.record.match == table().match
    later = ran_out(stored(change), [(NOW_MS + 5_000, NOW_MS + 9_000)], NOW_MS + 14_000)
    assert kinds(later)[0] == "turn_timed_out"


def test_a_turn_that_runs_out_in_spite_of_an_outage_tells_its_real_deadline_first() -> None:
    change = ran_out(table(), [(NOW_MS + 5_000, NOW_MS + 5_050)], LATE_MS)
    assert kinds(change) == ["deadline_changed", "turn_timed_out", "cards_drawn", "turn_passed", "turn_started"]
    assert change.journal.events[0]["deadline"] == timestamp(NOW_MS + 10_050)


def test_a_bank_is_not_charged_for_an_outage_when_its_seat_moves_before_the_clock_does() -> None:
    banked = table("hands 5C 9D / 6C 3D; pile 2C; stock KS QS 10S; drawn 1")._replace(
        clock=CLOCK._replace(bank_seconds=5), timing=Timing(NOW_MS + 15_000, NOW_MS, (5_000, 5_000))
    )
    outage = (NOW_MS + 2_000, NOW_MS + 10_000)
    paid = changes.moved(banked, 0, parse_move("pass"), None, NOW_MS + 13_000).record
    change = changes.moved(banked, 0, parse_move("pass"), None, NOW_MS + 13_000, [outage])
    assert paid.timing == Timing(NOW_MS + 28_000, NOW_MS + 13_000, (2_000, 5_000))
    assert change.record.timing == Timing(NOW_MS + 28_000, NOW_MS + 13_000, (5_000, 5_000))
    assert kinds(change) == ["deadline_changed", "turn_passed", "turn_started"]
    assert change.journal.events[0]["deadline"] == timestamp(NOW_MS + 23_000)


def test_a_move_within_a_turn_adds_an_outage_to_it_once() -> None:
    outages = [(NOW_MS + 2_000, NOW_MS + 6_000)]
    drawn = changes.moved(table(), 0, parse_move("draw"), None, NOW_MS + 7_000, outages)
    assert kinds(drawn) == ["deadline_changed", "cards_drawn"]
    assert drawn.record.timing == Timing(NOW_MS + 14_000, NOW_MS + 7_000, (0, 0))
    assert kinds(ran_out(stored(drawn), outages, NOW_MS + 14_000))[0] == "turn_timed_out"


def test_the_clock_may_end_the_match() -> None:
    last = table("hands 5C / 6C; pile 2C; drawn 1", deals=1, must_play_if_able=True)
    change = ran_out(last, [], LATE_MS)
    assert kinds(change) == ["turn_timed_out", "card_played", "deal_ended", "match_ended"]
    assert (change.record.status, change.record.timing) == ("finished", None)


def test_with_a_clock_every_turn_tells_its_deadline_and_without_one_it_is_null() -> None:
    timed = changes.started(record(0, 1, clock=Clock(10, 5, 8)), NOW_MS)
    assert timed.journal.events[-1]["deadline"] == timestamp(NOW_MS + 23_000)
    assert changes.started(record(0, 1), NOW_MS).journal.events[-1]["deadline"] is None
