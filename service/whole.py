"""An answer leaves whole: gunicorn sends its head and its body apart, which costs more and wakes its reader twice."""

from __future__ import annotations

from typing import Any

import gunicorn.http.wsgi


class _Gathered:
    """Stands in for a connection and keeps what it is to send."""

    def __init__(self) -> None:
        self.parts: list[bytes] = []

    def sendall(self, data: bytes) -> None:
        self.parts.append(data)


class WholeResponse(gunicorn.http.wsgi.Response):  # type: ignore[misc]  # gunicorn's class has no type
    """An answer whose head goes out with the first part of its body."""

    sock: Any

    def write(self, arg: bytes) -> None:
        """Send a part of the body, the first one behind the head."""
        if self.headers_sent:
            super().write(arg)
            return
        connection, self.sock = self.sock, _Gathered()
        try:
            super().write(arg)
        finally:
            gathered, self.sock = self.sock, connection
        connection.sendall(b"".join(gathered.parts))


def send_answers_whole() -> None:
    """Let gunicorn's workers use `WholeResponse`."""
    gunicorn.http.wsgi.Response = WholeResponse
