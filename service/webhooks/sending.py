"""One attempt to send a message: signed after Standard Webhooks, to an address that was checked."""

from __future__ import annotations

import socket
import ssl
from contextlib import closing
from datetime import UTC, datetime
from http.client import CONTINUE, HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection, LineTooLong
from typing import Any, BinaryIO, Final
from urllib.parse import urlsplit

from gevent import Timeout
from standardwebhooks import Webhook as Signer

from .. import __version__
from .addresses import Forbidden, addresses
from .messages import Message

_USER_AGENT: Final = f"pis-yedili/{__version__}"
MOST_HEAD_BYTES: Final = 16 * 1024


class NoAnswer(Exception):
    """The receiver did not answer; the text says why, and names neither its address nor its URL."""


class _Head:
    """The lines of an answer's head, as long as they are no more bytes than a head has."""

    def __init__(self, lines: BinaryIO) -> None:
        self._lines = lines
        self._left = MOST_HEAD_BYTES
        self.close, self.flush = lines.close, lines.flush

    def readline(self, limit: int) -> bytes:
        """Read a line."""
        line = self._lines.readline(min(limit, self._left + 1))
        self._left -= len(line)
        if self._left < 0:
            raise LineTooLong("head")
        return line


class _Answer(HTTPResponse):
    """An answer of which no more than the head is read, and that is bounded.

    `http.client` would take heads of megabytes. Of what is no answer yet (1xx) it passes over 100 only, and as often as
    that is sent.
    """

    def __init__(self, *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, **more)
        self.fp: Any = _Head(self.fp)

    def _read_status(self) -> tuple[str, int, str]:
        version, status, reason = super()._read_status()  # type: ignore[misc]  # not in its stubs
        return version, CONTINUE if 100 < status < 200 else status, reason


class Sender:
    """Sends messages, through no proxy, following no redirect, and reading no more of an answer than its head."""

    def __init__(self, *, timeout_seconds: float, allow_private: bool) -> None:
        """Prepare.

        Args:
            timeout_seconds: how long an attempt may take, from the look at the name to the head of the answer.
            allow_private: whether receivers may have any address, and may do without encryption.
        """
        self._timeout_seconds = timeout_seconds
        self._allow_private = allow_private
        self._tls = ssl.create_default_context()

    def send(self, message: Message) -> int:
        """Post a message, and give the HTTP status of the answer.

        Raises:
            NoAnswer: there was none in time, or the receiver must not be reached.
        """
        too_slow = NoAnswer(f"no answer within {self._timeout_seconds:g} s")
        try:
            with Timeout(self._timeout_seconds, too_slow):
                return self._post(message)
        except Forbidden as error:
            raise NoAnswer(f"forbidden: {error}") from None
        except ssl.SSLCertVerificationError as error:
            fault = error.verify_message.partition(",")[0]  # what follows names the host
            raise NoAnswer(f"certificate: {fault}") from None
        except (OSError, HTTPException, ValueError) as error:
            raise NoAnswer(getattr(error, "strerror", None) or type(error).__name__) from None

    def _post(self, message: Message) -> int:
        parts = urlsplit(message.url)
        is_encrypted = parts.scheme == "https"
        if not is_encrypted and not self._allow_private:
            raise Forbidden("Not encrypted.")
        host = parts.hostname or ""
        kind = HTTPSConnection if is_encrypted else HTTPConnection
        connection = kind(host, parts.port)
        connection.auto_open = 0  # it would look the name up once more
        connection.response_class = _Answer
        target = parts.path or "/"
        with closing(connection):
            connection.sock = self._connected(host, connection.port, is_encrypted)
            connection.request(
                "POST", f"{target}?{parts.query}" if parts.query else target, message.body.encode(), _headers(message)
            )
            return connection.getresponse().status

    def _connected(self, host: str, port: int, is_encrypted: bool) -> socket.socket:
        """Connect to the first address that takes the connection."""
        allowed = addresses(host, port, allow_private=self._allow_private)
        for address in allowed:
            try:
                plain = socket.create_connection((address, port))
            except OSError:
                if address == allowed[-1]:
                    raise
            else:
                break
        if not is_encrypted:
            return plain
        try:
            return self._tls.wrap_socket(plain, server_hostname=host)
        except BaseException:
            plain.close()
            raise


def _headers(message: Message) -> dict[str, str]:
    now = datetime.now(UTC)
    return {
        "Content-Type": "application/json",
        "User-Agent": _USER_AGENT,
        "webhook-id": message.identity,
        "webhook-timestamp": str(int(now.timestamp())),
        "webhook-signature": Signer(message.secret).sign(message.identity, now, message.body),
    }
