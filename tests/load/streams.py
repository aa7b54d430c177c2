"""Live streams: cut at random and resumed without loss or repeat; many idle ones, all reached by one move."""

from __future__ import annotations

import itertools
import json
import random
import selectors
import socket
import statistics
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .players import Client, Table
from .processes import Service, resident_kilobytes


@dataclass
class Cuts:
    """The figures of streams that are cut."""

    cuts: int = 0
    messages: int = 0
    gaps: int = 0
    repeats: int = 0
    different: int = 0

    def is_kept(self) -> bool:
        """Tell whether the promise is kept."""
        return self.messages > 0 and self.gaps == self.repeats == self.different == 0

    def __str__(self) -> str:
        """Give the figures."""
        return (
            f"cuts {self.cuts}, messages {self.messages}, gaps {self.gaps}, repeats {self.repeats}, "
            f"events unlike the log's {self.different}"
        )


def run_cuts(folder: Path, *, cuts: int, readers: int = 8, seed: int = 1) -> Cuts:
    """Follow matches that are being played; cut each stream at random and resume it where it was."""
    outcome = Cuts()
    lock = threading.Lock()
    with Service(folder / "cuts") as service, ThreadPoolExecutor(2 * readers) as pool:
        tables = []
        for number in range(readers):
            table = Table(Client(service.port), random.Random(seed + number))
            table.seat_players(3, deals=20)
            tables.append(table)
        stop = threading.Event()
        playing = [pool.submit(_play_slowly, table, stop) for table in tables]
        following = [pool.submit(_follow, service.port, table, cuts // readers, seed) for table in tables]
        seen = [future.result() for future in following]
        stop.set()
        for future in playing:
            future.result()
        for table, events in zip(tables, seen, strict=True):
            with lock:
                _count(outcome, table, events)
            table.client.close()
    outcome.cuts = cuts // readers * readers
    return outcome


def _play_slowly(table: Table, stop: threading.Event) -> None:
    while not stop.is_set() and not table.is_over:
        table.move()
        time.sleep(0.02)


def _follow(port: int, table: Table, cuts: int, seed: int) -> list[Any]:
    rnd = random.Random(seed)
    events: list[Any] = []
    last = 0
    for _ in range(cuts):
        stream = Stream(port, table.path, table.tokens[0], last)
        wanted = rnd.randint(0, 4)
        for _ in range(wanted):
            event = stream.next(rnd.choice((0.05, 1.0)))
            if event is None:
                break
            events.append(event)
            last = event["seq"]
        stream.close()
    return events


def _count(outcome: Cuts, table: Table, events: list[Any]) -> None:
    numbers = [event["seq"] for event in events]
    log = {event["seq"]: event for event in table.log(table.tokens[0])}
    outcome.messages += len(events)
    outcome.repeats += len(numbers) - len(set(numbers))
    outcome.gaps += sum(after - before > 1 for before, after in itertools.pairwise(numbers))
    outcome.different += sum(log.get(event["seq"]) != event for event in events)


class Stream:
    """A reader of one stream, on a plain socket."""

    def __init__(self, port: int, path: str, token: str, after: int | None = None) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=20)
        resume = "" if after is None else f"Last-Event-ID: {after}\r\n"
        self.socket.sendall(
            f"GET {path}/stream HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n{resume}\r\n".encode()
        )
        self._data = b""

    def next(self, seconds: float) -> Any:
        """Give the next event, or None if there is none in time."""
        end = time.monotonic() + seconds
        while True:
            block, found, rest = self._data.partition(b"\n\n")
            if found:
                self._data = rest
                if b"\nid: " in block:
                    return json.loads(block.rpartition(b"data: ")[2])
                continue
            left = end - time.monotonic()
            if left <= 0:
                return None
            self.socket.settimeout(left)
            try:
                more = self.socket.recv(65536)
            except TimeoutError:
                return None
            if not more:
                return None
            self._data += more

    def close(self) -> None:
        """Cut the stream."""
        self.socket.close()


@dataclass
class Crowd:
    """The figures of many idle streams of one worker."""

    streams: int
    reached: int
    p50_ms: float
    p99_ms: float
    kilobytes_a_stream: float
    refused_beyond: bool

    def is_kept(self) -> bool:
        """Tell whether the promise is kept."""
        return self.reached == self.streams and self.refused_beyond

    def __str__(self) -> str:
        """Give the figures."""
        return (
            f"streams {self.streams}, reached by a move {self.reached}, p50 {self.p50_ms:.0f} ms, "
            f"p99 {self.p99_ms:.0f} ms, memory {self.kilobytes_a_stream:.1f} kB a stream, "
            f"503 beyond the cap: {self.refused_beyond}"
        )


def run_crowd(folder: Path, *, streams: int) -> Crowd:
    """Open so many streams of one match on one worker, make a move, and see when each hears of it."""
    with Service(folder / "crowd", workers=1, MAX_STREAMS=str(streams)) as service:
        table = Table(Client(service.port), random.Random(1))
        table.seat_players(2)
        table.move()
        [worker] = service.worker_pids
        before = resident_kilobytes(worker)
        readers = []
        for _ in range(streams):
            readers.append(Stream(service.port, table.path, table.tokens[0], table.view["version"] - 1))
            assert readers[-1].next(30)["seq"] == table.view["version"]
        memory = (resident_kilobytes(worker) - before) / streams
        table.client.close()  # it may have been idle for longer than the server keeps it
        refused = table.client.send("GET", table.path + "/stream").status == 503
        began = time.monotonic()
        table.move()
        times = _heard(readers, began)
        for reader in readers:
            reader.close()
        table.client.close()
    times.sort()
    p99 = times[int(len(times) * 0.99) - 1]
    return Crowd(streams, len(times), statistics.median(times) * 1000, p99 * 1000, memory, refused)


def _heard(readers: list[Stream], began: float) -> list[float]:
    times: list[float] = []
    with selectors.DefaultSelector() as selector:
        for reader in readers:
            selector.register(reader.socket, selectors.EVENT_READ)
        while len(times) < len(readers) and (ready := selector.select(10)):
            for key, _ in ready:
                if b"\nid: " in key.fileobj.recv(65536):  # type: ignore[union-attr]  # they are sockets
                    times.append(time.monotonic() - began)
                    selector.unregister(key.fileobj)
    return times
