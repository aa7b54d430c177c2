"""What a seat may do, and why not: each question is answered by one function that names the ban, if there is one.

A move is listed exactly when it is accepted, because both ask the same functions. A house rule that forbids something
is one more line in one of them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from . import bans
from .bans import Ban
from .cards import CLUBS, JACK, PACK, RANK, SEVEN, SUIT, SUITS, Card, Suit
from .events import Hand
from .memo import Memo
from .moves import DRAW, PASS, Call, Draw, Move, Play
from .state import Position

OPENERS: Final = frozenset(card for card in PACK if SUIT[card] == CLUBS)
SEVENS: Final = frozenset(card for card in PACK if RANK[card] == SEVEN)
NO_CARD: Final[frozenset[Card]] = frozenset()


def _followers(top: Card, suit: Suit | None, jack_on_jack: bool) -> frozenset[Card]:
    """Give the cards that may be laid on a top card (R8), `suit` being the suit in force."""
    if RANK[top] == JACK:
        plain = {card for card in PACK if SUIT[card] == suit and RANK[card] != JACK}
    else:
        plain = {card for card in PACK if RANK[card] == RANK[top] or SUIT[card] == SUIT[top]}
    jacks = {card for card in PACK if RANK[card] == JACK and (RANK[top] != JACK or jack_on_jack)}
    return frozenset(plain | jacks)


FOLLOWERS: Final = Memo(_followers)
"""The cards that may be laid (R8), by the top card, the suit in force and whether a jack may be played on a jack."""


def hand_on_turn(position: Position) -> Hand:
    """Give the hand of the seat to move, in a deal that is not over."""
    hand: Hand = position.hands[position.turn]  # type: ignore[index]  # the deal is not over
    return hand


def can_draw(position: Position) -> bool:
    """Tell whether there is a card to draw: in the stock, or where a reshuffle would find it (R26)."""
    return bool(position.stock) or (position.rules.stock_out == "reshuffle" and len(position.discards) > 1)


def playable_here(position: Position) -> frozenset[Card]:
    """Give the cards that may be played, whoever holds them: clubs to open (R4), sevens on a penalty, or followers."""
    if position.phase == "opening":
        return OPENERS
    if position.penalty:
        return NO_CARD if position.rules.seven_run == "single" else SEVENS
    return FOLLOWERS[position.discards[-1], position.suit, position.rules.jack_on_jack]


def is_barred(position: Position) -> bool:
    """Tell whether the seat to move holds a last card that it may not play (R24)."""
    return position.turn in position.barred and len(hand_on_turn(position)) == 1


def _unbarred(position: Position, hand: Hand) -> Iterable[Card]:
    """Give the different cards of the hand on turn, none if a bar forbids its last one (R24)."""
    if position.barred and is_barred(position):
        return ()
    return hand if position.rules.decks == 1 else dict.fromkeys(hand)


def can_play(position: Position) -> bool:
    """Tell whether the seat to move holds a legal card."""
    return not (playable_here(position).isdisjoint(hand_on_turn(position)) or (position.barred and is_barred(position)))


def play_ban(position: Position, card: Card) -> Ban | None:
    """Say why the seat to move may not play a card that it holds."""
    if card not in playable_here(position):
        return _why_not_here(position, card)
    return bans.BARRED if position.barred and is_barred(position) else None


def _why_not_here(position: Position, card: Card) -> Ban:
    if position.phase == "opening":
        return _in_opening(position, bans.OPEN_WITH_CLUB)
    if position.penalty:
        if playable_here(position):
            return bans.OWES_PENALTY
        return bans.NO_ANSWER if RANK[card] == SEVEN else bans.OWES_ONLY_DRAW
    if position.phase == "second_card":
        return bans.NOT_AFTER_ACE
    if RANK[position.discards[-1]] != JACK:
        return bans.DOES_NOT_FOLLOW
    return bans.NO_JACK_ON_JACK if RANK[card] == JACK else bans.NOT_SUIT_IN_FORCE


def _in_opening(position: Position, ban: Ban) -> Ban:
    """Name the house rule by which also this seat must open (R6), unless it is the deal's first."""
    return ban._replace(option="opening") if position.discards else ban


def draw_ban(position: Position) -> Ban | None:
    """Say why the seat to move may not draw."""
    rules = position.rules
    if position.phase == "second_card":
        return _ace_draw_ban(position)
    if position.phase == "opening":
        return _opening_draw_ban(position)
    if not (position.stock or can_draw(position)):
        return bans.NO_CARDS_LEFT
    if position.penalty:
        return None
    if rules.draw_limit is not None and position.drawn >= rules.draw_limit:
        return bans.AT_DRAW_LIMIT
    return bans.DRAW_IF_UNABLE if rules.draw_only_if_unable and can_play(position) else None


def _opening_draw_ban(position: Position) -> Ban | None:
    if can_play(position):
        return _in_opening(position, bans.OPEN_WITH_HELD_CLUB)
    return None if can_draw(position) else bans.NO_CARDS_LEFT


def pass_ban(position: Position) -> Ban | None:
    """Say why the seat to move may not pass."""
    phase = position.phase
    if phase == "opening":
        return _in_opening(position, bans.NO_PASS_IN_OPENING)
    if position.penalty:
        return bans.OWES_BEFORE_PASS
    if phase == "second_card":
        return _ace_pass_ban(position)
    if not position.has_drawn:
        return bans.DRAW_FIRST if position.stock or can_draw(position) else bans.PLAY_WITHOUT_STOCK
    if position.rules.must_play_if_able and can_play(position):
        return bans.PLAY_IF_ABLE
    if position.rules.passing == "only_if_stuck" and (can_play(position) or draw_ban(position) is None):
        return bans.PASS_IF_STUCK
    return None


