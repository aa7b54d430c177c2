"""Where the examples of the contract are played: the real application on a real store, with secrets and times that
are the same in every run.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import redis
from flask.testing import FlaskClient

from service.app import create_app
from service.app_keys import AppKey
from service.settings import Settings
from service.store.embedded import EmbeddedServer
from service.store.outbox import Outbox
from service.webhooks.messages import noted_messages
from tests.tables import numbered_entropy

FIRST_MS: Final = 1_798_732_800_000
STEP_MS: Final = 7_000
APP_KEY: Final = "an-app-key-of-the-operator"
NOWHERE: Final = "unix:///nowhere/store.sock"


class Stage:
    """The service as the examples meet it.

    Attributes:
        now_ms: the time, in Unix milliseconds; it stands still until the next step.
    """

    def __init__(self, url: str) -> None:
        """Compose one application for every way in which an operator can set the service up."""
        self._url = url
        self.now_ms = FIRST_MS
        plain = dataclasses.replace(Settings.from_env({}), redis_url=url, store_timeout_seconds=3.0)
        self._apps = {
            "plain": plain,
            "with keys": dataclasses.replace(plain, api_keys=(AppKey("example", APP_KEY),)),
            "without a store": dataclasses.replace(plain, redis_url=NOWHERE, store_timeout_seconds=0.1),
            "full": dataclasses.replace(plain, max_streams=0),
            "stopping": plain,
            "uncounted": dataclasses.replace(plain, metrics=False),
        }
        self._clients: dict[str, FlaskClient] = {}

    def client(self, name: str) -> FlaskClient:
        """Give the client of one of the applications."""
        if name not in self._clients:
            entropy = numbered_entropy(len(self._clients))
            app = create_app(self._apps[name], entropy=entropy, clock=lambda: self.now_ms)
            self._clients[name] = app.test_client()
            if name == "stopping":
                self._stop(name)
        return self._clients[name]

    def _stop(self, name: str) -> None:
        self._clients[name].application.extensions["hub"].stop()

    def told(self) -> list[Any]:
        """Give what webhooks are to be told, in its order."""
        with closing(Outbox(self._url, 3.0)) as outbox:
            outbox.open()
            noted = outbox.take(1000, 60_000)
        return [json.loads(message.body) for _, note in noted for message in noted_messages(note)]

    def close(self) -> None:
        """Stop the applications."""
        for name in self._clients:
            self._stop(name)


@contextmanager
def stage(url: str | None = None) -> Iterator[Stage]:
    """Set the stage on an empty store.

    Args:
        url: a store to be emptied; without it one is started.
    """
    if url is not None:
        with redis.Redis.from_url(url) as client:
            client.flushdb()
        with closing(Stage(url)) as on:
            yield on
        return
    with (
        TemporaryDirectory() as folder,
        EmbeddedServer.start(Path(folder), "no") as server,
        closing(Stage(server.url)) as on,
    ):
        yield on
