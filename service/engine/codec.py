"""Matches as data that JSON can hold, and back.

A card is one letter, A-Z for 0-25 and a-z for 26-51, and a run of cards is a word of them. Nothing that can be told
from elsewhere is written: whoever stores a match keeps its identity, rules and seeds.
"""

from __future__ import annotations

import string
from collections.abc import Iterable, Mapping
from typing import Any, Final

from .cards import Card
from .events import Result
from .match import Match, deal_shuffler
from .rules import Rules
from .state import Deal

_LETTERS: Final = (string.ascii_uppercase + string.ascii_lowercase).encode()
_CARDS: Final = bytes(range(len(_LETTERS)))
_TO_LETTERS: Final = bytes.maketrans(_CARDS, _LETTERS)
_TO_CARDS: Final = bytes.maketrans(_LETTERS, _CARDS)
_DEAL: Final = (
    "number",
    "dealer",
    "hands",
    "stock",
    "discards",
    "turn",
    "phase",
    "openings",
    "direction",
    "suit",
    "penalty",
    "drawn",
    "has_drawn",
    "ace_drawn",
    "barred",
    "bar_is_new",
    "moves",
    "reshuffles",
)
"""What is written of a deal, in the order of its fields; the first release wrote it under these names."""


def encode_cards(cards: Iterable[Card]) -> str:
    """Write cards as letters."""
    return bytes(cards).translate(_TO_LETTERS).decode()


def decode_cards(letters: str) -> tuple[Card, ...]:
    """Read what `encode_cards` wrote."""
    return tuple(letters.encode().translate(_TO_CARDS))


def encode_result(result: Result) -> list[Any]:
    """Write a result as its members in order."""
    return [result.reason, result.winners, result.multiplier, result.points, result.final_card]


def decode_result(data: list[Any]) -> Result:
    """Read what `encode_result` wrote."""
    reason, winners, multiplier, points, final_card = data
    return Result(reason, tuple(winners), multiplier, tuple(points), final_card)


def encode_match(match: Match) -> dict[str, Any]:
    """Write what changes in a match as it is played."""
    _rules, _shuffler, number, dealer, hands, stock, discards, *plain, _result = match.deal
    hands_written = [encode_cards(hand) for hand in hands]
    return {
        "deal": [number, dealer, hands_written, encode_cards(stock), encode_cards(discards), *plain],
        "results": [encode_result(result) for result in match.results],
        "winners": match.winners,
    }


def decode_match(
    data: Mapping[str, Any], match_id: str, rules: Rules, last_seed: bytes, client_seeds: tuple[str, ...]
) -> Match:
    """Read what `encode_match` wrote, with what was kept beside it."""
    deal = data["deal"]
    if isinstance(deal, dict):
        deal = [deal[name] for name in _DEAL]
    number, dealer, hands, stock, discards, turn, phase, *plain, barred, bar_is_new, moves, reshuffles = deal
    results = tuple([decode_result(result) for result in data["results"]])
    return Match(
        match_id=match_id,
        rules=rules,
        last_seed=last_seed,
        client_seeds=client_seeds,
        deal=Deal._make(
            (
                rules,
                deal_shuffler(match_id, rules, last_seed, client_seeds, number),
                number,
                dealer,
                tuple([decode_cards(hand) for hand in hands]),
                decode_cards(stock),
                decode_cards(discards),
                turn,
                phase,
                *plain,
                tuple(barred),
                bar_is_new,
                moves,
                reshuffles,
                results[-1] if phase == "over" else None,
            )
        ),
        results=results,
        winners=tuple(data["winners"]),
    )
