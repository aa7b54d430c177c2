"""Going on at the same table: the rematch of a match that is over."""

from __future__ import annotations

from typing import Final

from flask import Response

from ..view import Data
from . import answers, links, shapes
from .contract import Answer, Call, Operations, write_response
from .fields import ClientSeed
from .requests import Request

operations: Final[Operations] = Operations("players")


class RematchRequest(Request):
    """An empty object, or what you add to the shuffles."""

    client_seed = ClientSeed(
        metadata={"description": "What you add to the shuffles of the rematch; it counts only before the start."}
    )


class Rematch(answers.Joined):
    """A seat taken in a rematch."""

    join_code = shapes.text(
        "What others need for a seat that is free once nobody is awaited; only for the host of a private match.",
        required=False,
    )


@operations.operation(
    "POST",
    "/v1/matches/{match_id}/rematch",
    {
        201: Answer(
            "You sit in the rematch.",
            Rematch,
            headers={"Location": "The path of the rematch."},
            links=links.FROM_REMATCH,
        )
    },
    body=RematchRequest,
    access="player",
    refuses=("match_not_started", "match_unfinished", "match_finished", "seat_taken", "conflict"),
)
def take_rematch(call: Call) -> Response:
    """Play again at the same table.

    For a match that is over: its players come to the rematch here, each with their token of this match, and get their
    token of the rematch, at the seat that they had. The first one brings the rematch about, is its host, and so offers
    it to the others: `rematch` in this match's view, and the event `rematch_offered`, tell its id. Bots sit there at
    once. The last player starts it, if it starts by itself; 60 seconds after its creation bots stand in for those who
    have not come, who may still come here and then play on themselves.
    """
    taken = call.usecases.rematch(call.visit, call.body.get("client_seed"))
    data: Data = {"match": taken.match, "token": taken.token, "seat": taken.seat}
    if taken.join_code is not None:
        data["join_code"] = taken.join_code
    return write_response(data, taken.replayed, 201, f"/v1/matches/{taken.match['id']}")
