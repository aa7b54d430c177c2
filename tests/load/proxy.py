"""A bad network: requests are cut off after they were sent, doubled and delayed, and still count once each."""

from __future__ import annotations

import random
import secrets
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .players import Acknowledged, Answer, Client, Table, Verdict
from .processes import Service

BEHAVIOURS = ("pass", "pass", "cut", "cut_early", "double", "delay")
LATE_SECONDS = 0.3


class BadNetwork:
    """Forwards HTTP requests on loopback, one a connection, and mistreats them."""

    def __init__(self, port: int, seed: int) -> None:
        self._target = port
        self._rnd = random.Random(seed)
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=256)
        self.port: int = self._listener.getsockname()[1]
        self._late: list[threading.Thread] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        """Stop listening, and wait for the late copies."""
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for thread in self._late:
            thread.join()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(client, self._rnd.choice(BEHAVIOURS)), daemon=True).start()

    def _serve(self, client: socket.socket, behaviour: str) -> None:
        with client:
            client.settimeout(20)
            try:
                request = read_message(client)
                if behaviour == "cut_early":
                    self._later(request)
                    return
                if behaviour == "double":
                    self._later(request)
                if behaviour == "delay":
                    time.sleep(self._rnd.uniform(0, 0.05))
                answer = self._forward(request)
                if behaviour != "cut":
                    client.sendall(answer)
            except OSError:
                return

    def _later(self, request: bytes) -> None:
        def send() -> None:
            time.sleep(self._rnd.uniform(0, LATE_SECONDS))
            self._forward(request)

        thread = threading.Thread(target=send, daemon=True)
        self._late.append(thread)
        thread.start()

    def _forward(self, request: bytes) -> bytes:
        with socket.create_connection(("127.0.0.1", self._target), timeout=20) as server:
            server.sendall(request)
            return read_message(server)


def read_message(connection: socket.socket) -> bytes:
    """Read one HTTP message with a `Content-Length`, or without a body."""
    data = b""
    while b"\r\n\r\n" not in data:
        data += _more(connection)
    head = data.partition(b"\r\n\r\n")[0]
    length = next(
        (int(line.partition(b":")[2]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:")), 0
    )
    while len(data) < len(head) + 4 + length:
        data += _more(connection)
    return data


def _more(connection: socket.socket) -> bytes:
    data = connection.recv(65536)
    if not data:
        raise ConnectionError("the other side closed the connection")
    return data


@dataclass
class Outcome:
    """The figures of a run on a bad network."""

    moves: int = 0
    requests: int = 0
    different_answers: int = 0
    verdict: Verdict = field(default_factory=Verdict)

    def is_kept(self) -> bool:
        """Tell whether the promise is kept."""
        return self.different_answers == 0 and self.verdict.is_kept()

    def __str__(self) -> str:
        """Give the figures."""
        return (
            f"moves {self.moves}, requests {self.requests}, repeats with another answer {self.different_answers}; "
            f"{self.verdict}"
        )


def run(folder: Path, *, moves: int, tables: int = 8, seed: int = 1) -> Outcome:
    """Make so many moves, each sent one to five times with its key, on a bad network; creating and joining too."""
    outcome = Outcome()
    with Service(folder / "proxy") as service:
        network = BadNetwork(service.port, seed)
        with ThreadPoolExecutor(tables) as pool:
            share = moves // tables
            played = [
                pool.submit(_play, service, network, share, random.Random(seed + number), outcome)
                for number in range(tables)
            ]
            finished = [table for future in played for table in future.result()]
        network.close()
        time.sleep(LATE_SECONDS)
        for table in finished:
            outcome.verdict.look(table)
            table.client.close()
    return outcome


def _play(service: Service, network: BadNetwork, share: int, rnd: random.Random, outcome: Outcome) -> list[Table]:
    tables: list[Table] = []
    for _ in range(share):
        if not tables or tables[-1].is_over:
            tables.append(_seated(Table(Client(service.port), rnd), network, rnd, outcome))
        _move(tables[-1], network, rnd, outcome)
    return tables


def _seated(table: Table, network: BadNetwork, rnd: random.Random, outcome: Outcome) -> Table:
    """Create a match and take its seats through the bad network."""
    seats = rnd.randint(2, 5)
    body = {"seats": seats, "visibility": "public", "creator": {"name": "Ayşe"}}
    created = _repeatedly(network, rnd, outcome, "/v1/matches", body)[0].body
    table.match_id, table.tokens = created["match"]["id"], [created["token"]]
    for seat in range(1, seats):
        answers = _repeatedly(network, rnd, outcome, table.path + "/players", {"name": f"P{seat}"})
        table.tokens.append(answers[0].body["token"])
        table.view = answers[-1].body["match"]
    return table


def _move(table: Table, network: BadNetwork, rnd: random.Random, outcome: Outcome) -> None:
    token, move = table.choose()
    answers = _repeatedly(network, rnd, outcome, table.path + "/moves", move, Authorization=f"Bearer {token}")
    outcome.moves += 1
    table.acknowledged.append(Acknowledged(token, answers[0].body["events"]))
    table.view = answers[-1].body["match"]


def _repeatedly(
    network: BadNetwork, rnd: random.Random, outcome: Outcome, path: str, body: Any, **headers: str
) -> list[Answer]:
    """Post the same one to five times with one key, more often until it is answered; give the answers."""
    headers |= {"Idempotency_Key": secrets.token_hex(16), "Connection": "close"}
    answers: list[Answer] = []
    wanted, requests = rnd.randint(1, 5), 0
    while requests < wanted or not answers:
        requests += 1
        client = Client(network.port)
        try:
            answers.append(client.send("POST", path, body, **headers))
        except OSError:
            continue
        finally:
            client.close()
    assert answers[0].status in (200, 201), answers[0]
    outcome.requests += requests
    outcome.different_answers += sum(_lasting(answer) != _lasting(answers[0]) for answer in answers)
    return answers


def _lasting(answer: Answer) -> tuple[Any, ...]:
    """Give what every repeat of an answer has in common."""
    return answer.status, answer.headers["Location"], *(answer.body.get(name) for name in ("events", "token", "seat"))
