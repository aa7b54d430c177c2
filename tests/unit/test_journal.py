"""Events are numbered without gaps, and the log gives back what was written."""

from __future__ import annotations

import json

import pytest

from service.engine.events import (
    CardPlayed,
    CardsDrawn,
    DealEnded,
    DealStarted,
    DirectionReversed,
    Event,
    MatchEnded,
    PenaltyRaised,
    Result,
    StockReshuffled,
    TurnPassed,
    TurnSkipped,
    TurnStarted,
)
from service.journal import Journal, read_entry
from service.store.base import Entry
from tests.tables import NOW_MS

AT = "2027-01-15T08:00:00.000Z"


def test_events_go_on_after_the_version() -> None:
    journal = Journal(7, NOW_MS)
    assert journal.version == 7
    assert journal.add(None, "match_started") == 8
    assert journal.add(2, "player_left", seat=1) == 9
    assert journal.version == 9
    assert journal.events == [
        {"seq": 8, "at": AT, "type": "match_started", "deal": None},
        {"seq": 9, "at": AT, "type": "player_left", "deal": 2, "seat": 1},
    ]


def test_an_event_may_have_a_member_of_any_name() -> None:
    journal = Journal(0, NOW_MS)
    journal.add(None, "player_joined", kind="human", name="x")
    assert journal.events[0]["kind"] == "human"


def test_what_happened_in_the_game_tells_where_deals_ended() -> None:
    ended = DealEnded(Result("went_out", (0,), 1, (0, 5), 4), ((), (4,)), "00")
    journal = Journal(0, NOW_MS)
    assert journal.add_all([(1, TurnPassed(0)), (1, ended), (None, MatchEnded((0, 5), (0,)))], "bot") == [2]
    assert [(event["seq"], event["deal"]) for event in journal.events] == [(1, 1), (2, 1), (3, None)]


def test_the_log_gives_back_what_was_written() -> None:
    journal = Journal(41, NOW_MS)
    journal.add(None, "match_created")
    journal.add(1, "turn_passed", seat=0, by="player")
    assert read_entry(Entry(43, journal.encode())) == journal.events


def test_frequent_events_are_kept_short() -> None:
    journal = Journal(0, NOW_MS)
    journal.add_all([(2, CardPlayed(1, 9, None, None)), (2, TurnStarted(0, "turn", 0))])
    assert journal.encode() == b'[1800000000000,[["c",2,1,"10C"],["t",2,0]]]'


@pytest.mark.parametrize(
    "event",
    [
        CardPlayed(1, 10, 3, "tek"),
        CardPlayed(1, 9, None, "tek"),
        CardsDrawn(0, (4,), "choice"),
        CardsDrawn(9, (4, 5, 6), "penalty"),
        CardsDrawn(0, (), "opening"),
        TurnPassed(3),
        TurnSkipped(2, "barred"),
        TurnStarted(1, "second_card", 0),
        TurnStarted(1, "turn", 12),
        PenaltyRaised(6),
        DirectionReversed(-1),
        StockReshuffled(30),
        DealStarted(1, "ab", 40, ((1, 2), (3,))),
        DealEnded(Result("went_out", (0,), 1, (0, 5), 4), ((), (4,)), "00"),
        MatchEnded((0, 5), (0,)),
    ],
)
def test_the_log_gives_back_every_event_of_the_game(event: Event) -> None:
    journal = Journal(6, NOW_MS)
    journal.add_all([(3, event)])
    [read] = read_entry(Entry(7, journal.encode()))
    assert read == json.loads(json.dumps(journal.events[0]))
    assert list(read) == list(journal.events[0])


def test_an_event_with_a_member_more_is_kept_whole() -> None:
    journal = Journal(0, NOW_MS)
    journal.add(1, "turn_passed", seat=0, by="player", why="tired")
    journal.add(1, "turn_passed", by="player", seat=0)
    assert read_entry(Entry(2, journal.encode())) == journal.events


def test_the_log_of_the_first_release_is_read() -> None:
    written = b'{"at":"2027-01-15T08:00:00.000Z","events":[{"type":"turn_passed","deal":1,"seat":0,"by":"player"}]}'
    assert read_entry(Entry(43, written)) == [
        {"seq": 43, "at": AT, "type": "turn_passed", "deal": 1, "seat": 0, "by": "player"}
    ]
