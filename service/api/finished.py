"""What answers about finished deals look like; see `answers`."""

from __future__ import annotations

from typing import Final

from marshmallow import fields

from ..engine.shuffle import DERIVATION
from . import answers, shapes


class MoveMade(shapes.Open):
    """A move as it was made."""

    type = shapes.text("The move's type.", known=("play", "draw", "pass"))
    card = shapes.card("The card that was played.", required=False)
    suit = shapes.suit("The suit that the jack nominated.", required=False)
    call = shapes.text("The call that one card is left.", known=("tek",), required=False)
    seat = shapes.number("Whose turn it was.")
    by = shapes.text("Who moved for the seat.", known=("player", "bot", "clock"))


class Reshuffle(shapes.Open):
    """A new stock, made of the discards (R26)."""

    pile = shapes.cards("The discard pile without its top card, from bottom to top.")
    stock = shapes.cards("The new stock, the next card first.")


_DIGEST: Final = "^[0-9a-f]{64}$"


class FinishedDeal(answers.Result):
    """A finished deal with its cards, and the proof of its shuffle."""

    match_id = shapes.text("The match.")
    seats = shapes.number("How many seats the table has.")
    rules = shapes.one(answers.Rules, "The rules of the match.")
    hands = shapes.many(shapes.cards("A hand."), "The hands as they were when the deal ended, in seat order.")
    derivation = shapes.text("How the random choices follow from the seeds.", known=(DERIVATION,))
    commitment = shapes.text("What the match's view showed since its creation.", pattern=_DIGEST)
    seed_commitment = shapes.text("The SHA-256 of the seed, known since the deal began.", pattern=_DIGEST)
    seed = shapes.text("The seed that shuffled it, in hexadecimal.", pattern=_DIGEST)
    client_seeds = shapes.many(shapes.text("A client seed."), "In seat order; empty for who gave nothing.")
    first_dealer = shapes.number("Who dealt the first deal, where that was fixed: in a rematch.", required=False)
    dealer_seat = shapes.number("Who dealt.")
    pack = shapes.cards("All cards in their shuffled order, the one that is dealt first at the beginning.")
    hands_dealt = shapes.many(shapes.cards("A hand."), "The hands as they were dealt, in seat order.")
    moves = shapes.many(fields.Nested(MoveMade), "Every move, in order.")
    reshuffles = shapes.many(fields.Nested(Reshuffle), "Every new stock, in order.")
    digest = shapes.text(
        "The SHA-256, in hexadecimal, of the canonical JSON (RFC 8785) of all other members.", pattern=_DIGEST
    )


class Position(answers.Table):
    """A position of a finished deal, all cards open."""

    move = shapes.number("After how many moves.")
    moves = shapes.number("How many moves the deal has.")
    last_move = shapes.one(MoveMade, "The move that led here; null at the beginning.", nullable=True)
    hands = shapes.many(shapes.cards("A hand."), "The hands, in seat order.")
    stock = shapes.cards("The stock, the next card first.")
    discards = shapes.cards("The discard pile, from bottom to top.")
