"""gunicorn with our configuration, as processes of their own, serving an application of a few lines."""

import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
import redis

from tests.client import measured_as_green, unmeasured
from tests.client import serving as real_service

ROOT = Path(__file__).parents[2]
APPLICATION = """
import os

def app(environ, start_response):
    if environ["PATH_INFO"] == "/fault":
        raise ValueError("a fault")
    length = int(environ.get("CONTENT_LENGTH") or 0)
    status, body = "200 OK", os.environ["REDIS_URL"].encode()
    if length > 16384:
        status, body = "413 Content Too Large", b"too large"
    start_response(status, [("Content-Type", "text/plain"), ("Content-Length", str(len(body)))])
    return [body]
"""


@dataclass
class Service:
    """A gunicorn with its workers and its store."""

    master: "subprocess.Popen[str]"
    port: int
    greeting: str
    log: Path

    @property
    def store_url(self) -> str:
        return self.exchange(b"GET / HTTP/1.1\r\n\r\n")[2].decode()

    def exchange(self, request: bytes) -> tuple[int, dict[str, str], bytes]:
        """Send bytes, then read the answer: status, headers, body."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=10) as client:
            client.sendall(request)
            with http.client.HTTPResponse(client) as answer:
                answer.begin()
                return (
                    answer.status,
                    {name.lower(): value for name, value in answer.getheaders()},
                    answer.read(),
                )


@contextmanager
def serving(folder: Path, *, measured: bool = False, **variables: str) -> Iterator[Service]:
    (folder / "tiny.py").write_text(APPLICATION)
    environment = measured_as_green() if measured else unmeasured()
    environment.pop("REDIS_URL", None)
    environment |= {
        "PORT": "0",
        "DATA_DIR": str(folder / "data"),
        "PYTHONPATH": f"{ROOT}:{folder}",
    } | variables
    command = [
        sys.executable,
        "-m",
        "gunicorn",
        "--config",
        str(ROOT / "deploy/gunicorn.conf.py"),
        "tiny:app",
    ]
    log = folder / "service.log"
    with log.open("a") as errors:
        master = subprocess.Popen(
            command,
            env=environment,
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            start_new_session=True,
        )
    try:
        assert master.stdout
        greeting = ""
        while not greeting.endswith("rest\n") and (line := master.stdout.readline()):
            greeting += line
        address = re.search(r"127\.0\.0\.1:(\d+)", greeting)
        yield Service(master, int(address[1]) if address else 0, greeting, log)
    finally:
        master.terminate()
        master.communicate(timeout=30)


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with serving(tmp_path_factory.mktemp("service"), measured=True) as running:
        yield running


def within(seconds: float, condition: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + seconds
    while not (met := condition()) and time.monotonic() < deadline:
        time.sleep(0.02)
    return met


def answers(url: str) -> bool:
    try:
        with redis.Redis.from_url(url) as client:
            return bool(client.ping())
    except redis.ConnectionError:
        return False


def folder_of(url: str) -> Path:
    return Path(url.removeprefix("unix://")).parent


@pytest.mark.parametrize(
    "request_bytes,status,code",
    [
        pytest.param(b"GARBAGE\r\n\r\n", 400, "malformed_request", id="no request line"),
        pytest.param(b"GET / HTTP/9.1\r\n\r\n", 400, "malformed_request", id="unknown version"),
        pytest.param(b"GET / HTTP/1.1\r\nA b: c\r\n\r\n", 400, "malformed_request", id="header name"),
        pytest.param(b"GET / HTTP/1.1\r\nContent-Length: x\r\n\r\n", 400, "malformed_request", id="length"),
        pytest.param(b"GET /" + b"a" * 500_000 + b" HTTP/1.1\r\n\r\n", 414, "uri_too_long", id="long path"),
        pytest.param(b"GET / HTTP/1.1\r\nExpect: x\r\n\r\n", 417, "expectation_failed", id="expectation"),
        pytest.param(
            b"GET / HTTP/1.1\r\nA: " + b"a" * 500_000 + b"\r\n\r\n",
            431,
            "headers_too_large",
            id="long header",
        ),
        pytest.param(b"GET / HTTP/1.1\r\n" + b"a: b\r\n" * 100 + b"\r\n", 431, "headers_too_large", id="many headers"),
        pytest.param(b"GET /fault HTTP/1.1\r\n\r\n", 500, "internal_error", id="fault of the application"),
        pytest.param(b"POST / HTTP/1.1\r\nTransfer-Encoding: x\r\n\r\n", 501, "not_implemented", id="transfer coding"),
    ],
)
def test_what_never_reaches_the_application_is_answered_by_a_problem_document(
    service: Service, request_bytes: bytes, status: int, code: str
) -> None:
    answered, headers, body = service.exchange(request_bytes)

    assert answered == status
    assert headers["content-type"] == "application/problem+json"
    problem = json.loads(body)
    assert problem.keys() == {"type", "title", "status", "detail", "code"}
    assert (problem["status"], problem["code"]) == (status, code)
    assert problem["detail"]


def test_no_answer_names_the_server_product(service: Service) -> None:
    for request in (b"GET / HTTP/1.1\r\n\r\n", b"GARBAGE\r\n\r\n"):
        _, headers, body = service.exchange(request)
        assert headers["server"] == "pis-yedili"
        assert b"gunicorn" not in body


def test_no_header_names_another_path_or_scheme(service: Service) -> None:
    for header in ("SCRIPT_NAME: /x", "SCRIPT_NAME: /fault", "PATH_INFO: /fault"):
        assert service.exchange(f"GET / HTTP/1.1\r\n{header}\r\n\r\n".encode())[0] == 200
    contradiction = b"GET / HTTP/1.1\r\nX-Forwarded-Proto: https\r\nX-Forwarded-Ssl: off\r\n\r\n"
    assert service.exchange(contradiction)[0] == 200


def test_what_is_malformed_leaves_no_secret_in_the_log_or_the_answer(service: Service) -> None:
    token = "py_0123456789abcdefg_" + "5ec2e7" * 10
    for request in (
        f"GET / HTTP/1.1\r\nAuthorization Bearer {token}\r\n\r\n",
        f"GET / HTTP/1.1\r\nAuthorization 'Bearer' {token}\r\n\r\n",
        f"GET /stream?ticket={token}\r\n\r\n",
        f"GET /fault?ticket={token} HTTP/1.1\r\n\r\n",
    ):
        answer = service.exchange(request.encode())
        assert answer[0] in (400, 500)
        assert b"5ec2e7" not in answer[2]
    assert within(5, lambda: "Error handling request GET /fault?…" in service.log.read_text("utf-8"))
    assert "5ec2e7" not in service.log.read_text("utf-8")


@pytest.mark.parametrize("connection", ["keep-alive", "close"])
@pytest.mark.parametrize("size", [20_000, 100_000, 1_000_000, 3_000_000])
def test_who_sends_too_large_a_body_always_gets_the_whole_answer(service: Service, connection: str, size: int) -> None:
    head = f"POST / HTTP/1.1\r\nConnection: {connection}\r\nContent-Length: {size}\r\n\r\n".encode()
    for _ in range(25):
        status, _, body = service.exchange(head + b"x" * size)
        assert (status, body) == (413, b"too large")


def test_a_body_that_nobody_read_may_be_malformed(service: Service) -> None:
    status, _, _ = service.exchange(b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n")

    assert status == 200


def test_a_body_that_nobody_reads_is_not_taken_in_for_ever_though_it_never_pauses(service: Service) -> None:
    with socket.create_connection(("127.0.0.1", service.port), timeout=10) as client:
        client.sendall(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 70000\r\n\r\n")
        assert client.recv(4096).startswith(b"HTTP/1.1 413")
        client.settimeout(0.2)
        for _ in range(50):
            try:
                client.send(b"x")
                if not client.recv(4096):
                    return
            except TimeoutError:
                continue
            except ConnectionError:
                return
    raise AssertionError("the service reads on")


def test_the_operator_is_told_where_to_look(service: Service) -> None:
    for place in ("/docs", "/readyz", "README.md", "data"):
        assert place in service.greeting


def test_a_reload_keeps_the_store_and_its_data_and_ends_idle_connections_without_a_word(tmp_path: Path) -> None:
    with serving(tmp_path) as service:
        url = service.store_url
        idle = socket.create_connection(("127.0.0.1", service.port), timeout=20)
        idle.sendall(b"GET /healthz HTTP/1.1\r\nHost: here\r\n\r\n")
        assert idle.recv(4096).startswith(b"HTTP/1.1 200")
        with idle, redis.Redis.from_url(url, decode_responses=True) as client:
            client.set("match", "kept")
            service.master.send_signal(signal.SIGHUP)
            assert within(15, lambda: bool(re.search("(?s)Hang up.*Worker exiting", service.log.read_text("utf-8"))))
            assert service.store_url == url
            assert client.get("match") == "kept"
            assert idle.recv(4096) == b""
        assert "Traceback" not in service.log.read_text("utf-8")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_stopped_service_stops_its_store(tmp_path: Path, number: signal.Signals) -> None:
    with serving(tmp_path) as service:
        url = service.store_url
        os.killpg(service.master.pid, number)  # as a terminal does for Ctrl-C
        assert service.master.wait(timeout=15) == 0
        assert not answers(url)
        assert not folder_of(url).exists()


def test_a_killed_master_leaves_no_store_and_the_next_service_has_its_data(tmp_path: Path) -> None:
    with serving(tmp_path) as service:
        url = service.store_url
        with redis.Redis.from_url(url) as client:
            client.set("match", "kept")
        service.master.kill()
        with serving(tmp_path) as successor, redis.Redis.from_url(successor.store_url) as client:
            assert client.get("match") == b"kept"
        assert within(5, lambda: not folder_of(url).exists())
        assert not answers(url)


def test_a_given_store_is_used_and_named_and_none_is_started(tmp_path: Path, service: Service) -> None:
    with serving(tmp_path, REDIS_URL=service.store_url) as second:
        assert second.store_url == service.store_url
        assert f"kept in {service.store_url}\n" in second.greeting
        assert not (tmp_path / "data").exists()


def test_a_store_that_does_not_answer_at_the_start_is_told_with_the_time_and_without_its_password(
    tmp_path: Path,
) -> None:
    with (
        real_service(tmp_path, REDIS_URL="redis://:secret@127.0.0.1:1/2") as service,
        service.client() as client,
    ):
        line = r"^\[[-\d]+ [:\d]+ \S+\] \[\d+\] \[WARNING\] The store does not answer: .* refused\.$"
        assert within(10, lambda: bool(re.search(line, service.log.read_text(), re.MULTILINE)))
        assert client.get("/healthz").status == 200
        assert client.get("/readyz").status == 503
    log = service.log.read_text()
    assert log.count("calls that need it are refused") == 1, "one of the workers tells"
    assert "secret" not in log


def test_a_wrong_setting_ends_gunicorn_with_one_line(tmp_path: Path) -> None:
    for command in (["gunicorn", "--config", str(ROOT / "deploy/gunicorn.conf.py")], ["service", "serve"]):
        ended = subprocess.run(
            [sys.executable, "-m", *command],
            env={**os.environ, "PORT": "http", "PYTHONPATH": str(ROOT)},
            cwd=tmp_path,
            capture_output=True,
            text=True,
        )
        assert ended.returncode == 2
        assert ended.stderr == "pis-yedili: wrong setting: PORT: Not a valid integer.\n"


def test_a_store_that_cannot_start_ends_gunicorn_without_a_traceback(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    ended = subprocess.run(
        [sys.executable, "-m", "gunicorn", "--config", str(ROOT / "deploy/gunicorn.conf.py")],
        env={**os.environ, "PORT": "0", "DATA_DIR": str(tmp_path / "file"), "PYTHONPATH": str(ROOT)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert ended.returncode == 1
    assert "DATA_DIR" in ended.stderr
    assert "Traceback" not in ended.stderr