def _must_follow_ace(position: Position) -> bool:
    return position.rules.ace == "must_follow"


def _ace_draw_ban(position: Position) -> Ban | None:
    if not _must_follow_ace(position):
        return bans.NO_DRAW_AFTER_ACE
    if can_play(position):
        return bans.MUST_FOLLOW_ACE
    if position.ace_drawn:
        return bans.HAS_DRAWN_FOR_ACE
    return None if can_draw(position) else bans.NO_CARDS_LEFT


def _ace_pass_ban(position: Position) -> Ban | None:
    if not _must_follow_ace(position):
        return None
    if can_play(position):
        return bans.MUST_FOLLOW_ACE
    return bans.MUST_DRAW_FOR_ACE if _ace_draw_ban(position) is None else None


def nominable_suits(position: Position, card: Card) -> tuple[Suit, ...]:
    """Give the suits of which a card must nominate one; only a jack nominates (R9)."""
    return _jack_suits(position, hand_on_turn(position)) if RANK[card] == JACK else ()


def _jack_suits(position: Position, hand: Hand) -> tuple[Suit, ...]:
    """Give the suits that a jack may nominate: none in an opening (R5), and none when it goes out."""
    if position.phase == "opening" or len(hand) == 1:
        return ()
    if position.rules.jack_suit == "different":
        return tuple(suit for suit in SUITS if suit != position.suit)
    return SUITS


def _suit_ban(position: Position, play: Play) -> Ban | None:
    if RANK[play.card] != JACK:
        return bans.SUIT_NOT_ASKED if play.suit is not None else None
    suits = nominable_suits(position, play.card)
    if not suits or play.suit in suits:
        return None
    return bans.SUIT_MISSING if play.suit is None else bans.SAME_SUIT


def may_call(position: Position) -> bool:
    """Tell whether a play of the seat to move may carry the call (R24)."""
    return position.rules.last_card_call == "tek" and len(hand_on_turn(position)) == 2


def _call_ban(position: Position, play: Play) -> Ban | None:
    return bans.NO_CALL if play.call and not may_call(position) else None


def ban(position: Position, move: Move) -> Ban | None:
    """Say why the seat to move may not make a move, or give None when it is legal."""
    if isinstance(move, Play):
        if move.card not in hand_on_turn(position):
            return bans.NOT_HELD
        return play_ban(position, move.card) or _suit_ban(position, move) or _call_ban(position, move)
    return draw_ban(position) if isinstance(move, Draw) else pass_ban(position)


class LegalPlay(NamedTuple):
    """A card that may be played, with the suits of which it must nominate one."""

    card: Card
    suits: tuple[Suit, ...]


class Legal(NamedTuple):
    """All that the seat to move may do.

    Attributes:
        plays: the cards that it may play, each once, in the order of the hand.
        draw: how many cards it would draw or owes; 0 when it may not draw.
        may_pass: whether it may pass.
        may_call: whether its plays may carry the call (R24).
    """

    plays: tuple[LegalPlay, ...]
    draw: int
    may_pass: bool
    may_call: bool

    def __bool__(self) -> bool:
        """Tell whether there is any move."""
        return bool(self.plays or self.draw or self.may_pass)


NOTHING: Final = Legal((), 0, False, False)


def legal(position: Position) -> Legal:
    """Sum up what the seat to move may do; nothing when the deal is over."""
    if position.turn is None:
        return NOTHING
    hand = hand_on_turn(position)
    plays = _LEGAL_PLAYS[playable_here(position), _jack_suits(position, hand)]
    return Legal(
        plays=tuple([plays[card] for card in _unbarred(position, hand) if card in plays]),
        draw=0 if draw_ban(position) else position.penalty or 1,
        may_pass=pass_ban(position) is None,
        may_call=may_call(position),
    )


def _legal_plays(playable_here: frozenset[Card], jack_suits: tuple[Suit, ...]) -> dict[Card, LegalPlay]:
    """Give the play of each card that may be played."""
    return {card: LegalPlay(card, jack_suits if RANK[card] == JACK else ()) for card in playable_here}


_LEGAL_PLAYS: Final = Memo(_legal_plays)


def legal_moves(position: Position) -> tuple[Move, ...]:
    """List every move that the seat to move may make: plays in the order of the hand, then draw, then pass."""
    if position.turn is None:
        return ()
    hand = hand_on_turn(position)
    plays = _PLAYS[playable_here(position), _jack_suits(position, hand), may_call(position)]
    moves: list[Move] = []
    for card in _unbarred(position, hand):
        moves += plays[card]
    if draw_ban(position) is None:
        moves.append(DRAW)
    if pass_ban(position) is None:
        moves.append(PASS)
    return tuple(moves)


def _plays(
    playable_here: frozenset[Card], jack_suits: tuple[Suit, ...], may_call: bool
) -> tuple[tuple[Play, ...], ...]:
    """Give every way to play each card, none for the others than `playable_here`."""
    calls: tuple[Call | None, ...] = (None, "tek") if may_call else (None,)
    suits = [jack_suits or (None,) if RANK[card] == JACK else (None,) for card in PACK]
    return tuple(
        tuple(Play(card, suit, call) for suit in suits[card] for call in calls) if card in playable_here else ()
        for card in PACK
    )


_PLAYS: Final = Memo(_plays)


def is_stuck(position: Position) -> bool:
    """Tell whether the seat to move has no move at all; one that may draw has."""
    return not (can_draw(position) or can_play(position) or pass_ban(position) is None)
