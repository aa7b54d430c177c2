"""Matches: creating, looking at, starting, deleting."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from flask import Response, request

from ..clocks import Clock
from ..dealings import BotOrder, NewMatch
from ..reception import is_closed
from ..usecases import UseCases
from ..view import Data
from . import answers, links
from .contract import Answer, Call, Operations, Parts, json_response, write_response
from .hooks import asked_webhook
from .incoming import bearer_token, read_query
from .measuring import held
from .queries import ViewQuery
from .requests import CreateMatchRequest, StartMatchRequest

operations: Final[Operations] = Operations("matches")


@operations.operation(
    "POST",
    "/v1/matches",
    {
        201: Answer(
            "The match was created.",
            answers.Created,
            headers={"Location": "The path of the match."},
            links=links.FROM_CREATING,
        )
    },
    body=CreateMatchRequest,
    app_key=True,
    refuses=("invalid_rules", "token_required", "store_unavailable"),
)
def create_match(call: Call) -> Response:
    """Create a match.

    The answer holds the host's `token`: keep it, it is shown this once. With `creator` you sit at seat 0 and the
    token is your player's too. Others join with the id, and with the `join_code` if the match is private. When the
    last seat is taken the match starts by itself, unless `auto_start` is false: then the host starts it. `bots` sit
    down at once; with bots at all other seats the match starts with its creation.
    """
    body = call.body
    creator = body.get("creator")
    order = NewMatch(
        seats=body["seats"],
        rules=body["rules"],
        name=body["name"],
        visibility=body["visibility"],
        auto_start=body["auto_start"],
        creator_name=creator["name"] if creator else None,
        spectators=body["spectators"],
        clock=Clock(**body["clock"]) if body["clock"] else None,
        bots=[BotOrder(**bot) for bot in body["bots"]],
        app=call.app,
        metadata=body["metadata"],
        creator_metadata=creator["metadata"] if creator else {},
        webhook=asked_webhook(body.get("webhook"), call.app),
    )
    made = call.usecases.create(order, call.once)
    data: Data = {"match": made.match, "token": made.token, "seat": made.seat}
    if made.join_code is not None:
        data["join_code"] = made.join_code
    return write_response(data, made.replayed, 201, f"/v1/matches/{made.match['id']}")


_VIEW_QUERY: Final = ViewQuery()
_VIEW_HEADERS: Final = {"Cache-Control": "private, no-cache", "Vary": "Authorization"}


def unchanged(parts: Parts, path: Mapping[str, str]) -> Response | None:
    """Answer 304, after waiting if that is asked for, to a reader who has the newest view already.

    Costs one small read of the store, as long as nobody waits: a reader's `ETag` cannot be guessed, so whoever sends
    it back was given it, and while the version stands, the token with which it was given is valid too. `*`, which
    anyone can send, is left to the view.
    """
    if not request.if_none_match or request.if_none_match.star_tag:
        return None
    match_id = path["match_id"]
    version = parts.usecases.version(match_id)
    if not version:
        return None
    etag = _etag(parts.usecases, match_id, version)
    if not request.if_none_match.contains_weak(etag):
        return None
    if seconds := read_query(request, _VIEW_QUERY)["wait"]:
        _wait(parts, match_id, version, seconds)
        if parts.usecases.version(match_id) != version:
            return None
    return _not_modified(etag)


def _wait(parts: Parts, match_id: str, version: int, seconds: int) -> None:
    leave = parts.follower.take_room()
    try:
        visit = parts.usecases.admit(parts.usecases.find(match_id), bearer_token(request), "anyone")
        if visit.record.version == version:
            with held():
                parts.follower.wait(visit.record, visit.caller, seconds)
    finally:
        leave()


def _not_modified(etag: str | None) -> Response:
    response = Response(status=304, headers=_VIEW_HEADERS)
    if etag is not None:
        response.set_etag(etag)
    return response


def _etag(usecases: UseCases, match_id: str, version: int) -> str:
    return f"{version}-{usecases.reader_mark(match_id, bearer_token(request))}"


@operations.operation(
    "GET",
    "/v1/matches/{match_id}",
    {
        200: Answer(
            "The match; an outline of it for those to whom it is closed.",
            (answers.Match, answers.ClosedMatch),
            headers={"ETag": "The version of the match and its reader; not for those to whom it is closed."},
            links=links.FROM_LOOKING,
        ),
        304: Answer("The match has not changed since the `ETag` in `If-None-Match`.", media_type=None),
    },
    query=ViewQuery,
    access="anyone",
    shortcut=unchanged,
    request_headers={"If-None-Match": "The `ETag` of the view that you have."},
    refuses=("too_many_streams",),
)
def get_match(call: Call) -> Response:
    """Look at a match.

    Anyone who knows the id sees what lies open on the table, unless the match is closed to those without a token. With
    a player's token, `you` holds their hand and what they may do now. Send the `ETag` back in `If-None-Match` to be
    told with 304 that nothing has changed, but for who is `present`; with `wait` too, the answer comes when the match
    changes, or after so many seconds. Go on with `listEvents` after the view's `version`, or with `streamMatch`, to
    follow the match.
    """
    record = call.visit.record
    etag = None
    if not is_closed(record, call.visit.caller):  # else it would tell how the match goes on
        etag = _etag(call.usecases, record.match_id, record.version)
    if request.if_none_match.star_tag:
        return _not_modified(etag)
    response = json_response(call.usecases.view(call.visit), headers=_VIEW_HEADERS)
    if etag is not None:
        response.set_etag(etag)
    return response


@operations.operation(
    "POST",
    "/v1/matches/{match_id}/start",
    {200: Answer("The first deal is dealt.", answers.MatchAnswer, links=links.FROM_STARTING)},
    body=StartMatchRequest,
    access="host",
    refuses=("match_already_started", "match_finished", "seats_free", "conflict"),
)
def start_match(call: Call) -> Response:
    """Start a match.

    The host deals the first deal once every seat is taken; `fill_with_bots` seats bots at those that are free. A match
    with `auto_start` needs no call: its last join starts it.
    """
    started = call.usecases.start(call.visit, call.body.get("fill_with_bots"))
    return write_response({"match": started.match}, started.replayed)


@operations.operation(
    "DELETE",
    "/v1/matches/{match_id}",
    {200: Answer("The match is abandoned.", answers.MatchAnswer, links=links.FROM_DELETING)},
    access="host",
    refuses=("match_already_started", "match_finished", "conflict"),
)
def delete_match(call: Call) -> Response:
    """Abandon a match.

    The host ends a match that waits for its start, or that only bots play by now. If a deal was being played, its
    hands and its seed are shown from then on, so that its shuffle can be checked. The match stays readable until it
    expires.
    """
    deleted = call.usecases.delete(call.visit)
    return write_response({"match": deleted.match}, deleted.replayed)
