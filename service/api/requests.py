"""What requests may hold. Unknown members are refused by their names."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

import orjson
from marshmallow import Schema, ValidationError, fields
from marshmallow.validate import Length, OneOf, Range

from ..clocks import LEAST_TURN_SECONDS, MOST_BANK_SECONDS, MOST_DEAL_PAUSE, MOST_TURN_SECONDS, USUAL_DEAL_PAUSE
from ..engine.cards import CARD_NAMES, SUIT_NAMES
from ..engine.rules import CLASSIC, MAX_SEATS, MIN_SEATS, OPTIONS, PRESETS, Option
from ..webhooks.hook import EVENTS
from .fields import (
    ClientSeed,
    HookSecret,
    HookUrl,
    JoinCode,
    Metadata,
    Name,
    StrictBoolean,
    StrictInteger,
    without_zero_fraction,
)

MAX_VERSION: Final = 2**31 - 1
STATUSES: Final = ("waiting", "playing", "finished", "abandoned")
LEVELS: Final = ("easy", "normal", "hard")
VISIBILITIES: Final = ("private", "public")
SPECTATORS: Final = ("after_deal", "hidden", "none")


def option_field(option: Option, more: str = "") -> fields.Field[Any]:
    """Describe a house rule as a field; `more` is added to its description."""
    summary = f"{option.summary} Changes {option.clause}.{more}"
    about: dict[str, Any] = {"metadata": {"description": summary}, "allow_none": option.nullable}
    if option.kind == "boolean":
        return StrictBoolean(**about)
    if option.kind == "string":
        return fields.String(validate=OneOf(option.values), **about)
    return StrictInteger(validate=Range(option.minimum, option.maximum), **about)


def _asked(option: Option) -> fields.Field[Any]:
    default = orjson.dumps(option.default).decode()
    return option_field(option, f" If left out, the preset's value; `{CLASSIC}` has `{default}`.")


RulesRequest = Schema.from_dict(
    {
        "preset": fields.String(
            validate=OneOf(tuple(PRESETS)),
            metadata={"description": f"The set of options to begin with. If left out, `{CLASSIC}`."},
        ),
        **{name: _asked(option) for name, option in OPTIONS.items()},
    },
    name="RulesRequest",
)
"""The contract's picture of the rules that a creator asks for; `engine.rules.resolve` judges them."""


class Request(Schema):
    """What a request may hold. Of what is unknown it says what is known."""

    def __init__(self, **kwargs: Any) -> None:
        """Take the arguments of a schema."""
        super().__init__(**kwargs)
        known = f"known are: {', '.join(self.fields)}" if self.fields else "nothing is"
        self.error_messages |= {"type": "Must be an object.", "unknown": f"Not known here; {known}."}


