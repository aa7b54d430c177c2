"""What those without a token may see, for each choice of the creator."""

from __future__ import annotations

from typing import Any

import pytest

from service.engine.moves import as_move
from service.lobby import Search
from service.store.redis import RedisStore
from service.streaming import Hub
from service.usecases import UseCases
from tests.tables import Table, following, once, refusal

CARDS = {"hands", "seed"}


def second_deal(usecases: UseCases, spectators: str) -> Table:
    """Play a match of two deals until its second deal."""
    table = Table(usecases, rules={"deals": 2}, auto_start=True, spectators=spectators).fill()
    while not table.record.deal_ends:
        table.play_on()
    return table


def ended(table: Table, token: str | None) -> dict[str, Any]:
    return next(event for event in table.events(token) if event["type"] == "deal_ended")


def started(table: Table, token: str | None) -> list[dict[str, Any]]:
    return [event for event in table.events(token) if event["type"] == "deal_started"]


def test_by_default_finished_deals_are_open(usecases: UseCases) -> None:
    table = second_deal(usecases, "after_deal")
    assert ended(table, None).keys() >= CARDS
    assert usecases.view(table.visit())["deal"]["seed_commitment"] == ended(table, None)["seed"]
    assert usecases.finished_deal(table.visit(), 1)["hands"]


def test_hidden_deals_are_closed_to_strangers_until_the_match_is_over(usecases: UseCases) -> None:
    table = second_deal(usecases, "hidden")
    seed = ended(table, table.host_token)["seed"]
    assert not ended(table, None).keys() & CARDS
    assert ended(table, None)["points"] == ended(table, table.host_token)["points"]
    assert refusal(lambda: usecases.finished_deal(table.visit(), 9)).code == "deal_not_found"
    for number in (1, 2):
        assert refusal(lambda number=number: usecases.finished_deal(table.visit(), number)).code == "token_required"  # type: ignore[misc]
    assert refusal(lambda: usecases.position(table.visit(), 1, 0)).code == "token_required"
    assert usecases.finished_deal(table.visit(table.host_token), 1)["seed"] == seed
    told = [usecases.view(table.visit()), *table.events()]
    assert seed not in str(told), "the commitment to the second deal is the seed of the first"
    assert started(table, table.host_token)[1]["seed_commitment"] == seed
    while table.record.status == "playing":
        table.play_on()
    assert ended(table, None)["seed"] == seed
    assert usecases.finished_deal(table.visit(), 1)["seed"] == seed


def test_a_closed_match_shows_an_outline_and_nothing_else(usecases: UseCases) -> None:
    table = second_deal(usecases, "none")
    outline = usecases.view(table.visit())
    assert outline.keys() == {"id", "status", "seats", "rules", "commitment"}
    assert refusal(lambda: table.visit(None, "reader")).code == "token_required"
    assert table.visit(table.tokens[1], "reader").caller.seat == 1
    [entry], _ = usecases.lobby(Search(), None, 5)
    assert (entry["players"], entry["free_seats"]) == ([], [])


def test_a_closed_match_can_be_joined_and_left(usecases: UseCases) -> None:
    table = Table(usecases, 3, spectators="none")
    assert table.join().match["players"]
    assert table.leave(1).match == usecases.view(table.visit()), "an outline"


@pytest.mark.parametrize("spectators,ends", [("after_deal", False), ("none", True)])
def test_the_stream_of_a_closed_match_ends_for_who_loses_their_seat(
    usecases: UseCases, store: RedisStore, spectators: str, ends: bool
) -> None:
    table = Table(usecases, 3, spectators=spectators)
    table.join()
    hub = Hub(store)
    follower = following(store, hub)
    visit = table.visit(table.tokens[1])
    table.leave(1)
    stream = follower.stream(visit.record, visit.caller, visit.record.version)
    if ends:
        assert list(stream) == []
    else:
        first: Any = next(stream)
        assert first["type"] == "player_left"
        del stream
    hub.stop()


def test_a_dry_run_tells_what_would_be_and_changes_nothing(usecases: UseCases) -> None:
    table = Table(usecases, auto_start=True).fill()
    before = table.record
    assert before.match
    seat = before.match.deal.turn
    assert seat is not None
    mover = table.visit(table.tokens[seat], "player")
    moves = usecases.legal_moves(mover)
    for move in moves:
        usecases.judge(mover, as_move(move), before.version)
    assert refusal(lambda: usecases.judge(mover, as_move({"type": "pass"}), None)).rule == "R4"
    assert refusal(lambda: usecases.judge(mover, as_move(moves[0]), 1)).code == "version_mismatch"
    other = table.visit(table.tokens[1 - seat], "player")
    assert refusal(lambda: usecases.judge(other, as_move(moves[0]), None)).code == "not_your_turn"
    assert table.record == before


def test_who_has_left_a_closed_match_sees_its_outline_also_in_the_answer_to_a_repeat(usecases: UseCases) -> None:
    table = Table(usecases, 2, spectators="none")
    joining, leaving = once("the key of who joins the match"), once("the key of who leaves the match")
    table.join(once=joining)
    outline = usecases.view(table.visit())
    assert [table.leave(1, once=leaving).match, table.leave(1, once=leaving).match] == [outline] * 2
    assert refusal(lambda: table.join(once=joining)).code == "token_required"
