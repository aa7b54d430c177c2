"""A compact text form of positions, for tests, bug reports and the reader of either.

A position is a line of members, `hands` first and the rest left out where they are the usual ones::

    hands 7S JC 8D / KD 5S; pile 6D 7D; stock 4C 9H; turn 0; penalty 3; dealer 1

=============  =====================================================================
member         value
=============  =====================================================================
``hands``      the hands in seat order, separated by slashes; ``-`` is an empty one
``pile``       the discard pile from bottom to top; a jack may nominate: ``JS[H]``
``stock``      the face-down cards, the next one first
``turn``       the seat to move (default 0)
``dealer``     the seat that dealt (default the last)
``phase``      ``opening``, ``turn`` or ``second_card`` (default by the pile)
``direction``  ``clockwise`` (default) or ``counterclockwise``
``penalty``    cards owed (default 0)
``drawn``      cards drawn by choice in this turn (default 0)
``barred``     seats that may not go out (default none)
=============  =====================================================================
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from .cards import JACK, RANK, SUIT, SUIT_NAMES, card_names, parse_card
from .errors import NotationError
from .events import Hand, Phase
from .moves import Play, parse_move
from .play import openings_asked
from .rules import MAX_SEATS, MIN_SEATS, resolve
from .shuffle import SEED_BYTES, Shuffler
from .state import CLOCKWISE, COUNTERCLOCKWISE, Deal

DIRECTION_NAMES: Final = {CLOCKWISE: "clockwise", COUNTERCLOCKWISE: "counterclockwise"}
_DIRECTIONS: Final = {name: direction for direction, name in DIRECTION_NAMES.items()}
_PHASES: Final[dict[str, Phase]] = {"opening": "opening", "turn": "turn", "second_card": "second_card"}
_MEMBERS: Final = ("hands", "pile", "stock", "turn", "dealer", "phase", "direction", "penalty", "drawn", "barred")


def parse_position(text: str, options: Mapping[str, object] | None = None) -> Deal:
    """Read a position.

    Args:
        text: the position, in the form above.
        options: house rules, as in a request to create a match.

    Raises:
        NotationError: the text is not a position.
        RulesError: the options are refused.
    """
    members = _split(text)
    hands = tuple(_hand(hand) for hand in members["hands"].split("/"))
    if not MIN_SEATS <= len(hands) <= MAX_SEATS:
        raise NotationError(f"a position has {MIN_SEATS} to {MAX_SEATS} hands, not {len(hands)}")
    rules = resolve(options or {}, len(hands)).rules
    *below, top = [*members.get("pile", "").split()] or [""]
    discards, suit = _pile(below, top)
    phase: Phase = _named(_PHASES.__getitem__, members.get("phase", "turn" if discards else "opening"))
    if phase != "opening" and not discards:
        raise NotationError("without a discard pile the phase is the opening")
    seat = {str(number): number for number in range(len(hands))}.__getitem__
    drawn = _number(members, "drawn", 0)
    return Deal(
        rules=rules,
        shuffler=Shuffler(bytes(SEED_BYTES), "position", 1, ("",) * len(hands)),
        number=1,
        dealer=_named(seat, members.get("dealer", str(len(hands) - 1))),
        hands=hands,
        stock=_cards(members.get("stock", "")),
        discards=discards,
        turn=_named(seat, members.get("turn", "0")),
        phase=phase,
        openings=max(openings_asked(rules, len(hands)) - len(discards), 1) if phase == "opening" else 0,
        direction=_named(_DIRECTIONS.__getitem__, members.get("direction", "clockwise")),
        suit=suit,
        penalty=_number(members, "penalty", 0),
        drawn=drawn,
        has_drawn=drawn > 0,
        ace_drawn=False,
        barred=tuple(sorted({_named(seat, name) for name in members.get("barred", "").split()})),
        bar_is_new=False,
        moves=0,
        reshuffles=0,
        result=None,
    )


def format_position(deal: Deal) -> str:
    """Write a position that is not over in the form that `parse_position` reads."""
    pile = card_names(deal.discards)
    if deal.discards and deal.suit is not None and deal.suit != SUIT[deal.discards[-1]]:
        pile[-1] += f"[{SUIT_NAMES[deal.suit]}]"
    members = {
        "hands": " / ".join(" ".join(card_names(hand)) or "-" for hand in deal.hands),
        "pile": " ".join(pile),
        "stock": " ".join(card_names(deal.stock)),
        "turn": str(deal.turn),
        "dealer": str(deal.dealer),
        "phase": deal.phase,
        "direction": DIRECTION_NAMES[deal.direction],
        "penalty": str(deal.penalty),
        "drawn": str(deal.drawn),
        "barred": " ".join(map(str, deal.barred)),
    }
    return "; ".join(f"{name} {value}" for name, value in members.items() if value)


def _split(text: str) -> dict[str, str]:
    members: dict[str, str] = {}
    for part in text.split(";"):
        name, _, value = part.strip().partition(" ")
        if name not in _MEMBERS or name in members:
            raise NotationError(f"{name!r} is not a member of a position, or stands there twice")
        members[name] = value.strip()
    if "hands" not in members:
        raise NotationError("a position begins with its hands")
    return members


def _cards(text: str) -> Hand:
    return tuple(parse_card(name) for name in text.split())


def _hand(text: str) -> Hand:
    return () if text.strip() == "-" else tuple(sorted(_cards(text)))


def _pile(below: list[str], top: str) -> tuple[Hand, int | None]:
    if not top:
        return (), None
    move = parse_move(top)
    if not isinstance(move, Play) or move.call or (move.suit is not None and RANK[move.card] != JACK):
        raise NotationError(f"{top!r} cannot lie on the pile")
    suit = SUIT[move.card] if move.suit is None else move.suit
    return (*(parse_card(name) for name in below), move.card), suit


def _number(members: Mapping[str, str], name: str, usual: int) -> int:
    return _named(_count, members[name]) if name in members else usual


def _count(text: str) -> int:
    if not text.isdecimal():
        raise ValueError(text)
    return int(text)


def _named(read: Callable[[str], Any], text: str) -> Any:
    try:
        return read(text)
    except (KeyError, ValueError):
        raise NotationError(f"{text!r} cannot stand there in a position") from None
