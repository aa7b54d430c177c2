"""Finished deals are read from the log and can be seen at every position."""

from __future__ import annotations

from typing import Any

import pytest

from service.engine.cards import card_names
from service.engine.state import Deal
from service.errors import Refusal
from service.finished import deal_log
from service.store.redis import RedisStore
from service.usecases import UseCases
from service.view import deal_view
from tests.tables import Table, refusal

OPEN = ("hands", "stock", "discards")


def opened(deal: Deal) -> dict[str, Any]:
    """Show all of a deal."""
    cards = (list(map(card_names, deal.hands)), card_names(deal.stock), card_names(deal.discards))
    return {**deal_view(deal), **dict(zip(OPEN, cards, strict=True))}


def played(usecases: UseCases, **order: Any) -> tuple[Table, dict[int, list[dict[str, Any]]]]:
    """Play a match, and remember every position of every deal as it was, but for the last of each."""
    table = Table(usecases, **order).fill()
    table.set_client_seed(0, "tuz")
    table.start()
    seen: dict[int, list[dict[str, Any]]] = {}
    while True:
        match = table.record.match
        assert match
        seen.setdefault(match.deal.number, []).append(opened(match.deal))
        if match.deal.turn is None:
            return table, seen
        table.play_on()


@pytest.mark.parametrize("order", [{"rules": {"deals": 2}}, {"seats": 4, "rules": {"preset": "oyunes", "deals": 1}}])
def test_every_position_of_a_finished_deal_is_the_one_that_was_played(
    usecases: UseCases, order: dict[str, Any]
) -> None:
    table, seen = played(usecases, **order)
    for number, positions in seen.items():
        for made, position in enumerate(positions):
            shown = usecases.position(table.visit(), number, made)
            assert shown.items() >= position.items()
            assert shown["move"] == made
    first = usecases.position(table.visit(), 1, 0)
    proof = usecases.finished_deal(table.visit(), 1)
    assert first["last_move"] is None
    assert first["hands"] == proof["hands_dealt"]
    last = usecases.position(table.visit(), 1, first["moves"])
    assert first["moves"] == len(proof["moves"])
    assert (last["phase"], last["turn_seat"]) == ("over", None)
    assert last["last_move"] == proof["moves"][-1]
    assert last["hands"] == proof["hands"]


def test_a_position_beyond_the_last_move_is_refused_naming_the_last(usecases: UseCases) -> None:
    table, seen = played(usecases, rules={"deals": 1})
    moves = len(seen[1]) - 1
    refused = refusal(lambda: usecases.position(table.visit(), 1, moves + 1))
    assert (refused.code, refused.detail) == ("position_not_found", f"This deal had {moves} moves.")
    assert usecases.position(table.visit(), 1, moves)["phase"] == "over"


def test_positions_are_shown_of_finished_deals_alone(usecases: UseCases) -> None:
    table = Table(usecases, rules={"deals": 2}).fill()
    assert refusal(lambda: usecases.position(table.visit(), 1, 0)).code == "deal_not_found"
    table.start()
    for number, code in ((0, "deal_not_found"), (1, "deal_unfinished"), (2, "deal_not_found")):
        assert refusal(lambda number=number: usecases.position(table.visit(), number, 0)).code == code  # type: ignore[misc]
    while not usecases.view(table.visit())["results"]:
        table.play_on()
    assert usecases.position(table.visit(), 1, 1)["move"] == 1
    assert refusal(lambda: usecases.position(table.visit(), 2, 0)).code == "deal_unfinished"


def test_only_a_deal_s_own_part_of_the_log_is_read(usecases: UseCases, store: RedisStore) -> None:
    table = Table(usecases, rules={"deals": 2})
    for _ in range(5):
        table.join()
        table.leave(1)
    table.fill().start()
    while table.record.status == "playing":
        table.play_on()
    asked: list[tuple[int, int]] = []

    class Watched:
        """The store, noting what is asked of its log."""

        def __getattr__(self, name: str) -> Any:
            return getattr(store, name)

        def entries(self, match_id: str, after: int, count: int) -> Any:
            asked.append((after, count))
            return store.entries(match_id, after, count)

    visit = table.visit()
    for number in (1, 2):
        log = deal_log(Watched(), visit, number)
        assert (log[0]["type"], log[-1]["type"]) == ("deal_started", "deal_ended")
        assert [event["seq"] for event in log] == list(range(log[0]["seq"], log[-1]["seq"] + 1))
        assert asked.pop() == (log[0]["seq"] - 1, len(log))
    untold = visit._replace(record=visit.record._replace(started=0))
    assert deal_log(store, untold, 1) == deal_log(store, visit, 1), "a match that format 1 began"


def test_a_log_that_expires_meanwhile_is_no_match(usecases: UseCases, database: Any, store: RedisStore) -> None:
    table, _ = played(usecases, rules={"deals": 1})
    visit = table.visit()
    database.delete(f"py:{{{table.match_id}}}:log")
    with pytest.raises(Refusal, match="match_not_found"):
        deal_log(store, visit, 1)
