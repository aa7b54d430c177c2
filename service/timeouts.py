"""What a match does when the time of a turn has run out: a pure decision, like those in `changes`."""

from __future__ import annotations

from collections.abc import Sequence

from .changes import Change, made
from .clocks import TIMED_OUT_TURNS, Outage, clock_move, put_off
from .journal import Journal
from .record import Record
from .view import timestamp


def ran_out(record: Record, outages: Sequence[Outage], now_ms: int) -> Change:
    """Let the clock play a turn to its end; or put its end off, if the turn fell into an outage.

    Args:
        record: a match whose turn has run out.
        outages: when nobody could have moved.
        now_ms: the time, in Unix milliseconds.
    """
    assert record.match is not None
    assert record.timing is not None
    journal = Journal(record.version, now_ms)
    deal, timing = record.match.deal, put_off(record.timing, outages, now_ms)
    seat = deal.turn
    assert seat is not None
    if timing.deadline_ms > now_ms:
        journal.add(deal.number, "deadline_changed", seat=seat, deadline=timestamp(timing.deadline_ms))
        return Change(record._replace(timing=timing), journal)
    journal.add(deal.number, "turn_timed_out", seat=seat)
    return _taken_over(_played_to_its_end(record, journal), journal, seat)


def _played_to_its_end(record: Record, journal: Journal) -> Record:
    turn = record.timing
    while record.match is not None and record.match.deal.turn is not None and record.timing == turn:
        record = made(record, record.match.deal.turn, clock_move(record.match.deal), journal, "clock").record
    return record


def _taken_over(record: Record, journal: Journal, seat: int) -> Change:
    """Count the turns in a row that ran out; after some of them a bot takes the seat."""
    player = record.player(seat)
    player = player._replace(timed_out=player.timed_out + 1)
    if player.timed_out >= TIMED_OUT_TURNS and not record.is_over:
        player = player._replace(played_by="bot", timed_out=0)
        journal.add(None, "seat_control_changed", seat=seat, played_by="bot", reason="timed_out")
    return Change(record.with_player(player), journal)
