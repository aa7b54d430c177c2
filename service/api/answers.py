"""What answers look like, for the contract and for those who generate clients from it.

These schemas are not used to write answers (`view` makes plain data); the tests hold every answer against them.
They are open: members may be added.
"""

from __future__ import annotations

from marshmallow import fields

from ..engine.rules import OPTIONS
from . import shapes
from .fields import Metadata
from .happened import Event, SeatName
from .requests import LEVELS, SPECTATORS, STATUSES, VISIBILITIES, option_field
from .shapes import Open

Rules = type(
    "Rules",
    (Open,),
    {
        "__doc__": "The rules of a match, every option resolved.",
        "preset": shapes.text("The preset that they began with."),
        "overridden": shapes.many(shapes.text("An option."), "The options that differ from the preset."),
        **{name: option_field(option) for name, option in OPTIONS.items()},
    },
)
for _field in Rules._declared_fields.values():  # type: ignore[attr-defined]  # set by marshmallow's metaclass, which its types do not tell
    _field.required = True


class Player(Open):
    """Somebody at the table."""

    seat = shapes.number("Their seat, from 0, clockwise.")
    name = shapes.text("Their name.")
    kind = shapes.text("What they are.", known=("human", "bot"))
    level = shapes.text("How well a bot plays; null for a human.", known=LEVELS, nullable=True)
    played_by = shapes.text(
        "Who moves for the seat: the human who sits there, or a bot, which may stand in for one.",
        known=("player", "bot"),
    )
    present = shapes.truth("Whether they follow the match: a stream or a held poll of theirs is open. Never for a bot.")
    hand_count = shapes.number("How many cards they hold.")
    score = shapes.number("Their points in the finished deals; the lowest total wins.")
    metadata = Metadata("What the app noted beside them; left out if that is nothing.")


class Table(Open):
    """What lies open on the table in a deal."""

    number = shapes.number("Which deal of the match, from 1.")
    dealer_seat = shapes.number("Who dealt.")
    phase = shapes.text("What is asked of the seat on turn.", known=("opening", "turn", "second_card", "over"))
    turn_seat = shapes.number("Who is on turn; null when the deal is over.", nullable=True)
    drawn = shapes.number("Cards drawn by choice in this turn.")
    direction = shapes.choice("The direction of play.", ("clockwise", "counterclockwise"))
    top_card = shapes.card("The card to follow; null before the opening card.", nullable=True)
    suit_in_force = shapes.suit("The suit to follow; null before the opening card.", nullable=True)
    penalty = shapes.number("Cards that the seat on turn owes because of sevens.")
    barred = shapes.seats("Seats that may not go out because they did not call tek.")
    stock_count = shapes.number("Cards in the stock.")
    discard_count = shapes.number("Cards on the discard pile, the top card too.")
    seed_commitment = shapes.text(
        "The SHA-256 of the seed that shuffled this deal, in hexadecimal; null for those to whom finished deals are "
        "closed, because it is the seed of the deal before.",
        nullable=True,
    )


class Deal(Table):
    """The deal being played, or the last one; it is over only when the match is."""

    deadline = shapes.time("When the turn runs out; null without a clock, and when nobody is on turn.", nullable=True)


class Result(Open):
    """How a deal ended."""

    number = shapes.number("Which deal, from 1.")
    reason = shapes.text("Why it ended.", known=("went_out", "stock_out", "abandoned"))
    winners = shapes.seats("The seats that won it.")
    multiplier = shapes.number("What the others' points were multiplied by: 3 for a last 7, 2 for a last jack, else 1.")
    points = shapes.many(shapes.number("Points."), "What each seat scores, in seat order.")
    final_card = shapes.card("The card that went out; null if the stock ran out.", nullable=True)


class LegalMove(Open):
    """One thing that a player may do now, in short form."""

    type = shapes.text("The move's type.", known=("play", "draw", "pass"))
    card = shapes.card("The card to play.", required=False)
    suits = shapes.many(
        shapes.suit("A suit."), "Stands with a jack that must nominate one of these suits.", required=False
    )
    count = shapes.number("What a draw takes, or owes even if the stock holds less.", required=False)


