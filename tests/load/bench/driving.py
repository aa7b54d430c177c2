"""The load generator: kept connections on one thread, each with one request in flight, and what they cost the server.

It runs in another process than what it measures, and spends about 50 µs on a request.
"""

from __future__ import annotations

import re
import selectors
import socket
import statistics
import time
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from typing import Final, NamedTuple, Protocol

from service.store.embedded import EmbeddedServer
from tests.load.processes import Service

CONNECTIONS: Final = 32
SILENCE_SECONDS: Final = 30.0
FAILED: Final = 0.05
"""So small a share of the requests may be refused: moves that were guessed wrong."""
_LENGTH: Final = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)
_NOT_MODIFIED: Final = 304


class Player(Protocol):
    """Who uses one connection."""

    def request(self) -> bytes | None:
        """Give the next request; None when there is nothing more to ask."""

    def answered(self, status: int, body: bytes) -> bool:
        """Take in the answer, and tell whether it is the one that counts."""


class Measured(NamedTuple):
    """What one stretch of load showed.

    Attributes:
        rate: answers that count, a second.
        p50_ms: the median of the times from the request to its answer.
        p99_ms: the time within which 99 of 100 came.
        worker_us: CPU time of the workers for each answer that counts, in µs.
        store_us: likewise of the store.
    """

    rate: float
    p50_ms: float
    p99_ms: float
    worker_us: float
    store_us: float


def cpu_seconds(pids: Iterable[int]) -> float:
    """Give the CPU time that processes have used, as the kernel counts it, to the nanosecond (Linux).

    The clock of another process is numbered as clock_getcpuclockid(3) does it.
    """
    return sum(time.clock_gettime((~pid << 3) | 2) for pid in pids)


def measure(service: Service, store: EmbeddedServer, players: Sequence[Player], seconds: float) -> Measured:
    """Let each player use a connection of its own for so long, and see what it costs.

    Args:
        service: whom they ask.
        store: the store behind it.
        players: who asks.
        seconds: for how long requests are sent; less, if the players have nothing more to ask.

    Raises:
        AssertionError: requests were refused, or not answered.
    """
    with ExitStack() as stack:
        lines = [stack.enter_context(Line(service.port, player)) for player in players]
        workers = service.worker_pids
        worker_before, store_before, began = cpu_seconds(workers), cpu_seconds([store.pid]), time.perf_counter()
        _run(lines, began + seconds)
        ended, worker_after, store_after = time.perf_counter(), cpu_seconds(workers), cpu_seconds([store.pid])
    times = sorted(took for line in lines for took in line.times)
    count = len(times)
    failed = sum(line.failed for line in lines)
    assert failed <= count * FAILED, f"{failed} requests were refused and {count} answered as they should be"
    return Measured(
        rate=count / (ended - began),
        p50_ms=statistics.median(times) * 1e3,
        p99_ms=times[count * 99 // 100] * 1e3,
        worker_us=(worker_after - worker_before) / count * 1e6,
        store_us=(store_after - store_before) / count * 1e6,
    )


def _run(lines: Iterable[Line], until: float) -> None:
    with selectors.DefaultSelector() as selector:
        for line in lines:
            if line.send():
                selector.register(line.socket, selectors.EVENT_READ, line)
        while selector.get_map():
            ready = selector.select(SILENCE_SECONDS)
            assert ready, f"no answer for {SILENCE_SECONDS} s"
            for key, _ in ready:
                line = key.data
                if line.receive() and not (time.perf_counter() < until and line.send()):
                    selector.unregister(line.socket)


class Line:
    """One connection and who uses it.

    Attributes:
        times: how long each answer that counts took, in seconds.
        failed: how many answers do not count.
    """

    def __init__(self, port: int, player: Player) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=SILENCE_SECONDS)
        self.times: list[float] = []
        self.failed = 0
        self._player = player
        self._data = b""
        self._sent = 0.0

    def __enter__(self) -> Line:
        return self

    def __exit__(self, *exception: object) -> None:
        self.socket.close()

    def send(self) -> bool:
        """Send the player's next request; tell whether there is one."""
        request = self._player.request()
        if request is None:
            return False
        self._sent = time.perf_counter()
        self.socket.sendall(request)
        return True

    def exchange(self) -> None:
        """Send the player's next request and wait for its answer."""
        self.send()
        while not self.receive():
            pass

    def receive(self) -> bool:
        """Take in what has come; tell whether the answer is complete."""
        more = self.socket.recv(65536)
        assert more, "the server closed the connection"
        self._data += more
        head, found, body = self._data.partition(b"\r\n\r\n")
        if not found:
            return False
        status = int(head[9:12])
        length = _LENGTH.search(head)
        if status != _NOT_MODIFIED and (length is None or len(body) < int(length[1])):
            return False
        took = time.perf_counter() - self._sent
        self._data = b""
        if self._player.answered(status, body):
            self.times.append(took)
        else:
            self.failed += 1
        return True
