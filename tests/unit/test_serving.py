"""What the service adds to gunicorn, without a gunicorn."""

from __future__ import annotations

import logging
import socket
import sys
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from gevent import GreenletExit
from gunicorn.http.unreader import SocketUnreader

from service import serving


@pytest.fixture
def connection() -> Iterator[tuple[socket.socket, Any]]:
    """A client, and a request of it as gunicorn has it."""
    client, accepted = socket.socketpair()
    with client, accepted:
        yield client, SimpleNamespace(unreader=SocketUnreader(accepted))


def test_a_body_that_comes_drop_by_drop_is_given_up(
    connection: tuple[socket.socket, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    client, request = connection
    monkeypatch.setattr(serving, "BODY_SECONDS", 0.3)
    serving.limit_time_of_body(request)
    for _ in range(2):
        client.sendall(b".")
        assert request.unreader.read(1) == b"."
    with pytest.raises(TimeoutError):
        request.unreader.read(1)
    client.sendall(b".")
    with pytest.raises(TimeoutError):
        request.unreader.read(1)


def test_the_time_of_a_body_ends_with_its_request(connection: tuple[socket.socket, Any]) -> None:
    client, request = connection
    serving.limit_time_of_body(request)
    client.sendall(b"abc")
    assert request.unreader.read() == b"abc"
    assert request.unreader.sock.gettimeout() is None
    assert request.unreader.chunk.__name__ == "receive_in_time"
    serving.discard_unread_body(request, {})
    assert request.unreader.chunk.__name__ == "chunk"


@pytest.mark.skipif(not hasattr(socket, "TCP_USER_TIMEOUT"), reason="Linux alone has it")
def test_accepted_connections_give_up_a_silent_peer() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        serving.give_up_silent_peers([SimpleNamespace(sock=listener)])
        with socket.create_connection(listener.getsockname()), listener.accept()[0] as accepted:
            given = accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT)
    assert given == serving.SILENT_PEER_MS


def test_a_peer_that_went_silent_is_no_news_but_a_fault_is(caplog: pytest.LogCaptureFixture) -> None:
    log = logging.getLogger("a log of gunicorn")
    log.addFilter(serving._loggable)
    for fault in (TimeoutError(110, "Connection timed out"), GreenletExit(), ValueError("a fault")):
        try:
            raise fault
        except (TimeoutError, GreenletExit, ValueError):
            log.error("Socket error processing request.", exc_info=sys.exc_info())
    [record] = caplog.records
    assert record.exc_info is not None
    assert isinstance(record.exc_info[1], ValueError)
