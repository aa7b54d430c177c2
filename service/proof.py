"""The proof of a finished deal: all that a stranger needs to shuffle, deal and play it again (R22)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final

import orjson

from .engine.cards import Card, card_names, parse_card
from .engine.match import deal_shuffler
from .engine.rules import Rules
from .engine.shuffle import DERIVATION, Shuffler
from .record import Record
from .view import Data, deal_result, rules_view

_CHOSEN_DRAWS: Final = ("choice", "opening", "penalty")
"""Reasons of draws that a seat makes itself. The others follow from cards, but for an Ace that must be followed."""


def proof(record: Record, number: int, log: Sequence[Data]) -> Data:
    """Tell a finished deal from its beginning to its end, with its seeds.

    Args:
        record: the match.
        number: which of its finished deals, from 1.
        log: the events of this deal, complete, from `deal_started` to `deal_ended` or `match_abandoned`.
    """
    match = record.match
    assert match is not None
    assert match.rules.decks is not None
    shuffler = deal_shuffler(match.match_id, match.rules, match.last_seed, match.client_seeds, number)
    dealt, ended = log[0], log[-1]
    document = {
        "match_id": match.match_id,
        "seats": record.seats,
        "rules": rules_view(record.preset, record.overridden, record.rules),
        **deal_result(record, number),
        "hands": ended["hands"],
        "derivation": DERIVATION,
        "commitment": record.commitment,
        "seed_commitment": shuffler.commitment,
        "seed": shuffler.server_seed.hex(),
        "client_seeds": list(match.client_seeds),
        "dealer_seat": dealt["dealer_seat"],
        "pack": card_names(shuffler.pack(match.rules.decks)),
        "hands_dealt": dealt["hands"],
        "moves": moves_of(log, match.rules),
        "reshuffles": list(reshuffles_of(log, shuffler)),
    }
    if record.first_dealer is not None:
        document["first_dealer"] = record.first_dealer
    return {**document, "digest": digest(document)}


def digest(document: Mapping[str, Any]) -> str:
    """Give the SHA-256, in hexadecimal, of the canonical JSON (RFC 8785) of all members but `digest`.

    The order of the names is that of RFC 8785 because they are ASCII, and no number has a fraction.
    """
    members = {name: value for name, value in document.items() if name != "digest"}
    return hashlib.sha256(orjson.dumps(members, option=orjson.OPT_SORT_KEYS)).hexdigest()


def moves_of(log: Sequence[Mapping[str, Any]], rules: Rules) -> list[Data]:
    """Tell the moves of a deal from its events.

    Args:
        log: the events of the deal, the first of which is no move.
        rules: the match's options.

    Returns:
        Each move as it is posted, with the `seat` and `by` of who made it.
    """
    told = [event for event in log if event["type"] != "stock_reshuffled"]
    return [_move(event) for before, event in pairwise(told) if _is_move(event, before, rules)]


def _is_move(event: Mapping[str, Any], before: Mapping[str, Any], rules: Rules) -> bool:
    if event["type"] != "cards_drawn":
        return event["type"] in ("card_played", "turn_passed")
    if event["reason"] == "ace":
        return rules.ace == "must_follow"
    # A penalty that is drawn across a reshuffle is two events and one move.
    is_rest = before["type"] == "cards_drawn" and before["reason"] == event["reason"] == "penalty"
    return event["reason"] in _CHOSEN_DRAWS and not is_rest


def _move(event: Mapping[str, Any]) -> Data:
    mover = {"seat": event["seat"], "by": event["by"]}
    if event["type"] == "turn_passed":
        return {**mover, "type": "pass"}
    if event["type"] == "cards_drawn":
        return {**mover, "type": "draw"}
    named = {name: event[name] for name in ("suit", "call") if event[name] is not None}
    return {**mover, "type": "play", "card": event["card"], **named}


def reshuffles_of(log: Sequence[Mapping[str, Any]], shuffler: Shuffler) -> Iterator[Data]:
    """Tell the reshuffles of a deal from its events (R26).

    Args:
        log: the events of the deal.
        shuffler: the deal's source of random choices.

    Returns:
        For each the `pile` that went in, from bottom to top, and the `stock` that came out, the next card first.
    """
    discards: list[Card] = []
    number = 0
    for event in log:
        if event["type"] == "card_played":
            discards.append(parse_card(event["card"]))
        elif event["type"] == "stock_reshuffled":
            number += 1
            *pile, top = discards
            discards = [top]
            yield {"pile": card_names(pile), "stock": card_names(shuffler.reshuffle(number, pile))}
