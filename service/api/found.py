"""What requests to find a match may hold, and what their answers look like; see `requests` and `answers`."""

from __future__ import annotations

import re
from typing import Final

from marshmallow import fields
from marshmallow.validate import OneOf, Range, Regexp

from ..clocks import USUAL_DEAL_PAUSE, Clock
from ..engine.rules import MAX_SEATS, MIN_SEATS, PRESETS
from ..identity import MATCH_ID_LENGTH
from . import shapes
from .answers import Rules
from .fields import ClientSeed, JoinCode, Metadata, Name, QueryInteger, StrictInteger
from .happened import SeatName
from .queries import PAGE_LIMIT
from .requests import STATUSES, VISIBILITIES, ClockRequest, Request, RulesField
from .shapes import Open

_STRANGERS_CLOCK: Final = Clock(turn_seconds=30, bank_seconds=60, deal_pause=USUAL_DEAL_PAUSE)


class LobbyQuery(Request):
    """Which part of the lobby."""

    status = fields.String(validate=OneOf(STATUSES), metadata={"description": "Only matches of this status."})
    seats = QueryInteger(
        validate=Range(MIN_SEATS, MAX_SEATS), metadata={"description": "Only tables with so many seats, free or taken."}
    )
    preset = fields.String(
        validate=OneOf(tuple(PRESETS)),
        metadata={"description": "Only matches whose rules began with this preset, whatever they changed."},
    )
    cursor = fields.String(
        validate=Regexp(re.compile(rf"[0-9]{{13}}-[A-Za-z0-9]{{{MATCH_ID_LENGTH}}}\Z"), error="Must be a next_cursor."),
        metadata={"description": "Where to go on: the `next_cursor` of the page before."},
    )
    limit = QueryInteger(
        load_default=20, validate=Range(1, PAGE_LIMIT), metadata={"description": "How many matches at most."}
    )


class QuickMatchRequest(Request):
    """Somebody who looks for strangers to play with, and for which kind of match."""

    name = Name(required=True, metadata={"description": "The name that the others see."})
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
    clock = fields.Nested(
        ClockRequest,
        load_default=_STRANGERS_CLOCK._asdict,
        allow_none=True,
        metadata={
            "description": "How long turns last; null for as long as the players like. If left out, turns of 30 "
            "seconds with a bank of 60, so that nobody waits for ever for a stranger."
        },
    )
    client_seed = ClientSeed(
        metadata={"description": "What you add to the shuffles, so that the service alone cannot have chosen them."}
    )
    metadata = Metadata("Texts of your app's own beside you.")


class JoinCodeLookupRequest(Request):
    """A join code that somebody was given."""

    join_code = JoinCode(
        required=True,
        metadata={
            "description": "The join code; capitals and small letters are the "
            "same, and spaces and hyphens do not count."
        },
    )


class LobbyMatch(Open):
    """A match as those see it who look for one."""

    id = shapes.text("Its identity.")
    status = shapes.text("How far it is.", known=STATUSES)
    name = shapes.text("What it is called.")
    visibility = shapes.text("Whether the lobby lists it.", known=VISIBILITIES)
    seats = shapes.number("How many seats the table has.")
    free_seats = shapes.seats("The seats that nobody has taken.")
    players = shapes.many(fields.Nested(SeatName), "Who sits; empty if the match is closed to those without a token.")
    metadata = Metadata("What the app noted beside it; left out if that is nothing, and if the match is closed.")
    rules = shapes.one(Rules, "Its rules.")
    created_at = shapes.time("When it was created.")
    expires_at = shapes.time(
        "When it is forgotten, unless it changes before; null if it is closed to those without a token.", nullable=True
    )


class Lobby(Open):
    """A page of the lobby."""

    matches = shapes.many(fields.Nested(LobbyMatch), "Public matches, newest first.")
    next_cursor = shapes.text(
        "The `cursor` of the next page; null at the end. It may come with a page that is not full, or empty.",
        nullable=True,
    )


class Invitation(Open):
    """Where a join code leads to."""

    match = shapes.one(LobbyMatch, "The match that waits for players.")
