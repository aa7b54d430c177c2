"""What a match does when the time of a turn has run out: a pure decision, like those in `changes`."""

from __future__ import annotations

from collections.abc import Sequence

from .changes import Change, made, prolonged
from .clocks import TIMED_OUT_TURNS, clock_move
from .journal import Journal
from .outages import Outage
from .record import Record


def ran_out(record: Record, outages: Sequence[Outage], now_ms: int) -> Change:
    """Let the clock play a turn to its end; or put its end off, if the turn fell into an outage.

    Args:
        record: a match whose turn has run out.
        outages: when nobody could have moved.
        now_ms: the time, in Unix milliseconds.
    """
    journal = Journal(record.version, now_ms)
    record = prolonged(record, outages, journal)
    assert record.match is not None
    assert record.timing is not None
    deal, seat = record.match.deal, record.match.deal.turn
    assert seat is not None
    if record.timing.deadline_ms > now_ms:
        return Change(record, journal)
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
