"""Who plays a seat and who is the host, as players leave and come back, and matches that end before their time."""

from __future__ import annotations

import pytest

from service import changes, leaving
from service.changes import Change
from service.engine.cards import card_names
from service.engine.moves import parse_move
from service.engine.shuffle import chain_member
from service.identity import token_hash
from service.record import Player, Record
from tests.builders import position
from tests.tables import LAST_SEED, NOW_MS, caller, kinds, playing, record, refusal, token_of


def leave(match: Record, seat: int, asker: int | None = None) -> Change:
    """Let a seat's player leave, or another seat's free it."""
    return leaving.left(match, seat, caller(seat if asker is None else asker), NOW_MS)


def finished() -> Record:
    over = playing(position("hands 5C / 6C; pile 2C", deals=1))
    return changes.moved(over, 0, parse_move("5C"), None, NOW_MS).record


def table(seats: int, *gone: int, **members: object) -> Record:
    """Write down a match that is played; bots stand in for some seats."""
    match = playing(
        position("hands " + " / ".join(["5C 9D", "6C 3D", "7C 4D", "8C 5D"][:seats]) + "; pile 2C"), **members
    )
    for seat in gone:
        match = match.with_player(match.player(seat)._replace(played_by="bot"))
    return match


def test_a_player_who_leaves_frees_the_seat() -> None:
    change = leave(record(0, 1, 2, seats=3), 1)
    assert kinds(change) == ["player_left"]
    assert change.record.free_seats == (1,)
    assert change.record.host_seat == 0


def test_when_the_host_leaves_the_lowest_taken_seat_becomes_the_host() -> None:
    change = leave(record(0, 2, 3, seats=4), 0)
    assert kinds(change) == ["player_left", "host_changed"]
    assert change.journal.events[1]["seat"] == 2
    assert (change.record.host_seat, change.record.host_token_hash) == (2, token_hash(token_of(2)))


def test_when_nobody_is_left_the_match_is_abandoned_and_nobody_is_its_host() -> None:
    change = leave(record(0), 0)
    assert kinds(change) == ["player_left", "match_abandoned"]
    assert (change.record.status, change.record.host_seat, change.record.host_token_hash) == ("abandoned", None, "")


def test_a_host_without_a_seat_keeps_a_match_that_everybody_leaves() -> None:
    change = leave(record(1, host_seat=None), 1)
    assert kinds(change) == ["player_left"]
    assert change.record.status == "waiting"


def test_leaving_is_refused_in_the_order_of_the_contract() -> None:
    assert refusal(lambda: leave(record(0), 1)).code == "seat_not_found"
    assert refusal(lambda: leave(playing(), 1, 0)).code == "match_already_started"
    assert refusal(lambda: leave(finished(), 1)).code == "match_finished"
    assert refusal(lambda: leave(record(0, 1, status="abandoned"), 1)).code == "match_finished"


def test_in_a_running_match_a_bot_stands_in_for_who_leaves() -> None:
    change = leave(table(3), 1)
    assert kinds(change) == ["seat_control_changed"]
    assert change.journal.events[0] | {"at": ""} == {
        "seq": 4,
        "at": "",
        "type": "seat_control_changed",
        "deal": None,
        "seat": 1,
        "played_by": "bot",
        "reason": "left",
    }
    assert change.record.player(1).played_by == "bot"
    assert change.record.player(1).token_hash == token_hash(token_of(1))
    assert change.record.free_seats == ()


def test_leaving_twice_changes_nothing() -> None:
    assert kinds(leave(table(3, 1), 1)) == []


@pytest.mark.parametrize("gone,heir", [((), 3), ((3,), 0), ((3, 0), 1)])
def test_the_host_of_a_running_match_is_followed_by_the_next_who_plays(gone: tuple[int, ...], heir: int) -> None:
    change = leave(table(4, *gone, host_seat=2), 2)
    assert kinds(change) == ["seat_control_changed", "host_changed"]
    assert (change.record.host_seat, change.record.host_token_hash) == (heir, token_hash(token_of(heir)))


def test_the_last_to_leave_stays_the_host_and_may_delete_the_match() -> None:
    change = leave(table(2, 1), 0)
    assert kinds(change) == ["seat_control_changed"]
    assert change.record.host_seat == 0
    assert kinds(leaving.deleted(change.record, NOW_MS)) == ["match_abandoned"]


def test_a_host_for_whom_a_bot_stands_in_hands_the_match_on_by_leaving() -> None:
    assert kinds(leave(table(2, 0), 0)) == ["host_changed"]


def test_a_player_who_returns_takes_the_seat_from_the_bot() -> None:
    change = leaving.returned(table(3, 1), 1, NOW_MS)
    assert kinds(change) == ["seat_control_changed"]
    assert change.journal.events[0]["played_by"] == "player"
    assert change.journal.events[0]["reason"] == "returned"
    assert change.record == table(3)


def test_returning_to_a_seat_that_one_plays_changes_nothing() -> None:
    assert kinds(leaving.returned(table(2), 1, NOW_MS)) == []


def test_there_is_returning_only_while_a_match_is_played() -> None:
    assert refusal(lambda: leaving.returned(record(0), 0, NOW_MS)).code == "match_not_started"
    assert refusal(lambda: leaving.returned(finished(), 0, NOW_MS)).code == "match_finished"
    assert refusal(lambda: leaving.returned(record(0, status="abandoned"), 0, NOW_MS)).code == "match_finished"


def test_who_has_left_does_not_move() -> None:
    gone = table(2, 0)
    assert refusal(lambda: changes.moved(gone, 0, parse_move("5C"), 99, NOW_MS)).code == "bot_plays"


def test_a_waiting_match_without_players_is_abandoned_whatever_bots_sit_there() -> None:
    waiting = record(0).with_player(Player(1, "Bot", "", kind="bot", played_by="bot"))
    assert kinds(leave(waiting, 0)) == ["player_left", "match_abandoned"]


def test_bots_do_not_become_the_host() -> None:
    waiting = record(0, 2, seats=3).with_player(Player(1, "Bot", "", kind="bot", played_by="bot"))
    assert leave(waiting, 0).record.host_seat == 2


def test_a_waiting_match_is_deleted_without_cards_to_show() -> None:
    change = leaving.deleted(record(0, 1), NOW_MS)
    assert change.record.status == "abandoned"
    assert change.record.host_seat == 0
    assert change.journal.events[0] | {"at": ""} == {"seq": 4, "at": "", "type": "match_abandoned", "deal": None}


def test_a_match_that_only_bots_play_is_deleted_and_its_deal_opened() -> None:
    match = playing()
    for seat in (0, 1):
        match = match.with_player(match.player(seat)._replace(played_by="bot"))
    change = leaving.deleted(match, NOW_MS)
    [event] = change.journal.events
    assert match.match is not None
    assert event["deal"] == 1
    assert event["hands"] == [card_names(hand) for hand in match.match.deal.hands]
    assert event["seed"] == chain_member(LAST_SEED, match.rules.deals, 1).hex()
    assert change.record.deal_ends == (event["seq"],)


def test_a_match_that_somebody_plays_or_that_is_over_is_not_deleted() -> None:
    assert refusal(lambda: leaving.deleted(table(2, 0), NOW_MS)).code == "match_already_started"
    assert refusal(lambda: leaving.deleted(finished(), NOW_MS)).code == "match_finished"
    assert refusal(lambda: leaving.deleted(record(0, status="abandoned"), NOW_MS)).code == "match_finished"
