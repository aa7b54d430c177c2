"""How the connections of a worker take turns."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import suppress
from selectors import EVENT_READ, DefaultSelector, SelectorKey

import pytest

from tests.client import Service, within
from tests.integration.processes import frozen, workers

GUESTS = 16


@pytest.fixture
def lone(service: Service) -> Iterator[Service]:
    """A service of whose workers all but one stand still."""
    assert within(10, lambda: len(workers(service)) == 2)
    with frozen(workers(service)[0]):
        yield service


class Guest:
    """A connection that does not block."""

    def __init__(self, service: Service, path: str) -> None:
        """Connect; the connection may still be waiting at the door."""
        self.socket = socket.create_connection(("127.0.0.1", service.port))
        self.socket.setblocking(False)
        self._request = f"GET {path} HTTP/1.1\r\nHost: test\r\n\r\n".encode()
        self._unsent = b""

    def ask(self, times: int = 1) -> None:
        """Send requests, or what fits of them."""
        if not self._unsent:
            self._unsent = self._request * times
        with suppress(BlockingIOError):
            self._unsent = self._unsent[self.socket.send(self._unsent) :]

    def answers(self) -> int:
        """Count the answers that have come."""
        with suppress(BlockingIOError):
            return self.socket.recv(1 << 20).count(b"HTTP/1.1 200 OK")
        return 0


def answered(ready: DefaultSelector) -> Iterator[tuple[Guest, int]]:
    """Give whoever has been answered, and how often."""
    keys: list[tuple[SelectorKey, int]] = ready.select(10)
    assert keys, "nobody is answered"
    for key, _ in keys:
        if count := key.data.answers():
            yield key.data, count


def watched(ready: DefaultSelector, guests: list[Guest]) -> list[Guest]:
    for guest in guests:
        ready.register(guest.socket, EVENT_READ, guest)
    return guests


def test_newcomers_are_let_in_while_others_keep_a_worker_busy(lone: Service) -> None:
    with DefaultSelector() as ready:
        regulars = watched(ready, [Guest(lone, "/v1/matches?limit=1") for _ in range(GUESTS)])
        for regular in regulars:
            regular.ask()
        waiting = set(regulars)
        while waiting:
            for guest, _ in answered(ready):
                waiting.discard(guest)
                guest.ask()
        newcomers = watched(ready, [Guest(lone, "/v1/matches?limit=1") for _ in range(GUESTS)])
        for newcomer in newcomers:
            newcomer.ask()
        waiting, answers = set(newcomers), 0
        while waiting:
            for guest, count in answered(ready):
                waiting.discard(guest)
                guest.ask()
                answers += count
        for guest in (*regulars, *newcomers):
            guest.socket.close()
    assert answers < GUESTS * GUESTS / 2, "each was answered again and again before the last was let in"


def test_who_does_not_wait_for_answers_keeps_nobody_waiting(lone: Service) -> None:
    with DefaultSelector() as ready:
        greedy, modest = watched(ready, [Guest(lone, "/healthz"), Guest(lone, "/healthz")])
        modest.ask()
        assert [guest for guest, _ in answered(ready)] == [modest]
        modest.ask()
        taken = served = 0
        while served < 5:
            greedy.ask(1000)
            for guest, count in answered(ready):
                if guest is greedy:
                    taken += count
                else:
                    served += 1
                    modest.ask()
            assert taken < 1000, "nobody else is served"
        greedy.socket.close()
        modest.socket.close()
