"""What a write makes of a match: pure decisions, each from a record to the next record and its events."""

from __future__ import annotations

from collections.abc import Sequence

from .bots.choosing import Level
from .clocks import Timing, put_off, wound
from .dealings import NewPlayer
from .engine import match as game
from .engine.errors import IllegalMove, NotOnTurn
from .engine.match import Happening, Match
from .engine.moves import Move
from .errors import Refusal
from .identity import is_join_code, token_hash
from .journal import Journal
from .named import Named
from .outages import Outage
from .record import Player, Record
from .seating import filled
from .telling import Mover
from .view import rare_members, timestamp


class Change(Named):
    """A record and the events that led to it from the one before.

    Attributes:
        record: the record after the change.
        journal: the events.
        seat: the seat of who created or joined.
    """

    record: Record
    journal: Journal
    seat: int | None = None


def created(record: Record) -> Change:
    """Begin the log of a new match, and start it if it starts by itself and bots have taken all seats that are left."""
    journal = Journal(0, record.created_ms)
    journal.add(None, "match_created", **rare_members(record))
    for player in record.players:
        log_joining(journal, player)
    return started_if_full(record, journal)._replace(seat=record.host_seat)


def joined(record: Record, asked: NewPlayer, token: str, now_ms: int) -> Change:
    """Seat a player, and start the match if it starts by itself and this was the last free seat.

    Raises:
        Refusal: `join_code_wrong`, `seat_not_found`, `match_already_started`, `match_finished`, `match_full` or
            `seat_taken`.
    """
    seat = asked.seat
    if record.visibility == "private" and not is_join_code(record, asked.join_code):
        fault = "that is not it" if asked.join_code else "none was sent"
        raise Refusal("join_code_wrong", f"This private match asks for its join code, and {fault}.")
    if seat is not None and seat >= record.seats:
        raise Refusal("seat_not_found", f"This table has the seats 0 to {record.seats - 1}.")
    require_waiting(record)
    kept = ", or kept for a player of the match before" if record.awaited else ""
    if not record.free_seats:
        raise Refusal("match_full", f"Every seat of this match is taken{kept}.")
    if seat is not None and seat not in record.free_seats:
        raise Refusal("seat_taken", f"This seat is taken{kept}.")
    seat = record.free_seats[0] if seat is None else seat
    player = Player(seat, asked.name, token_hash(token), asked.client_seed, metadata=asked.metadata)
    record = record._replace(players=tuple(sorted((*record.players, player))))
    journal = Journal(record.version, now_ms)
    log_joining(journal, player)
    return started_if_full(record, journal)._replace(seat=player.seat)


def client_seed_set(record: Record, seat: int, client_seed: str, now_ms: int) -> Change:
    """Replace what a player adds to the shuffles.

    Raises:
        Refusal: `match_already_started` or `match_finished`.
    """
    require_waiting(record)
    players = [player._replace(client_seed=client_seed) if player.seat == seat else player for player in record.players]
    journal = Journal(record.version, now_ms)
    log_client_seed(journal, seat, client_seed)
    return Change(record._replace(players=tuple(players)), journal)


def started(record: Record, now_ms: int, fill_with: Level | None = None) -> Change:
    """Deal the first deal.

    Args:
        record: the match.
        now_ms: the time, in Unix milliseconds.
        fill_with: how well bots play that take the free seats; None for no bots.

    Raises:
        Refusal: `match_already_started`, `match_finished` or `seats_free`.
    """
    require_waiting(record)
    journal = Journal(record.version, now_ms)
    if fill_with is not None:
        record = seated(record, filled(record, fill_with), journal)
    if not record.is_full:
        seats = " and ".join(str(seat) for seat in range(record.seats) if not record.sits(seat))
        plural = "s" if " " in seats else ""
        raise Refusal("seats_free", f"The match starts when every seat is taken: nobody sits at seat{plural} {seats}.")
    return _started(record, journal)


def moved(
    record: Record, seat: int, move: Move, if_version: int | None, now_ms: int, outages: Sequence[Outage] = ()
) -> Change:
    """Make a move.

    Args:
        record: the match.
        seat: who moves.
        move: the move.
        if_version: the version that the mover has seen; None to be judged against any.
        now_ms: the time, in Unix milliseconds.
        outages: when nobody could have moved.

    Raises:
        Refusal: `match_not_started`, `match_finished`, `bot_plays`, `version_mismatch`, `not_your_turn` or
            `illegal_move`.
    """
    require_playing(record)
    if record.player(seat).played_by == "bot":
        raise Refusal("bot_plays", "A bot plays for you: take your seat back with `return`, then move.")
    if if_version not in (None, record.version):
        raise Refusal("version_mismatch", f"The match is at version {record.version}, not {if_version}.")
    journal = Journal(record.version, now_ms)
    record = prolonged(record, outages, journal)
    try:
        change = made(record, seat, move, journal, "player")
    except NotOnTurn as error:
        raise Refusal("not_your_turn", error.detail, rule=error.clause) from error
    except IllegalMove as error:
        raise Refusal("illegal_move", error.detail, rule=error.clause, option=error.option) from error
    after, player = change.record, record.player(seat)
    if after.searched_ms:
        after = after._replace(searched_ms=0)
    if player.timed_out and after.timing != record.timing:
        after = after.with_player(player._replace(timed_out=0))
    return Change(after, journal)


