"""Examples of one who plays against bots and a clock, leaves and returns; and of tables closed to strangers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tests.contract.steps import Legal, Move, PlayOn, Step

_SOLO: Final = {"match_id": "$solo"}
_QUIET: Final = {"match_id": "$quiet"}
_CLOSED: Final = {"match_id": "$closed"}


def _first(moves: Sequence[Move]) -> Move:
    return moves[0]


SOLO: Final[list[Step | PlayOn]] = [
    Step(
        "createMatch",
        "against_bots",
        "Selin against two bots, with a clock: it starts at once",
        201,
        body={
            "seats": 3,
            "name": "Selin ve botlar",
            "rules": {"deals": 1},
            "creator": {"name": "Selin"},
            "bots": [{"level": "normal"}, {"level": "easy", "seat": 1}],
            "clock": {"turn_seconds": 60, "bank_seconds": 120},
        },
        remember={"solo": ["match", "id"], "solo 0": ["token"]},
        after="solo",
    ),
    Step(
        "createMatch",
        "too_many_bots",
        "More bots than seats",
        422,
        body={"seats": 2, "creator": {"name": "Selin"}, "bots": [{"level": "easy", "seat": 0}, {"level": "hard"}] * 2},
    ),
    Step(
        "makeMove",
        "dry_run",
        "Would this be legal?",
        200,
        _SOLO,
        Legal(_first),
        "turn",
        query="?dry_run=true",
    ),
    Step(
        "makeMove",
        "bots_follow",
        "The bots' moves follow at once",
        200,
        _SOLO,
        Legal(_first),
        "turn",
        after="solo",
    ),
    Step("leaveMatch", "while_playing", "A bot plays on", 200, {**_SOLO, "seat": "0"}, who="solo 0"),
    Step("makeMove", "gone", "Who has left does not move", 409, _SOLO, {"type": "draw"}, "solo 0"),
    Step("returnToSeat", "back", "And comes back", 200, {**_SOLO, "seat": "0"}, who="solo 0"),
    Step("deleteMatch", "too_early", "Somebody plays it", 409, _SOLO, who="solo 0"),
    Step(
        "leaveMatch",
        "for_good",
        "Only bots play by now",
        200,
        {**_SOLO, "seat": "0"},
        who="solo 0",
        remember={"left": ["match", "version"]},
    ),
    Step("deleteMatch", "deleted", "The host abandons it", 200, _SOLO, who="solo 0"),
    Step("listEvents", "abandoned", "How it ended", 200, _SOLO, query="?after=$left"),
    Step("getDeal", "abandoned", "The deal as it stood", 200, {**_SOLO, "number": "1"}),
    Step(
        "createMatch",
        "closed",
        "A table that shows nothing to those without a token",
        201,
        body={"seats": 2, "spectators": "none", "visibility": "public", "creator": {"name": "Selin"}},
        remember={"closed": ["match", "id"]},
    ),
    Step("getMatch", "closed", "All that they see of it", 200, _CLOSED),
    Step("listEvents", "closed", "They do not read its log", 401, _CLOSED),
    Step(
        "createMatch",
        "host_deals",
        "A table whose host deals when it is time",
        201,
        body={"seats": 4, "auto_start": False, "creator": {"name": "Selin"}},
        remember={"quiet": ["match", "id"], "quiet 0": ["token"]},
    ),
    Step("startMatch", "filled", "Bots take the free seats", 200, _QUIET, {"fill_with_bots": "normal"}, "quiet 0"),
    Step("deleteMatch", "not_the_host", "Only the host may", 403, {"match_id": "$cafe"}, who="cafe 1"),
]
