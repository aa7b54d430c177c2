"""A match as one document, to be kept."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import orjson
from flask import Response
from marshmallow import fields

from ..export import Export
from ..view import Data
from . import answers, finished, shapes
from .contract import Answer, Call, Operations
from .happened import Event
from .incoming import JSON

operations: Final[Operations] = Operations("play")

_HEADERS: Final = {"Cache-Control": "private, no-cache", "Vary": "Authorization"}


class ExportedMatch(shapes.Open):
    """All of a match that its reader may see."""

    match = shapes.one(answers.Match, "The match, as `getMatch` shows it.")
    deals = shapes.many(
        fields.Nested(finished.FinishedDeal), "The proofs of the finished deals, as `getDeal` gives them."
    )
    events = shapes.many(fields.Nested(Event), "The whole log up to the match's `version`, as `listEvents` gives it.")


@operations.operation(
    "GET",
    "/v1/matches/{match_id}/export",
    {200: Answer("The match, its proofs and its log.", ExportedMatch)},
    access="reader",
)
def export_match(call: Call) -> Response:
    """Export a match.

    One document of all that you may see of a match: its view, the proofs of its finished deals, and its log up to the
    view's `version`. Once the match is over that is the whole match with all its cards, to be kept beyond the day when
    the service forgets it; `python -m service.verify FILE` checks its proofs and its view, which hold every card and
    every move; the log beside them is not compared. The answer comes in pieces: one that breaks off,
    because the store fails or the match expires meanwhile, is no JSON, so ask again.
    """
    return Response(_pieces(call.usecases.export(call.visit)), headers=_HEADERS, mimetype=JSON)


def _pieces(export: Export) -> Iterator[bytes]:
    yield b'{"match":' + orjson.dumps(export.match)
    yield from _array("deals", ([deal] for deal in export.deals))
    yield from _array("events", export.events)
    yield b"}"


def _array(name: str, pages: Iterator[list[Data]]) -> Iterator[bytes]:
    yield b',"%s":[' % name.encode()
    between = b""
    for page in pages:
        yield between + b",".join(map(orjson.dumps, page))
        between = b","
    yield b"]"
