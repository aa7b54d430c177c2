"""A deliverer between a real store and a real receiver."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from service.store.outbox import Outbox
from service.store.redis import RedisStore
from service.usecases import UseCases
from service.webhooks import deliverer as delivering
from tests.conftest import TTL_SECONDS
from tests.receiver import Receiver, receiving
from tests.tables import NOW_MS, numbered_entropy
from tests.unit.webhooks.driving import IDLE_MS, Post


@pytest.fixture(autouse=True)
def taken_anew_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delivering, "IDLE_MS", IDLE_MS)


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as running:
        yield running


@pytest.fixture
def outbox(store_url: str) -> Iterator[Outbox]:
    made = Outbox(store_url, 3)
    yield made
    made.close()


@pytest.fixture
def post(store: RedisStore, outbox: Outbox) -> Post:
    return Post(store, outbox)


@pytest.fixture
def usecases(store: RedisStore) -> UseCases:
    return UseCases(store, ttl_seconds=TTL_SECONDS, clock=lambda: NOW_MS, entropy=numbered_entropy(3))
