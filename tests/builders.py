"""Positions and moves in words, so that tests read like the rules they check."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from service.engine import legal as law
from service.engine import play
from service.engine.cards import CARD_NAMES, SUIT_NAMES, SUITS, parse_card
from service.engine.errors import IllegalMove
from service.engine.events import Event
from service.engine.moves import format_move, parse_move
from service.engine.notation import parse_position
from service.engine.rules import Rules, resolve
from service.engine.shuffle import SEED_BYTES, Shuffler
from service.engine.state import Deal


def position(text: str, **options: object) -> Deal:
    """Give a position under house rules; the option `pass` is written `pass_`."""
    return parse_position(text, {name.rstrip("_"): value for name, value in options.items()})


def rules(seats: int = 4, **options: object) -> Rules:
    """Give the resolved rules of a table; the option `pass` is written `pass_`."""
    return resolve({name.rstrip("_"): value for name, value in options.items()}, seats).rules


def dealt(seats: int, seed: int = 0, dealer: int = 0, **options: object) -> Deal:
    """Deal from a numbered seed."""
    shuffler = Shuffler(seed.to_bytes(SEED_BYTES, "big"), "test", 1, ("",) * seats)
    return play.deal_cards(rules(seats, **options), shuffler, 1, dealer)[0]


def move(deal: Deal, text: str) -> tuple[Deal, list[Event]]:
    """Make one move for the seat on turn."""
    assert deal.turn is not None, f"the deal is over before {text}"
    return play.apply(deal, deal.turn, parse_move(text))


def after(deal: Deal, *moves: str) -> Deal:
    """Make moves, each for the seat that is on turn."""
    for text in moves:
        deal, _ = move(deal, text)
    return deal


def events(deal: Deal, *moves: str) -> list[str]:
    """Make moves and tell the last one's events as `Type(members)` in words."""
    *before, last = moves
    return [told(event) for event in move(after(deal, *before), last)[1]]


def told(event: Event) -> str:
    """Write an event as a short line: cards and suits by name, hands and seeds left out."""
    parts: list[str] = []
    members: dict[str, Any] = event._asdict()
    for name, value in members.items():
        if name in ("hands", "seed", "result", "seed_commitment") or value is None:
            continue
        if name in ("card", "cards"):
            parts.append(names(value) if name == "cards" else CARD_NAMES[value])
        elif name == "suit":
            parts.append(SUIT_NAMES[value])
        else:
            parts.append(str(value))
    return " ".join([type(event).__name__, *parts])


def cards(text: str) -> tuple[int, ...]:
    """Read cards by name."""
    return tuple(map(parse_card, text.split()))


def names(cards: Sequence[int]) -> str:
    """Write cards by name, with spaces between."""
    return " ".join(CARD_NAMES[card] for card in cards)


def hand(deal: Deal, seat: int) -> str:
    """Write the hand of a seat."""
    return names(deal.hands[seat])


def legal(deal: Deal) -> str:
    """Write what the seat on turn may do as the rules' tables do: `5C, JS*, draw 3`, `JS[CD]` for some suits."""
    found = law.legal(deal)
    listed = []
    for card, suits in found.plays:
        nominable = "*" if suits == SUITS else f"[{''.join(SUIT_NAMES[suit] for suit in suits)}]" if suits else ""
        listed.append(CARD_NAMES[card] + nominable)
    if found.draw:
        listed.append("draw" if found.draw == 1 else f"draw {found.draw}")
    if found.may_pass:
        listed.append("pass")
    return ", ".join(listed)


def legal_texts(deal: Deal) -> list[str]:
    """Write every legal move by itself."""
    return [format_move(found) for found in law.legal_moves(deal)]


def refusal(deal: Deal, text: str, seat: int | None = None) -> IllegalMove:
    """Give the error that a move raises; the deal must refuse it and stay as it was."""
    before = deal
    mover = deal.turn if seat is None else seat
    try:
        play.apply(deal, mover if mover is not None else 0, parse_move(text))
    except IllegalMove as error:
        assert deal == before
        return error
    raise AssertionError(f"{text} was accepted")


def refused(deal: Deal, text: str) -> tuple[str, str | None]:
    """Give the clause and the house rule that forbid a move."""
    error = refusal(deal, text)
    return error.clause, error.option
