"""A table of an application that is told what happens."""

from __future__ import annotations

from typing import Any, Final

from tests.contract.stage import APP_KEY
from tests.contract.steps import PlayOn, Step
from tests.receiver import SECRET

_HOOK: Final = {"url": "https://app.example/hooks", "secret": SECRET}
_BODY: Final[dict[str, Any]] = {
    "seats": 2,
    "rules": {"deals": 1, "hand_size": 3},
    "visibility": "public",
    "creator": {"name": "Ayşe"},
    "clock": {"turn_seconds": 3600},
    "webhook": _HOOK,
}
_KEY: Final = {"X-API-Key": APP_KEY}

HOOKED: Final[list[Step | PlayOn]] = [
    Step(
        "createMatch",
        "webhook",
        "A table whose back end is told what happens",
        201,
        body=_BODY,
        headers=_KEY,
        app="with keys",
        remember={"hooked": ["match", "id"], "hooked 0": ["token"]},
    ),
    Step(
        "createMatch",
        "webhook_not_public",
        "A webhook that leads to a private address",
        422,
        body=_BODY | {"webhook": _HOOK | {"url": "https://192.168.1.20/hooks"}},
        headers=_KEY,
        app="with keys",
    ),
    Step("createMatch", "webhook_without_keys", "Where no app keys are set there are no webhooks", 403, body=_BODY),
    Step(
        "joinMatch",
        "last_seat",
        "The last player, with whom the match starts",
        201,
        {"match_id": "$hooked"},
        {"name": "Bora"},
        remember={"hooked 1": ["token"]},
    ),
    PlayOn("hooked", lambda view, _: view["status"] == "finished"),
]