class Clock(Open):
    """How long turns last, in seconds."""

    turn_seconds = shapes.number("Each turn.")
    bank_seconds = shapes.number("What a seat may use up beyond that, in each deal.")
    deal_pause = shapes.number("What the first turn of a deal lasts longer.")


class You(Open):
    """What only the reader sees."""

    seat = shapes.number("The reader's seat; null for a host who does not play.", nullable=True)
    is_host = shapes.truth("Whether the reader is the host.")
    client_seed = shapes.text("What the reader adds to the shuffles; null if they gave nothing.", nullable=True)
    hand = shapes.cards("The reader's cards, by suit and rank; null without a seat.", nullable=True)
    legal_moves = shapes.many(
        fields.Nested(LegalMove),
        "What the reader may do now, in short; `listLegalMoves` has the bodies to post. Empty if it is not their turn.",
    )
    join_code = shapes.text("For the host of a private match that waits: what others need to join.", required=False)


class RematchOffer(Open):
    """The match that follows this one at the same table."""

    match_id = shapes.text("Its identity.")


class Match(Open):
    """A match as its reader may see it."""

    id = shapes.text("Its identity.")
    version = shapes.number("The `seq` of its last event.")
    status = shapes.text("How far it is.", known=STATUSES)
    name = shapes.text("What it is called.")
    visibility = shapes.text("Whether the lobby lists it.", known=VISIBILITIES)
    seats = shapes.number("How many seats the table has.")
    host_seat = shapes.number("Where the host sits; null for one who does not play.", nullable=True)
    auto_start = shapes.truth("Whether it starts by itself when the last seat is taken.")
    created_at = shapes.time("When it was created.")
    expires_at = shapes.time("When it is forgotten, unless it changes before.")
    commitment = shapes.text("What commits the service to every shuffle of the match, in hexadecimal.")
    rules = shapes.one(Rules, "Its rules.")
    clock = shapes.one(Clock, "How long turns last; null without a clock.", nullable=True)
    spectators = shapes.text("What those without a token may see.", known=SPECTATORS)
    players = shapes.many(fields.Nested(Player), "Who sits, by seat; free seats are left out.")
    deal = shapes.one(Deal, "The deal being played, or the last one; null before the start.", nullable=True)
    results = shapes.many(fields.Nested(Result), "How the finished deals ended.")
    winners = shapes.seats("The seats that won the match, once it is over.")
    you = shapes.one(You, "What only the reader sees; null without a token of this match.", nullable=True)
    metadata = Metadata("What the app noted beside it; left out if that is nothing.")
    rematch = shapes.one(
        RematchOffer, "After the end: what you go on with at `takeRematch`; for its players.", required=False
    )
    first_dealer = shapes.number("In a rematch: who deals first, fixed at its creation.", required=False)
    awaited = shapes.many(
        fields.Nested(SeatName), "In a rematch: who may still come, each to their seat.", required=False
    )
    awaited_until = shapes.time("In a rematch: when bots stand in for those who have not come.", required=False)


class ClosedMatch(Open):
    """All that those without a token see of a match whose `spectators` is `none`."""

    id = shapes.text("Its identity.")
    status = shapes.text("How far it is.", known=STATUSES)
    seats = shapes.number("How many seats the table has.")
    rules = shapes.one(Rules, "Its rules.")
    commitment = shapes.text("What commits the service to every shuffle of the match, in hexadecimal.")


class Created(Open):
    """A new match."""

    match = shapes.one(Match, "The match as its creator sees it.")
    token = shapes.text("The host's token, and the player's if the creator sits. It is shown this once.")
    seat = shapes.number("The creator's seat; null if they do not play.", nullable=True)
    join_code = shapes.text("What others need to join; only for a private match.", required=False)


class Joined(Open):
    """A seat taken."""

    match = shapes.one(Match, "The match as the new player sees it.")
    token = shapes.text("The player's token. It is shown this once.")
    seat = shapes.number("The player's seat.")