def prolonged(record: Record, outages: Sequence[Outage], journal: Journal) -> Record:
    """Add to the turn that is played what of it fell into outages.

    Args:
        record: a match that is played.
        outages: when nobody could have moved.
        journal: has the time, and takes the new deadline, if there is one.
    """
    if record.match is None or record.timing is None:
        return record
    timing = put_off(record.timing, outages, journal.now_ms)
    if timing.deadline_ms == record.timing.deadline_ms:
        return record
    deal = record.match.deal
    journal.add(deal.number, "deadline_changed", seat=deal.turn, deadline=timestamp(timing.deadline_ms))
    return record._replace(timing=timing)


def made(record: Record, seat: int, move: Move, journal: Journal, by: Mover) -> Change:
    """Carry a move out.

    Args:
        record: a match that is played.
        seat: who moves.
        move: the move.
        journal: takes what follows.
        by: who has chosen the move.

    Raises:
        NotOnTurn, IllegalMove: as `engine.match.play`.
    """
    assert record.match is not None, "it is played"
    played, happenings = game.play(record.match, seat, move)
    journal.movers.append(by)
    return _played(record, played, happenings, journal, by)


def require_waiting(record: Record) -> None:
    """Refuse what can be done only before the start.

    Raises:
        Refusal: `match_already_started` or `match_finished`.
    """
    if record.status == "playing":
        raise Refusal("match_already_started", "The match has started.")
    if record.is_over:
        raise Refusal("match_finished", "The match is over.")


def require_playing(record: Record) -> None:
    """Refuse what can be done only while a match is played.

    Raises:
        Refusal: `match_not_started` or `match_finished`.
    """
    if record.status == "waiting":
        raise Refusal("match_not_started", "The match has not started yet.")
    if record.is_over:
        raise Refusal("match_finished", "The match is over.")


def seated(record: Record, after: Record, journal: Journal) -> Record:
    """Log who has sat down between two records, and give the later one."""
    for player in after.players:
        if not record.sits(player.seat):
            log_joining(journal, player)
    return after


def log_joining(journal: Journal, player: Player) -> None:
    """Log that somebody sits down, what they add to the shuffles, and whether a bot plays in their place."""
    who = {"seat": player.seat, "name": player.name, "kind": player.kind, "level": player.level}
    journal.add(None, "player_joined", **who, **({"metadata": player.metadata} if player.metadata else {}))
    if player.client_seed is not None:
        log_client_seed(journal, player.seat, player.client_seed)
    if player.is_absent:
        journal.add(None, "seat_control_changed", seat=player.seat, played_by="bot", reason="absent")


def log_client_seed(journal: Journal, seat: int, client_seed: str) -> None:
    """Log what a player adds to the shuffles."""
    journal.add(None, "client_seed_set", seat=seat, client_seed=client_seed)


def started_if_full(record: Record, journal: Journal) -> Change:
    """Start a match that starts by itself, if somebody sits at every seat."""
    return _started(record, journal) if record.auto_start and record.is_full else Change(record, journal)


def _started(record: Record, journal: Journal) -> Change:
    client_seeds = record.client_seeds
    number = journal.add(None, "match_started", client_seeds=client_seeds)
    dealt, happenings = game.start(record.match_id, record.rules, record.last_seed, client_seeds, record.first_dealer)
    return _played(record._replace(status="playing", started=number), dealt, happenings, journal, "player")


def _played(record: Record, match: Match, happenings: list[Happening], journal: Journal, by: Mover) -> Change:
    ends = journal.add_all(happenings, by)
    record = record._replace(
        match=match,
        deal_ends=(*record.deal_ends, *ends),
        timing=_timing(record, happenings, journal),
        version=journal.version,
        active_ms=journal.now_ms,
    )
    if journal.events[-1]["type"] == "turn_started":
        journal.events[-1]["deadline"] = record.timing and timestamp(record.timing.deadline_ms)
    if match.winners:
        record = record._replace(status="finished", timing=None)
    return Change(record, journal)


def _timing(record: Record, happenings: list[Happening], journal: Journal) -> Timing | None:
    turn = record.match and record.match.deal.turn
    if record.clock is None:
        return None
    return wound(record.clock, record.timing, turn, happenings, record.seats, journal.now_ms)
