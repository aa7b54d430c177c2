"""What the service adds to gunicorn: its store's life, errors as problems, answers that arrive whole.

The functions are called by gunicorn's hooks (see deploy/gunicorn.conf.py). They stand here because a reload
(SIGHUP) executes the configuration anew, while this module, and with it the running store, stays.
"""

from __future__ import annotations

import json
import logging
import os
import re
import resource
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from http import HTTPStatus
from types import FrameType
from typing import Any

import gunicorn.glogging
import gunicorn.http.wsgi
import gunicorn.util
from gevent import GreenletExit
from gunicorn.http.errors import ParseException

from service.errors import StoreUnavailable
from service.settings import Settings, SettingsError
from service.store.embedded import EmbeddedServer

EXIT_WRONG_SETTINGS = 2
# In `DATA_DIR`: where the service's own store listens.
ADDRESS_NAME = "address"
# A body that was refused unread is still taken in up to this size, so that its sender can read the answer.
DISCARD_BYTES = 4 * 1024 * 1024
DISCARD_SECONDS = 2.0
# What gunicorn discards by itself when it closes a connection.
DISCARDED_BY_GUNICORN = 64 * 1024
# A whole body must come within so long, so that nobody holds a connection by sending it drop by drop.
BODY_SECONDS = 30.0
# Who takes no byte for so long has left without a word, as phones do. A stream sends one every 12 seconds.
SILENT_PEER_MS = 10_000

TOKEN = re.compile(r"py_[\w-]+")

CODES = {
    HTTPStatus.BAD_REQUEST: "malformed_request",
    HTTPStatus.REQUEST_URI_TOO_LONG: "uri_too_long",
    HTTPStatus.EXPECTATION_FAILED: "expectation_failed",
    HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE: "headers_too_large",
    HTTPStatus.INTERNAL_SERVER_ERROR: "internal_error",
    HTTPStatus.NOT_IMPLEMENTED: "not_implemented",
}

_store: EmbeddedServer | None = None
_log = logging.getLogger(__name__)


def settings_or_exit() -> Settings:
    """Read the settings for a command line.

    Returns:
        The settings of the environment.

    Raises:
        SystemExit: With status 2, after one line to the operator, if they cannot be used.
    """
    try:
        return Settings.from_env()
    except SettingsError as error:
        print(f"pis-yedili: wrong setting: {error}", file=sys.stderr)
        raise SystemExit(EXIT_WRONG_SETTINGS) from None


def start_store(settings: Settings) -> None:
    """Without a `REDIS_URL`, start the service's own store and tell the workers by that variable.

    Args:
        settings: Where its data are, and how safely they are kept.

    Raises:
        EmbeddedServerError: If it cannot be started; gunicorn shows the text and ends.
    """
    global _store
    if settings.redis_url is None:
        _store = EmbeddedServer.start(settings.data_dir, settings.appendfsync)
        os.environ["REDIS_URL"] = _store.url
        (settings.data_dir / ADDRESS_NAME).write_text(_store.url)


def leave_store_to_master() -> None:
    """In a new worker: let the store end with the master, not with the last worker's last stream."""
    if _store is not None:
        _store.leave_to_parent()


def begin_background_work(worker: Any) -> None:
    """In a new worker: let matches go on by themselves, note who is here, and let it all end by itself at SIGTERM.

    Streams, long polls, their presence and the ticker end before gunicorn waits for what is left.

    Args:
        worker: gunicorn's worker, with the application loaded.
    """
    extensions = getattr(worker.app.wsgi(), "extensions", {})
    before = signal.getsignal(signal.SIGTERM)
    if "hub" not in extensions or not callable(before):
        return
    hub, ticker, presence = (extensions[name] for name in ("hub", "ticker", "presence"))
    ticker.start()
    presence.start()
    extensions["counting"].start()

    def stop(number: int, frame: FrameType | None) -> None:
        ticker.stop()
        presence.stop()
        hub.stop()
        before(number, frame)

    signal.signal(signal.SIGTERM, stop)


def ask_store(worker: Any) -> None:
    """In the first worker: tell the operator if the store does not answer at the start; it may still come.

    Args:
        worker: gunicorn's worker, with the application loaded.
    """
    store: Any = getattr(worker.app.wsgi(), "extensions", {}).get("store")

    def ask() -> None:
        try:
            store.ping()
        except StoreUnavailable as error:
            _log.warning("%s Until it answers, calls that need it are refused.", error)

    if store and worker.age == 1:
        threading.Thread(target=ask, daemon=True).start()


def allow_open_files(wanted: int) -> None:
    """Raise the soft limit of open files, for the connections of all streams, as far as the hard limit allows."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < wanted:
        resource.setrlimit(
            resource.RLIMIT_NOFILE, (wanted if hard == resource.RLIM_INFINITY else min(wanted, hard), hard)
        )


def stop_store() -> None:
    """Stop the service's own store if it runs; the workers are gone by then."""
    global _store
    if _store is not None:
        _store.stop()
        _store = None


