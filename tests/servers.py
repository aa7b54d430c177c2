"""Stores of several servers, real ones: a master with a replica and a sentinel, and a cluster of three."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

import redis
from redis.cluster import RedisCluster

from service.store.embedded import find_program
from service.store.link import Link
from service.store.redis import RedisStore
from tests.client import within

LOOPBACK = "127.0.0.1"
PATIENT_MS = 60_000
"""A store whose servers are frozen by a test for a moment must not take them for dead."""
SLOTS = 16_384


class Way(NamedTuple):
    """A link, and the servers that it reaches.

    Attributes:
        kind: the link.
        url: the address of the servers.
        pids: the processes of those that answer its commands.
        database: a client, to look into them by hand.
    """

    kind: Callable[[str, float], Link]
    url: str
    pids: list[int]
    database: Any

    def link(self, timeout_seconds: float) -> Link:
        """Make a link."""
        return self.kind(self.url, timeout_seconds)

    def store(self, *, ttl_seconds: int, timeout_seconds: float) -> RedisStore:
        """Make a store."""
        return RedisStore(self.url, ttl_seconds=ttl_seconds, timeout_seconds=timeout_seconds, link=self.kind)


class Node(NamedTuple):
    """One server that runs."""

    process: subprocess.Popen[bytes]
    port: int

    def client(self) -> Any:
        """Connect to this server alone."""
        return redis.Redis(port=self.port, protocol=2)

    def kill(self) -> None:
        """End it as a crash does."""
        self.process.kill()
        self.process.wait()


@contextmanager
def node(folder: Path, port: int, **options: str | int) -> Iterator[Node]:
    """Run a server on a port of this machine; it keeps nothing."""
    words = {"port": port, "dir": folder, "save": "", "appendonly": "no"} | options
    command = [
        find_program(),
        *(word for name, value in words.items() for word in (f"--{name}".replace("_", "-"), value)),
    ]
    with _running(folder, port, *command) as running:
        yield running


@contextmanager
def _running(folder: Path, port: int, *command: object) -> Iterator[Node]:
    with (folder / f"{port}.log").open("wb") as log:
        process = subprocess.Popen([*map(str, command)], stdout=log, stderr=log)
    try:
        running = Node(process, port)
        assert within(10, lambda: _answers(running))
        yield running
    finally:
        with suppress(ProcessLookupError):
            os.kill(process.pid, signal.SIGCONT)
        process.kill()
        process.wait()


def _answers(running: Node) -> bool:
    with running.client() as client, suppress(redis.ConnectionError):
        return bool(client.ping())
    return False


def free_ports(count: int) -> list[int]:
    """Find ports of this machine that nobody listens on."""
    with ExitStack() as opened:
        sockets = [opened.enter_context(socket.create_server((LOOPBACK, 0))) for _ in range(count)]
        return [found.getsockname()[1] for found in sockets]


class Replicated(NamedTuple):
    """A master with a replica, the sentinel that watches them, and a client of the master."""

    master: Node
    replica: Node
    sentinel: Node
    client: Any

    @property
    def url(self) -> str:
        """Where the service finds it; the first sentinel of the address has died."""
        return f"redis+sentinel://{LOOPBACK}:1,{LOOPBACK}:{self.sentinel.port}/mymaster"

    @property
    def pids(self) -> list[int]:
        return [self.master.process.pid]


@contextmanager
def replicated(folder: Path, down_after_ms: int = PATIENT_MS) -> Iterator[Replicated]:
    """Run a master, its replica and a sentinel that takes servers for dead after so long a silence."""
    ports = free_ports(3)
    config = folder / "sentinel.conf"
    config.write_text(
        f"port {ports[2]}\nbind {LOOPBACK}\ndir {folder}\n"
        f"sentinel monitor mymaster {LOOPBACK} {ports[0]} 1\n"
        f"sentinel down-after-milliseconds mymaster {down_after_ms}\n"
        "sentinel failover-timeout mymaster 3000\n"
    )
    with (
        node(folder, ports[0], bind=LOOPBACK, repl_diskless_sync_delay=0) as master,
        node(folder, ports[1], bind=LOOPBACK, replicaof=f"{LOOPBACK} {ports[0]}") as replica,
        _running(folder, ports[2], find_program(), config, "--sentinel") as sentinel,
        sentinel.client() as watcher,
        master.client() as client,
        replica.client() as copy,
    ):
        assert within(20, lambda: copy.info("replication")["master_link_status"] == "up")
        assert within(20, lambda: len(watcher.execute_command("SENTINEL REPLICAS", "mymaster")) == 1)
        yield Replicated(master, replica, sentinel, client)


class Cluster(NamedTuple):
    """Three nodes, each with a third of the slots, and a client of all."""

    nodes: list[Node]
    client: Any

    @property
    def url(self) -> str:
        """Where the service finds it; the first node of the address has died."""
        return f"redis+cluster://{LOOPBACK}:1,{LOOPBACK}:{self.nodes[0].port},{LOOPBACK}:{self.nodes[1].port}"

    @property
    def pids(self) -> list[int]:
        return [node.process.pid for node in self.nodes]


@contextmanager
def cluster(folder: Path) -> Iterator[Cluster]:
    """Run a cluster that goes on without nodes that are missed."""
    options: dict[str, str | int] = {
        "bind": LOOPBACK,
        "cluster_enabled": "yes",
        "cluster_node_timeout": PATIENT_MS,
        "cluster_require_full_coverage": "no",
    }
    with ExitStack() as started:
        nodes = []
        for port, bus in zip(free_ports(3), free_ports(3), strict=True):
            own = options | {"cluster_config_file": f"{port}.conf", "cluster_port": bus}
            nodes.append(started.enter_context(node(folder, port, **own)))
        clients = [started.enter_context(made.client()) for made in nodes]
        for number, client in enumerate(clients):
            first, beyond = (SLOTS * place // len(nodes) for place in (number, number + 1))
            client.execute_command("CLUSTER", "ADDSLOTSRANGE", first, beyond - 1)
            bus = clients[0].config_get("cluster-port")["cluster-port"]
            client.execute_command("CLUSTER", "MEET", LOOPBACK, nodes[0].port, bus)
        assert within(20, lambda: all(_is_up(client, len(nodes)) for client in clients))
        with RedisCluster(host=LOOPBACK, port=nodes[0].port, protocol=2) as client:
            yield Cluster(nodes, client)


def _is_up(client: Any, count: int) -> bool:
    told = client.execute_command("CLUSTER INFO")
    return bool(told["cluster_state"] == "ok" and told["cluster_size"] == str(count))
