"""Webhooks to receivers of every kind, while workers, deliverers and the store die: each event at least once."""

from __future__ import annotations

import os
import random
import secrets
import signal
import subprocess
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from tests.receiver import SECRET, Post, Receiver, node_is_missing, receiving, verified_by_node

from .players import Client, Table
from .processes import Service

KEY = "an-app-key"
TIMEOUT_SECONDS = 1.0
Answer: TypeAlias = Callable[[Post], int | tuple[int, str]]
SETTINGS: dict[str, Any] = {
    "APPENDFSYNC": "always",
    "API_KEYS": f"shop:{KEY}",
    "WEBHOOKS_PROCESSES": "2",
    "WEBHOOKS_TIMEOUT_SECONDS": str(TIMEOUT_SECONDS),
    "WEBHOOKS_RETRY_SECONDS": "0.5,1,2,4,8,16,32",
}
TOLD = ("match_started", "turn_started", "deal_ended", "match_ended")
SETTLE_SECONDS = 120.0


@dataclass
class Outcome:
    """The figures of a run."""

    matches: int = 0
    kills: int = 0
    due: int = 0
    attempts: int = 0
    undelivered: int = 0
    altered: int = 0
    unsigned: int = 0
    node: str = ""
    forbidden: int = 0
    delays: list[float] = field(default_factory=list)

    def is_kept(self) -> bool:
        """Tell whether the promise is kept."""
        return self.due > 0 and self.undelivered == self.altered == self.unsigned == self.forbidden == 0

    def __str__(self) -> str:
        """Give the figures."""
        return (
            f"matches {self.matches}, kills {self.kills}, messages due {self.due}, attempts {self.attempts}, "
            f"undelivered {self.undelivered}, with another body under the same id {self.altered}, "
            f"unsigned {self.unsigned}, right for JavaScript {self.node}, "
            f"connections to forbidden addresses {self.forbidden}"
        )


def at_second(failing: Answer, receiver: Receiver) -> Answer:
    """Let a receiver fail at the first attempt to tell it something, and take it at the second."""
    return lambda post: failing(post) if receiver.identities.count(post.identity) == 1 else 204


def hang(post: Post) -> int:
    """Answer when nobody waits any more."""
    time.sleep(3 * TIMEOUT_SECONDS)
    return 204


def late(post: Post) -> int:
    """Answer just in time."""
    time.sleep(0.6 * TIMEOUT_SECONDS)
    return 204


def run(folder: Path, *, matches: int, kills: int, seed: int = 1) -> Outcome:
    """Play matches whose webhooks lead to receivers of every kind while processes are killed, and judge what came."""
    outcome = Outcome(matches=matches)
    with ExitStack() as stack:
        steady, failing, hanging, slow, straying, trap = (stack.enter_context(receiving()) for _ in range(6))
        failing.answer = at_second(lambda post: 500, failing)
        hanging.answer = at_second(hang, hanging)
        slow.answer = late
        straying.answer = at_second(lambda post: (307, trap.url), straying)
        receivers = [steady, failing, hanging, slow, straying]
        service = stack.enter_context(Service(folder / "webhooks", WEBHOOKS_ALLOW_PRIVATE="on", **SETTINGS))
        due = _play(service, receivers, outcome, kills, random.Random(seed))
        _wait_for(due, receivers)
        taken = set().union(*(receiver.taken for receiver in receivers))
        outcome.due, outcome.undelivered = len(due), len(due - taken)
        _judge([post for receiver in receivers for post in receiver.posts], outcome, folder)
        outcome.unsigned = sum(receiver.unsigned for receiver in receivers)
        outcome.forbidden = trap.connections
    outcome.forbidden += _knock(folder)
    return outcome


def _play(service: Service, receivers: list[Receiver], outcome: Outcome, kills: int, rnd: random.Random) -> set[str]:
    done = threading.Event()

    def play(number: int) -> set[str]:
        table = Hooked(Client(service.port), random.Random(number))
        table.create(receivers[number % len(receivers)].url)
        while not table.is_over:
            table.move()
        told = {f"msg_{table.match_id}_{event['seq']}" for event in table.log() if event["type"] in TOLD}
        table.client.close()
        return told

    def kill() -> None:
        while not done.is_set() or outcome.kills < kills:
            time.sleep(rnd.uniform(0.3, 0.9))
            victim = rnd.choice(("worker", "deliverer", "deliverer", "store"))
            pids = {"worker": service.worker_pids, "deliverer": service.deliverer_pids}.get(victim, [])
            try:
                os.kill(rnd.choice(pids) if victim != "store" else service.store_pid, signal.SIGKILL)
            except (IndexError, AssertionError, ProcessLookupError):
                continue  # it is dead already
            outcome.kills += 1
            if outcome.kills >= kills:
                return

    killing = threading.Thread(target=kill)
    killing.start()
    with ThreadPoolExecutor(10) as pool:
        due = set().union(*pool.map(play, range(outcome.matches)))
    done.set()
    killing.join()
    return due


class Hooked(Table):
    """A match with a webhook."""

    def create(self, url: str) -> None:
        """Create it and take both seats."""
        body = {
            "seats": 2,
            "visibility": "public",
            "creator": {"name": "Ayşe"},
            "rules": {"deals": 1, "hand_size": 4},
            "webhook": {"url": f"{url}/hooks", "secret": SECRET},
        }
        created = self.client.insist("POST", "/v1/matches", body, X_API_Key=KEY, Idempotency_Key=secrets.token_hex(16))
        assert created.status == 201, created
        self.match_id, self.tokens = created.body["match"]["id"], [created.body["token"]]
        key = secrets.token_hex(16)
        joined = self.client.insist("POST", self.path + "/players", {"name": "Bora"}, Idempotency_Key=key)
        assert joined.status == 201, joined
        self.tokens.append(joined.body["token"])
        self.view = joined.body["match"]


def _wait_for(due: set[str], receivers: list[Receiver]) -> None:
    end = time.monotonic() + SETTLE_SECONDS
    while time.monotonic() < end and not due <= set().union(*(receiver.taken for receiver in receivers)):
        time.sleep(0.2)


def _judge(posts: list[Post], outcome: Outcome, folder: Path) -> None:
    bodies: dict[str, bytes] = {}
    outcome.attempts = len(posts)
    outcome.altered = sum(bodies.setdefault(post.identity, post.body) != post.body for post in posts)
    fresh = [post for post in posts if post.is_signed]
    try:
        outcome.node = node_is_missing() or f"{verified_by_node(folder, fresh)} of {len(fresh)}"
    except subprocess.CalledProcessError as error:
        outcome.node = f"not known: {error}"


def _knock(folder: Path) -> int:
    """Count the connections that a service makes which must not, by a name that leads to this machine."""
    with receiving() as receiver, Service(folder / "strict", **SETTINGS) as service:
        for name in ("localhost", "127.1", "2130706433"):
            table = Hooked(Client(service.port), random.Random(1))
            table.create(f"https://{name}:{receiver.url.rpartition(':')[2]}")
            table.client.close()
        time.sleep(3)
        return receiver.connections