def greet(url: str, settings: Settings) -> None:
    """Tell the operator where to look next.

    Args:
        url: Where the service listens.
        settings: For the place of the data.
    """
    hint = " (set REDIS_URL to use a Redis of yours)" if _store else ""
    print(
        f"\nPis Yedili is served at {url}\n"
        f"  {url}/docs     every call, with examples\n"
        f"  {url}/readyz   is it ready?\n"
        f"  matches are kept in {settings.store_place}{hint}\n"
        "  `make demo` in a second terminal plays a whole match; README.md tells the rest\n",
        flush=True,
    )


def replace_gunicorn_answers() -> None:
    """Let gunicorn's own errors be problem documents, and its `Server` header name no product and version."""
    gunicorn.util.write_error = write_problem
    gunicorn.http.wsgi.SERVER = "pis-yedili"


def log_like_gunicorn() -> None:
    """Let what the service logs look like gunicorn's own lines, with the time and the process."""
    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter(gunicorn.glogging.Logger.error_fmt, gunicorn.glogging.Logger.datefmt))
    log = logging.getLogger("service")
    log.handlers, log.propagate = [handler], False


def keep_secrets_out_of_log() -> None:
    """Let what a sender wrote, which may hold a token or a ticket, stay out of gunicorn's log."""
    logging.getLogger("gunicorn.error").addFilter(_loggable)


def _loggable(record: logging.LogRecord) -> bool:
    """Make a record fit for the log; tell whether it belongs there."""
    text = record.getMessage()
    if text.startswith("Invalid request"):
        text = re.split("['\"]", text, maxsplit=1)[0].rstrip(" :")  # from there on it quotes the request
    record.msg, record.args = re.sub(r"\?\S+", "?…", text), ()
    # A peer that went silent, or one that is let go because its worker is replaced, is no error.
    return not (record.exc_info and isinstance(record.exc_info[1], (TimeoutError, GreenletExit)))


def write_problem(client: socket.socket, status: int, reason: str, message: str) -> None:
    """Answer a request that never reached the application; stands in for gunicorn's `util.write_error`.

    A worker that is replaced gives up the connections that wait for their next request: to them nothing is said.

    Args:
        client: The connection, which gunicorn closes afterwards.
        status: The HTTP status.
        reason: Its name.
        message: What is wrong with the request, for its sender.
    """
    if isinstance(sys.exc_info()[1], GreenletExit):
        return
    title = HTTPStatus(status).phrase if status == HTTPStatus.NOT_IMPLEMENTED else reason
    problem = {
        "type": "about:blank",
        "title": title,
        "status": status,
        "detail": TOKEN.sub("py_…", message) or "The server failed to answer this request.",
        "code": CODES.get(HTTPStatus(status), "malformed_request"),
    }
    body = json.dumps(problem).encode()
    head = (
        f"HTTP/1.1 {status} {title}\r\n"
        "Server: pis-yedili\r\n"
        "Connection: close\r\n"
        "Cache-Control: no-store\r\n"
        "Content-Type: application/problem+json\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    )
    client.sendall(head.encode("latin-1") + body)
    client.shutdown(socket.SHUT_WR)
    client.settimeout(DISCARD_SECONDS)
    _discard(client.recv)


def give_up_silent_peers(listeners: Sequence[Any]) -> None:
    """Let connections end whose other side takes nothing any more; those that are accepted inherit this.

    Args:
        listeners: gunicorn's sockets.
    """
    if hasattr(socket, "TCP_USER_TIMEOUT"):  # Linux
        for listener in listeners:
            listener.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, SILENT_PEER_MS)


def limit_time_of_body(request: Any) -> None:
    """Let the reading of a body fail when it takes too long; gunicorn's `pre_request` hook.

    Args:
        request: gunicorn's request, of which the head has been read.
    """
    _limit_time(request.unreader, BODY_SECONDS)


def _limit_time(unreader: Any, seconds: float) -> None:
    vars(unreader).pop("chunk", None)  # an earlier limit
    receive, connection = unreader.chunk, unreader.sock
    deadline = time.monotonic() + seconds

    def receive_in_time(*size: int) -> bytes:
        left = deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError("The body comes too slowly.")
        connection.settimeout(left)
        try:
            data: bytes = receive(*size)
        finally:
            connection.settimeout(None)
        return data

    unreader.chunk = receive_in_time


def discard_unread_body(request: Any, environ: Mapping[str, Any]) -> None:
    """After the answer, take in what is left of a large body; gunicorn's `post_request` hook.

    To close a connection with unread bytes resets it, and the reset may destroy the answer (a 413, say)
    before its reader has seen it (RFC 9112, section 9.6). gunicorn itself discards 64 KiB.

    Args:
        request: gunicorn's request.
        environ: Its WSGI environment.
    """
    length = environ.get("CONTENT_LENGTH") or "0"
    if environ.get("HTTP_TRANSFER_ENCODING") or int(length) > DISCARDED_BY_GUNICORN:
        _limit_time(request.unreader, DISCARD_SECONDS)
        _discard(request.body.read)
    vars(request.unreader).pop("chunk", None)  # what comes next has its own time


def _discard(read: Callable[[int], bytes]) -> None:
    left = DISCARD_BYTES
    deadline = time.monotonic() + DISCARD_SECONDS
    try:
        while left > 0 and time.monotonic() < deadline and (data := read(64 * 1024)):
            left -= len(data)
    except (OSError, ParseException):
        pass  # gone, silent, or not even a body: the connection is closed
