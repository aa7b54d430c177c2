"""What webhooks are told: what has happened and whose turn it is, and no card."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from service import changes, leaving
from service.changes import Change
from service.clocks import Clock
from service.engine.cards import CARD_NAMES
from service.engine.legal import legal_moves
from service.record import Record
from service.seating import filled
from service.webhooks.hook import EVENTS, Webhook
from service.webhooks.messages import Message, messages, note_of, noted_messages, read_message
from tests.builders import position
from tests.receiver import SECRET, members
from tests.tables import NOW_MS, caller, commit, playing, record

URL = "https://app.example/hooks?key=of-theirs"
HOOK = Webhook(URL, SECRET)


def told(change: Change) -> list[Any]:
    """The bodies of the messages of a change."""
    return [json.loads(message.body) for message in messages(change.record, change.journal.events)]


def told_kinds(change: Change) -> list[str]:
    return [body["type"] for body in told(change)]


def started(**options: Any) -> Change:
    return changes.started(record(0, 1, webhook=HOOK, options=options), NOW_MS)


def played_out(record: Record) -> list[Change]:
    """Play a match to its end by chance, and give every change."""
    rnd, made = Random(4), []
    while record.status == "playing":
        assert record.match
        turn = record.match.deal.turn
        assert turn is not None
        made.append(changes.moved(record, turn, rnd.choice(legal_moves(record.match.deal)), None, NOW_MS))
        record = made[-1].record._replace(version=made[-1].journal.version)
    return made


def test_the_start_names_the_players_and_whose_turn_it_is() -> None:
    change = started()
    start, turn = told(change)

    assert start["type"] == "match_started"
    assert start["data"]["name"] == "Table"
    assert [player["name"] for player in start["data"]["players"]] == ["Player 0", "Player 1"]
    assert turn["type"] == "your_turn"
    assert turn["data"]["seat"] == change.journal.events[-1]["seat"]
    assert turn["data"]["name"] == f"Player {turn['data']['seat']}"
    assert turn["data"]["deadline"] is None


def test_what_the_application_noted_is_told_with_everything() -> None:
    match = record(0, 1, webhook=HOOK, metadata={"room": "7"})
    match = match.with_player(match.player(1)._replace(metadata={"user": "bora"}))
    start, turn = told(changes.started(match, NOW_MS))
    assert start["data"]["metadata"] == turn["data"]["metadata"] == {"room": "7"}
    assert [player.get("metadata") for player in start["data"]["players"]] == [None, {"user": "bora"}]
    assert turn["data"].get("player_metadata") == [None, {"user": "bora"}][turn["data"]["seat"]]


def test_a_turn_with_a_clock_tells_its_deadline() -> None:
    change = changes.started(record(0, 1, webhook=HOOK, clock=Clock(30, 0, 0)), NOW_MS)
    assert told(change)[-1]["data"]["deadline"] == change.journal.events[-1]["deadline"] is not None


def test_a_seat_that_a_bot_plays_is_not_told_of_its_turn() -> None:
    bots = filled(record(seats=2, webhook=HOOK), "easy")
    assert told_kinds(changes.started(bots, NOW_MS)) == ["match_started"]

    change = started()
    seat = change.journal.events[-1]["seat"]
    left = leaving.left(change.record, seat, caller(seat), NOW_MS)
    assert messages(left.record, change.journal.events[-1:]) == []


def test_a_whole_match_is_told_without_a_card_a_hand_a_suit_or_a_seed() -> None:
    change = started(deals=2)
    whole = [change, *played_out(change.record._replace(version=change.journal.version))]
    bodies = [body for change in whole for body in told(change)]

    assert {body["type"] for body in bodies} == set(EVENTS)
    assert [body["type"] for body in bodies].count("deal_ended") == 2
    assert bodies[-1]["type"] == "match_ended"
    for name, value in members(bodies):
        assert name not in {"hand", "hands", "cards", "card", "final_card", "suit", "seed", "seed_commitment"}
        assert value not in CARD_NAMES
        assert value not in ("C", "D", "H", "S")


def test_an_ended_deal_tells_its_points_and_an_ended_match_its_totals() -> None:
    deal = position("hands 9S / AC KD; pile 8S; stock 4C", deals=1)
    change = changes.moved(playing(deal, webhook=HOOK), 0, legal_moves(deal)[0], None, NOW_MS)
    ended, over = (body["data"] for body in told(change))

    assert (ended["deal"], ended["reason"], ended["winners"], ended["points"]) == (1, "went_out", [0], [0, 25])
    assert (over["status"], over["totals"], over["winners"]) == ("finished", [0, 25], [0])


@pytest.mark.parametrize("is_played", [False, True])
def test_an_abandoned_match_has_ended_too(is_played: bool) -> None:
    waiting = record(0, 1, webhook=HOOK)
    match = changes.started(filled(record(webhook=HOOK), "easy"), NOW_MS).record if is_played else waiting
    [body] = told(leaving.deleted(match, NOW_MS))

    assert body["type"] == "match_ended"
    assert (body["data"]["status"], body["data"]["totals"], body["data"]["winners"]) == ("abandoned", [0, 0], [])


def test_only_what_was_asked_for_is_told() -> None:
    change = changes.started(record(0, 1, webhook=HOOK._replace(events=("match_ended",))), NOW_MS)
    assert told(change) == []
    assert note_of(commit(), change.record, change.journal.events) is None
    assert told(changes.started(record(0, 1), NOW_MS)) == []


def test_the_identity_of_a_message_follows_from_its_match_and_event() -> None:
    change = started()
    for message, body in zip(messages(change.record, change.journal.events), told(change), strict=True):
        assert message.identity == f"msg_match_{body['data']['version']}"
        assert body["timestamp"] == change.journal.events[0]["at"]
        assert body["data"]["match_id"] == "match"
    assert len({message.identity for message in messages(change.record, change.journal.events)}) == 2


def test_notes_and_messages_are_read_as_they_were_written() -> None:
    change = started()
    record = change.record._replace(version=change.journal.version)
    note = note_of(commit(3, identity="this one"), record, change.journal.events)

    assert note is not None
    assert (note.match_id, note.after, note.commit) == ("match", 3, "this one")
    assert noted_messages(note) == messages(record, change.journal.events)
    message = Message("msg_1", "match", "your_turn", "{}", URL, SECRET, 3)
    assert read_message(message.encode()) == message
