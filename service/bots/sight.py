"""What a bot sees from its seat, read from the view into the terms of the engine."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple, TypeAlias

from ..engine.cards import Card, parse_card, parse_suit
from ..engine.moves import Call, Draw, Move, Pass, Play
from ..engine.rules import Rules, from_options

Data: TypeAlias = Mapping[str, Any]
Body: TypeAlias = dict[str, Any]


class Sight(NamedTuple):
    """The table as it is seen from the seat on turn.

    Attributes:
        seat: the seat that looks, and moves.
        rules: the options that the match is played by.
        hand: the cards it holds, sorted.
        counts: how many cards each seat holds.
        top: the top card; None before the opening card.
        bodies: what it may do, each move with the body that posts it; where a play leaves one card and the table
            wants it called, only the play with its call.
    """

    seat: int
    rules: Rules
    hand: tuple[Card, ...]
    counts: tuple[int, ...]
    top: Card | None
    bodies: dict[Move, Body]


def look(view: Data) -> Sight:
    """Read the view of a seat that is on turn."""
    you, deal = view["you"], view["deal"]
    rules = from_options(view["rules"])
    calls: Call | None = "tek" if rules.last_card_call == "tek" and len(you["hand"]) == 2 else None
    return Sight(
        seat=you["seat"],
        rules=rules,
        hand=tuple(parse_card(name) for name in you["hand"]),
        counts=tuple(player["hand_count"] for player in view["players"]),
        top=None if deal["top_card"] is None else parse_card(deal["top_card"]),
        bodies=dict(_moves(you["legal_moves"], calls)),
    )


def _moves(listed: Iterable[Data], call: Call | None) -> Iterator[tuple[Move, Body]]:
    for entry in listed:
        if entry["type"] == "draw":
            yield Draw(), {"type": "draw"}
        elif entry["type"] == "pass":
            yield Pass(), {"type": "pass"}
        else:
            card = parse_card(entry["card"])
            body = {"type": "play", "card": entry["card"]}
            if call:
                body["call"] = call
            if "suits" not in entry:
                yield Play(card, None, call), body
            for name in entry.get("suits", ()):
                yield Play(card, parse_suit(name), call), {**body, "suit": name}
