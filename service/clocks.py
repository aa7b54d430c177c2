"""Clocks: how long a turn lasts, and what happens when it has run out.

A turn lasts `turn_seconds`, and what its seat has left in its bank for this deal. The first turn of a deal lasts
`deal_pause` longer. Time does not run while nobody could have moved (see `outages`): what of a turn fell into an outage
is added when its seat moves, or at the moment at which it would run out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from .engine.events import DealStarted, TurnStarted
from .engine.legal import legal
from .engine.match import Happening
from .engine.moves import Draw, Move, Pass, Play
from .engine.state import Deal
from .outages import Outage

LEAST_TURN_SECONDS: Final = 5
MOST_TURN_SECONDS: Final = 86_400
MOST_BANK_SECONDS: Final = 86_400
MOST_DEAL_PAUSE: Final = 60
USUAL_DEAL_PAUSE: Final = 8
TIMED_OUT_TURNS: Final = 3
"""After so many turns in a row that ran out, a bot takes the seat."""


class Clock(NamedTuple):
    """How long turns last, in seconds.

    Attributes:
        turn_seconds: each turn.
        bank_seconds: what a seat may use up beyond that, in each deal.
        deal_pause: what the first turn of a deal lasts longer.
    """

    turn_seconds: int
    bank_seconds: int
    deal_pause: int


class Timing(NamedTuple):
    """The time of the turn that is played.

    Attributes:
        deadline_ms: when it runs out, in Unix milliseconds.
        counted_ms: up to when outages have been taken into account, likewise.
        banks_ms: what each seat has left in its bank, in milliseconds.
    """

    deadline_ms: int
    counted_ms: int
    banks_ms: tuple[int, ...]


def wound(
    clock: Clock, timing: Timing | None, turn: int | None, happenings: Iterable[Happening], seats: int, now_ms: int
) -> Timing | None:
    """Give the time after a move, or after the start: a new turn has a new deadline.

    Args:
        clock: how long turns last.
        timing: the time before; None before the start.
        turn: the seat that was on turn; None before the start.
        happenings: what the move brought about.
        seats: the number of seats.
        now_ms: the time, in Unix milliseconds.
    """
    events = [event for _, event in happenings]
    started = next((event for event in events if isinstance(event, TurnStarted)), None)
    if started is None:
        return timing
    if timing is None or turn is None or any(isinstance(event, DealStarted) for event in events):
        pause_ms, banks_ms = clock.deal_pause * 1000, (clock.bank_seconds * 1000,) * seats
    else:
        pause_ms, banks_ms = 0, _charged(timing, turn, now_ms)
    deadline_ms = now_ms + pause_ms + clock.turn_seconds * 1000 + banks_ms[started.seat]
    return Timing(deadline_ms, now_ms, banks_ms)


def _charged(timing: Timing, seat: int, now_ms: int) -> tuple[int, ...]:
    """Give the banks after a turn: what a seat has left of its turn beyond the bank is lost."""
    left = max(timing.deadline_ms - now_ms, 0)
    return tuple(min(bank, left) if of == seat else bank for of, bank in enumerate(timing.banks_ms))


def put_off(timing: Timing, outages: Sequence[Outage], now_ms: int) -> Timing:
    """Add to a turn what of it fell into outages since they were last taken into account."""
    lost_ms = sum(max(min(end, now_ms) - max(begin, timing.counted_ms), 0) for begin, end in outages)
    return timing._replace(deadline_ms=timing.deadline_ms + lost_ms, counted_ms=now_ms)


def clock_move(deal: Deal) -> Move:
    """Choose what the clock plays: to draw a penalty, or pass, or draw, or the first card that may be played."""
    options = legal(deal)
    if options.draw and (deal.penalty or not options.may_pass):
        return Draw()
    if options.may_pass:
        return Pass()
    play = options.plays[0]
    return Play(play.card, play.suits[0] if play.suits else None, "tek" if options.may_call else None)
