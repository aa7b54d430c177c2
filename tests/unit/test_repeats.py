"""Writes that are sent twice with an idempotency key, over a real store."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from service.store.redis import RedisStore
from service.usecases import UseCases
from tests.conftest import TTL_SECONDS, now_ms
from tests.tables import BusyStore, Table, numbered_entropy, once, refusal


def test_a_repeated_create_gives_the_same_match_and_token(usecases: UseCases) -> None:
    first, second = Table(usecases, once=once()), Table(usecases, once=once())
    assert (first.match_id, first.host_token) == (second.match_id, second.host_token)
    assert (first.made.replayed, second.made.replayed) == (False, True)
    assert len(first.events()) == 2
    assert refusal(lambda: Table(usecases, once=once(body="another"))).code == "idempotency_key_reused"
    assert Table(usecases, once=once("another key of 22 chars")).match_id != first.match_id


def test_a_repeated_create_shows_the_match_as_it_is_now(usecases: UseCases) -> None:
    table = Table(usecases, visibility="private", once=once()).fill()
    table.start()
    again = Table(usecases, visibility="private", once=once())
    assert again.made.match["status"] == "playing"
    assert again.made.join_code == table.made.join_code
    assert len(again.made.match["you"]["hand"]) == 7


def test_a_key_whose_receipt_was_forgotten_creates_no_second_match_of_that_id(
    usecases: UseCases, database: Any
) -> None:
    table = Table(usecases, once=once())
    database.delete(*database.keys("*:key:*"))
    assert refusal(lambda: Table(usecases, once=once())).code == "idempotency_key_reused"
    assert len(table.events()) == 2


def test_a_key_that_outlives_its_match_creates_no_other(usecases: UseCases, database: Any) -> None:
    table = Table(usecases, once=once())
    database.delete(f"py:{{{table.match_id}}}", f"py:{{{table.match_id}}}:log")
    assert refusal(lambda: Table(usecases, once=once())).code == "idempotency_key_reused"


def test_a_key_that_can_be_guessed_proves_nothing(usecases: UseCases) -> None:
    assert refusal(lambda: Table(usecases, once=once("short"))).code == "idempotency_key_invalid"
    table = Table(usecases)
    assert refusal(lambda: table.join(once=once("short"))).code == "idempotency_key_invalid"
    table.fill()
    assert table.start(once=once("short")).match["status"] == "playing"


def test_a_repeated_join_takes_one_seat_and_gives_the_same_token(usecases: UseCases) -> None:
    table = Table(usecases, 4)
    first = table.join(once=once())
    again = table.join(once=once())
    assert (again.seat, again.token, again.replayed) == (first.seat, first.token, True)
    assert again.match["you"]["seat"] == first.seat
    assert table.record.free_seats == (2, 3)
    assert refusal(lambda: table.join(once=once(body="another"))).code == "idempotency_key_reused"


def test_a_key_used_again_after_leaving_gets_no_token_of_somebody_else(usecases: UseCases) -> None:
    table = Table(usecases, 3)
    first = table.join(once=once())
    table.leave(1)
    stranger = table.join()
    again = table.join(once=once())
    assert again.token == first.token != stranger.token
    assert again.match["you"] is None


def test_a_repeated_leave_works_with_the_token_that_died_with_it(usecases: UseCases) -> None:
    table = Table(usecases, 3)
    table.join()
    table.leave(1, once=once())
    again = table.leave(1, once=once())
    assert again.replayed
    assert [event["type"] for event in again.events] == ["player_left"]
    assert refusal(lambda: table.leave(1)).code == "token_invalid"


def test_a_repeated_move_counts_once_and_is_answered_as_before(usecases: UseCases) -> None:
    table = Table(usecases).fill()
    table.start(once=once("start"))
    assert table.start(once=once("start")).replayed
    seat = usecases.view(table.visit())["deal"]["turn_seat"]
    move = usecases.legal_moves(table.visit(table.tokens[seat], "player"))[0]
    text = move.get("card", "draw")
    first = table.move(seat, text, once=once("move"))
    table.play_on()
    again = table.move(seat, text, once=once("move"))
    assert again.events == first.events
    assert (first.replayed, again.replayed) == (False, True)
    assert again.match["version"] == usecases.version(table.match_id) > first.match["version"]
    assert refusal(lambda: table.move(seat, text, once=once("move", "another"))).code == "idempotency_key_reused"


def test_of_two_repeats_at_once_one_commits_and_the_other_is_the_repeat(store: RedisStore) -> None:
    rivals: list[Callable[[], object]] = []
    busy = BusyStore(store, lambda match_id: rivals.pop()() if rivals else None)
    usecases = UseCases(busy, ttl_seconds=TTL_SECONDS, clock=now_ms, entropy=numbered_entropy(1))
    table = Table(usecases, 3)
    answers = []
    rivals.append(lambda: answers.append(table.join(once=once())))
    answers.append(table.join(once=once()))
    assert [answer.replayed for answer in answers] == [False, True]
    assert answers[0].token == answers[1].token
    assert table.record.free_seats == (2,)


def test_a_refused_write_is_not_kept_for_its_key(usecases: UseCases) -> None:
    table = Table(usecases)
    assert refusal(lambda: table.start(once=once("start"))).code == "seats_free"
    table.fill()
    assert not table.start(once=once("start")).replayed
