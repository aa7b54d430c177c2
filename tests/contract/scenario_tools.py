"""Examples of what a back end asks for: notes of its own."""

from __future__ import annotations

from typing import Final

from tests.contract.steps import PlayOn, Step

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
]
