"""The examples of the contract as a story: four friends at one table, two strangers at another.

Each step is one request. A `$name` stands for something that an earlier step has remembered.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from tests.contract.scenario_finding import FINDING
from tests.contract.scenario_hooks import HOOKED
from tests.contract.scenario_solo import SOLO
from tests.contract.scenario_tools import TOOLS
from tests.contract.steps import Legal, Move, PlayOn, Step

_SECRET_KEY: Final = '"5f0c9a34-8b1e-4c57-9d0a-7c1b2e3f4a5b"'


def _play(moves: Sequence[Move]) -> Move:
    return next(move for move in moves if move["type"] == "play")


def _jack(moves: Sequence[Move]) -> Move:
    return next(move for move in moves if "suit" in move)


def _may_play(view: Any, moves: Sequence[Move]) -> bool:
    return view["deal"]["phase"] == "turn" and moves[0]["type"] == "play" and "suit" not in moves[0]


def _has_jack(view: Any, moves: Sequence[Move]) -> bool:
    return any("suit" in move for move in moves)


def _may_draw(view: Any, moves: Sequence[Move]) -> bool:
    return view["deal"]["phase"] == "turn" and not view["deal"]["penalty"] and {"type": "draw"} in moves


def _owes(view: Any, moves: Sequence[Move]) -> bool:
    return bool(view["deal"]["penalty"])


def _can_go_out(view: Any, moves: Sequence[Move]) -> bool:
    return bool(view["players"][view["deal"]["turn_seat"]]["hand_count"] == 1 and moves[0]["type"] == "play")


_CAFE: Final = {"match_id": "$cafe"}
_DUEL: Final = {"match_id": "$duel"}
_CLUB: Final = {"match_id": "$club"}

SCENARIO: Final[list[Step | PlayOn]] = [
    Step("listRules", "catalogue", "Every preset and every option", 200),
    Step("getPreset", "classic", "The written game", 200, {"preset": "classic"}),
    Step("getPreset", "unknown", "A preset that does not exist", 404, {"preset": "poker"}),
    Step(
        "createMatch",
        "friends",
        "A private table for four; Ayşe sits and deals when all are there",
        201,
        body={"seats": 4, "name": "Kahvehane", "creator": {"name": "Ayşe"}, "auto_start": False},
        headers={"Idempotency-Key": _SECRET_KEY},
        remember={"cafe": ["match", "id"], "code": ["join_code"], "cafe 0": ["token"]},
    ),
    Step(
        "createMatch",
        "house_rules",
        "A public table with house rules, whose host does not play",
        201,
        body={
            "seats": 2,
            "rules": {"preset": "iskambilci", "deals": 2, "target_score": 200},
            "name": "Düello",
            "visibility": "public",
        },
        remember={"club": ["match", "id"], "club host": ["token"]},
    ),
    Step(
        "createMatch",
        "smallest",
        "Only the seats: everything else by default",
        201,
        body={"seats": 2},
    ),
    Step(
        "createMatch",
        "too_few_cards",
        "Five hands of twelve from one pack (R1)",
        422,
        body={"seats": 5, "rules": {"hand_size": 12}},
    ),
    Step("createMatch", "two_faults", "Everything that is wrong, at once", 422, body={"seats": 11, "stakes": 100}),
    Step(
        "createMatch",
        "patient",
        "A public table that waits for its host even when it is full",
        201,
        body={"seats": 2, "visibility": "public", "auto_start": False, "creator": {"name": "Deniz"}},
        remember={"full": ["match", "id"]},
    ),
    Step("joinMatch", "public", "A public match asks for no code", 201, {"match_id": "$full"}, {"name": "Ege"}),
    Step("createMatch", "app_key", "Where the operator asks for app keys", 403, body={"seats": 2}, app="with keys"),
    Step("listMatches", "waiting", "Public matches that still have seats", 200, query="?status=waiting&limit=1"),
    Step("getMatch", "waiting", "Before the start, without a token", 200, _CAFE),
    Step(
        "joinMatch",
        "first_free_seat",
        "The next free seat of a private match",
        201,
        _CAFE,
        {"name": "Mehmet", "join_code": "$code"},
        remember={"cafe 1": ["token"]},
    ),
    Step(
        "joinMatch",
        "chosen_seat",
        "A seat of one's choice",
        201,
        _CAFE,
        {"name": "Zeynep", "seat": 3, "join_code": "$code"},
        remember={"cafe 3": ["token"]},
    ),
    Step(
        "joinMatch",
        "client_seed",
        "A player who adds to the shuffles",
        201,
        {"match_id": "$club"},
        {"name": "Defne", "client_seed": "yağmur 4711"},
    ),
    Step(
        "setClientSeed",
        "creator",
        "The creator adds to the shuffles, before the start",
        200,
        {**_CAFE, "seat": "0"},
        {"client_seed": "üç elma düştü"},
        "cafe 0",
    ),
    Step(
        "setClientSeed",
        "not_yours",
        "Another's client seed",
        403,
        {**_CAFE, "seat": "0"},
        {"client_seed": "mine"},
        "cafe 1",
    ),
    Step("joinMatch", "wrong_code", "A wrong join code", 403, _CAFE, {"name": "Emre", "join_code": "ABCDEFGH"}),
    Step("joinMatch", "taken", "A seat that is taken", 409, _CAFE, {"name": "Emre", "seat": 3, "join_code": "$code"}),
    Step("startMatch", "too_early", "A seat is still free", 409, _CAFE, {}, "cafe 0"),
    Step(
        "joinMatch",
        "impatient",
        "The last seat",
        201,
        _CAFE,
        {"name": "Can", "join_code": "$code"},
        remember={"can": ["token"]},
    ),
    Step("leaveMatch", "leaving", "A player leaves before the start", 200, {**_CAFE, "seat": "2"}, who="can"),
    Step("leaveMatch", "not_yours", "Only the host may free another's seat", 403, {**_CAFE, "seat": "3"}, who="cafe 1"),
    Step(
        "joinMatch",
        "last_seat",
        "The last seat, with a key that makes the request safe to repeat",
        201,
        _CAFE,
        {"name": "Elif", "join_code": "$code"},
        headers={"Idempotency-Key": _SECRET_KEY},
        remember={"cafe 2": ["token"]},
    ),
    Step("makeMove", "too_early", "Before the start", 409, _CAFE, {"type": "draw"}, "cafe 0"),
    Step("startMatch", "deal", "Everybody sits, the host deals", 200, _CAFE, {}, "cafe 0", after="cafe"),
    Step("startMatch", "again", "It has started already", 409, _CAFE, {}, "cafe 0"),
    Step(
        "setClientSeed",
        "late",
        "The cards are dealt",
        409,
        {**_CAFE, "seat": "1"},
        {"client_seed": "too late"},
        "cafe 1",
    ),
    Step("getMatch", "own_hand", "As the player on turn sees it", 200, _CAFE, who="turn"),
    Step("listLegalMoves", "opening", "What the opener may do", 200, _CAFE, who="turn"),
    Step("listLegalMoves", "not_on_turn", "Another seat is on turn", 200, _CAFE, who="waiting"),
    Step("makeMove", "not_on_turn", "Another seat is on turn", 409, _CAFE, {"type": "draw"}, "waiting"),
    Step("makeMove", "pass_in_opening", "There is no passing in the opening", 409, _CAFE, {"type": "pass"}, "turn"),
    Step(
        "makeMove",
        "stale",
        "The match has gone on meanwhile",
        409,
        _CAFE,
        {"type": "draw", "if_version": 1},
        "turn",
    ),
    Step("getDeal", "unfinished", "The deal is still being played", 409, {**_CAFE, "number": "1"}),
    PlayOn("cafe", _may_play),
    Step("makeMove", "play", "A card is played", 200, _CAFE, Legal(_play), "turn", after="cafe"),
    PlayOn("cafe", _may_draw),
    Step(
        "makeMove",
        "draw",
        "A card is drawn, judged only at this version",
        200,
        _CAFE,
        '{"type": "draw", "if_version": $version}',
        "turn",
        after="cafe",
    ),
    Step("makeMove", "pass", "Having drawn, the player passes", 200, _CAFE, {"type": "pass"}, "turn", after="cafe"),
    PlayOn("cafe", _has_jack),
    Step("listLegalMoves", "jack", "A jack stands there once for each suit", 200, _CAFE, who="turn"),
    Step("makeMove", "jack", "A jack nominates a suit", 200, _CAFE, Legal(_jack), "turn", after="cafe"),
    PlayOn("cafe", _owes),
    Step("makeMove", "penalty", "A player who owes cards may not pass", 409, _CAFE, {"type": "pass"}, "turn"),
    Step("getMatch", "penalty", "A player owes cards because of sevens", 200, _CAFE, who="turn"),
    Step("listEvents", "first", "The first events, as the host sees them", 200, _CAFE, who="cafe 0", query="?limit=9"),
    Step("listEvents", "next", "The next ones", 200, _CAFE, who="cafe 0", query="?after=9&limit=3"),
    Step("createStreamTicket", "ticket", "A ticket for a browser", 201, _CAFE, {}, "cafe 1"),
    Step("streamMatch", "resumed", "Going on after event 9", 200, _CAFE, None, "cafe 1", "?after=9&limit=3"),
    Step("streamMatch", "snapshot", "The first message is the whole view", 200, _CAFE, query="?limit=1"),
    Step(
        "createMatch",
        "one_deal",
        "A match of a single deal",
        201,
        body={"seats": 2, "rules": {"deals": 1}, "creator": {"name": "Hüseyin"}, "name": "Çay saati"},
        remember={"duel": ["match", "id"], "code": ["join_code"], "duel 0": ["token"]},
    ),
    Step(
        "joinMatch",
        "starts",
        "The last player of a match that starts by itself",
        201,
        _DUEL,
        {"name": "İrem", "join_code": "$code", "client_seed": "3f9c0b7a5d21"},
        remember={"duel 1": ["token"]},
    ),
    Step("joinMatch", "late", "The match has started", 409, _DUEL, {"name": "Emre", "join_code": "$code"}),
    PlayOn("duel", _can_go_out),
    Step("makeMove", "last_card", "The last card ends the deal, and here the match", 200, _DUEL, Legal(_play), "turn"),
    Step("makeMove", "too_late", "The match is over", 409, _DUEL, {"type": "pass"}, "duel 0"),
    Step("getMatch", "finished", "After the end", 200, _DUEL, who="duel 0", remember={"etag": ["headers", "ETag"]}),
    Step("getMatch", "unchanged", "Nothing new", 304, _DUEL, who="duel 0", headers={"If-None-Match": "$etag"}),
    Step("getDeal", "finished", "A deal that is over", 200, {**_DUEL, "number": "1"}),
    Step("getPosition", "dealt", "A finished deal as it was dealt", 200, {**_DUEL, "number": "1"}),
    Step("getPosition", "first_moves", "After three moves", 200, {**_DUEL, "number": "1"}, query="?move=3"),
    Step("getPosition", "beyond_the_end", "It has fewer moves", 404, {**_DUEL, "number": "1"}, query="?move=1000"),
    Step("getDeal", "never_dealt", "There was no such deal", 404, {**_DUEL, "number": "2"}),
    Step("streamMatch", "beyond_the_end", "Nothing comes any more", 204, _DUEL, headers={"Last-Event-ID": "999999"}),
    *SOLO,
    *TOOLS,
    *FINDING,
    *HOOKED,
    Step("listMatches", "all", "All public matches", 200),
    Step("getHealth", "alive", "The process is alive", 200),
    Step("getReadiness", "ready", "The store answers", 200),
    Step("getReadiness", "no_store", "The store does not answer", 503, app="without a store"),
    Step("getReadiness", "stopping", "The server is being stopped", 503, app="stopping"),
    Step("getMetrics", "beginning", "How they begin", 200),
    Step("getMetrics", "off", "The operator lets nothing be counted", 404, app="uncounted"),
    Step("getContractYaml", "beginning", "How it begins", 200),
    Step("getContractJson", "beginning", "How it begins", 200),
    Step("getDocs", "beginning", "How it begins", 200),
    Step("getFairness", "beginning", "How it begins", 200),
    Step("getFairnessVectors", "beginning", "How they begin", 200),
    Step("getFairnessVerifier", "beginning", "How it begins", 200),
]

PROBLEMS: Final[list[Step]] = [
    Step("makeMove", "malformed_json", "The body is cut off", 400, _CAFE, '{"type": "dr', "cafe 0"),
    Step(
        "makeMove",
        "idempotency_key_invalid",
        "An empty key",
        400,
        _CAFE,
        {"type": "draw"},
        "cafe 0",
        headers={"Idempotency-Key": '""'},
    ),
    Step("listLegalMoves", "token_required", "No token", 401, _CAFE),
    Step("getMatch", "token_invalid", "A token that nobody has", 401, _CAFE, who="py_${cafe}_0000"),
    Step("getMatch", "not_your_match", "The token of another match", 403, _CAFE, who="duel 0"),
    Step("listLegalMoves", "not_your_seat", "The token of a host who does not play", 403, _CLUB, who="club host"),
    Step("startMatch", "host_only", "A player who is not the host", 403, _CAFE, {}, "cafe 1"),
    Step(
        "getMatch", "match_not_found", "A match that has expired or never was", 404, {"match_id": "aB3dE5gH7jK9mN1pQ"}
    ),
    Step("leaveMatch", "seat_not_found", "There is no such seat", 404, {**_CAFE, "seat": "7"}, who="cafe 0"),
    Step("getHealth", "not_acceptable", "Only JSON is served here", 406, headers={"Accept": "image/png"}),
    Step("joinMatch", "match_full", "Nobody has left", 409, {"match_id": "$full"}, {"name": "Emre"}),
    Step("startMatch", "match_finished", "The match is over", 409, _DUEL, {}, "duel 0"),
    Step("createMatch", "body_too_large", "More than 16 KiB", 413, body={"seats": 2, "name": "$long"}),
    Step(
        "createMatch",
        "unsupported_media_type",
        "A form",
        415,
        body="seats=2",
        headers={"Content-Type": "application/x-www-form-urlencoded"},
    ),
    Step("listMatches", "invalid_query", "Two faults in a query", 422, query="?limit=1000&sort=name"),
    Step(
        "joinMatch",
        "idempotency_key_reused",
        "The same key with another body",
        422,
        _CAFE,
        {"name": "Emre", "join_code": "ABCDEFGH"},
        headers={"Idempotency-Key": _SECRET_KEY},
    ),
    Step("streamMatch", "too_many_streams", "This server has no room for another", 503, _CAFE, app="full"),
]
"""One request for every other code that requests can bring about."""
