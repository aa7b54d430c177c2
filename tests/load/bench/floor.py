"""The floor: the least that a move could cost on this stack.

A bare Flask application under the service's own gunicorn configuration. It makes the service's two calls to Redis, by
the service's own link, reads and answers as many bytes, and does nothing else: no routes beside this one, no tokens,
no checks, no rules, no views.
"""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from typing import Final

from flask import Flask, Response, request

from service.idempotency import Receipt
from service.settings import Settings
from service.store.base import Commit, Stored
from service.store.redis import RedisStore

from .sample import Sample

EVENTS_A_MOVE: Final = 2

_sample: Final = Sample.read(Path(os.environ["BENCH_SAMPLE"]))
_settings: Final = Settings.from_env()
assert _settings.redis_url is not None
_store: Final = RedisStore(
    _settings.redis_url, ttl_seconds=_settings.match_ttl_seconds, timeout_seconds=_settings.store_timeout_seconds
)
_receipt: Final = Receipt("0" * 32, 1, 2, None).encode()

app: Final = Flask(__name__, static_folder=None)


@app.get("/readyz")
def readyz() -> str:
    _store.ping()
    return ""


@app.post("/v1/matches/<match_id>/moves")
def move(match_id: str) -> Response:
    request.get_data()
    stored = _store.load(match_id).stored
    version = stored.version if stored else 0
    done = _store.commit(
        match_id,
        Commit(
            identity=secrets.token_hex(8),
            expected=version,
            stored=Stored(version + EVENTS_A_MOVE, _sample.state),
            entry=_sample.entry,
            scope=None,
            receipt=_receipt,
        ),
    )
    assert done is True
    return Response(_sample.answer, headers={"Cache-Control": "no-store"}, mimetype="application/json")
