"""The verifier against a server that does not keep to HTTP, to a size or to a time: one line, and status 2."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import pytest

from service.verify import asking
from service.verify.__main__ import main

LENGTH = b"HTTP/1.1 200 OK\r\nContent-Length: "
ERROR = b"HTTP/1.1 500 Internal Server Error\r\n"
CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"


def pointing(address: bytes) -> bytes:
    return b"HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: " + address + b"\r\n\r\n"


@contextmanager
def sending(answer: bytes, *, drip: bool = False) -> Iterator[str]:
    """Send these bytes to whoever asks first, and then, if told to, a byte now and then; give the address."""
    done = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            connection, _ = server.accept()
            with connection:
                connection.recv(65536)
                connection.sendall(answer)
                with suppress(OSError):  # whoever asked has gone
                    while drip and not done.wait(0.02):
                        connection.sendall(b" ")

        thread = threading.Thread(target=serve)
        thread.start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}/v1/matches/m"
        done.set()
        thread.join()


def complaint(url: str, capsys: pytest.CaptureFixture[str]) -> str:
    """Run the command, which must end with 2 and one line, and give that."""
    with pytest.raises(SystemExit) as end:
        main([url])
    said = capsys.readouterr()
    assert (end.value.code, said.out, said.err.count("\n")) == (2, "", 1)
    return said.err


@pytest.mark.parametrize(
    "answer,says",
    [
        pytest.param(b"", "does not answer: Remote end closed connection", id="nothing"),
        pytest.param(b"garbage\r\n\r\n", "does not answer: garbage", id="no status"),
        pytest.param(b"HTTP/1.1 200 OK\r\nX: " + 70_000 * b"a" + b"\r\n\r\n", "more than 65536 bytes", id="long line"),
        pytest.param(b"HTTP/1.1 200 OK\r\n" + 200 * b"X: a\r\n" + b"\r\n", "more than 100 headers", id="many headers"),
        pytest.param(CHUNKED + b"zz\r\n", "does not answer: IncompleteRead", id="bad chunk"),
        pytest.param(LENGTH + b"100\r\n\r\n{", "is not JSON", id="half an answer"),
        pytest.param(ERROR + b"Content-Length: 100\r\n\r\n{", "answers 500: Internal Server", id="half an error"),
        pytest.param(ERROR + b"\r\n" + 100_000 * b"[", "answers 500: Internal Server", id="nested error"),
        pytest.param(ERROR + b'\r\n{"detail": "\\ud800"}', "answers 500: \\ud800", id="half a surrogate"),
        pytest.param(ERROR + b'\r\n{"detail": "\\u001b[2J\\nFAIR"}', r"500: \x1b[2J\nFAIR", id="controls"),
        pytest.param(b"HTTP/1.1 204 \x1b[2J\r\n\r\n", r"answers 204: \x1b[2J", id="status without content"),
        pytest.param(LENGTH + b"1\r\n\r\n[", "is not JSON", id="no JSON"),
        pytest.param(LENGTH + b"8\r\n\r\n[1e9999]", "shows no proof and no match", id="no object"),
        pytest.param(pointing(b"http://127.0.0.2/x"), "/m points to http://127.0.0.2/x. Give", id="another host"),
        pytest.param(pointing(b"/v1/matches/m"), "points to /v1/matches/m.", id="a loop"),
        pytest.param(pointing(b"file:///etc/passwd"), "points to file:///etc/passwd.", id="a file"),
        pytest.param(pointing(b"http://[::1/"), "points to http://[::1/.", id="no address"),
        pytest.param(pointing(b"http://127.0.0.1:x/"), "points to http://127.0.0.1:x/.", id="no port"),
    ],
)
def test_an_answer_that_is_none_ends_with_one_line(
    answer: bytes, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with sending(answer) as url:
        assert says in complaint(url, capsys)


def test_no_more_is_read_than_a_proof_can_have(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(asking, "MOST_BYTES", 10)
    with sending(LENGTH + b"1000000000\r\n\r\n" + 11 * b" ", drip=True) as url:
        assert "answers with more than 10 bytes." in complaint(url, capsys)


@pytest.mark.parametrize("sent", [b"", b"HTTP/1.1 200 OK\r\n", LENGTH + b"999\r\n\r\n{", ERROR + b"\r\n{"])
def test_a_server_that_keeps_one_waiting_is_left(
    sent: bytes, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(asking, "TIMEOUT_SECONDS", 0.2)
    with sending(sent, drip=True) as url:
        assert "does not answer within 0.2 seconds." in complaint(url, capsys)
