"""A new token for a player, by the application that created the match; the old one dies."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from time import monotonic
from typing import Any

import pytest

from service.dealings import BotOrder
from service.following import Follower
from service.idempotency import NOT_REPEATABLE, Once
from service.identity import STRANGER
from service.store.redis import RedisStore
from service.streaming import Hub
from service.tokens import require_own_app
from service.usecases import UseCases
from tests.tables import Table, following, once, refusal


def reissue(table: Table, seat: int, app: str | None = "league", once: Once = NOT_REPEATABLE) -> Any:
    visit = table.visit(once=once)
    require_own_app(visit.record, app)
    return table.usecases.reissue_token(visit, seat)


@pytest.fixture
def follower(store: RedisStore) -> Iterator[Follower]:
    """A follower of matches."""
    hub = Hub(store)
    yield following(store, hub)
    hub.stop()


def types(stream: Iterator[Any], most: int) -> list[str]:
    return [event["type"] for event in islice(stream, most) if isinstance(event, dict)]


@pytest.fixture
def table(usecases: UseCases) -> Table:
    """A match of an application, with a bot."""
    return Table(usecases, 3, app="league", bots=[BotOrder("easy", 2)]).fill()


def test_the_old_token_dies_and_the_new_one_stands_for_the_seat(table: Table) -> None:
    old = table.tokens[1]
    given = reissue(table, 1)
    assert refusal(lambda: table.visit(old)).code == "token_invalid"
    assert table.visit(given.token).caller.seat == 1
    [event] = table.events()[-1:]
    assert (event["type"], event["seat"]) == ("token_reissued", 1)
    assert given.token not in str(table.events())


def test_the_rights_of_the_host_go_with_the_seat(table: Table) -> None:
    old = table.host_token
    table.host_token = reissue(table, 0).token
    assert refusal(lambda: table.visit(old, "host")).code == "token_invalid"
    assert table.start().match["status"] == "playing"


def test_a_repeat_gets_the_same_token_and_needs_a_key_that_nobody_guesses(table: Table) -> None:
    first, again = reissue(table, 1, once=once()), reissue(table, 1, once=once())
    assert (again.token, again.replayed, first.replayed) == (first.token, True, False)
    assert refusal(lambda: reissue(table, 1, once=once("short"))).code == "idempotency_key_invalid"
    assert refusal(lambda: reissue(table, 1, "other", once=once())).code == "app_key_required"


def test_only_the_application_that_created_the_match_may_and_only_for_a_human(table: Table, usecases: UseCases) -> None:
    assert refusal(lambda: reissue(table, 1, "other")).code == "app_key_required"
    assert refusal(lambda: reissue(table, 1, None)).code == "app_key_required"
    assert refusal(lambda: reissue(table, 2)).code == "seat_not_found"
    nobodys = Table(usecases).fill()
    assert refusal(lambda: reissue(nobodys, 1, "league")).code == "app_key_required"
    assert refusal(lambda: reissue(nobodys, 1, None)).code == "app_key_required"


def test_open_streams_and_tickets_of_the_old_token_end(table: Table, follower: Follower) -> None:
    visits = [table.visit(table.tokens[seat]) for seat in (0, 1)]
    ticket = "a ticket"
    assert follower.admit_ticket(visits[1].record, visits[1].caller, ticket)
    streams = [follower.stream(visit.record, visit.caller, visit.record.version) for visit in visits]
    reissue(table, 1)
    table.start()
    assert types(streams[1], 3) == ["token_reissued"]
    assert types(streams[0], 2) == ["token_reissued", "match_started"]
    assert refusal(lambda: follower.ticket_holder(table.record, ticket)).code == "token_invalid"


def test_after_the_end_nobody_waits_for_more_than_a_new_token(usecases: UseCases, follower: Follower) -> None:
    over = Table(usecases, 2, app="league", auto_start=True, rules={"deals": 1, "hand_size": 3}).fill().play_out()
    version = over.record.version
    reissue(over, 1)
    visit = over.visit()
    assert types(follower.stream(visit.record, visit.caller, version), 2) == ["token_reissued"]
    began = monotonic()
    follower.wait(over.record, STRANGER, 20)
    assert monotonic() - began < 10
