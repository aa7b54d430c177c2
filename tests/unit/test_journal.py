"""Events are numbered without gaps, and the log gives back what was written."""

from __future__ import annotations

from service.engine.events import DealEnded, MatchEnded, Result, TurnPassed
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
    assert journal.add_all([(1, TurnPassed(0)), (1, ended), (None, MatchEnded((0, 5), (0,)))]) == [2]
    assert [(event["seq"], event["deal"]) for event in journal.events] == [(1, 1), (2, 1), (3, None)]


def test_the_log_gives_back_what_was_written() -> None:
    journal = Journal(41, NOW_MS)
    journal.add(None, "match_created")
    journal.add(1, "turn_passed", seat=0, by="player")
    assert read_entry(Entry(43, journal.encode())) == journal.events
