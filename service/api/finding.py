"""Finding a match: the lobby, quick match, join codes."""

from __future__ import annotations

from typing import Final

from flask import Response

from ..clocks import Clock
from ..dealings import NewMatch, NewPlayer
from ..lobby import Search
from ..store.base import Place
from . import answers, found, links
from .client import client_address
from .contract import Answer, Call, Operations, json_response, write_response

operations: Final[Operations] = Operations("matches")


@operations.operation(
    "GET",
    "/v1/matches",
    {200: Answer("A page of the lobby.", found.Lobby, links=links.FROM_LOBBY)},
    query=found.LobbyQuery,
    refuses=("store_unavailable",),
)
def list_matches(call: Call) -> Response:
    """List public matches.

    The newest come first. Go on with `next_cursor` until it is null; matches that come or go meanwhile do not make
    the others repeat or vanish. With filters that little fits, a page may hold fewer matches than its limit, or none,
    and yet have a `next_cursor`. Join one of `?status=waiting` with `joinMatch`.
    """
    cursor = call.query.get("cursor")
    beyond = None
    if cursor is not None:
        created_ms, _, match_id = cursor.partition("-")
        beyond = Place(int(created_ms), match_id)
    search = Search(call.query.get("status"), call.query.get("seats"), call.query.get("preset"))
    matches, end = call.usecases.lobby(search, beyond, call.query["limit"])
    next_cursor = None if end is None else f"{end.created_ms:013}-{end.match_id}"
    return json_response({"matches": matches, "next_cursor": next_cursor}, headers={"Cache-Control": "no-cache"})


@operations.operation(
    "POST",
    "/v1/quick-matches",
    {
        201: Answer(
            "A seat is taken.",
            answers.Joined,
            headers={"Location": "The path of the match."},
            links=links.FROM_QUICK_MATCH,
        )
    },
    body=found.QuickMatchRequest,
    app_key=True,
    refuses=("invalid_rules", "conflict", "store_unavailable"),
)
def quick_match(call: Call) -> Response:
    """Play with strangers.

    Seats you at the public match that has waited longest for players with just these `seats`, `rules` and `clock`, or
    opens one, whose host you are. The answer is that of `joinMatch`: keep the `token`. The match starts when the last
    seat is taken, so follow it from now on, and leave it with `leaveMatch` if you do not want to wait any more.
    Rematches, and matches with bots, `metadata`, `spectators` of their own or without `auto_start` are not given. Send
    an `Idempotency-Key`, so that a repeat finds the same seat and does not take another.
    """
    body = call.body
    asked = NewPlayer(body["name"], client_seed=body.get("client_seed"), metadata=body["metadata"])
    order = NewMatch(
        seats=body["seats"],
        rules=body["rules"],
        name="Pis Yedili",
        visibility="public",
        auto_start=True,
        creator_name=asked.name,
        clock=Clock(**body["clock"]) if body["clock"] else None,
        creator_seed=asked.client_seed,
        app=call.app,
        creator_metadata=asked.metadata,
    )
    seated = call.usecases.quick_match(order, asked, call.once)
    data = {"match": seated.match, "token": seated.token, "seat": seated.seat}
    return write_response(data, seated.replayed, 201, f"/v1/matches/{seated.match['id']}")


@operations.operation(
    "POST",
    "/v1/join-codes/lookup",
    {200: Answer("The match that waits.", found.Invitation, links=links.FROM_LOOKUP)},
    body=found.JoinCodeLookupRequest,
    only_reads=True,
    refuses=("join_code_unknown", "rate_limited", "store_unavailable"),
)
def look_up_join_code(call: Call) -> Response:
    """Find the match of a join code.

    Shows what somebody wants to know who was given a join code: whose table it is, and what is played there. Take a
    seat with `joinMatch`, the match's `id` and the code. A code is good until its match starts, ends or expires.
    Wrong codes are limited: ten a minute for each client, three while very many clients send wrong ones; those sent to
    `joinMatch` count too.
    """
    match = call.usecases.look_up(call.body["join_code"], client_address())
    return json_response({"match": match}, headers={"Cache-Control": "no-store"})
