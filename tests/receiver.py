"""A receiver of webhooks as applications write them, on the loopback interface."""

from __future__ import annotations

import json
import shutil
import ssl
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from standardwebhooks import Webhook as Verifier
from standardwebhooks import WebhookVerificationError

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"


@dataclass(frozen=True)
class Post:
    """What was posted, and when it came."""

    path: str
    headers: dict[str, str]
    body: bytes
    at: float

    @property
    def identity(self) -> str:
        return self.headers["webhook-id"]

    @property
    def is_signed(self) -> bool:
        """Whether its signature is right, and made within the last five minutes."""
        try:
            return bool(self.message)
        except WebhookVerificationError:
            return False

    @property
    def message(self) -> Any:
        """What is told; its signature must be right."""
        return Verifier(SECRET).verify(self.body, self.headers)


class Receiver:
    """Takes posts and answers them as it is told.

    Attributes:
        url: where it listens.
        posts: what has come.
        connections: how many connections it has accepted.
        unsigned: how many posts had no good signature when they came.
        taken: the identities of the messages that it has taken, which is those that it answered with 2xx.
        answer: gives the status, and maybe where to redirect to; may take its time.
    """

    def __init__(self, server: ThreadingHTTPServer, url: str) -> None:
        self._server = server
        self.url = url
        self.posts: list[Post] = []
        self.connections = 0
        self.unsigned = 0
        self.taken: set[str] = set()
        self.answer: Callable[[Post], int | tuple[int, str]] = lambda post: 204

    @property
    def identities(self) -> list[str]:
        return [post.identity for post in self.posts]


@contextmanager
def receiving(certificate: str | None = None, name: str = "127.0.0.1") -> Iterator[Receiver]:
    """Run a receiver on a free port.

    Args:
        certificate: the file of its certificate and key; without it, it speaks plain HTTP.
        name: the host in its URL.
    """

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            post = Post(self.path, {key.lower(): value for key, value in self.headers.items()}, body, time.monotonic())
            receiver.posts.append(post)
            receiver.unsigned += not post.is_signed
            answer = receiver.answer(post)
            status, place = answer if isinstance(answer, tuple) else (answer, None)
            if status < 300:
                receiver.taken.add(post.identity)
            self.send_response(status)
            if place:
                self.send_header("Location", place)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Stay quiet."""

    class Server(ThreadingHTTPServer):
        daemon_threads = True
        request_queue_size = 256

        def get_request(self) -> Any:
            accepted = super().get_request()
            receiver.connections += 1
            return accepted

        def handle_error(self, *_: object) -> None:
            """Who sent has left: that is theirs."""

    server = Server(("127.0.0.1", 0), Handler)
    if certificate is not None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        server.socket = context.wrap_socket(server.socket, server_side=True)
    scheme = "http" if certificate is None else "https"
    receiver = Receiver(server, f"{scheme}://{name}:{server.server_address[1]}")
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    try:
        yield receiver
    finally:
        server.shutdown()
        server.server_close()


def members(node: Any) -> Iterator[tuple[str, Any]]:
    """Give every member of a JSON document, at any depth."""
    for name, value in node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ():
        yield str(name), value
        yield from members(value)


def node_is_missing() -> str:
    """Tell why nothing can be verified in JavaScript here; an empty text if it can."""
    return "" if shutil.which("node") and shutil.which("npm") else "node and npm are not both on this machine"


def verified_by_node(folder: Path, posts: Sequence[Post]) -> int:
    """Count the posts whose signatures the library of JavaScript finds right; npm brings it into a folder.

    Raises:
        subprocess.CalledProcessError: npm or node fails.
    """
    npm = ["npm", "install", "--silent", "--no-audit", "--no-fund", "standardwebhooks@1.0.0"]
    subprocess.run(npm, cwd=folder, check=True, capture_output=True, timeout=120)
    shutil.copy(Path(__file__).with_name("verify_webhooks.mjs"), folder)
    given = json.dumps([{"headers": post.headers, "body": post.body.decode()} for post in posts])
    command = ["node", "verify_webhooks.mjs", SECRET]
    done = subprocess.run(command, cwd=folder, input=given, text=True, capture_output=True, check=True, timeout=60)
    return int(done.stdout)
