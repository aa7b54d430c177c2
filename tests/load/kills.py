"""Kills under load: workers and the store die, and no acknowledged move is lost or counted twice."""

from __future__ import annotations

import os
import random
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from .players import GIVE_UP_SECONDS, Client, Table, Verdict
from .processes import Service

PAUSE_SECONDS = 0.4


def run(folder: Path, *, worker_kills: int, store_kills: int, matches: int = 16, seed: int = 1) -> Verdict:
    """Play matches while processes are killed with SIGKILL, and judge the logs afterwards."""
    with Service(folder / "kills", APPENDFSYNC="always") as service:
        done, moved = threading.Event(), threading.Event()
        with ThreadPoolExecutor(matches) as pool:
            played = [
                pool.submit(_play, service.port, done, moved, random.Random(seed + number)) for number in range(matches)
            ]
            try:
                _kill(service, worker_kills, store_kills, moved, random.Random(seed))
            finally:
                done.set()
            tables = [table for future in played for table in future.result()]
        verdict = Verdict()
        for table in tables:
            verdict.look(table)
            if not table.is_over:
                table.move()
            table.client.close()
        return verdict


def _play(port: int, done: threading.Event, moved: threading.Event, rnd: random.Random) -> list[Table]:
    tables: list[Table] = []
    while not done.is_set():
        table = Table(Client(port), rnd)
        table.seat_players(rnd.randint(2, 5))
        tables.append(table)
        while not done.is_set() and not table.is_over:
            table.move()
            moved.set()
    return tables


def _kill(service: Service, worker_kills: int, store_kills: int, moved: threading.Event, rnd: random.Random) -> None:
    """Kill, each time when a move has been acknowledged since the last time, however slow the machine is."""
    victims = ["worker"] * worker_kills + ["store"] * store_kills
    rnd.shuffle(victims)
    for victim in victims:
        moved.clear()
        assert moved.wait(GIVE_UP_SECONDS), "nobody can move any more"
        time.sleep(rnd.uniform(0.5, 1.5) * PAUSE_SECONDS)
        pid = _store(service) if victim == "store" else _worker(service, rnd)
        os.kill(pid, signal.SIGKILL)


def _worker(service: Service, rnd: random.Random) -> int:
    while not (pids := service.worker_pids):
        time.sleep(0.02)
    return rnd.choice(pids)


def _store(service: Service) -> int:
    while True:
        try:
            return service.store_pid
        except AssertionError:
            time.sleep(0.02)
