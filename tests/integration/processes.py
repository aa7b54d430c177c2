"""The processes of a service that runs."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from tests.client import Service, within


class Process(NamedTuple):
    """A line of the process list."""

    pid: int
    parent: int
    command: str


def children(pid: int) -> list[Process]:
    """List the processes that a process has started and that still run."""
    listed = subprocess.run(
        ["ps", "-A", "-ww", "-o", "pid=,ppid=,stat=,args="], capture_output=True, text=True, check=True
    )
    found = [line.split(maxsplit=3) for line in listed.stdout.splitlines()]
    return [
        Process(int(fields[0]), int(fields[1]), fields[3])
        for fields in found
        if len(fields) == 4 and int(fields[1]) == pid and not fields[2].startswith("Z")
    ]


def workers(service: Service) -> list[int]:
    """Give the process ids of the workers."""
    return [process.pid for process in children(service.master.pid) if "gunicorn" in process.command]


def store_server(service: Service) -> int:
    """Give the process id of the service's own store."""
    [watcher] = [process for process in children(service.master.pid) if "pis-yedili-store" in process.command]
    found: list[int] = []

    def is_there() -> bool:
        found[:] = [child.pid for child in children(watcher.pid) if not child.command.startswith("/bin/sh")]
        return bool(found)

    assert within(5, is_there)
    return found[0]


@contextmanager
def frozen(*pids: int) -> Iterator[None]:
    """Let processes stand still, their connections open."""
    for pid in pids:
        os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for pid in pids:
            os.kill(pid, signal.SIGCONT)


def kill(pid: int) -> None:
    """End a process as a crash does."""
    os.kill(pid, signal.SIGKILL)
