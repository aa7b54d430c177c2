"""Where answers lead to: the links of the contract."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

SAME_MATCH: Final = {"match_id": "$request.path.match_id"}


class Link(NamedTuple):
    """Where an answer leads to.

    Attributes:
        operation: the name of the operation.
        description: why to go there.
        parameters: its parameters, as runtime expressions.
        body: its body, if the answer tells, with runtime expressions in it.
    """

    operation: str
    description: str
    parameters: Mapping[str, str] = SAME_MATCH
    body: Any = None


LOOK: Final = Link("getMatch", "Look at the match.")
CHOOSE: Final = Link("listLegalMoves", "See what you may do now.")
MOVE: Final = Link("makeMove", "Move, when it is your turn.")
START: Final = Link("startMatch", "The host starts the match when every seat is taken.", body={})

_MADE: Final = {"match_id": "$response.body#/match/id"}
FROM_CREATING: Final = (
    Link(
        "joinMatch",
        "Others join with the id, and with the join code if there is one.",
        _MADE,
        {"name": "Mehmet", "join_code": "$response.body#/join_code"},
    ),
    START._replace(parameters=_MADE),
    LOOK._replace(parameters=_MADE),
    Link(
        "setClientSeed",
        "A creator who plays may add to the shuffles.",
        {**_MADE, "seat": "$response.body#/seat"},
        {"client_seed": "a few random letters"},
    ),
    Link("leaveMatch", "A creator who plays may leave.", {**_MADE, "seat": "$response.body#/seat"}),
)
FROM_JOINING: Final = (
    Link(
        "setClientSeed",
        "Add to the shuffles before the start.",
        {**SAME_MATCH, "seat": "$response.body#/seat"},
        {"client_seed": "a few random letters"},
    ),
    START,
    MOVE,
    LOOK,
    Link("createStreamTicket", "Get a ticket with which a browser follows the match.", body={}),
    Link(
        "leaveMatch",
        "Leave: a bot plays on once the match has started.",
        {**SAME_MATCH, "seat": "$response.body#/seat"},
    ),
)
FROM_REMATCH: Final = (
    LOOK._replace(parameters=_MADE),
    Link(
        "setClientSeed",
        "Add to the shuffles before the start.",
        {**_MADE, "seat": "$response.body#/seat"},
        {"client_seed": "a few random letters"},
    ),
    Link(
        "startMatch",
        "The host begins without those who have not come.",
        _MADE,
        {"fill_with_bots": "normal"},
    ),
    MOVE._replace(parameters=_MADE),
)
FROM_QUICK_MATCH: Final = tuple(
    link._replace(parameters={**link.parameters, **_MADE}) for link in FROM_JOINING if link.operation != START.operation
)
FROM_LOOKUP: Final = (
    Link("joinMatch", "Take a seat.", _MADE, {"name": "Mehmet", "join_code": "$request.body#/join_code"}),
)
FROM_SEEDING: Final = (START, LOOK)
FROM_STARTING: Final = (MOVE, CHOOSE, LOOK)
FROM_LOOKING: Final = (
    CHOOSE,
    Link("listEvents", "Read what happens from now on.", {**SAME_MATCH, "after": "$response.body#/version"}),
)
FROM_CHOOSING: Final = (MOVE._replace(description="Make the first of them.", body="$response.body#/moves/0"),)
FROM_LEAVING: Final = (
    LOOK,
    Link("returnToSeat", "Come back to a match that is played.", {**SAME_MATCH, "seat": "$request.path.seat"}),
)
FROM_RETURNING: Final = (CHOOSE, MOVE, LOOK)
FROM_DELETING: Final = (LOOK,)
FROM_MOVING: Final = (
    LOOK,
    CHOOSE,
    Link("takeRematch", "Play again, when the match is over.", body={}),
    Link("getDeal", "Look at a deal that is over.", {**SAME_MATCH, "number": "$response.body#/match/deal/number"}),
)
_FINISHED: Final = {**SAME_MATCH, "number": "$request.path.number"}
FROM_FINISHED: Final = (Link("getPosition", "Replay it, beginning with the deal as it was dealt.", _FINISHED),)
FROM_POSITION: Final = (
    Link("getPosition", "See the deal as it ended.", {**_FINISHED, "move": "$response.body#/moves"}),
    Link("getDeal", "Look at the whole deal.", _FINISHED),
)
FROM_READING: Final = (Link("listEvents", "Read on.", {**SAME_MATCH, "after": "$response.body#/next_after"}),)
FROM_TICKET: Final = (
    Link("streamMatch", "Follow the match with the ticket.", {**SAME_MATCH, "ticket": "$response.body#/ticket"}),
)
FROM_LOBBY: Final = (Link("listMatches", "Look at the next page.", {"cursor": "$response.body#/next_cursor"}),)
