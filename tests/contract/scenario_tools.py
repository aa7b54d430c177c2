"""Examples of what a back end asks for: notes of its own, a table that goes on, new tokens, an export."""

from __future__ import annotations

from typing import Final

from tests.contract.stage import APP_KEY
from tests.contract.steps import PlayOn, Step

_DUEL: Final = {"match_id": "$duel"}

TOOLS: Final[list[Step | PlayOn]] = [
    Step(
        "createMatch",
        "metadata",
        "A match and a player with an app's own notes",
        201,
        body={
            "seats": 2,
            "name": "Mahalle ligi",
            "creator": {"name": "Nazan", "metadata": {"account": "4711"}},
            "metadata": {"league": "mahalle", "round": "3"},
        },
        remember={"league": ["match", "id"], "code": ["join_code"], "league 0": ["token"]},
    ),
    Step(
        "joinMatch",
        "metadata",
        "A player with the app's own notes",
        201,
        {"match_id": "$league"},
        {"name": "Orhan", "join_code": "$code", "metadata": {"account": "4712"}},
        remember={"league 1": ["token"]},
    ),
    Step("takeRematch", "too_early", "The match is still played", 409, {"match_id": "$cafe"}, {}, "cafe 0"),
    Step(
        "takeRematch",
        "offer",
        "The first player offers a rematch, and is its host",
        201,
        _DUEL,
        {},
        "duel 0",
        remember={"again": ["match", "id"], "again 0": ["token"]},
    ),
    Step("getMatch", "invitation", "The other finds the invitation", 200, _DUEL, who="duel 1"),
    Step(
        "takeRematch",
        "acceptance",
        "The last player comes, and the cards are dealt",
        201,
        _DUEL,
        {"client_seed": "b1946ac92492"},
        "duel 1",
        remember={"again 1": ["token"]},
    ),
    Step("takeRematch", "twice", "Who sits there already", 409, _DUEL, {}, "duel 0"),
    Step(
        "createMatch",
        "by_an_application",
        "A match that an application creates",
        201,
        body={"seats": 2, "creator": {"name": "Nazan"}},
        headers={"X-API-Key": APP_KEY},
        remember={"app": ["match", "id"], "app 0": ["token"]},
        app="with keys",
    ),
    Step(
        "reissueToken",
        "lost",
        "A player has lost their token",
        201,
        {"match_id": "$app", "seat": "0"},
        headers={"X-API-Key": APP_KEY},
        app="with keys",
    ),
    Step("getMatch", "reissued", "The old token is dead", 401, {"match_id": "$app"}, who="app 0"),
    Step("reissueToken", "no_key", "Players may not", 403, {"match_id": "$app", "seat": "0"}, app="with keys"),
    Step("exportMatch", "finished", "A match that is over, whole", 200, _DUEL, who="duel 0"),
    Step("listEvents", "rematch", "How a rematch begins", 200, {"match_id": "$again"}, query="?limit=4"),
]
