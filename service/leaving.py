"""Leaving and coming back: who plays a seat, who is the host, and matches that nobody plays any more."""

from __future__ import annotations

from .changes import Change, require_playing, require_waiting
from .engine.cards import card_names
from .errors import Refusal
from .identity import Caller
from .journal import Journal
from .record import Player, Record


def left(record: Record, seat: int, caller: Caller, now_ms: int) -> Change:
    """Let a player go: their seat is free before the start, and a bot plays it from then on.

    When the host leaves, another player becomes the host; a match that waits without players is abandoned. While a
    rematch awaits others, the seat stays that of who leaves.

    Args:
        record: the match.
        seat: whose seat.
        caller: who asks: the player, or the host, who can free seats before the start only.
        now_ms: the time, in Unix milliseconds.

    Raises:
        Refusal: `seat_not_found`, `match_already_started` or `match_finished`.
    """
    if record.status == "playing" and caller.seat == seat:
        return _stood_in_for(record, seat, Journal(record.version, now_ms))
    require_waiting(record)
    if not record.sits(seat):
        raise Refusal("seat_not_found", "Nobody sits at this seat.")
    journal = Journal(record.version, now_ms)
    journal.add(None, "player_left", seat=seat)
    if record.awaited:
        record = record._replace(awaited=(*record.awaited, record.player(seat).as_awaited()))
    record = record._replace(players=tuple(player for player in record.players if player.seat != seat))
    if record.host_seat != seat:
        return Change(record, journal)
    heir = next((player for player in record.players if player.played_by == "player"), None)
    if heir is not None:
        return Change(hosted_by(record, heir, journal), journal)
    return abandoned(record._replace(host_seat=None, host_token_hash=""), journal)


def returned(record: Record, seat: int, now_ms: int) -> Change:
    """Give a seat back to its player; nothing changes for one who plays it anyway.

    Raises:
        Refusal: `match_not_started` or `match_finished`.
    """
    require_playing(record)
    journal = Journal(record.version, now_ms)
    player = record.player(seat)
    if player.played_by == "player":
        return Change(record, journal)
    journal.add(None, "seat_control_changed", seat=seat, played_by="player", reason="returned")
    record = record._replace(searched_ms=0)
    return Change(record.with_player(player._replace(played_by="player", timed_out=0)), journal)


def deleted(record: Record, now_ms: int) -> Change:
    """Abandon a match that waits, or that only bots play.

    Raises:
        Refusal: `match_already_started` while a human plays, or `match_finished`.
    """
    if record.status == "playing" and record.is_attended:
        raise Refusal("match_already_started", "People play this match: it can be deleted when they have left.")
    if record.is_over:
        raise Refusal("match_finished", "The match is over.")
    return abandoned(record, Journal(record.version, now_ms))


def _stood_in_for(record: Record, seat: int, journal: Journal) -> Change:
    player = record.player(seat)
    if player.played_by == "player":
        record = record.with_player(player._replace(played_by="bot"))
        journal.add(None, "seat_control_changed", seat=seat, played_by="bot", reason="left")
    if record.host_seat == seat:
        around = sorted(record.players, key=lambda other: (other.seat - seat) % record.seats)
        heir = next((other for other in around if other.played_by == "player"), None)
        if heir is not None:
            record = hosted_by(record, heir, journal)
    return Change(record, journal)


def hosted_by(record: Record, player: Player, journal: Journal) -> Record:
    """Make a player the host."""
    journal.add(None, "host_changed", seat=player.seat)
    return record._replace(host_seat=player.seat, host_token_hash=player.token_hash)


def abandoned(record: Record, journal: Journal) -> Change:
    """End a match before its time; a deal that was being played is opened, so that its shuffle can be checked."""
    record = record._replace(status="abandoned", timing=None, awaited=())
    if record.match is None:
        journal.add(None, "match_abandoned")
        return Change(record, journal)
    deal = record.match.deal
    hands = [card_names(hand) for hand in deal.hands]
    end = journal.add(deal.number, "match_abandoned", hands=hands, seed=deal.shuffler.server_seed.hex())
    return Change(record._replace(deal_ends=(*record.deal_ends, end)), journal)
