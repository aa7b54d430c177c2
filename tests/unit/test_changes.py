"""What a write makes of a match, and in which order it is refused."""

from __future__ import annotations

import pytest

from service import changes
from service.changes import Change
from service.dealings import NewPlayer
from service.engine.moves import parse_move
from service.identity import token_hash
from service.record import Record
from tests.builders import position
from tests.tables import NOW_MS, kinds, playing, record, refusal

OVER = playing(position("hands 5C / 6C; pile 2C", deals=1))


def join(match: Record, seat: int | None = None, code: str | None = None) -> Change:
    return changes.joined(match, NewPlayer("New", seat, code), "py_match_new", NOW_MS)


def move(match: Record, text: str, seat: int = 0, if_version: int | None = None) -> Change:
    return changes.moved(match, seat, parse_move(text), if_version, NOW_MS)


def finished() -> Record:
    change = move(OVER, "5C")
    return change.record._replace(version=change.journal.version)


def test_creating_begins_the_log_with_the_creator() -> None:
    change = changes.created(record(0, version=0))
    assert kinds(change) == ["match_created", "player_joined"]
    assert change.journal.events[1] | {"at": ""} == {
        "seq": 2,
        "at": "",
        "type": "player_joined",
        "deal": None,
        "seat": 0,
        "name": "Player 0",
        "kind": "human",
        "level": None,
    }
    assert change.seat == 0


def test_creating_without_a_seat_seats_nobody() -> None:
    change = changes.created(record(version=0))
    assert kinds(change) == ["match_created"]
    assert change.seat is None


def test_who_joins_takes_the_lowest_free_seat_or_the_one_they_ask_for() -> None:
    assert join(record(0, 2, seats=4)).seat == 1
    change = join(record(0, 2, seats=4), 3)
    assert change.seat == 3
    assert [player.seat for player in change.record.players] == [0, 2, 3]
    assert change.record.players[2].token_hash == token_hash("py_match_new")
    assert kinds(change) == ["player_joined"]


def test_the_last_to_join_starts_a_match_that_starts_by_itself() -> None:
    change = join(record(0, auto_start=True))
    assert kinds(change) == ["player_joined", "match_started", "deal_started", "turn_started"]
    assert change.record.status == "playing"
    assert change.seat == 1


def test_the_last_to_join_starts_no_other_match() -> None:
    assert kinds(join(record(0))) == ["player_joined"]
    assert kinds(join(record(0, seats=3, auto_start=True))) == ["player_joined"]


@pytest.mark.parametrize("code", [None, "", "WRONG234"])
def test_a_private_match_asks_for_its_code_before_anything_else(code: str | None) -> None:
    private = record(0, 1, visibility="private", join_code="ABCD2345")
    assert refusal(lambda: join(private, 9, code)).code == "join_code_wrong"
    assert refusal(lambda: join(playing(visibility="private", join_code="ABCD2345"), 0, code)).code == "join_code_wrong"
    assert refusal(lambda: join(private, 9, "ABCD2345")).code == "seat_not_found"
    assert refusal(lambda: join(private, 0, "ABCD2345")).code == "match_full"


def test_joining_is_refused_in_the_order_of_the_contract() -> None:
    assert refusal(lambda: join(playing(), 2)).code == "seat_not_found"
    assert refusal(lambda: join(playing(), 0)).code == "match_already_started"
    assert refusal(lambda: join(finished(), 0)).code == "match_finished"
    assert refusal(lambda: join(record(status="abandoned"))).code == "match_finished"
    assert refusal(lambda: join(record(0, 1))).code == "match_full"
    assert refusal(lambda: join(record(0), 0)).code == "seat_taken"


def test_a_client_seed_may_be_replaced_until_the_match_starts() -> None:
    change = changes.client_seed_set(record(0, 1), 1, "first", NOW_MS)
    change = changes.client_seed_set(change.record, 1, "second", NOW_MS)
    assert change.record.client_seeds == ("", "second")
    assert kinds(change) == ["client_seed_set"]
    assert change.journal.events[0]["seat"] == 1
    for late, code in ((playing(), "match_already_started"), (finished(), "match_finished")):
        assert refusal(lambda late=late: changes.client_seed_set(late, 1, "late", NOW_MS)).code == code  # type: ignore[misc]


