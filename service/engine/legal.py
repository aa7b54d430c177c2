"""What a seat may do, and why not: each question is answered by one function that names the ban, if there is one.

A move is listed exactly when it is accepted, because both ask the same functions. A house rule that forbids something
is one more line in one of them.
"""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

from .cards import CARD_NAMES as NAMES
from .cards import CLUBS, JACK, PACK, RANK, SEVEN, SUIT, SUIT_WORDS, SUITS, Card, Suit
from .errors import IllegalMove
from .events import Hand
from .moves import Draw, Move, Pass, Play
from .state import Position


class Ban(NamedTuple):
    """Why something is forbidden.

    Attributes:
        clause: the clause of the rules.
        text: the reason for the player; may use {penalty}, {top}, {suit} and {limit}.
        option: the house rule behind it, when it is not the written game.
    """

    clause: str
    text: str
    option: str | None = None

    def refusal(self, position: Position) -> IllegalMove:
        """Make the error for a move in this position."""
        detail = self.text.format(
            penalty=position.penalty,
            top=NAMES[position.discards[-1]] if position.discards else None,
            suit=SUIT_WORDS[position.suit] if position.suit is not None else None,
            limit=position.rules.draw_limit,
        )
        return IllegalMove(self.clause, detail, self.option)


NOT_HELD: Final = Ban("R21", "You do not hold that card.")
OPEN_WITH_CLUB: Final = Ban("R4", "Your first card must be a club: play one, or draw until you hold one.")
OPEN_WITH_HELD_CLUB: Final = Ban("R4", "You hold a club and must open with it.")
NO_PASS_IN_OPENING: Final = Ban("R4", "You cannot pass: open with a club, or draw until you hold one.")
OWES_PENALTY: Final = Ban("R12", "You owe {penalty} cards: play a 7 or draw.")
OWES_ONLY_DRAW: Final = Ban("R12", "You owe {penalty} cards: draw them.")
OWES_BEFORE_PASS: Final = Ban("R12", "You owe {penalty} cards and cannot pass.")
NO_ANSWER: Final = Ban("R28", "You owe {penalty} cards: at this table a 7 cannot be answered, so draw.", "seven_run")
DOES_NOT_FOLLOW: Final = Ban("R8", "That card has neither the rank nor the suit of {top}.")
NOT_SUIT_IN_FORCE: Final = Ban("R8", "The suit in force is {suit}: play {suit} or draw.")
NO_JACK_ON_JACK: Final = Ban("R8", "A jack cannot be played on a jack.")
NOT_AFTER_ACE: Final = Ban("R13", "Only an ace, a card of its suit or a jack may be added to {top}.")
NO_DRAW_AFTER_ACE: Final = Ban("R13", "There is no drawing after an ace: play one more card or pass.")
MUST_FOLLOW_ACE: Final = Ban("R23", "You hold a card that follows {top} and must play it.", "ace")
MUST_DRAW_FOR_ACE: Final = Ban("R23", "You hold no card that follows {top}: draw one.", "ace")
HAS_DRAWN_FOR_ACE: Final = Ban("R23", "You have drawn for this ace already: pass.", "ace")
BARRED: Final = Ban("R24", "You did not call tek, so you may not go out in this turn.", "last_card_call")
NO_CALL: Final = Ban("R24", "Tek is called with a play that leaves one card, where that is the rule.", "last_card_call")
NO_CARDS_LEFT: Final = Ban("R17", "There is no card left to draw.")
AT_DRAW_LIMIT: Final = Ban("R7", "You may draw no more than {limit} in one turn: play or pass.", "draw_limit")
DRAW_IF_UNABLE: Final = Ban("R7", "You hold a legal card, so you may not draw.", "draw_only_if_unable")
PLAY_WITHOUT_STOCK: Final = Ban("R7", "You may pass only after drawing, and no card is left to draw: you must play.")
DRAW_FIRST: Final = Ban("R7", "You may pass only after drawing a card in this turn.")
PLAY_IF_ABLE: Final = Ban("R7", "You hold a legal card and must play.", "must_play_if_able")
PASS_IF_STUCK: Final = Ban("R7", "You may pass only if you can neither play nor draw.", "pass")
SUIT_MISSING: Final = Ban("R9", "A jack nominates a suit: say which.")
SUIT_NOT_ASKED: Final = Ban("R9", "Only a jack nominates a suit.")
SAME_SUIT: Final = Ban("R31", "The jack must nominate another suit than {suit}.", "jack_suit")


