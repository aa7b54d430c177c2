"""A rematch, as pure decisions like those in `changes`: the same table once more, and the deal goes round.

Those who played the match before are awaited, each at the seat that they had; nobody else can take it. When the time is
over, a bot stands in for who has not come. They may still come then, and play on themselves.
"""

from __future__ import annotations

from . import leaving
from .changes import Change, log_client_seed, log_joining, seated, started_if_full
from .errors import Refusal
from .identity import token_hash
from .journal import Journal
from .record import Record
from .seating import with_stand_ins


def require_played(record: Record) -> None:
    """Check that a match has been played and is over.

    Raises:
        Refusal: `match_not_started` or `match_unfinished`.
    """
    if record.match is None:
        raise Refusal("match_not_started", "There is a rematch of what was played, and this match never started.")
    if not record.is_over:
        raise Refusal("match_unfinished", "The match is still being played: leave it, or play it to its end.")


def again(before: Record, match_id: str, last_seed: bytes, join_code: str | None, now_ms: int) -> Record:
    """Lay the same table once more: what is not said here is as it was, and the bots sit down at once.

    Args:
        before: a match that was played.
        match_id: the new identity.
        last_seed: the new secret end of the chain of seeds.
        join_code: what others need once nobody is awaited any more; None if the match is public.
        now_ms: the time, in Unix milliseconds.
    """
    assert before.match is not None
    return before._replace(
        match_id=match_id,
        version=0,
        status="waiting",
        host_seat=None,
        host_token_hash="",
        join_code=join_code,
        created_ms=now_ms,
        active_ms=now_ms,
        last_seed=last_seed,
        players=tuple(player for player in before.players if player.kind == "bot"),
        match=None,
        started=0,
        deal_ends=(),
        timing=None,
        due_ms=None,
        searched_ms=0,
        first_dealer=(before.match.deal.dealer + 1) % before.seats,
        rematch=None,
        awaited=tuple(player.as_awaited() for player in before.players if player.kind == "human"),
    )


def is_dead(record: Record) -> bool:
    """Tell whether a rematch was given up before it began: then there may be another."""
    return record.status == "abandoned" and record.match is None


def offered(before: Record, match_id: str, seat: int, now_ms: int) -> Change:
    """Tell in a match that a seat offers a rematch; nothing changes when that is known."""
    journal = Journal(before.version, now_ms)
    if before.rematch == match_id:
        return Change(before, journal)
    journal.add(None, "rematch_offered", seat=seat, match_id=match_id)
    return Change(before._replace(rematch=match_id), journal)


def taken(record: Record, seat: int, token: str, client_seed: str | None, now_ms: int) -> Change:
    """Let a player of the match before come, also to a seat that a bot plays for them by now.

    The first who comes is the host; the last starts the match, if it starts by itself.

    Args:
        record: the rematch.
        seat: the seat that they had, and have.
        token: their token for the rematch.
        client_seed: what they add to the shuffles; it counts only before the start.
        now_ms: the time, in Unix milliseconds.

    Raises:
        Refusal: `match_finished` or `seat_taken`.
    """
    if record.is_over:
        raise Refusal("match_finished", "The rematch is over.")
    player = next((one for one in (*record.awaited, *record.players) if one.seat == seat and one.is_absent), None)
    if player is None:
        detail = "Your seat in the rematch was taken: if you took it, use the token that you were given then."
        raise Refusal("seat_taken", detail)
    journal = Journal(record.version, now_ms)
    is_waiting, is_first = record.status == "waiting", not record.host_token_hash
    came = player._replace(token_hash=token_hash(token), played_by="player")
    if is_waiting:
        came = came._replace(client_seed=client_seed)
    if record.sits(seat):
        journal.add(None, "seat_control_changed", seat=seat, played_by="player", reason="returned")
        if came.client_seed is not None:
            log_client_seed(journal, seat, came.client_seed)
    else:
        log_joining(journal, came)
    still_awaited = tuple(one for one in record.awaited if one.seat != seat)
    record = record.with_player(came)._replace(awaited=still_awaited, searched_ms=0)
    if is_first:
        record = leaving.hosted_by(record, came, journal)
    change = started_if_full(record, journal) if is_waiting else Change(record, journal)
    return change._replace(seat=seat)


def time_over(record: Record, now_ms: int) -> Change:
    """Let bots stand in for those who have not come, and start a match that starts by itself; give up if nobody has."""
    journal = Journal(record.version, now_ms)
    if not record.is_attended:
        return leaving.abandoned(record, journal)
    return started_if_full(seated(record, with_stand_ins(record), journal), journal)
