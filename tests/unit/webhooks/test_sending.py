"""One attempt: signed, to an address that was checked, by TLS whose certificate is, following nobody."""

from __future__ import annotations

import shutil
import socket
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest

from service.webhooks.messages import Message
from service.webhooks.sending import NoAnswer, Sender
from tests.receiver import SECRET, Receiver, receiving

BODY = '{"type":"your_turn","data":{"name":"Ayşe"}}'


def message(url: str) -> Message:
    return Message("msg_match_7", "match", "your_turn", BODY, url, SECRET)


def sender(*, allow_private: bool = True) -> Sender:
    return Sender(timeout_seconds=5, allow_private=allow_private)


def reason(sender: Sender, url: str) -> str:
    with pytest.raises(NoAnswer) as failed:
        sender.send(message(url))
    assert "/hooks" not in str(failed.value)
    assert "127.0.0.1" not in str(failed.value)
    return str(failed.value)


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as running:
        yield running


def test_a_message_is_signed_after_standard_webhooks(receiver: Receiver) -> None:
    assert sender().send(message(f"{receiver.url}/hooks?key=a%20b")) == 204
    [post] = receiver.posts
    assert post.message == {"type": "your_turn", "data": {"name": "Ayşe"}}
    assert (post.path, post.identity) == ("/hooks?key=a%20b", "msg_match_7")
    assert post.headers["content-type"] == "application/json"
    assert post.headers["user-agent"].startswith("pis-yedili/")
    assert post.headers["host"] == receiver.url.removeprefix("http://")


@pytest.mark.parametrize("path,target", [("", "/"), ("?a=b", "/?a=b"), ("/a/b", "/a/b")])
def test_the_whole_address_is_asked_for(receiver: Receiver, path: str, target: str) -> None:
    sender().send(message(receiver.url + path))
    assert receiver.posts[0].path == target


@pytest.mark.parametrize("status", [200, 202, 400, 410, 500])
def test_the_status_of_the_answer_is_given(receiver: Receiver, status: int) -> None:
    receiver.answer = lambda post: status
    assert sender().send(message(receiver.url)) == status


def test_a_redirect_is_not_followed(receiver: Receiver) -> None:
    with receiving() as other:
        receiver.answer = lambda post: (307, other.url)
        assert sender().send(message(receiver.url)) == 307
        assert (other.connections, len(receiver.posts)) == (0, 1)


@pytest.mark.parametrize("name", ["localhost", "127.0.0.1", "127.1"])
def test_no_connection_is_made_to_a_forbidden_address(receiver: Receiver, name: str) -> None:
    port = receiver.url.rpartition(":")[2]
    assert reason(sender(allow_private=False), f"https://{name}:{port}/hooks").startswith("forbidden: ")
    assert reason(sender(allow_private=False), f"http://{name}:{port}/hooks").startswith("forbidden: ")
    assert receiver.connections == 0


def test_no_proxy_of_the_environment_is_used(receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    with receiving() as proxy:
        for variable in ("http_proxy", "HTTP_PROXY", "https_proxy", "ALL_PROXY"):
            monkeypatch.setenv(variable, proxy.url)
        assert sender().send(message(receiver.url)) == 204
        assert proxy.connections == 0


def test_the_next_address_of_a_name_is_tried(receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    port = int(receiver.url.rpartition(":")[2])
    found = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in ("127.0.0.2", "127.0.0.1")]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: found)
    assert sender().send(message(f"http://app.example:{port}/")) == 204
    assert receiver.posts[0].headers["host"] == f"app.example:{port}"


def test_who_does_not_listen_or_does_not_speak_http_gives_no_answer() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        closed = f"http://127.0.0.1:{listener.getsockname()[1]}/hooks"
    assert reason(sender(), closed) == "Connection refused"
    assert reason(sender(), "http://127.0.0.1:99999/hooks") == "ValueError"


@pytest.mark.parametrize("lines", [b"HTTP/1.1 100 Continue\r\n\r\n", b"HTTP/1.1 200 OK\r\nX: " + 20_000 * b"x"])
def test_a_head_without_end_is_no_answer(lines: bytes) -> None:
    def keep_on(listener: socket.socket) -> None:
        connection, _ = listener.accept()
        with connection, suppress(OSError):
            while True:
                connection.sendall(lines)

    with socket.create_server(("127.0.0.1", 0)) as listener, ThreadPoolExecutor(1) as pool:
        pool.submit(keep_on, listener)
        assert reason(sender(), f"http://127.0.0.1:{listener.getsockname()[1]}/hooks") == "LineTooLong"


def test_what_is_no_answer_yet_is_passed_over() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener, ThreadPoolExecutor(1) as pool:
        sent = pool.submit(sender().send, message(f"http://127.0.0.1:{listener.getsockname()[1]}/hooks"))
        connection, _ = listener.accept()
        with connection:
            for head in (b"100 Continue", b"102 Processing", b"103 Early Hints\r\nLink: </a>", b"204 No Content"):
                connection.sendall(b"HTTP/1.1 " + head + b"\r\n\r\n")
            assert sent.result() == 204


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A certificate for localhost that is its own authority, with its key."""
    if (openssl := shutil.which("openssl")) is None:
        pytest.skip("openssl, which makes certificates, is not on this machine")
    folder = tmp_path_factory.mktemp("certificate")
    key, cert, both = folder / "key.pem", folder / "cert.pem", folder / "both.pem"
    kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj", "/CN=localhost"]
    subprocess.run(
        [openssl, "req", "-x509", *kind, "-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", cert],
        check=True,
        capture_output=True,
    )
    both.write_text(key.read_text() + cert.read_text())
    return str(both)


def test_the_certificate_must_be_trusted_and_bear_the_name(certificate: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with receiving(certificate, "localhost") as receiver:
        assert reason(sender(), f"{receiver.url}/hooks").startswith("certificate: self-signed")
        monkeypatch.setenv("SSL_CERT_FILE", certificate)
        assert sender().send(message(f"{receiver.url}/hooks")) == 204
        other_name = receiver.url.replace("localhost", "127.0.0.1")
        assert reason(sender(), f"{other_name}/hooks").startswith("certificate: ")
        assert len(receiver.posts) == 1


def test_plain_http_at_the_port_of_tls_is_no_answer(receiver: Receiver) -> None:
    assert reason(sender(), receiver.url.replace("http:", "https:") + "/hooks")
