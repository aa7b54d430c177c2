"""Players: joining, adding to the shuffles, leaving and coming back."""

from __future__ import annotations

from typing import Final

from flask import Response

from ..dealings import NewPlayer
from . import answers, links
from .client import client_address
from .contract import Answer, Call, Operations, write_response
from .requests import ClientSeedRequest, JoinMatchRequest

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
        "token_required",
        "rate_limited",
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
    joined = call.usecases.join(call.visit, NewPlayer(**call.body, client=client_address()))
    data = {"match": joined.match, "token": joined.token, "seat": joined.seat}
    return write_response(data, joined.replayed, 201, f"/v1/matches/{joined.match['id']}")


@operations.operation(
    "PUT",
    "/v1/matches/{match_id}/players/{seat}/client-seed",
    {200: Answer("The client seed is kept.", answers.ClientSeedSet, links=links.FROM_SEEDING)},
    body=ClientSeedRequest,
    access="player",
    refuses=("seat_not_found", "match_already_started", "match_finished", "conflict"),
)
def set_client_seed(call: Call) -> Response:
    """Add to the shuffles.

    What you give here, or at joining, goes into every shuffle of the match together with the service's own seed, which
    it has committed to before. Until the match starts you may replace it; the others see it at once, in the event
    `client_seed_set`. Creating a match takes none: a creator who plays gives it here, before the last seat is taken if
    the match starts by itself.
    """
    answered = call.usecases.set_client_seed(call.visit, int(call.path["seat"]), call.body["client_seed"])
    return write_response({"match": answered.match, "events": answered.events}, answered.replayed)


@operations.operation(
    "DELETE",
    "/v1/matches/{match_id}/players/{seat}",
    {200: Answer("The player has left.", answers.LeftAnswer, links=links.FROM_LEAVING)},
    access="member",
    refuses=("not_your_seat", "seat_not_found", "match_already_started", "match_finished", "conflict"),
)
def leave_match(call: Call) -> Response:
    """Leave, or free a seat.

    Before the start the seat is free again and the player's token dies; the host may free any seat. In a match that is
    played, a bot plays on for the player, whose token stays good to watch, and to take the seat back with
    `returnToSeat`. When the host leaves, another player becomes the host; a match that waits is
    abandoned when its last player leaves, unless it has a host who does not play.
    """
    left = call.usecases.leave(call.visit, int(call.path["seat"]))
    return write_response({"match": left.match}, left.replayed)


@operations.operation(
    "POST",
    "/v1/matches/{match_id}/players/{seat}/return",
    {200: Answer("The player plays the seat.", answers.MatchAnswer, links=links.FROM_RETURNING)},
    access="player",
    refuses=("seat_not_found", "match_not_started", "match_finished", "conflict"),
)
def return_to_seat(call: Call) -> Response:
    """Take your seat back from the bot.

    Takes no body. Whoever has left a match that is played may come back at any time. Nothing else gives a seat back:
    reading and moving do not. For a player who plays the seat anyway, nothing changes.
    """
    returned = call.usecases.return_to_seat(call.visit, int(call.path["seat"]))
    return write_response({"match": returned.match}, returned.replayed)


@operations.operation(
    "POST",
    "/v1/matches/{match_id}/players/{seat}/token",
    {201: Answer("The new token.", answers.TokenReissued)},
    app_key=True,
    own_app=True,
    refuses=("seat_not_found", "conflict"),
)
def reissue_token(call: Call) -> Response:
    """Give a player a new token.

    Takes no body. For the application that created the match, or the one before a rematch, with its app key: a player
    who has lost their token, or whose token somebody else has, gets another. The old one dies at once, with its stream
    tickets, and its open streams end after the event `token_reissued`. The host's rights go with the new one.
    """
    given = call.usecases.reissue_token(call.visit, int(call.path["seat"]))
    return write_response({"token": given.token, "seat": given.seat}, given.replayed, 201)
