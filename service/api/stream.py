"""The live stream: server-sent events."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import orjson
from flask import Response, request

from ..dealings import Visit
from ..errors import Refusal
from ..following import TICKET_FIRST_USE, Ending, Happened, Heartbeat, Seen
from ..reception import require_open
from ..view import Data
from . import answers, links
from .contract import Answer, Call, Operations, nothing, write_response
from .queries import StreamQuery
from .requests import MAX_VERSION, NewTicketRequest

operations: Final[Operations] = Operations("play")

SSE: Final = "text/event-stream"
_RETRY_MS: Final = 2000
_HEADERS: Final = {"Cache-Control": "no-store", "X-Accel-Buffering": "no", "Vary": "Authorization"}


@operations.operation(
    "GET",
    "/v1/matches/{match_id}/stream",
    {
        200: Answer("The events, as they happen.", media_type=SSE),
        204: Answer("The match is over, and you have its last event.", media_type=None),
    },
    query=StreamQuery,
    access="anyone",
    request_headers={"Last-Event-ID": "The `id` of the last message that you have; beats `after`."},
    refuses=("too_many_streams", "token_required"),
)
def stream_match(call: Call) -> Response:
    """Follow a match live.

    Server-sent events. Without a place to resume from, or with one that the log has not reached, the first message is
    `snapshot`: `data` is the whole view, a `Match`, and `id` its version. Then every event of the log comes as it
    happens, `id` its `seq`, `event` its `type`, `data` the same JSON as in `listEvents`, an `Event`. Send the last `id`
    as `Last-Event-ID` (browsers do by themselves) or `after` to go on without loss or repeat, on any server. A comment
    comes at once, then at least every 15 seconds. In between, `presence` without an `id` tells of players who come and
    go: `data` is `{"seat": 1, "present": false}`; it is no event of the log, and no message that `limit` counts. The
    stream ends when the match does, when it expires, or with the reader's token; resuming beyond the end answers 204,
    which tells a browser to stop. Browsers, which cannot send a token, send a `ticket` from `createStreamTicket`; if
    both are sent, both must be good, and the ticket tells whose eyes see. A client that was generated, which mostly
    waits for the whole answer, asks for a few messages with `limit`, or reads `listEvents`.
    """
    visit = _visit_with_ticket(call)
    resume = _resume_position(call)
    record = visit.record
    if resume is not None and resume >= record.version and record.is_over:
        return nothing()
    if resume is not None and resume > record.version:
        resume = None  # a store that lost its latest writes cannot go on from there: begin anew
    body = _messages(call, visit, resume)
    next(body)  # whoever closes it now gives the room back
    return Response(body, headers=_HEADERS, mimetype=SSE, direct_passthrough=True)


def _visit_with_ticket(call: Call) -> Visit:
    ticket = call.query.get("ticket")
    if ticket is None:
        require_open(call.visit.record, call.visit.caller)
        return call.visit
    return call.visit._replace(caller=call.follower.ticket_holder(call.visit.record, ticket))


def _resume_position(call: Call) -> int | None:
    header = request.headers.get("Last-Event-ID")
    if header is None:
        after: int | None = call.query.get("after")
        return after
    if not re.fullmatch("[0-9]{1,10}", header) or int(header) > MAX_VERSION:
        errors = [{"parameter": "Last-Event-ID", "detail": "Must be the id of a message."}]
        raise Refusal("invalid_query", "The Last-Event-ID is not one of this stream.", errors=errors)
    return int(header)


def _messages(call: Call, visit: Visit, resume: int | None) -> Iterator[bytes]:
    """Give nothing as soon as there is room, then a welcome and the messages.

    Raises:
        Refusal: `too_many_streams`, before anything is given.
    """
    leave = call.follower.take_room()
    try:
        opening, stream, left = _opening(call, visit, resume)
        del call, visit  # a stream may last for hours, and there may be thousands
        yield b""
        yield opening
        del opening
        if left == 0:
            return
        for happened in stream:
            yield _written(happened)
            if left and isinstance(happened, dict):
                left -= 1
                if not left:
                    return
    finally:
        leave()


def _opening(call: Call, visit: Visit, resume: int | None) -> tuple[bytes, Iterator[Happened], int | None]:
    """Give what a stream begins with, what follows, and how many messages of that at most."""
    left = call.query.get("limit")
    record, caller = visit.record, visit.caller
    opening, told = b": welcome\nretry: %d\n\n" % _RETRY_MS, None
    if resume is None:
        left = 0 if record.is_over else left and left - 1
        if left != 0 and caller.seat is not None:  # by this very stream they are here
            record = record._replace(present=record.present | {caller.seat})
        resume, told = record.version, record.present
        opening += _message(resume, "snapshot", call.usecases.view(visit._replace(record=record)))
    return opening, call.follower.stream(record, caller, resume, told), left


def _written(happened: Happened) -> bytes:
    if isinstance(happened, Heartbeat):
        return b": alive\n\n"
    if isinstance(happened, Ending):
        return b": this server stops, go on with another\nretry: %d\n\n" % _RETRY_MS
    if isinstance(happened, Seen):
        return b"event: presence\ndata: %s\n\n" % orjson.dumps(happened._asdict())
    return _message(happened["seq"], happened["type"], happened)


def _message(number: int, kind: str, data: Data) -> bytes:
    return b"id: %d\nevent: %s\ndata: %s\n\n" % (number, kind.encode(), orjson.dumps(data))


@operations.operation(
    "POST",
    "/v1/matches/{match_id}/stream-tickets",
    {201: Answer("The ticket.", answers.StreamTicket, links=links.FROM_TICKET)},
    body=NewTicketRequest,
    access="member",
)
def create_stream_ticket(call: Call) -> Response:
    """Get a ticket for the live stream.

    For browsers, whose `EventSource` cannot send a token: `stream?ticket=TICKET` follows the match as you see it, and
    nothing else. Use it first within 60 seconds; then it is good for reconnecting for 24 hours. A host who does not
    play sees what everybody sees, also where a match is closed to those without a token.
    """
    ticket = call.usecases.new_ticket(call.visit)
    is_new = call.follower.admit_ticket(call.visit.record, call.visit.caller, ticket)
    data = {"ticket": ticket, "first_use_seconds": round(TICKET_FIRST_USE.total_seconds())}
    return write_response(data, not is_new, 201)