def test_a_client_seed_that_is_brought_along_is_told_after_the_joining() -> None:
    asked = NewPlayer("New", client_seed="tuz")
    change = changes.joined(record(0, seats=3), asked, "py_match_new", NOW_MS)
    assert change.record.client_seeds == ("", "tuz", "")
    assert kinds(change) == ["player_joined", "client_seed_set"]


def test_when_the_match_starts_everybody_learns_all_client_seeds() -> None:
    waiting = changes.client_seed_set(record(0, 1), 0, "tuz", NOW_MS).record
    change = changes.started(waiting, NOW_MS)
    assert change.journal.events[0]["client_seeds"] == ("tuz", "")
    assert change.record.started == change.journal.events[0]["seq"]
    assert change.record.match is not None
    assert change.record.match.client_seeds == ("tuz", "")


def test_a_match_starts_when_every_seat_is_taken() -> None:
    change = changes.started(record(0, 1), NOW_MS)
    assert kinds(change) == ["match_started", "deal_started", "turn_started"]
    assert [event["seq"] for event in change.journal.events] == [4, 5, 6]
    assert change.record.match is not None


def test_starting_is_refused_with_the_reason() -> None:
    refused = refusal(lambda: changes.started(record(0, 2, seats=4), NOW_MS))
    assert (refused.code, refused.detail) == (
        "seats_free",
        "The match starts when every seat is taken: nobody sits at seats 1 and 3.",
    )
    assert refusal(lambda: changes.started(playing(), NOW_MS)).code == "match_already_started"
    assert refusal(lambda: changes.started(finished(), NOW_MS)).code == "match_finished"
    assert refusal(lambda: changes.started(record(status="abandoned"), NOW_MS)).code == "match_finished"


def test_a_move_is_judged_by_status_then_version_then_turn_then_rules() -> None:
    waiting, table = record(0, 1), playing(position("hands 5C 9D / 6C 3D; pile 2C; stock 4S"))
    assert refusal(lambda: move(waiting, "KH", 1, 99)).code == "match_not_started"
    assert refusal(lambda: move(finished(), "KH", 1, 99)).code == "match_finished"
    assert refusal(lambda: move(record(status="abandoned"), "KH", 1, 99)).code == "match_finished"
    assert refusal(lambda: move(table, "KH", 1, 99)).code == "version_mismatch"
    assert refusal(lambda: move(table, "KH", 1, 3)).code == "not_your_turn"
    assert refusal(lambda: move(table, "KH", 0, 3)).code == "illegal_move"
    assert kinds(move(table, "5C", 0, 3)) == ["card_played", "turn_started"]


def test_a_refused_move_names_its_clause_and_the_house_rule_behind_it() -> None:
    table = playing(position("hands 5C 9D / 6C 3D; pile 2C; stock 4S", draw_only_if_unable=True))
    refused = refusal(lambda: move(table, "draw"))
    assert (refused.code, refused.rule, refused.option) == ("illegal_move", "R7", "draw_only_if_unable")
    refused = refusal(lambda: move(table, "6C", 1))
    assert (refused.code, refused.rule, refused.option) == ("not_your_turn", "R21", None)


def test_the_move_that_ends_a_deal_deals_the_next_one() -> None:
    change = move(playing(position("hands 5C / 6C 3D; pile 2C")), "5C")
    assert kinds(change) == ["card_played", "deal_ended", "deal_started", "turn_started"]
    assert change.record.status == "playing"
    assert change.record.deal_ends == (5,)
    assert change.journal.events[1]["seq"] == 5


def test_the_move_that_ends_the_last_deal_ends_the_match() -> None:
    change = move(OVER, "5C")
    assert kinds(change) == ["card_played", "deal_ended", "match_ended"]
    assert change.record.status == "finished"
    assert change.record.deal_ends == (5,)
    assert change.journal.events[2] | {"at": ""} == {
        "seq": 6,
        "at": "",
        "type": "match_ended",
        "deal": None,
        "totals": (0, 6),
        "winners": (0,),
    }
