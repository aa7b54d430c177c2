"""What an event of the log looks like; see `answers`."""

from __future__ import annotations

from marshmallow import fields

from . import shapes
from .fields import Metadata
from .requests import LEVELS
from .shapes import Open


class SeatName(Open):
    """Somebody and their seat."""

    seat = shapes.number("Their seat.")
    name = shapes.text("Their name.")


class Event(Open):
    """Something that happened. Which members stand beside the first four depends on `type`."""

    seq = shapes.number("Its number in the match's log: 1, 2, 3 … without gaps.")
    at = shapes.time("When it happened.")
    type = shapes.text("What happened.")
    deal = shapes.number("The deal that it belongs to; null for what concerns the whole match.", nullable=True)
    seat = shapes.number("Whom it concerns.", required=False)
    name = shapes.text("`player_joined`: their name.", required=False)
    kind = shapes.text("`player_joined`: what they are.", known=("human", "bot"), required=False)
    played_by = shapes.text(
        "`seat_control_changed`: who moves for the seat from now on.", known=("player", "bot"), required=False
    )
    level = shapes.text(
        "`player_joined`: how well a bot plays; null for a human.", known=LEVELS, nullable=True, required=False
    )
    deadline = shapes.time(
        "`turn_started`, `deadline_changed`: when the turn runs out; null without a clock.",
        nullable=True,
        required=False,
    )
    dealer_seat = shapes.number("`deal_started`: who dealt.", required=False)
    seed_commitment = shapes.text("`deal_started`: the SHA-256 of the deal's seed.", required=False)
    stock_count = shapes.number("`deal_started`, `stock_reshuffled`: cards in the stock.", required=False)
    hand = shapes.cards("`deal_started`: the reader's own cards.", required=False)
    client_seed = shapes.text("`client_seed_set`: the new one.", required=False)
    client_seeds = shapes.many(
        shapes.text("A client seed."),
        "`match_started`: what each seat adds to the shuffles, in seat order; empty for who gave nothing.",
        required=False,
    )
    phase = shapes.text("`turn_started`: what is asked.", known=("opening", "turn"), required=False)
    penalty = shapes.number("`turn_started`, `penalty_raised`: cards owed.", required=False)
    card = shapes.card("`card_played`: the card.", required=False)
    suit = shapes.suit("`card_played`: the suit that a jack nominates, else null.", nullable=True, required=False)
    call = shapes.text("`card_played`: `tek` if it was called, else null.", nullable=True, required=False)
    by = shapes.text("Who made the move.", known=("player", "bot", "clock"), required=False)
    count = shapes.number("`cards_drawn`: how many.", required=False)
    cards = shapes.cards("`cards_drawn`: which, in the drawing player's own copy.", required=False)
    reason = shapes.text(
        "`cards_drawn`: `choice`, `opening`, `penalty`, `ace` or `last_seven`; `turn_skipped`: `eight`, `ten`, `ace` "
        "or `barred`; `deal_ended`: `went_out` or `stock_out`; `seat_control_changed`: `left`, "
        "`timed_out`, `returned` or `absent`.",
        required=False,
    )
    direction = shapes.text("`direction_reversed`: `clockwise` or `counterclockwise`.", required=False)
    winners = shapes.seats("`deal_ended`, `match_ended`: who won.", required=False)
    multiplier = shapes.number("`deal_ended`: as in a result.", required=False)
    points = shapes.many(shapes.number("Points."), "`deal_ended`: as in a result.", required=False)
    final_card = shapes.card("`deal_ended`: as in a result.", nullable=True, required=False)
    hands = shapes.many(
        shapes.cards("A hand."),
        "`deal_ended`, and `match_abandoned` during a deal: the hands as they were left, in seat order.",
        required=False,
    )
    seed = shapes.text("As `hands`: the seed that shuffled the deal, in hexadecimal.", required=False)
    match_id = shapes.text("`rematch_offered`, in a player's own copy: the identity of the rematch.", required=False)
    first_dealer = shapes.number("`match_created` of a rematch: who deals first.", required=False)
    awaited = shapes.many(
        fields.Nested(SeatName), "`match_created` of a rematch: who may come, each to their seat.", required=False
    )
    awaited_until = shapes.time(
        "`match_created` of a rematch: when bots stand in for those who have not come.", required=False
    )
    metadata = Metadata("`match_created`, `player_joined`: what the app noted; left out if that is nothing.")
    totals = shapes.many(shapes.number("Points."), "`match_ended`: the totals, in seat order.", required=False)
