"""A deal played over again from its moves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from .events import Event
from .moves import Move
from .play import apply, deal_cards
from .rules import Rules
from .shuffle import Shuffler
from .state import Deal


def replay(
    rules: Rules, shuffler: Shuffler, number: int, dealer: int, moves: Iterable[tuple[int, Move]]
) -> Iterator[tuple[Deal, list[Event]]]:
    """Deal the cards and make the moves, one at a time.

    Args:
        rules: the match's options, with `decks` resolved.
        shuffler: the deal's source of random choices; it knows the number of seats.
        number: which deal of the match this is, from 1.
        dealer: the seat that deals.
        moves: each with the seat that makes it, in order.

    Returns:
        The deal and what happened: first as it was dealt, then after each move.

    Raises:
        NotOnTurn: when the iteration comes to a move of a seat that is not on turn, or the deal is over (R21).
        IllegalMove: when it comes to a move that the rules forbid.
    """
    deal, events = deal_cards(rules, shuffler, number, dealer)
    yield deal, events
    for seat, move in moves:
        deal, events = apply(deal, seat, move)
        yield deal, events
