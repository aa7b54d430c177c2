"""Players: joining and leaving."""

from __future__ import annotations

from typing import Final

from flask import Response

from . import answers, links
from .contract import Answer, Call, Operations, write_response
from .requests import JoinMatchRequest

operations: Final[Operations] = Operations("players")


@operations.operation(
    "POST",
    "/v1/matches/{match_id}/players",
    {
        201: Answer(
            "The seat is taken.",
            answers.Joined,
            headers={"Location": "The path of the match."},
            links=links.FROM_JOINING,
        )
    },
    body=JoinMatchRequest,
    refuses=(
        "join_code_wrong",
        "seat_not_found",
        "match_already_started",
        "match_finished",
        "match_full",
        "seat_taken",
        "conflict",
    ),
)
def join_match(call: Call) -> Response:
    """Take a seat.

    Takes the asked or the lowest free seat. The answer holds the player's `token`: keep it, it is shown this once,
    and send it as `Authorization: Bearer TOKEN` from now on. If this was the last free seat and the match starts by
    itself, the answer's `match` already shows your hand.
    """
    body = call.body
    joined = call.usecases.join(call.visit, body["name"], body.get("seat"), body.get("join_code"))
    data = {"match": joined.match, "token": joined.token, "seat": joined.seat}
    return write_response(data, joined.replayed, 201, f"/v1/matches/{joined.match['id']}")


@operations.operation(
    "DELETE",
    "/v1/matches/{match_id}/players/{seat}",
    {200: Answer("The seat is free.", answers.MatchAnswer)},
    access="member",
    refuses=("not_your_seat", "seat_not_found", "match_already_started", "match_finished", "conflict"),
)
def leave_match(call: Call) -> Response:
    """Free a seat before the start.

    Players leave with their own token, which dies with it; the host may free any seat. When the host leaves, the
    lowest taken seat becomes the host; when nobody is left, the match is abandoned.
    """
    left = call.usecases.leave(call.visit, int(call.path["seat"]))
    return write_response({"match": left.match}, left.replayed)
