"""boardgame.io, the well-known server of this kind: a small card game on it, played by its own client."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final, Self

from tests.load.processes import free_port

from ..driving import CONNECTIONS, Measured, cpu_seconds

PROGRAMS: Final = Path(__file__).parent
INSTALL_SECONDS: Final = 120
_ENVIRONMENT: Final = {**os.environ, "NODE_ENV": "production"}


class CannotBeHad(Exception):
    """A peer cannot be measured on this machine; the text says why."""


class Peer:
    """A server of boardgame.io, which keeps matches in memory, and a client that plays them."""

    def __init__(self, folder: Path) -> None:
        """Start both.

        Args:
            folder: where the packages are installed.
        """
        port = str(free_port())
        self._server = _node(folder, "server.cjs", port)
        _read(self._server)
        self._client = _node(folder, "client.cjs", port, str(CONNECTIONS))
        _read(self._client)

    def measure(self, seconds: float) -> Measured:
        """Let the client play for so long; it moves in all matches at the same time."""
        assert self._client.stdin
        before = cpu_seconds([self._server.pid])
        self._client.stdin.write(f"{seconds}\n")
        self._client.stdin.flush()
        seen = json.loads(_read(self._client))
        used = cpu_seconds([self._server.pid]) - before
        return Measured(seen["rate"], seen["p50_ms"], seen["p99_ms"], used / seen["moves"] * 1e6, 0)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        for process in (self._client, self._server):
            process.kill()
            process.communicate()


def _node(folder: Path, program: str, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        ["node", program, *arguments],
        cwd=folder,
        env=_ENVIRONMENT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def _read(process: subprocess.Popen[str]) -> str:
    """Read the next line that is an answer; boardgame.io's server also prints what it does."""
    assert process.stdout
    for line in process.stdout:
        if line.startswith(("ready", "{")):
            return line
    raise CannotBeHad(f"boardgame.io: `{' '.join(map(str, process.args))}` ended.")  # type: ignore[arg-type]


def install(folder: Path) -> None:
    """Install boardgame.io into a folder, unless it is there.

    Raises:
        CannotBeHad: there is no npm, or it fails.
    """
    if shutil.which("npm") is None:
        raise CannotBeHad("boardgame.io: npm is not on this machine.")
    folder.mkdir(parents=True, exist_ok=True)
    for program in PROGRAMS.glob("*.*js*"):
        shutil.copy(program, folder)
    if not (folder / "node_modules").exists():
        command = ["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts"]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=INSTALL_SECONDS)
        if done.returncode:
            raise CannotBeHad(f"boardgame.io cannot be installed: {done.stderr.strip()[-300:]}")


@contextmanager
def peer(folder: Path) -> Iterator[Peer | str]:
    """Start boardgame.io if that can be, else tell why not."""
    with ExitStack() as stack:
        try:
            install(folder)
            running: Peer | str = stack.enter_context(Peer(folder))
        except CannotBeHad as error:
            running = str(error)
        yield running
