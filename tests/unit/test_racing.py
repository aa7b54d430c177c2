"""Writes to one match at the same time."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor

from service.store.redis import RedisStore
from service.usecases import UseCases
from tests.conftest import TTL_SECONDS, now_ms
from tests.tables import BusyStore, Table, numbered_entropy

RIVALS = 6


def test_of_those_who_lost_a_race_one_at_a_time_tries_again(store: RedisStore) -> None:
    slow = BusyStore(store, lambda match_id: time.sleep(0.05))
    usecases = UseCases(slow, ttl_seconds=TTL_SECONDS, clock=now_ms, entropy=numbered_entropy(1))
    table = Table(usecases, RIVALS)
    slow.commits = 0
    with ThreadPoolExecutor(RIVALS) as pool:
        for admission in pool.map(
            lambda _: usecases.set_client_seed(table.visit(table.host_token, "player"), 0, "x"), range(RIVALS)
        ):
            assert admission.events
    assert slow.commits < 2 * RIVALS, "else each round has one winner, and whoever asks most often wins most"
