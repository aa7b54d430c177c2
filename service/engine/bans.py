"""The reasons for which a move is refused: each with its clause, its words and the house rule behind it."""

from __future__ import annotations

from typing import Final, NamedTuple

from .cards import CARD_NAMES, SUIT_WORDS
from .errors import IllegalMove
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
            top=CARD_NAMES[position.discards[-1]] if position.discards else None,
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
