"""What a reader may see: the one place that decides it, for views, events, results and lists.

Everything here is plain data, ready for JSON. A stranger sees what lies open on the table; a player sees its own hand
too, and nobody sees another's.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, Final, TypeAlias

from .engine import events as happened
from .engine.cards import CARD_NAMES, SUIT_NAMES, card_names
from .engine.legal import Legal, LegalPlay, legal, legal_moves
from .engine.match import totals
from .engine.moves import Draw, Move, Pass
from .engine.notation import DIRECTION_NAMES
from .engine.rules import Rules, Value, from_pairs
from .engine.state import Deal
from .identity import Caller
from .record import Player, Record

Data: TypeAlias = dict[str, Any]


def timestamp(milliseconds: int) -> str:
    """Give a time of Unix milliseconds in the form of RFC 3339, UTC."""
    seconds, rest = divmod(milliseconds, 1000)
    return f"{_whole_seconds(seconds)}.{rest:03}Z"


@lru_cache(maxsize=4096)
def _whole_seconds(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%S")


def suit_name(suit: int | None) -> str | None:
    """Name a suit, if there is one."""
    return None if suit is None else SUIT_NAMES[suit]


def _card_name(card: int | None) -> str | None:
    return None if card is None else CARD_NAMES[card]


def match_view(record: Record, caller: Caller, ttl_seconds: int) -> Data:
    """Show a match to a reader.

    Args:
        record: the match.
        caller: who reads.
        ttl_seconds: after how long without a change a match expires.
    """
    results, scores = _standing(record.match.results if record.match else (), record.seats)
    shown: Data = {
        **_head(record, ttl_seconds),
        "version": record.version,
        "host_seat": record.host_seat,
        "auto_start": record.auto_start,
        "commitment": record.commitment,
        "spectators": record.spectators,
        "clock": record.clock and record.clock._asdict(),
        "players": _players(record, scores),
        "deal": _current_deal(record, veils_deals(record, caller)),
        "results": results,
        "winners": [] if record.match is None else list(record.match.winners),
        "you": None if caller.is_stranger else _you(record, caller),
    }
    if record.metadata or record.first_dealer is not None:
        shown |= rare_members(record)
    if record.rematch and not caller.is_stranger:
        shown["rematch"] = {"match_id": record.rematch}
    return shown


def rare_members(record: Record) -> Data:
    """Show what few matches have: notes of an app, and in a rematch who deals first and who is awaited until when."""
    rare: Data = {"metadata": record.metadata} if record.metadata else {}
    if record.first_dealer is not None:
        rare["first_dealer"] = record.first_dealer
    if record.awaited_until_ms is not None:
        rare["awaited"] = [{"seat": player.seat, "name": player.name} for player in record.awaited]
        rare["awaited_until"] = timestamp(record.awaited_until_ms)
    return rare


def outline(record: Record) -> Data:
    """Show those without a token what they may see of a match that is closed to them."""
    return {
        "id": record.match_id,
        "status": record.status,
        "seats": record.seats,
        "rules": rules_view(record.preset, record.overridden, record.rules),
        "commitment": record.commitment,
    }


def lobby_entry(record: Record, ttl_seconds: int) -> Data:
    """Show a public match in the lobby; who sits there, unless it is closed to those without a token."""
    is_closed = record.spectators == "none"
    players = () if is_closed else record.players
    shown: Data = {
        **_head(record, ttl_seconds),
        "players": [{"seat": player.seat, "name": player.name} for player in players],
        "free_seats": list(record.free_seats),
    }
    if is_closed:
        shown["expires_at"] = None  # else it would tell when somebody moves
    if record.metadata and not is_closed:
        shown["metadata"] = record.metadata
    return shown


def _head(record: Record, ttl_seconds: int) -> Data:
    return {
        "id": record.match_id,
        "status": record.status,
        "name": record.name,
        "visibility": record.visibility,
        "seats": record.seats,
        "created_at": timestamp(record.created_ms),
        "expires_at": timestamp(record.active_ms + ttl_seconds * 1000),
        "rules": rules_view(record.preset, record.overridden, record.rules),
    }


def rules_view(preset: str, overridden: tuple[str, ...], rules: Rules) -> Data:
    """Show the rules of a match, every option resolved: kept for the next time, so change nothing of it."""
    return _rules_view(preset, overridden, rules.unusual)


@lru_cache(maxsize=1024)
def _rules_view(preset: str, overridden: tuple[str, ...], unusual: tuple[tuple[str, Value], ...]) -> Data:
    return {"preset": preset, "overridden": list(overridden), **from_pairs(unusual).options}


@lru_cache(maxsize=4096)
def _standing(results: tuple[happened.Result, ...], seats: int) -> tuple[list[Data], tuple[int, ...]]:
    """Show how the deals ended so far, and give the scores: kept for the next time, so change nothing of it."""
    return [result_view(number, result) for number, result in enumerate(results, 1)], totals(results, seats)


def _players(record: Record, scores: tuple[int, ...]) -> list[Data]:
    hands = record.match.deal.hands if record.match else ((),) * record.seats
    return [_player(player, record.present, len(hands[player.seat]), scores[player.seat]) for player in record.players]


def _player(player: Player, present: frozenset[int], hand_count: int, score: int) -> Data:
    shown: Data = {
        "seat": player.seat,
        "name": player.name,
        "kind": player.kind,
        "level": player.level,
        "played_by": player.played_by,
        "present": player.seat in present,
        "hand_count": hand_count,
        "score": score,
    }
    if player.metadata:
        shown["metadata"] = player.metadata
    return shown


def _current_deal(record: Record, veiled: bool) -> Data | None:
    if record.match is None:
        return None
    shown = {**deal_view(record.match.deal), "deadline": record.timing and timestamp(record.timing.deadline_ms)}
    if record.status == "abandoned":
        shown |= {"phase": "over", "turn_seat": None}
    if veiled:
        shown["seed_commitment"] = None
    return shown


def deal_view(deal: Deal) -> Data:
    """Show what lies open on the table in a deal."""
    return {
        "number": deal.number,
        "dealer_seat": deal.dealer,
        "phase": deal.phase,
        "turn_seat": deal.turn,
        "drawn": deal.drawn,
        "direction": DIRECTION_NAMES[deal.direction],
        "top_card": CARD_NAMES[deal.discards[-1]] if deal.discards else None,
        "suit_in_force": suit_name(deal.suit),
        "penalty": deal.penalty,
        "barred": list(deal.barred),
        "stock_count": len(deal.stock),
        "discard_count": len(deal.discards),
        "seed_commitment": deal.shuffler.commitment,
    }


def result_view(number: int, result: happened.Result) -> Data:
    """Show how a deal ended."""
    return {"number": number, **result_data(result)}


def deal_result(record: Record, number: int) -> Data:
    """Show how a deal ended whose cards are open: by the rules, or because the match was abandoned."""
    assert record.match is not None
    if number <= len(record.match.results):
        return result_view(number, record.match.results[number - 1])
    nothing: Data = {"winners": [], "multiplier": 1, "points": [0] * record.seats, "final_card": None}
    return {"number": number, "reason": "abandoned", **nothing}


@lru_cache(maxsize=4096)
def result_data(result: happened.Result) -> Data:
    """Give how a deal ended, but for its number: kept for the next time, so change nothing of it."""
    return {
        "reason": result.reason,
        "winners": list(result.winners),
        "multiplier": result.multiplier,
        "points": list(result.points),
        "final_card": _card_name(result.final_card),
    }


def _you(record: Record, caller: Caller) -> Data:
    you: Data = {"seat": caller.seat, "is_host": caller.is_host, "client_seed": None, "hand": None, "legal_moves": []}
    if caller.is_host and record.status == "waiting" and record.join_code is not None:
        you["join_code"] = record.join_code
    if caller.seat is not None:
        deal = record.match.deal if record.match else None
        you["client_seed"] = record.player(caller.seat).client_seed or None
        you["hand"] = card_names(deal.hands[caller.seat]) if deal else []
        you["legal_moves"] = _compact(legal(deal)) if deal and _may_move(record, caller) else []
    return you


def _may_move(record: Record, caller: Caller) -> bool:
    if record.status != "playing" or record.match is None or caller.seat is None:
        return False
    return record.match.deal.turn == caller.seat and record.player(caller.seat).played_by == "player"


def _compact(options: Legal) -> list[Data]:
    moves = [_compact_play(play) for play in options.plays]
    if options.draw:
        moves.append({"type": "draw", "count": options.draw})
    if options.may_pass:
        moves.append({"type": "pass"})
    return moves


@lru_cache(maxsize=1024)
def _compact_play(play: LegalPlay) -> Data:
    """Show a play: kept for the next time, so change nothing of it."""
    move: Data = {"type": "play", "card": CARD_NAMES[play.card]}
    if play.suits:
        move["suits"] = [SUIT_NAMES[suit] for suit in play.suits]
    return move


def postable_moves(record: Record, caller: Caller) -> list[Data]:
    """List what a player may do now, each move as a body that can be posted as it is."""
    if record.match is None or not _may_move(record, caller):
        return []
    return [_postable(move) for move in legal_moves(record.match.deal)]


def _postable(move: Move) -> Data:
    if isinstance(move, Draw):
        return {"type": "draw"}
    if isinstance(move, Pass):
        return {"type": "pass"}
    body: Data = {"type": "play", "card": CARD_NAMES[move.card]}
    if move.suit is not None:
        body["suit"] = SUIT_NAMES[move.suit]
    if move.call:
        body["call"] = move.call
    return body


_VEILED: Final = {"deal_started": ("seed_commitment",), "deal_ended": ("hands", "seed")}
"""What tells the cards of finished deals; the commitment of a deal is the seed of the one before."""


def veils_deals(record: Record, caller: Caller) -> bool:
    """Tell whether finished deals are closed to a reader: to strangers, where they are open after the match only."""
    return record.spectators == "hidden" and caller.is_stranger and not record.is_over


def redacted(event: Mapping[str, Any], caller: Caller, *, veiled: bool = False) -> Data:
    """Give a reader's copy of an event of the log: of what is drawn or dealt it holds the reader's own cards only.

    Client seeds lie open at once. Who gives theirs last can then see that all others were fixed before; were they
    hidden until the start, a service could put in another text for a player who is in league with it.

    Args:
        event: the event, complete.
        caller: who reads.
        veiled: whether finished deals are closed to them; see `veils_deals`.
    """
    shown = dict(event)
    for member in _VEILED.get(event["type"], ()) if veiled else ():
        del shown[member]
    if event["type"] == "cards_drawn" and event["seat"] != caller.seat:
        del shown["cards"]
    elif event["type"] == "deal_started":
        hands = shown.pop("hands")
        if caller.seat is not None:
            shown["hand"] = hands[caller.seat]
    elif event["type"] == "rematch_offered" and caller.is_stranger:
        del shown["match_id"]
    return shown
