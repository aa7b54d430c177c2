"""Where bots sit."""

from __future__ import annotations

import pytest

from service import changes
from service.dealings import BotOrder
from service.seating import with_bots
from tests.tables import NOW_MS, kinds, record, refusal


def test_bots_take_the_seats_they_are_given_and_else_the_lowest_that_are_left() -> None:
    match = with_bots(record(0, seats=4), [BotOrder("easy"), BotOrder("hard", 1), BotOrder("normal")])
    assert [(bot.seat, bot.name, bot.level, bot.kind, bot.played_by) for bot in match.players[1:]] == [
        (1, "Bot 1 (hard)", "hard", "bot", "bot"),
        (2, "Bot 2 (easy)", "easy", "bot", "bot"),
        (3, "Bot 3 (normal)", "normal", "bot", "bot"),
    ]


@pytest.mark.parametrize(
    "orders,pointers",
    [
        ([BotOrder("easy", 0)], ["/bots/0/seat"]),
        ([BotOrder("easy"), BotOrder("easy", 1), BotOrder("easy", 1)], ["/bots/2/seat", "/bots"]),
        ([BotOrder("easy", 2)], ["/bots/0/seat"]),
        ([BotOrder("easy"), BotOrder("easy")], ["/bots"]),
    ],
)
def test_bots_that_cannot_sit_are_refused_by_name(orders: list[BotOrder], pointers: list[str]) -> None:
    refused = refusal(lambda: with_bots(record(0), orders))
    assert refused.code == "invalid_body"
    assert [error["pointer"] for error in refused.errors] == pointers


def test_creating_tells_of_the_bots_and_starts_a_full_table_that_starts_by_itself() -> None:
    match = with_bots(record(0, version=0, auto_start=True), [BotOrder("easy")])
    change = changes.created(match)
    assert kinds(change)[:3] == ["match_created", "player_joined", "player_joined"]
    assert kinds(change)[3:] == ["match_started", "deal_started", "turn_started"]
    assert (change.journal.events[2]["kind"], change.journal.events[2]["level"]) == ("bot", "easy")
    assert change.seat == 0
    assert kinds(changes.created(match._replace(auto_start=False)))[3:] == []


def test_the_host_may_fill_the_table_with_bots() -> None:
    change = changes.started(record(0, 2, seats=4), NOW_MS, "normal")
    assert kinds(change) == ["player_joined", "player_joined", "match_started", "deal_started", "turn_started"]
    assert [(event["seat"], event["kind"]) for event in change.journal.events[:2]] == [(1, "bot"), (3, "bot")]
    assert change.record.status == "playing"


def test_filling_a_full_table_changes_nothing_but_the_start() -> None:
    assert kinds(changes.started(record(0, 1), NOW_MS, "easy")) == ["match_started", "deal_started", "turn_started"]