class RulesField(fields.Dict):
    """An object of house rules, left to the engine to judge, but for what no rule is: a list or an object."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> dict[str, Any]:
        rules: dict[str, Any] = super()._deserialize(  # type: ignore[no-untyped-call]  # marshmallow gives this method no types
            value, attr, data, **kwargs
        )
        nested = [name for name, asked in rules.items() if isinstance(asked, list | dict)]
        if nested:
            raise ValidationError({name: ["Must be a single value."] for name in nested})
        return {name: without_zero_fraction(asked) for name, asked in rules.items()}


class Creator(Request):
    """The creator as a player."""

    name = Name(required=True, metadata={"description": "The name that the others see."})
    metadata = Metadata("Texts of your app's own beside the player.")


class ClockRequest(Request):
    """How long turns last."""

    turn_seconds = StrictInteger(
        required=True,
        validate=Range(LEAST_TURN_SECONDS, MOST_TURN_SECONDS),
        metadata={"description": "How long a turn lasts."},
    )
    bank_seconds = StrictInteger(
        load_default=0,
        validate=Range(0, MOST_BANK_SECONDS),
        metadata={"description": "What a seat may use up beyond its turns, in each deal anew."},
    )
    deal_pause = StrictInteger(
        load_default=USUAL_DEAL_PAUSE,
        validate=Range(0, MOST_DEAL_PAUSE),
        metadata={"description": "How many seconds longer the first turn of a deal lasts, to look at the score."},
    )


class BotRequest(Request):
    """A bot that takes a seat."""

    level = fields.String(required=True, validate=OneOf(LEVELS), metadata={"description": "How well it plays."})
    seat = StrictInteger(
        validate=Range(0, MAX_SEATS - 1),
        metadata={"description": "Its seat, from 0; without it the lowest one that is left."},
    )


class WebhookRequest(Request):
    """Where to tell what happens; see the webhooks of this document."""

    url = HookUrl(
        required=True,
        metadata={"description": "The receiver: `https`, a public host; it gets a POST for each event. Never shown."},
    )
    secret = HookSecret(
        required=True,
        metadata={"description": "What signs the messages: `whsec_` and 24 to 64 random bytes in base 64."},
    )
    events = fields.List(
        fields.String(validate=OneOf(EVENTS)),
        load_default=list(EVENTS),
        validate=Length(1, len(EVENTS)),
        metadata={"description": "What to tell. If left out, all."},
    )


class CreateMatchRequest(Request):
    """A match to be created."""

    seats = StrictInteger(
        required=True,
        validate=Range(MIN_SEATS, MAX_SEATS),
        metadata={"description": "How many seats the table has."},
    )
    rules = RulesField(
        load_default=dict,
        error_messages={"invalid": "Must be an object."},
        metadata={"description": "A preset and options that override it. If left out, `classic`."},
    )
    name = Name(
        load_default="Pis Yedili", metadata={"description": "What the match is called. If left out, `Pis Yedili`."}
    )
    visibility = fields.String(
        load_default="private",
        validate=OneOf(VISIBILITIES),
        metadata={
            "description": "A public match is listed in the lobby; a private one asks for its join code. If left out, "
            "`private`."
        },
    )
    auto_start = StrictBoolean(
        load_default=True,
        metadata={"description": "Whether the match starts by itself at the last join. If left out, `true`."},
    )
    spectators = fields.String(
        load_default="after_deal",
        validate=OneOf(SPECTATORS),
        metadata={
            "description": "What those without a token may see, never a card of a deal that is being played: the "
            "cards of finished deals (`after_deal`), those only once the match is over (`hidden`), or nothing but its "
            "id, status, seats, rules and commitment (`none`)."
        },
    )
    clock = fields.Nested(
        ClockRequest,
        load_default=None,
        allow_none=True,
        metadata={"description": "How long turns last; without it as long as the players like."},
    )
    bots = fields.List(
        fields.Nested(BotRequest),
        load_default=list,
        validate=Length(max=MAX_SEATS),
        metadata={"description": "Bots that take seats at once."},
    )
    creator = fields.Nested(Creator, metadata={"description": "Seats the creator, at seat 0."})
    metadata = Metadata("Texts of your app's own beside the match.")
    webhook = fields.Nested(
        WebhookRequest,
        metadata={"description": "Tells your application's back end what happens. Only with an app key."},
    )


class JoinMatchRequest(Request):
    """A player who joins."""

    name = Name(required=True, metadata={"description": "The name that the others see."})
    seat = StrictInteger(
        validate=Range(0, MAX_SEATS - 1),
        metadata={"description": "The seat to take, from 0; without it the lowest free one."},
    )
    join_code = JoinCode(
        metadata={
            "description": "What a private match asks for; capitals and small letters are the same, and spaces and "
            "hyphens do not count."
        },
    )
    client_seed = ClientSeed(
        metadata={
            "description": "What you add to the shuffles, so that the service alone cannot have chosen them: any text, "
            "such as twenty letters from a random source."
        }
    )
    metadata = Metadata("Texts of your app's own beside the player.")


class ClientSeedRequest(Request):
    """What a player adds to the shuffles."""

    client_seed = ClientSeed(required=True, metadata={"description": "The new client seed, instead of an older one."})


class StartMatchRequest(Request):
    """An empty object, or bots for the free seats."""

    fill_with_bots = fields.String(
        validate=OneOf(LEVELS),
        metadata={"description": "Seats a bot of this level at each seat that is free."},
    )


class AnyMove(Request):
    """What every move may carry."""

    if_version = StrictInteger(
        validate=Range(1, MAX_VERSION),
        metadata={
            "description": "Judge the move only if the match is still at this version; else it is refused with "
            "`version_mismatch`."
        },
    )


class PlayMove(AnyMove):
    """Play a card."""

    type = fields.String(required=True, validate=OneOf(("play",)), metadata={"description": "Always `play`."})
    card = fields.String(
        required=True,
        validate=OneOf(CARD_NAMES, error="Must be a card, such as 10H or JS."),
        metadata={"description": "The card, rank and suit."},
    )
    suit = fields.String(
        validate=OneOf(SUIT_NAMES, error="Must be C, D, H or S."),
        metadata={"description": "The suit that a jack nominates (R9)."},
    )
    call = fields.String(
        validate=OneOf(("tek",)),
        metadata={"description": "The call that one card is left, at a table with that rule (R24)."},
    )


class DrawMove(AnyMove):
    """Draw one card, or the whole penalty when one is due."""

    type = fields.String(required=True, validate=OneOf(("draw",)), metadata={"description": "Always `draw`."})


class PassMove(AnyMove):
    """End the turn without playing."""

    type = fields.String(required=True, validate=OneOf(("pass",)), metadata={"description": "Always `pass`."})


MOVES: Final[Mapping[str, type[Schema]]] = {"play": PlayMove, "draw": DrawMove, "pass": PassMove}


class MoveRequest:
    """One of the moves, told apart by `type`.

    There are but some hundred of them: what was found of one is remembered.
    """

    def __init__(self) -> None:
        """Make the schemas of the moves."""
        self._moves = {kind: schema() for kind, schema in MOVES.items()}
        self._if_version = AnyMove().fields["if_version"]
        self._remembered = lru_cache(maxsize=1024)(lambda members: self._checked(dict(members)))

    def load(self, data: Any) -> dict[str, Any]:
        """Check a body against the schema that its `type` names.

        Raises:
            ValidationError: it fits none.
        """
        try:
            move = {**data}
            asked = {"if_version": self._if_version.deserialize(move.pop("if_version"))} if "if_version" in move else {}
            return {**self._remembered(frozenset(move.items())), **asked}
        except (TypeError, ValidationError):
            return self._checked(data)  # which finds all that is wrong

    def _checked(self, data: Any) -> dict[str, Any]:
        if not isinstance(data, dict):
            raise ValidationError({"_schema": ["Must be an object."]})
        kind = data.get("type")
        if not isinstance(kind, str) or kind not in MOVES:
            complaint = "Must be one of: play, draw, pass." if "type" in data else "Missing data for required field."
            raise ValidationError({"type": [complaint]})
        loaded: dict[str, Any] = self._moves[kind].load(data)
        return loaded


class NewTicketRequest(Request):
    """Nothing: an empty object."""
