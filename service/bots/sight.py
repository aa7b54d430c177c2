"""What a bot sees from its seat, read from the view into the terms of the engine."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple, TypeAlias, cast

from ..engine.cards import Card, Suit, parse_card, parse_suit
from ..engine.events import Hand, Phase
from ..engine.moves import Call, Draw, Move, Pass, Play
from ..engine.notation import DIRECTION_NAMES
from ..engine.rules import OPTIONS, Rules, from_options

Data: TypeAlias = Mapping[str, Any]
Body: TypeAlias = dict[str, Any]

_DIRECTIONS: Final = {name: direction for direction, name in DIRECTION_NAMES.items()}


class Sight(NamedTuple):
    """The table as it is seen from the seat on turn.

    Attributes:
        rules: the options that the match is played by.
        seat: the seat that looks, and moves.
        hand: the cards it holds, sorted.
        moves: what it may do, each move with the body that posts it. Where a play leaves one card and the table wants
            it called, only the play with its call is here.
        counts: how many cards each seat holds.
        dealer: the seat that dealt.
        phase: what kind of move is asked for.
        drawn: the cards it has drawn by choice in this turn.
        direction: 1 clockwise, -1 counterclockwise.
        top: the top card; None before the opening card.
        suit: the suit in force, likewise.
        penalty: the cards that it owes.
        barred: the seats that may not go out.
        stock_count: how many cards lie face down.
        discard_count: how many cards lie on the discard pile.
    """

    rules: Rules
    seat: int
    hand: Hand
    moves: dict[Move, Body]
    counts: tuple[int, ...]
    dealer: int
    phase: Phase
    drawn: int
    direction: int
    top: Card | None
    suit: Suit | None
    penalty: int
    barred: tuple[int, ...]
    stock_count: int
    discard_count: int

    @property
    def following(self) -> int:
        """The next seat in the direction of play."""
        return (self.seat + self.direction) % len(self.counts)


def look(view: Data) -> Sight:
    """Read the view of a seat that is on turn."""
    you, deal = view["you"], view["deal"]
    rules = from_options({name: view["rules"][name] for name in OPTIONS})
    call: Call | None = "tek" if rules.last_card_call == "tek" and len(you["hand"]) == 2 else None
    return Sight(
        rules=rules,
        seat=you["seat"],
        hand=tuple(parse_card(name) for name in you["hand"]),
        moves=dict(_moves(you["legal_moves"], call)),
        counts=tuple(player["hand_count"] for player in view["players"]),
        dealer=deal["dealer_seat"],
        phase=cast(Phase, deal["phase"]),
        drawn=deal["drawn"],
        direction=_DIRECTIONS[deal["direction"]],
        top=None if deal["top_card"] is None else parse_card(deal["top_card"]),
        suit=None if deal["suit_in_force"] is None else parse_suit(deal["suit_in_force"]),
        penalty=deal["penalty"],
        barred=tuple(deal["barred"]),
        stock_count=deal["stock_count"],
        discard_count=deal["discard_count"],
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
