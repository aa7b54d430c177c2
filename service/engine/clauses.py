"""The rules of the game in words, clause by clause: what a refused move's `rule` refers to.

The texts are Markdown. The clauses keep their numbers for ever; what is new gets a new one.
"""

from __future__ import annotations

from typing import Final, NamedTuple


class Clause(NamedTuple):
    """One clause of the rules.

    Attributes:
        title: what it is about, in a few words.
        text: what it says, in Markdown.
    """

    title: str
    text: str


CHAPTERS: Final[dict[str, dict[str, Clause]]] = {
    "Table and deal": {
        "R1": Clause(
            "Table and cards",
            "Two to ten seats, counted from 0 clockwise. Packs of 52 cards without jokers: one for up to five seats, "
            "two for six or more; `decks` sets another number, from 1 to 4. The number of seats times `hand_size` must "
            "be less than 52 times `decks`. Two equal cards of two packs are never told apart.",
        ),
        "R2": Clause(
            "Dealer",
            "The first dealer is drawn at random by the shuffle of the first deal; in a rematch it is the seat after "
            "the last dealer of the match before. After each deal the next seat clockwise deals.",
        ),
        "R3": Clause(
            "Dealing",
            "Seven cards to each seat (`hand_size`), one at a time, clockwise from the dealer's left. What is left is "
            "the stock, face down. No card is turned up: the discard pile begins with the opening card. Every deal "
            "begins clockwise.",
        ),
    },
    "Opening": {
        "R4": Clause(
            "Opening with a club",
            "The seat to the dealer's left opens the deal and must play a club. If it holds one it must play one: it "
            "may neither draw nor pass. If it holds none it draws, one card a move, until it holds a club, and must "
            "play that. There is no passing in an opening.",
        ),
        "R5": Clause(
            "No effect in an opening",
            "The opening card has no effect: 7♣ asks for no penalty, 8♣ skips nobody, 10♣ does not reverse, A♣ gives "
            "no second card, J♣ nominates no suit. After an opening J♣ the suit in force is clubs, and a jack may not "
            "be played on it (R8). A 7 played on an opening 7♣ begins a new run: its penalty is that of one seven.",
        ),
        "R6": Clause(
            "Who opens",
            "The opening is the opener's whole turn: the next seat clockwise moves next, in an ordinary turn. With "
            "`opening: everyone` each seat's first turn of a deal is an opening (R29).",
        ),
    },
    "Turn": {
        "R7": Clause(
            "Playing, drawing, passing",
            "On its turn a seat plays one legal card or draws one card from the stock. It may draw even when it could "
            "play, and as often as it likes. Once it has drawn in this turn, and not before, it may pass, even when "
            "it could play. After drawing it may play any legal card, not only a drawn one. `draw_limit` bounds the "
            "draws of a turn (a seat at its limit may pass), `draw_only_if_unable` forbids drawing with a legal card "
            "in hand, `must_play_if_able` forbids passing with one, and `pass: only_if_stuck` allows passing only to "
            "a seat that has drawn and can neither play nor draw. These options are about draws by choice, never "
            "about those of an opening, a penalty or an ace.",
        ),
        "R8": Clause(
            "Following",
            "When the top card is not a jack, a card that has its rank or its suit is legal, and so is every jack. "
            "When the top card is a jack, only cards of the suit in force are legal, and no jack, not even the one of "
            "that suit. With `jack_on_jack` every jack is legal on a jack.",
        ),
        "R9": Clause(
            "Nominating a suit",
            "Who plays a jack nominates one of the four suits, the `suit` of the move; the suit in force may be named "
            "again, unless `jack_suit` is `different` (R31). The nominated suit stays in force until another card "
            "covers the jack: draws, passes and changes of turn do not lift it. A new deal begins with no suit in "
            "force. A jack that goes out and an opening J♣ need no suit; one that is sent with them is ignored. A "
            "jack without its suit is an illegal move, and so is a suit with any other card.",
        ),
    },
    "Cards with effects": {
        "R10": Clause(
            "Eight",
            "The next seat in the direction of play misses its turn. With two seats the same seat moves again, in a "
            "new turn: it may not pass before it has drawn anew. With `eight: none` an eight is an ordinary card.",
        ),
        "R11": Clause(
            "Ten",
            "The direction of play reverses, and the turn goes on in the new direction. With two seats it reverses "
            "too, but the next seat is the same; `ten_two_seats: skip` lets the other seat miss its turn as well.",
        ),
        "R12": Clause(
            "Seven",
            "The next seat owes a penalty: three cards for every 7 in the unbroken run (3, 6, 9 …; `seven_draw` sets "
            "the cards for each, `seven_run` how they add up, R28). It must answer with another 7, of any suit, or "
            "draw the whole penalty; nothing else is legal, no jack either. It may draw even while it holds a 7. "
            "Drawing the penalty is one move, never card by card. It ends the turn, and it settles the run: the next "
            "seat finds an ordinary 7 on top, and a 7 played on it begins a new run. With `after_penalty: continue` "
            "the seat goes on in the same turn as one that has drawn: it may play, draw or pass.",
        ),
        "R13": Clause(
            "Ace",
            "Its player may at once play one more card that has the ace's rank or suit; a jack is allowed too, and "
            "nominates a suit. Instead it may end the turn without drawing: the move is `pass`. There is no drawing "
            "in between. An ace as the second card grants another one; a 7, 8, 10 or jack has its usual effect. The "
            "option `ace` gives it another effect: with `must_follow` the second card is a duty (R23); with "
            "`everyone_draws` each other seat, in order of play, draws one card and the ace's player takes a new "
            "turn; with `next_draws` the next seat draws one card and misses its turn (R25); with `skip` the next "
            "seat misses its turn; with `none` it is an ordinary card.",
        ),
    },
    "End of a deal": {
        "R14": Clause(
            "Going out",
            "A seat that plays its last card goes out: it wins the deal at once, also with an ace's second card. The "
            "effect of the last card is not carried out: nobody draws for a last 7, unless `last_seven` is `draws` "
            "(R27).",
        ),
        "R15": Clause(
            "Points",
            "Every other seat scores the cards left in its hand: a jack 25, a 7 20, an ace 15, a king or queen 10, "
            "every other card its number (so an 8 counts 8 and a 10 counts 10). The winner scores 0. A full pack "
            "counts 508.",
        ),
        "R16": Clause(
            "Multipliers",
            "Going out with a 7 multiplies the others' points by 3, with a jack by 2. The last card alone decides, "
            "however long its run of sevens was.",
        ),
        "R17": Clause(
            "The stock runs out",
            "The discard pile is not used again (but see `stock_out: reshuffle`, R26). The deal ends (a) when a "
            "penalty, or a draw that an ace imposes, asks for more cards than can be drawn: the seat takes what is "
            "left, then the deal ends; and (b) when no card can be drawn and the seat to move has no legal card and "
            "may not pass: it has not drawn in this turn, or it owes a penalty and has no 7, or it must open and has "
            "no club. The deal then ends by itself; nobody has to make a move of no cards. While no card can be "
            "drawn, a seat that has not drawn in this turn must play if it can, a 7 when a penalty is due; one that "
            "has drawn may play or pass. An ace's second card stays optional.",
        ),
        "R18": Clause(
            "Scoring without a stock",
            "When the stock has run out, the lowest hand wins and scores 0, the others score their hands without a "
            "multiplier. Equal lowest hands all win and all score 0. With `stock_out_score: all_score` the winners "
            "score their hands too.",
        ),
        "R19": Clause(
            "Every deal ends",
            "Each draw shrinks the stock and each play shrinks a hand, so every deal ends. With "
            "`stock_out: reshuffle`, a deal that is still undecided after 1,000 accepted moves ends as in R18.",
        ),
    },
    "End of the match": {
        "R20": Clause(
            "Winning the match",
            "A match has four deals (`deals`). The lowest total wins; equal lowest totals all win. `target_score` can "
            "end it early (R30).",
        ),
        "R21": Clause(
            "What is never accepted",
            "A move from a seat that is not on turn, for a card that it does not hold, or in a finished deal.",
        ),
    },
    "Fair cards": {
        "R22": Clause(
            "The order of the cards is fixed beforehand",
            "The order of the cards of every deal follows from a secret that is fixed, and committed to in public, "
            "when the match is created, and from what its players add to it; see [Fairness](#fairness).",
        ),
    },
    "How house rules meet": {
        "R23": Clause(
            "`ace: must_follow`",
            "Anew for each ace: a seat that holds a card that may follow (R13) must play one. One that holds none has "
            "`draw` as its only move, one card, once for this ace, if a card can be drawn; if it still holds none, "
            "its only move is `pass`. Passing freely belongs to `ace: again` alone.",
        ),
        "R24": Clause(
            "`last_card_call: tek`",
            "A play that leaves its seat exactly one card should carry `call: tek`. Without it the play stands, but "
            "the seat is barred from going out, also with an ace's second card, until its next turn is over or it "
            "holds two cards again. A turn that it misses through an 8, a 10 or an ace is not its turn. A card that "
            "the bar forbids counts as illegal for every clause and option. A barred seat that can neither play, draw "
            "nor pass misses its turn, which ends the bar, and the deal goes on: this comes before R17(b), unless a "
            "penalty is due. A call with any other play, or at a table without this rule, is an illegal move.",
        ),
        "R25": Clause(
            "Draws that an ace imposes",
            "The draws of `ace: everyone_draws` and `ace: next_draws` are made in order of play for as long as cards "
            "can be drawn; if they fall short the deal ends (R17a). An ace that goes out imposes none (R14).",
        ),
        "R26": Clause(
            "`stock_out: reshuffle`",
            "The stock is renewed only when a draw asks for more than it holds: what is left is drawn first, then the "
            "discard pile without its top card is shuffled into a new stock, then the rest is drawn. A card can be "
            "drawn for as long as the stock, or the discard pile below its top card, holds one. If even that falls "
            "short of a penalty, the seat takes what there is and the deal ends (R17a, R18).",
        ),
        "R27": Clause(
            "`last_seven: draws`",
            "When a seat goes out with a 7, the next seat in the direction of play first draws the whole penalty of "
            "the run, or as much of it as can be drawn (R26 applies). The drawn cards count; the winner and the "
            "multiplier stand; R17(a) and `after_penalty` do not apply.",
        ),
        "R28": Clause(
            "`seven_run`",
            "With `add` every 7 adds `seven_draw` cards to the penalty. With `double` the run asks for `seven_draw` "
            "cards times 1, 2, 4, 8 …. With `single` a 7 cannot be answered: the next seat draws.",
        ),
        "R29": Clause(
            "`opening: everyone`",
            "No card has an effect in any seat's first turn, so that the first round runs clockwise and unbroken. Each "
            "seat must play a club in it, and draws until it can. J♣ nominates no suit (R5); a later opener's club is "
            "always legal, on J♣ too, even the J♣ of a second pack.",
        ),
        "R30": Clause(
            "`target_score`",
            "The totals are looked at after each deal: the match ends when one of them has reached `target_score`, or "
            "after `deals` deals, whichever comes first.",
        ),
        "R31": Clause(
            "`jack_suit: different`",
            "A jack must nominate another suit than the one in force before it was played. For an ace's second card "
            "that is the ace's suit.",
        ),
    },
}
"""The clauses by their numbers, in chapters, in order."""

CLAUSES: Final[dict[str, Clause]] = {
    number: clause for chapter in CHAPTERS.values() for number, clause in chapter.items()
}
"""Every clause by its number, R1 to R31, in order."""