class TokenReissued(Open):
    """Another token for a player."""

    token = shapes.text("The player's token from now on. It is shown this once.")
    seat = shapes.number("The player's seat.")


class MatchAnswer(Open):
    """The match after a change."""

    match = shapes.one(Match, "The match as the caller sees it now.")


class LeftAnswer(Open):
    """The match after somebody has left."""

    match = shapes.either(
        ("Match", "ClosedMatch"),
        "The match as the caller sees it now; an outline, if it is closed to them from now on.",
    )


class PostableMove(fields.Raw):
    """A move that can be posted as it is: in the contract it has the very schema of the request."""


class LegalMoves(Open):
    """Everything that the player may do now."""

    moves = shapes.many(PostableMove(), "One body for each legal move; empty when it is not their turn.")


class Moved(Open):
    """A move that was made."""

    match = shapes.one(Match, "The match as the mover sees it now.")
    events = shapes.many(fields.Nested(Event), "The events that the move caused, in order.")


class ClientSeedSet(Open):
    """A client seed that was set."""

    match = shapes.one(Match, "The match as the player sees it now.")
    events = shapes.many(fields.Nested(Event), "The event that tells it.")


class LegalMoveAnswer(Open):
    """What a dry run of a legal move is answered with."""

    legal = shapes.truth("Always true: what is not legal is refused.")


class Events(Open):
    """A part of the log."""

    events = shapes.many(fields.Nested(Event), "The events, as their reader may see them.")
    next_after = shapes.number("The `after` to go on with.")


class OptionDescription(Open):
    """A house rule."""

    name = shapes.text("Its name.")
    type = shapes.text("The type of its values.", known=("string", "integer", "boolean"))
    default = shapes.anything("The value of the written game.", nullable=True)
    nullable = shapes.truth("Whether null is a value.")
    values = shapes.many(shapes.text("A value."), "The values of a string.", required=False)
    minimum = shapes.number("The smallest number.", required=False)
    maximum = shapes.number("The largest number.", required=False)
    summary = shapes.text("What it does.")
    clause = shapes.text("The clause of the rules that it changes.")


class PresetDescription(Open):
    """A named set of options."""

    name = shapes.text("Its name.")
    summary = shapes.text("Where it comes from.")
    rules = shapes.one(Rules, "Every option with its value; `decks` is null where it depends on the number of seats.")


class RulesCatalogue(Open):
    """All presets and options."""

    presets = shapes.many(fields.Nested(PresetDescription), "The presets.")
    options = shapes.many(fields.Nested(OptionDescription), "The options.")


class PresetAnswer(PresetDescription):
    """A preset with its options described."""

    options = shapes.many(fields.Nested(OptionDescription), "The options.")


class StreamTicket(Open):
    """A ticket for the live stream."""

    ticket = shapes.text("The ticket, for `stream?ticket=`.")
    first_use_seconds = shapes.number("Within how many seconds it must be used first.")


class Health(Open):
    """A sign of life."""

    status = shapes.text("How it is.", known=("ok",))


class ProblemError(Open):
    """One thing that is wrong with a request."""

    pointer = shapes.text("Where in the body, as a JSON Pointer; empty for the whole.", required=False)
    parameter = shapes.text("Which parameter of the query, or which header.", required=False)
    detail = shapes.text("What is wrong there.")


class Problem(Open):
    """Why a request was refused, after RFC 9457. Nothing was changed."""

    type = shapes.text("Where the problem is explained.", format="uri-reference")
    title = shapes.text("The kind of problem, always the same for a code.")
    status = shapes.number("The HTTP status.")
    detail = shapes.text("What is wrong this time, in words.")
    code = shapes.text("The kind of problem, for programs.")
    rule = shapes.text("The clause of the rules that a move breaks, such as `R12`.", required=False)
    option = shapes.text("The house rule that a move breaks, where it is one.", required=False)
    errors = shapes.many(fields.Nested(ProblemError), "What is wrong where.", required=False)
