"""The three moves of the game and their compact text form."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from .cards import CARD_NAMES, SUIT_NAMES, Card, Suit, parse_card, parse_suit
from .errors import NotationError

Call: TypeAlias = Literal["tek"]


class Play(NamedTuple):
    """Lay a card on the discard pile.

    Attributes:
        card: the card.
        suit: the suit that a jack nominates (R9).
        call: `tek` when it is called that one card is left (R24).
    """

    card: Card
    suit: Suit | None = None
    call: Call | None = None


@dataclass(frozen=True, slots=True)
class Draw:
    """Draw one card, or the whole penalty when one is due (R7, R12)."""


@dataclass(frozen=True, slots=True)
class Pass:
    """End the turn without playing (R7, R13)."""


Move: TypeAlias = Play | Draw | Pass

DRAW: Final = Draw()
PASS: Final = Pass()

_PLAY: Final = re.compile(r"([^\[\]!]+)(?:\[(.)\])?(!tek)?")


def parse_move(text: str) -> Move:
    """Read a move: `draw`, `pass`, `6H`, `JS[H]` (nominating hearts), `9D!tek` (with the call).

    Raises:
        NotationError: the text is none of these.
    """
    if text == "draw":
        return DRAW
    if text == "pass":
        return PASS
    match = _PLAY.fullmatch(text)
    if match is None:
        raise NotationError(f"{text!r} is not a move")
    card, suit, call = match.groups()
    return Play(parse_card(card), parse_suit(suit) if suit else None, "tek" if call else None)


def format_move(move: Move) -> str:
    """Write a move in the form that `parse_move` reads."""
    if isinstance(move, Draw):
        return "draw"
    if isinstance(move, Pass):
        return "pass"
    nominated = "" if move.suit is None else f"[{SUIT_NAMES[move.suit]}]"
    return CARD_NAMES[move.card] + nominated + ("!tek" if move.call else "")


def as_move(members: Mapping[str, Any]) -> Move:
    """Read a move from its members: `type`, and with `play` its `card`, `suit` and `call`.

    Raises:
        NotationError: it names no card or no suit.
    """
    if members["type"] == "draw":
        return DRAW
    if members["type"] == "pass":
        return PASS
    suit = members.get("suit")
    return Play(parse_card(members["card"]), None if suit is None else parse_suit(suit), members.get("call"))
