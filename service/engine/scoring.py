"""The end of a deal: who wins it and what the others pay."""

from __future__ import annotations

from typing import Final

from .cards import JACK, RANK, SEVEN, Card, Rank, points_of
from .events import DealEnded, Result
from .state import Table

MULTIPLIERS: Final[dict[Rank, int]] = {SEVEN: 3, JACK: 2}
"""What going out with a rank multiplies the others' points by (R16)."""


def end_by_going_out(table: Table, card: Card) -> None:
    """End the deal for the seat to move, which has played its last card (R14-R16)."""
    multiplier = MULTIPLIERS.get(RANK[card], 1)
    points = tuple(points_of(hand) * multiplier for hand in table.hands)
    _end(table, Result("went_out", (table.turn,), multiplier, points, card))


def end_without_cards(table: Table) -> None:
    """End the deal because the stock has run out: the lowest hand wins (R17, R18)."""
    points = [points_of(hand) for hand in table.hands]
    lowest = min(points)
    winners = tuple(seat for seat, count in enumerate(points) if count == lowest)
    if table.rules.stock_out_score == "winner_zero":
        points = [0 if count == lowest else count for count in points]
    _end(table, Result("stock_out", winners, 1, tuple(points), None))


def _end(table: Table, result: Result) -> None:
    table.result = result
    table.turn = None
    table.phase = "over"
    table.penalty = table.drawn = 0
    table.has_drawn = table.ace_drawn = table.bar_is_new = table.turn_is_new = False
    table.barred = ()
    table.events.append(DealEnded(result, tuple(table.hands), table.shuffler.server_seed.hex()))


def lowest_totals(totals: tuple[int, ...]) -> tuple[int, ...]:
    """Give the seats with the lowest total: the winners of a match (R20)."""
    return tuple(seat for seat, total in enumerate(totals) if total == min(totals))
