"""How a turn goes on: drawing, the change of turn, and what each rank does.

A rank's effect is looked up by the value of the option that governs it. A new house rule for a card is a function and
a line in one of the tables.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from .cards import ACE, EIGHT, PACK, RANK, SEVEN, TEN, Rank
from .events import (
    CARDS_DRAWN,
    DIRECTION_REVERSED,
    PENALTY_RAISED,
    TURN_SKIPPED,
    DrawReason,
    SkipReason,
    StockReshuffled,
)
from .legal import can_draw
from .scoring import end_without_cards
from .state import Table

Effect: TypeAlias = Callable[[Table], None]


def end_turn(table: Table, skips: SkipReason | None = None, again: bool = False) -> None:
    """End the turn of the seat to move, which ends an earlier bar (R24), and begin the next.

    Args:
        table: the deal.
        skips: why the next seat in the direction of play misses its turn; None if it does not.
        again: whether the same seat takes the next turn too.
    """
    if table.barred and not table.bar_is_new:
        lift_bar(table, table.turn)
    if not again:
        table.turn = (table.turn + table.direction) % len(table.hands)
    if skips:
        table.events.append(TURN_SKIPPED[table.turn, skips])
        table.turn = (table.turn + table.direction) % len(table.hands)
    table.phase = "opening" if table.openings else "turn"
    table.drawn = 0
    table.has_drawn = table.bar_is_new = False
    table.turn_is_new = True


def lift_bar(table: Table, seat: int) -> None:
    """Let a seat go out again (R24)."""
    if seat in table.barred:
        table.barred = tuple(other for other in table.barred if other != seat)


def take(table: Table, seat: int, count: int, reason: DrawReason) -> int:
    """Let a seat draw cards, across a reshuffle if need be (R26).

    Returns:
        How many of them there were.
    """
    cards = table.stock[:count]
    if cards:
        table.stock = table.stock[count:]
        hand = [*table.hands[seat], *cards]
        hand.sort()
        table.hands[seat] = (*hand,)
        table.events.append(CARDS_DRAWN[seat, cards, reason])
    missing = count - len(cards)
    if missing and can_draw(table):
        _reshuffle(table)
        return len(cards) + take(table, seat, missing, reason)
    if table.barred and len(table.hands[seat]) > 1:
        lift_bar(table, seat)
    return len(cards)


def _reshuffle(table: Table) -> None:
    table.reshuffles += 1
    table.stock = tuple(table.shuffler.reshuffle(table.reshuffles, table.discards[:-1]))
    table.discards = table.discards[-1:]
    table.events.append(StockReshuffled(len(table.stock)))


def _skip(reason: SkipReason) -> Effect:
    return lambda table: end_turn(table, reason)


def _again(table: Table) -> None:
    table.phase = "second_card"
    table.ace_drawn = False


def _everyone_draws(table: Table) -> None:
    other = table.neighbour(table.turn)
    while other != table.turn:
        if not take(table, other, 1, "ace"):
            return end_without_cards(table)
        other = table.neighbour(other)
    return end_turn(table, again=True)


def _next_draws(table: Table) -> None:
    if not take(table, table.neighbour(table.turn), 1, "ace"):
        return end_without_cards(table)
    return end_turn(table, "ace")


ACE_EFFECTS: Final[dict[str, Effect]] = {
    "again": _again,
    "must_follow": _again,
    "everyone_draws": _everyone_draws,
    "next_draws": _next_draws,
    "skip": _skip("ace"),
    "none": end_turn,
}
EIGHT_EFFECTS: Final[dict[str, Effect]] = {"skip": _skip("eight"), "none": end_turn}
TEN_OF_TWO_EFFECTS: Final[dict[str, Effect]] = {"none": end_turn, "skip": _skip("ten")}
SEVEN_RUNS: Final[dict[str, Callable[[int, int], int]]] = {
    "add": lambda penalty, draw: penalty + draw,
    "double": lambda penalty, draw: 2 * penalty or draw,
    "single": lambda _penalty, draw: draw,
}


def raised_penalty(table: Table) -> int:
    """Give the penalty that one more seven makes of the present one (R12, R28)."""
    return SEVEN_RUNS[table.rules.seven_run](table.penalty, table.rules.seven_draw)


def _seven(table: Table) -> None:
    table.penalty = raised_penalty(table)
    table.events.append(PENALTY_RAISED[table.penalty,])
    end_turn(table)


def _eight(table: Table) -> None:
    EIGHT_EFFECTS[table.rules.eight](table)


def _ten(table: Table) -> None:
    table.direction = -table.direction
    table.events.append(DIRECTION_REVERSED[table.direction,])
    effect = TEN_OF_TWO_EFFECTS[table.rules.ten_two_seats] if len(table.hands) == 2 else end_turn
    effect(table)


def _ace(table: Table) -> None:
    ACE_EFFECTS[table.rules.ace](table)


_OF_RANK: Final[dict[Rank, Effect]] = {ACE: _ace, SEVEN: _seven, EIGHT: _eight, TEN: _ten}
EFFECTS: Final = tuple(_OF_RANK.get(RANK[card], end_turn) for card in PACK)
"""What a card does when its play stands; most only end the turn."""


def settle_penalty(table: Table) -> None:
    """Let the seat to move draw the whole penalty, which ends the run of sevens (R12, R17a)."""
    owed, table.penalty = table.penalty, 0
    if take(table, table.turn, owed, "penalty") < owed:
        end_without_cards(table)
    elif table.rules.after_penalty == "continue":
        table.has_drawn = True
    else:
        end_turn(table)


def draw_for_last_seven(table: Table) -> None:
    """Let the next seat draw for a seven that goes out, at a table where it must (R27)."""
    if table.rules.last_seven == "draws":
        take(table, table.neighbour(table.turn), raised_penalty(table), "last_seven")
