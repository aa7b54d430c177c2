"""The service as processes of its own, and a client of a few lines that talks to it over HTTP."""

from __future__ import annotations

import base64
import http.client
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from email.message import Message
from pathlib import Path
from typing import Any, NamedTuple, Self

ROOT = Path(__file__).parents[1]
NO_BODY = object()
COVERAGE_CONFIG = "COVERAGE_PROCESS_CONFIG"


class Reply(NamedTuple):
    """What came back."""

    status: int
    headers: Message
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def code(self) -> str:
        """The code of the problem document that this must be."""
        assert self.headers["Content-Type"] == "application/problem+json", self
        problem = self.json
        assert problem["status"] == self.status
        assert {"type", "title", "detail"} <= problem.keys()
        return str(problem["code"])

    def expect(self, status: int) -> Any:
        """Give the JSON of an answer that must have this status."""
        assert self.status == status, self
        return self.json


class Client:
    """One connection to a service, kept alive."""

    def __init__(self, port: int) -> None:
        self.port = port
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self._connection.close()

    def call(
        self,
        method: str,
        path: str,
        body: object = NO_BODY,
        *,
        token: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Reply:
        """Send a request: bytes as they are, anything else as JSON."""
        sent = {"Authorization": f"Bearer {token}"} if token else {}
        data = body if isinstance(body, bytes) else None if body is NO_BODY else json.dumps(body).encode()
        if data is not None:
            sent["Content-Type"] = "application/json"
        try:
            self._connection.request(method, path, data, {**sent, **(headers or {})})
            with self._connection.getresponse() as answer:
                return Reply(answer.status, answer.headers, answer.read())
        except (OSError, http.client.HTTPException):
            self._connection.close()
            raise

    def get(self, path: str, token: str | None = None, **headers: str) -> Reply:
        """Read; an underscore in a header's name stands for a hyphen."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return self.call("GET", path, token=token, headers=named)

    def post(self, path: str, body: object, token: str | None = None, **headers: str) -> Reply:
        """Write; an underscore in a header's name stands for a hyphen."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return self.call("POST", path, body, token=token, headers=named)


class Game:
    """A match over HTTP, and the tokens of all its seats."""

    def __init__(
        self, client: Client, seats: int = 2, *, seated: int | None = None, app_key: str = "", **order: Any
    ) -> None:
        """Create it and let players sit down, by default at all seats, which starts it; the creator is the first."""
        self.client = client
        creator = {} if seated == 0 else {"creator": {"name": "Player 0"}}
        body = {"seats": seats, **creator, **order}
        made = client.post("/v1/matches", body, **({"X_API_Key": app_key} if app_key else {})).expect(201)
        self.path = f"/v1/matches/{made['match']['id']}"
        self.tokens: list[str] = [made["token"]]
        self.join_code: str | None = made.get("join_code")
        for _ in range(1, seats if seated is None else seated):
            self.tokens.append(self.join().expect(201)["token"])

    def join(self, client: Client | None = None, **body: Any) -> Reply:
        """Ask for a seat."""
        code = {} if self.join_code is None else {"join_code": self.join_code}
        return (client or self.client).post(
            f"{self.path}/players", {"name": f"Player {len(self.tokens)}"} | code | body
        )

    def view(self, seat: int | None = None) -> Any:
        """Look at the match as a seat, or as a stranger."""
        return self.client.get(self.path, None if seat is None else self.tokens[seat]).expect(200)

    def views(self) -> list[Any]:
        """Look at the match as every seat."""
        return [self.view(seat) for seat in range(len(self.tokens))]

    def legal_moves(self, seat: int) -> Any:
        """List what a seat may post."""
        return self.client.get(f"{self.path}/legal-moves", self.tokens[seat]).expect(200)["moves"]

    def events(self, seat: int | None = None, after: int = 0, limit: int = 1000) -> Any:
        """Read the log as a seat, or as a stranger."""
        token = None if seat is None else self.tokens[seat]
        return self.client.get(f"{self.path}/events?after={after}&limit={limit}", token).expect(200)["events"]

    def move(self, seat: int, body: Mapping[str, Any], client: Client | None = None) -> Reply:
        """Post a move."""
        return (client or self.client).post(f"{self.path}/moves", body, self.tokens[seat])

    def move_on(self, moves: int, choose: Callable[[Sequence[Any]], Any] = lambda moves: moves[0]) -> Any:
        """Make so many legal moves, or fewer if the match ends, and give the view of who moved last."""
        view = self.view(0)
        for _ in range(moves):
            if view["status"] != "playing":
                break
            seat = view["deal"]["turn_seat"]
            view = self.move(seat, choose(self.legal_moves(seat))).expect(200)["match"]
        return view


@dataclass
class Service:
    """gunicorn with its workers, serving the real application."""

    master: subprocess.Popen[str]
    port: int
    log: Path

    def client(self) -> Client:
        """Open a connection of its own."""
        return Client(self.port)

    def kill(self) -> None:
        """End the master as a crash does, and wait until its workers have noticed."""
        self.master.kill()
        self.master.wait()


@contextmanager
def serving(folder: Path, *, measured: bool = False, **variables: str) -> Iterator[Service]:
    """Run the service on a free port, its data and its log in a folder.

    Args:
        folder: where it may write.
        measured: whether its coverage is measured, if that of the tests is, for what no test reaches in its own
            process; this halves its speed, and a process that is killed, or stopped as it starts, leaves files that
            cannot be read.
        variables: its settings.
    """
    environment = measured_as_green() if measured else unmeasured()
    for name in ("REDIS_URL", "API_KEYS"):
        environment.pop(name, None)
    environment |= {"PORT": "0", "DATA_DIR": str(folder / "data"), "PYTHONPATH": str(ROOT)} | variables
    log = folder / "service.log"
    with log.open("a") as errors:
        master = subprocess.Popen(
            [sys.executable, "-m", "service"],
            env=environment,
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            start_new_session=True,
        )
    try:
        yield Service(master, _port(master), log)
    finally:
        master.terminate()
        master.communicate(timeout=30)


def measured_as_green() -> dict[str, str]:
    """Give the environment for a service whose coverage is measured, if that of the tests is.

    Its threads are green ones, those of the tests are not: where coverage asks for green threads, Python 3.11 can hang
    when two real ones end at the same time.
    """
    environment = dict(os.environ)
    if COVERAGE_CONFIG in environment:
        config = json.loads(base64.b64decode(environment[COVERAGE_CONFIG]))
        config["concurrency"] = ["thread", "gevent"]
        environment[COVERAGE_CONFIG] = base64.b64encode(json.dumps(config).encode()).decode()
    return environment


def unmeasured() -> dict[str, str]:
    """Give the environment for a process whose coverage is not to be measured."""
    return {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE_")}


def _port(master: subprocess.Popen[str]) -> int:
    assert master.stdout
    for line in master.stdout:
        if address := re.search(r"served at http://127\.0\.0\.1:(\d+)", line):
            return int(address[1])
    raise AssertionError("the service did not start")


def within(seconds: float, condition: Callable[[], bool]) -> bool:
    """Wait until a condition is met, but no longer than so many seconds, and tell whether it was."""
    end = time.monotonic() + seconds
    while not (met := condition()) and time.monotonic() < end:
        time.sleep(0.02)
    return met
