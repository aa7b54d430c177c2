"""What the queries of requests may hold; see `requests`."""

from __future__ import annotations

import re
from typing import Final

from marshmallow import fields
from marshmallow.validate import Range, Regexp

from ..engine.play import MOVE_LIMIT
from ..following import LONGEST_WAIT_SECONDS
from .fields import QueryBoolean, QueryInteger
from .requests import MAX_VERSION, Request

PAGE_LIMIT: Final = 100
EVENTS_LIMIT: Final = 1000


class MoveQuery(Request):
    """How to take a move."""

    dry_run = QueryBoolean(
        load_default=False,
        metadata={"description": "Only tell whether the move would be legal: nothing is changed or remembered."},
    )


class EventsQuery(Request):
    """Which part of the log."""

    after = QueryInteger(
        load_default=0,
        validate=Range(0, MAX_VERSION),
        metadata={"description": "Only events with a greater `seq`; a view's `version` continues that view."},
    )
    limit = QueryInteger(
        load_default=100, validate=Range(1, EVENTS_LIMIT), metadata={"description": "How many events at most."}
    )


class PositionQuery(Request):
    """Which position of a deal."""

    move = QueryInteger(
        load_default=0,
        validate=Range(0, MOVE_LIMIT),
        metadata={"description": "After how many moves; 0 is the deal as it was dealt."},
    )


class ViewQuery(Request):
    """How to look at a match."""

    wait = QueryInteger(
        load_default=0,
        validate=Range(0, LONGEST_WAIT_SECONDS),
        metadata={"description": "With `If-None-Match`: hold the answer for so many seconds, until the match changes."},
    )


class StreamQuery(Request):
    """Where a live stream begins and ends."""

    after = QueryInteger(
        validate=Range(0, MAX_VERSION),
        metadata={"description": "Only events with a greater `seq`, and no snapshot."},
    )
    limit = QueryInteger(
        validate=Range(1, EVENTS_LIMIT),
        metadata={"description": "End the stream after so many messages, the snapshot too."},
    )
    ticket = fields.String(
        validate=Regexp(re.compile(r"[0-9a-f]{64}\Z"), error="Must be a ticket."),
        metadata={"description": "A ticket from `createStreamTicket`, instead of a token."},
    )


class NoQuery(Request):
    """No parameters."""
