"""A real service for a test: its processes, to be looked at, stopped and killed."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.client import unmeasured

START_SECONDS = 30.0
STOP_SECONDS = 20.0


class Service:
    """The service, started like `make run` starts it, on its embedded store unless the settings name another."""

    def __init__(
        self, data_dir: Path, *, workers: int = 2, program: Sequence[str] = ("-m", "service"), **settings: str
    ) -> None:
        """Start it.

        Args:
            data_dir: the folder for its data and its log.
            workers: how many worker processes.
            program: what Python runs.
            settings: environment variables.
        """
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.data_dir = data_dir
        self.log_path = data_dir.with_name(data_dir.name + ".log")
        environment = {
            **unmeasured(),
            "REDIS_URL": "",
            "HOST": "127.0.0.1",
            "PORT": str(self.port),
            "WORKERS": str(workers),
            "DATA_DIR": str(data_dir),
            **settings,
        }
        self._log = self.log_path.open("ab")
        self.master = subprocess.Popen([sys.executable, *program], env=environment, stdout=self._log, stderr=self._log)
        self.wait_until_ready()

    def wait_until_ready(self, seconds: float = START_SECONDS) -> None:
        """Wait until `/readyz` answers 200."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            try:
                with urllib.request.urlopen(self.url + "/readyz", timeout=5):
                    return
            except (OSError, urllib.error.HTTPError):
                time.sleep(0.05)
        raise AssertionError(f"the service is not ready after {seconds} s:\n{self.log_path.read_text()[-2000:]}")

    @property
    def worker_pids(self) -> list[int]:
        """The process ids of the workers."""
        return [pid for pid in children(self.master.pid) if b"gunicorn" in command(pid)]

    @property
    def deliverer_pids(self) -> list[int]:
        """The process ids of those that tell webhooks."""
        below = [pid for child in children(self.master.pid) for pid in children(child)]
        return [pid for pid in below if b"service.webhooks" in command(pid)]

    @property
    def store_pid(self) -> int:
        """The process id of the embedded server."""
        for cwd in Path("/proc").glob("[0-9]*/cwd"):
            try:
                if cwd.readlink() == self.data_dir and (cwd.parent / "comm").read_text() == "valkey-server\n":
                    return int(cwd.parent.name)
            except OSError:
                continue
        raise AssertionError("the embedded server does not run")

    def stop(self) -> float:
        """Stop it as an operator does, and give the seconds that it took."""
        began = time.monotonic()
        self.master.send_signal(signal.SIGTERM)
        self.master.wait(STOP_SECONDS)
        self._log.close()
        return time.monotonic() - began

    def __enter__(self) -> Self:
        """Use it in a `with` block."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop it, if it runs."""
        if self.master.poll() is None:
            self.stop()


def children(pid: int) -> list[int]:
    """Give the process ids of those that a process has started; none if it has ended."""
    with suppress(OSError):
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    return []


def command(pid: int) -> bytes:
    """Give the command line of a process; nothing if it has ended."""
    with suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    return b""


def free_port() -> int:
    """Give a TCP port that nobody listens on."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


def resident_kilobytes(pid: int) -> int:
    """Give the memory that a process holds for itself alone, in kB."""
    for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
        if line.startswith("Private_Dirty:"):
            return int(line.split()[1])
    raise AssertionError("no Private_Dirty")
