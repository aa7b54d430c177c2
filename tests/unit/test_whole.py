"""Answers that leave whole, by gunicorn's own class and a connection that tells what it was given to send."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from gunicorn.config import Config

from service.whole import WholeResponse


class Connection:
    """Keeps what it is given."""

    def __init__(self) -> None:
        self.sent: list[bytes] = []

    def sendall(self, data: bytes) -> None:
        self.sent.append(data)


def answering(method: str, headers: list[tuple[str, str]]) -> tuple[Any, Connection]:
    connection = Connection()
    request = SimpleNamespace(method=method, version=(1, 1), should_close=lambda: False)
    response = WholeResponse(request, connection, Config())
    response.start_response("200 OK", headers)
    return response, connection


def test_the_head_and_the_body_leave_in_one_write() -> None:
    response, connection = answering("GET", [("Content-Length", "2")])
    response.write(b"{}")
    response.close()
    [whole] = connection.sent
    head, _, body = whole.partition(b"\r\n\r\n")
    assert (head.splitlines()[0], body) == (b"HTTP/1.1 200 OK", b"{}")


def test_what_follows_on_a_stream_leaves_at_once_and_by_itself() -> None:
    response, connection = answering("GET", [])
    response.write(b"id: 1")
    response.write(b"id: 2")
    first, second = connection.sent
    assert (first.endswith(b"\r\n\r\n5\r\nid: 1\r\n"), second) == (True, b"5\r\nid: 2\r\n")


def test_an_answer_without_a_body_is_its_head() -> None:
    response, connection = answering("HEAD", [("Content-Length", "2")])
    response.close()
    [head] = connection.sent
    assert head.endswith(b"\r\n\r\n")


def test_what_is_no_body_is_not_sent() -> None:
    response, connection = answering("GET", [])
    with pytest.raises(TypeError):
        response.write("text")
    assert connection.sent == []