@cache
def followers(top: Card, suit: Suit | None, jack_on_jack: bool) -> frozenset[Card]:
    """Give the cards that may be laid on a top card (R8), `suit` being the suit in force."""
    if RANK[top] == JACK:
        plain = {card for card in PACK if SUIT[card] == suit and RANK[card] != JACK}
    else:
        plain = {card for card in PACK if RANK[card] == RANK[top] or SUIT[card] == SUIT[top]}
    jacks = {card for card in PACK if RANK[card] == JACK and (RANK[top] != JACK or jack_on_jack)}
    return frozenset(plain | jacks)


def follows(position: Position, card: Card) -> bool:
    """Tell whether a card may be laid on the top card (R8)."""
    return card in followers(position.discards[-1], position.suit, position.rules.jack_on_jack)


def hand_on_turn(position: Position) -> Hand:
    """Give the hand of the seat to move."""
    assert position.turn is not None
    hand: Hand = position.hands[position.turn]
    return hand


def drawable(position: Position) -> int:
    """Count the cards that can be drawn: the stock, and what a reshuffle would add to it (R26)."""
    spare = max(len(position.discards) - 1, 0) if position.rules.stock_out == "reshuffle" else 0
    return len(position.stock) + spare


def play_ban(position: Position, card: Card) -> Ban | None:
    """Say why the seat to move may not play a card that it holds."""
    if position.phase == "opening":
        return None if SUIT[card] == CLUBS else _in_opening(position, OPEN_WITH_CLUB)
    if position.penalty:
        if position.rules.seven_run == "single":
            return NO_ANSWER if RANK[card] == SEVEN else OWES_ONLY_DRAW
        if RANK[card] != SEVEN:
            return OWES_PENALTY
    elif not follows(position, card):
        return _why_not_follows(position, card)
    if position.turn in position.barred and len(hand_on_turn(position)) == 1:
        return BARRED
    return None


def _in_opening(position: Position, ban: Ban) -> Ban:
    """Name the house rule by which also this seat must open (R6), unless it is the deal's first."""
    return ban._replace(option="opening") if position.discards else ban


def _why_not_follows(position: Position, card: Card) -> Ban:
    if position.phase == "second_card":
        return NOT_AFTER_ACE
    if RANK[position.discards[-1]] != JACK:
        return DOES_NOT_FOLLOW
    return NO_JACK_ON_JACK if RANK[card] == JACK else NOT_SUIT_IN_FORCE


def can_play(position: Position) -> bool:
    """Tell whether the seat to move holds a legal card."""
    return any(play_ban(position, card) is None for card in hand_on_turn(position))


def draw_ban(position: Position) -> Ban | None:
    """Say why the seat to move may not draw."""
    if position.phase == "opening" and can_play(position):
        return _in_opening(position, OPEN_WITH_HELD_CLUB)
    if position.phase == "second_card":
        return _ace_draw_ban(position)
    if not drawable(position):
        return NO_CARDS_LEFT
    return None if position.penalty or position.phase == "opening" else _choice_draw_ban(position)


def _choice_draw_ban(position: Position) -> Ban | None:
    limit = position.rules.draw_limit
    if limit is not None and position.drawn >= limit:
        return AT_DRAW_LIMIT
    if position.rules.draw_only_if_unable and can_play(position):
        return DRAW_IF_UNABLE
    return None


