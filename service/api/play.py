"""Play: what may be done, doing it, and what happened."""

from __future__ import annotations

from typing import Final

from flask import Response

from ..engine.moves import as_move
from ..errors import Refusal
from . import answers, finished, links
from .contract import Answer, Call, Operations, json_response, write_response
from .queries import EventsQuery, MoveQuery, PositionQuery
from .requests import MoveRequest

operations: Final[Operations] = Operations("play")

_PRIVATE = {"Cache-Control": "private, no-cache", "Vary": "Authorization"}


@operations.operation(
    "GET",
    "/v1/matches/{match_id}/legal-moves",
    {200: Answer("What the player may do now.", answers.LegalMoves, links=links.FROM_CHOOSING)},
    access="player",
)
def list_legal_moves(call: Call) -> Response:
    """List what you may do now.

    Each entry is a body that can be posted to `makeMove` as it is: one for each suit of a jack, with and without
    `call` where the rules allow both. Empty when it is not your turn, so that a client needs no rules of its own.
    """
    return json_response({"moves": call.usecases.legal_moves(call.visit)}, headers=_PRIVATE)


@operations.operation(
    "POST",
    "/v1/matches/{match_id}/moves",
    {
        200: Answer(
            "The move counts; in a dry run, it would.",
            (answers.Moved, answers.LegalMoveAnswer),
            links=links.FROM_MOVING,
        )
    },
    body=MoveRequest,
    query=MoveQuery,
    access="player",
    refuses=(
        "match_not_started",
        "match_finished",
        "bot_plays",
        "version_mismatch",
        "not_your_turn",
        "illegal_move",
        "conflict",
    ),
)
def make_move(call: Call) -> Response:
    """Make a move.

    Play a card, draw (one card, or the whole penalty when one is due) or pass. The answer holds your new view and the
    events that the move caused, up to the next deal when it ended one. A refused move changes nothing; its problem
    document names the clause of the rules in `rule` and says why in `detail`. With `if_version` the move is judged
    only against the version that you saw. With `?dry_run=true` nothing is done: a legal move is answered with
    `{"legal": true}`, any other is refused as it would be.
    """
    body = call.body
    if call.query["dry_run"]:
        call.usecases.judge(call.visit, as_move(body), body.get("if_version"))
        return json_response({"legal": True}, headers={"Cache-Control": "no-store"})
    moved = call.usecases.move(call.visit, as_move(body), body.get("if_version"))
    return write_response({"match": moved.match, "events": moved.events}, moved.replayed)


@operations.operation(
    "GET",
    "/v1/matches/{match_id}/events",
    {200: Answer("A part of the log.", answers.Events, links=links.FROM_READING)},
    query=EventsQuery,
    access="reader",
)
def list_events(call: Call) -> Response:
    """Read what happened.

    The log of the match in order, `seq` 1, 2, 3 … without gaps, as its reader may see it: of the cards that are drawn
    or dealt it holds the reader's own. Go on with `next_after`; a view's `version` is the `seq` that continues it.
    """
    events, next_after = call.usecases.events(call.visit, call.query["after"], call.query["limit"])
    return json_response({"events": events, "next_after": next_after}, headers=_PRIVATE)


@operations.operation(
    "GET",
    "/v1/matches/{match_id}/deals/{number}",
    {200: Answer("The finished deal.", finished.FinishedDeal, links=links.FROM_FINISHED)},
    access="reader",
    refuses=("deal_not_found", "deal_unfinished"),
)
def get_deal(call: Call) -> Response:
    """Look at a finished deal, and prove it.

    Its result, every hand as it was when the deal ended, and all that is needed to shuffle, deal and play it again:
    the section "Fairness" tells how. While the deal is played this is refused with `deal_unfinished`; and with
    `token_required`, where those without a token see the deals after the match only. An abandoned match shows its last
    deal as it stood.
    """
    return json_response(call.usecases.finished_deal(call.visit, _deal_number(call)), headers=_PRIVATE)


@operations.operation(
    "GET",
    "/v1/matches/{match_id}/deals/{number}/positions",
    {200: Answer("The position.", finished.Position, links=links.FROM_POSITION)},
    query=PositionQuery,
    access="reader",
    refuses=("deal_not_found", "position_not_found", "deal_unfinished"),
)
def get_position(call: Call) -> Response:
    """Replay a finished deal.

    The deal as it was after so many of its moves, with all its cards open: `move=0` is the deal as it was dealt, and
    the largest `move` is what `moves` tells. A larger one is refused with `position_not_found`.
    """
    position = call.usecases.position(call.visit, _deal_number(call), call.query["move"])
    return json_response(position, headers=_PRIVATE)


def _deal_number(call: Call) -> int:
    number = call.path["number"]
    if not (number.isascii() and number.isdigit() and len(number) <= 2):
        raise Refusal("deal_not_found", "A deal is named by its number, from 1.")
    return int(number)
