"""One deal: dealing it, and carrying moves out."""

from __future__ import annotations

from typing import Final

from .cards import RANK, SEVEN, SUIT
from .effects import (
    EFFECTS,
    draw_for_last_seven,
    end_turn,
    settle_penalty,
    take,
)
from .errors import NotOnTurn
from .events import CARD_PLAYED, TURN_PASSED, TURN_SKIPPED, TURN_STARTED, DealStarted, Event
from .legal import ban, is_stuck, may_call, nominable_suits
from .moves import Draw, Move, Play
from .rules import Rules
from .scoring import end_by_going_out, end_without_cards
from .shuffle import Shuffler
from .state import CLOCKWISE, Deal, Table, thaw

MOVE_LIMIT: Final = 1000
"""After so many moves a deal is ended (R19); only one with reshuffles can last that long."""


def openings_asked(rules: Rules, seats: int) -> int:
    """Count the seats that must open a deal with a club (R4, R6)."""
    return seats if rules.opening == "everyone" else 1


def deal_cards(rules: Rules, shuffler: Shuffler, number: int, dealer: int) -> tuple[Deal, list[Event]]:
    """Shuffle and deal (R3), and put the seat to the dealer's left on turn (R4).

    Args:
        rules: the match's options, with `decks` resolved.
        shuffler: the deal's source of random choices; it knows the number of seats.
        number: which deal of the match this is, from 1.
        dealer: the seat that deals.
    """
    assert rules.decks is not None
    seats = len(shuffler.client_seeds)
    pack = shuffler.pack(rules.decks)
    dealt = seats * rules.hand_size
    first = (dealer + 1) % seats
    hands = tuple(tuple(sorted(pack[(seat - first) % seats : dealt : seats])) for seat in range(seats))
    deal = Deal(
        rules=rules,
        shuffler=shuffler,
        number=number,
        dealer=dealer,
        hands=hands,
        stock=tuple(pack[dealt:]),
        discards=(),
        turn=first,
        phase="opening",
        openings=openings_asked(rules, seats),
        direction=CLOCKWISE,
        suit=None,
        penalty=0,
        drawn=0,
        has_drawn=False,
        ace_drawn=False,
        barred=(),
        bar_is_new=False,
        moves=0,
        reshuffles=0,
        result=None,
    )
    return deal, [DealStarted(dealer, shuffler.commitment, len(deal.stock), hands), TURN_STARTED[first, "opening", 0]]


def apply(deal: Deal, seat: int, move: Move) -> tuple[Deal, list[Event]]:
    """Carry out a move.

    Args:
        deal: the deal as it is.
        seat: who moves.
        move: what it does.

    Returns:
        The deal after the move, and what happened, in order.

    Raises:
        NotOnTurn: another seat is on turn, or the deal is over (R21).
        IllegalMove: the rules forbid the move; the error names the clause.
    """
    if deal.turn is None:
        raise NotOnTurn("R21", "This deal is over.")
    if deal.turn != seat:
        raise NotOnTurn("R21", f"It is the turn of seat {deal.turn}, not yours.")
    table = thaw(deal)
    if forbidden := ban(table, move):
        raise forbidden.refusal(table)
    carry_out(table, move)
    return table.freeze(), table.events


def carry_out(table: Table, move: Move) -> None:
    """Carry out a move of the seat on turn that is known to be legal; the table keeps what happened."""
    if isinstance(move, Play):
        _play(table, move)
    elif isinstance(move, Draw):
        _draw(table)
    else:
        table.events.append(TURN_PASSED[table.turn,])
        end_turn(table)
    table.moves += 1
    if not table.stock:
        _settle(table)
    if table.turn is None:
        return
    if table.moves >= MOVE_LIMIT:
        end_without_cards(table)
    elif table.turn_is_new:
        table.events.append(TURN_STARTED[table.turn, table.phase, table.penalty])


def _play(table: Table, play: Play) -> None:
    seat, (card, suit, call) = table.turn, play
    if suit is not None and not nominable_suits(table, card):
        suit = None
    leaves_uncalled = call is None and may_call(table)
    hand = [*table.hands[seat]]
    hand.remove(card)
    table.hands[seat] = (*hand,)
    table.discards += (card,)
    table.suit = SUIT[card] if suit is None else suit
    table.events.append(CARD_PLAYED[seat, card, suit, call])
    if not hand:
        if RANK[card] == SEVEN:
            draw_for_last_seven(table)
        end_by_going_out(table, card)
        return
    if leaves_uncalled:
        table.barred = tuple(sorted({*table.barred, seat}))
        table.bar_is_new = True
    if table.phase == "opening":
        table.openings -= 1
        end_turn(table)
    else:
        EFFECTS[card](table)


def _draw(table: Table) -> None:
    if table.penalty:
        settle_penalty(table)
    elif table.phase == "opening":
        take(table, table.turn, 1, "opening")
    elif table.phase == "second_card":
        table.ace_drawn = True
        take(table, table.turn, 1, "ace")
    else:
        table.drawn += 1
        table.has_drawn = True
        take(table, table.turn, 1, "choice")


def _settle(table: Table) -> None:
    """End the deal, or a barred seat's turn, where nothing can be done (R17b, R24).

    Only a table without a stock can be stuck: with one, a seat may draw, or pass, or must play what it holds.
    """
    while table.turn is not None and is_stuck(table):
        if table.turn in table.barred and not table.penalty:
            table.events.append(TURN_SKIPPED[table.turn, "barred"])
            table.bar_is_new = False
            end_turn(table)
        else:
            end_without_cards(table)