def pass_ban(position: Position) -> Ban | None:
    """Say why the seat to move may not pass."""
    if position.phase == "opening":
        return _in_opening(position, NO_PASS_IN_OPENING)
    if position.penalty:
        return OWES_BEFORE_PASS
    if position.phase == "second_card":
        return _ace_pass_ban(position)
    if not position.has_drawn:
        return DRAW_FIRST if drawable(position) else PLAY_WITHOUT_STOCK
    if position.rules.must_play_if_able and can_play(position):
        return PLAY_IF_ABLE
    if position.rules.passing == "only_if_stuck" and (can_play(position) or draw_ban(position) is None):
        return PASS_IF_STUCK
    return None


def _must_follow_ace(position: Position) -> bool:
    return position.rules.ace == "must_follow"


def _ace_draw_ban(position: Position) -> Ban | None:
    if not _must_follow_ace(position):
        return NO_DRAW_AFTER_ACE
    if can_play(position):
        return MUST_FOLLOW_ACE
    if position.ace_drawn:
        return HAS_DRAWN_FOR_ACE
    return None if drawable(position) else NO_CARDS_LEFT


def _ace_pass_ban(position: Position) -> Ban | None:
    if not _must_follow_ace(position):
        return None
    if can_play(position):
        return MUST_FOLLOW_ACE
    return MUST_DRAW_FOR_ACE if _ace_draw_ban(position) is None else None


def nominable_suits(position: Position, card: Card) -> tuple[Suit, ...]:
    """Give the suits of which a card must nominate one.

    Only a jack nominates (R9), but not in an opening (R5) and not when it goes out.
    """
    if RANK[card] != JACK or position.phase == "opening" or len(hand_on_turn(position)) == 1:
        return ()
    if position.rules.jack_suit == "different":
        return tuple(suit for suit in SUITS if suit != position.suit)
    return SUITS


def _suit_ban(position: Position, play: Play) -> Ban | None:
    if RANK[play.card] != JACK:
        return SUIT_NOT_ASKED if play.suit is not None else None
    suits = nominable_suits(position, play.card)
    if not suits or play.suit in suits:
        return None
    return SUIT_MISSING if play.suit is None else SAME_SUIT


def may_call(position: Position) -> bool:
    """Tell whether a play of the seat to move may carry the call (R24)."""
    return len(hand_on_turn(position)) == 2 and position.rules.last_card_call == "tek"


def ban(position: Position, move: Move) -> Ban | None:
    """Say why the seat to move may not make a move, or give None when it is legal."""
    if isinstance(move, Draw):
        return draw_ban(position)
    if isinstance(move, Pass):
        return pass_ban(position)
    if move.card not in hand_on_turn(position):
        return NOT_HELD
    call_ban = NO_CALL if move.call and not may_call(position) else None
    return play_ban(position, move.card) or _suit_ban(position, move) or call_ban


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
    """List what the seat to move may do; nothing when the deal is over."""
    if position.turn is None:
        return NOTHING
    return Legal(
        plays=tuple(
            LegalPlay(card, nominable_suits(position, card))
            for card in dict.fromkeys(hand_on_turn(position))
            if play_ban(position, card) is None
        ),
        draw=0 if draw_ban(position) else position.penalty or 1,
        may_pass=pass_ban(position) is None,
        may_call=may_call(position),
    )


def legal_moves(position: Position) -> tuple[Move, ...]:
    """List every move that the seat to move may make: plays in the order of the hand, then draw, then pass."""
    options = legal(position)
    moves: list[Move] = [
        Play(play.card, suit, call)
        for play in options.plays
        for suit in (play.suits or (None,))
        for call in ((None, "tek") if options.may_call else (None,))
    ]
    return (*moves, *([Draw()] if options.draw else ()), *([Pass()] if options.may_pass else ()))
