"""Examples of those who look for a match: strangers, and a friend with a join code."""

from __future__ import annotations

from typing import Final

from service.codes import LIMITS
from tests.contract.steps import PlayOn, Step

_GUESSED: Final = 1
"""Wrong codes that were sent before."""
_UNKNOWN: Final = Step(
    "lookUpJoinCode", "unknown", "A code that no waiting match has", 404, body={"join_code": "ABCDEFGH"}
)

FINDING: Final[list[Step | PlayOn]] = [
    Step(
        "quickMatch",
        "opened",
        "Nobody waits for such a match: one is opened",
        201,
        body={"name": "Yusuf", "seats": 3, "client_seed": "deniz 2026"},
        headers={"Idempotency-Key": '"b1c9e0f7-55d4-4a0e-8f3b-2d6a91c7e804"'},
        remember={"strangers": ["match", "id"]},
    ),
    Step(
        "quickMatch",
        "seated",
        "The next one who asks for the same sits down there",
        201,
        body={"name": "Nil", "seats": 3, "rules": {"preset": "classic"}},
    ),
    Step(
        "quickMatch",
        "own_kind",
        "House rules, and no clock",
        201,
        body={"name": "Kerem", "seats": 2, "rules": {"preset": "oyunes", "deals": 2}, "clock": None},
    ),
    Step(
        "quickMatch",
        "too_few_cards",
        "Ten hands of thirteen from two packs (R1)",
        422,
        body={"name": "Kerem", "seats": 10, "rules": {"hand_size": 13}},
    ),
    Step(
        "quickMatch",
        "app_key",
        "It may create a match, which takes an app key here",
        403,
        body={"name": "Kerem", "seats": 2},
        app="with keys",
    ),
    Step("listMatches", "filtered", "Classic tables of three", 200, query="?status=waiting&seats=3&preset=classic"),
    Step(
        "createMatch",
        "invitation",
        "A private table, whose code Defne reads to her friends",
        201,
        body={"seats": 3, "name": "Cuma akşamı", "creator": {"name": "Defne"}},
        remember={"code": ["join_code"]},
    ),
    Step("lookUpJoinCode", "found", "The code of a friend", 200, body={"join_code": "$code"}),
    *[_UNKNOWN] * (LIMITS.client - _GUESSED),
    Step("lookUpJoinCode", "too_many", "After ten wrong codes in a minute", 429, body={"join_code": "ABCDEFGJ"}),
]
