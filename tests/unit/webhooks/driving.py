"""A deliverer that is driven by hand, and what causes messages for it."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from typing import Any

import gevent

from service.counting import Counting, Sent
from service.settings import WEBHOOKS_RETRY_SECONDS
from service.store.outbox import Outbox
from service.store.redis import RedisStore
from service.usecases import UseCases
from service.webhooks.deliverer import Deliverer
from service.webhooks.hook import Webhook
from service.webhooks.sending import Sender
from tests.conftest import TTL_SECONDS
from tests.receiver import SECRET, Receiver
from tests.tables import NOW_MS, Table

LEASE_MS = 4000
IDLE_MS = 10


class Tally(Counting):
    """Counts how attempts end."""

    def __init__(self) -> None:
        self.outcomes: Counter[str] = Counter()

    def sent(self, outcome: Sent) -> None:
        self.outcomes[outcome] += 1


class Post:
    """A deliverer that is driven by hand, the time too."""

    def __init__(self, store: RedisStore, outbox: Outbox, retry_seconds: Sequence[float] = ()) -> None:
        self.now_ms = NOW_MS
        self.outbox = outbox
        self.counting = Tally()
        self.sender = Sender(timeout_seconds=1, allow_private=True)
        self.deliverer = Deliverer(
            store,
            outbox,
            self.sender,
            clock=lambda: self.now_ms,
            retry_seconds=retry_seconds or WEBHOOKS_RETRY_SECONDS,
            timeout_seconds=1,
            ttl_seconds=TTL_SECONDS,
            counting=self.counting,
        )
        outbox.open()

    def tick(self, at_ms: int | None = None) -> None:
        """Let it be a time, and do what is due until it is done."""
        self.now_ms = self.now_ms if at_ms is None else at_ms
        time.sleep(2 * IDLE_MS / 1000)
        self.deliverer.tick()
        gevent.wait()


def hook(receiver: Receiver, *events: str) -> Webhook:
    made = Webhook(f"{receiver.url}/hooks", SECRET)
    return made._replace(events=events) if events else made


def notes(database: Any) -> int:
    return int(database.xlen("py:{webhooks}:notes"))


def left_over(database: Any) -> set[bytes]:
    """All keys of webhooks but for those that hold what has ended."""
    return {
        key
        for key in database.keys("py:{webhooks}:*")
        if not key.endswith((b":notes", b":dead")) and b":gone:" not in key
    }


def started(usecases: UseCases, receiver: Receiver) -> Table:
    """Cause one message."""
    table = Table(usecases, webhook=hook(receiver, "match_started")).fill()
    table.start()
    return table
