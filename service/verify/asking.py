"""Asking a service that may be anything: no more is taken from it, and no longer waited for it, than a proof needs."""

from __future__ import annotations

import urllib.request
from concurrent.futures import Future
from http.client import HTTPException
from threading import Thread
from typing import Final, NamedTuple

TIMEOUT_SECONDS: Final = 60
"""How long an answer may take, from the first byte asked to the last one answered."""

MOST_BYTES: Final = 16 * 1024 * 1024
"""How long an answer may be; proofs have some ten thousand bytes."""


class NoAnswer(Exception):
    """A service gives no answer; the text tells the reader why, in one line."""


class Answer(NamedTuple):
    """What a service answers.

    Attributes:
        status: the status.
        reason: its words.
        location: the address that a redirect points to; None if this is none.
        body: the content.
    """

    status: int
    reason: str
    location: str | None
    body: bytes


_OPENER: Final = urllib.request.OpenerDirector()
"""What is left out follows redirects, reads files and speaks FTP: a service has no say in what is asked where."""
for _handler in (urllib.request.ProxyHandler(), urllib.request.HTTPHandler(), urllib.request.HTTPSHandler()):
    _OPENER.add_handler(_handler)


def ask(url: str) -> Answer:
    """Get what an address of HTTP or HTTPS answers.

    A limit for each read would let a service go on for ever, a byte at a time, so the whole runs beside this thread.

    Raises:
        NoAnswer: there is none, it is not HTTP, too long or too late, or the address is not one.
    """
    future: Future[Answer] = Future()
    Thread(target=_settle, args=(future, url), daemon=True).start()
    try:
        answer = future.result(TIMEOUT_SECONDS)
    except TimeoutError as error:
        raise NoAnswer(f"{url} does not answer within {TIMEOUT_SECONDS} seconds.") from error
    except (OSError, HTTPException, ValueError) as error:
        reason = getattr(error, "reason", None) or error
        raise NoAnswer(f"{url} does not answer: {str(reason) or type(reason).__name__}.") from error
    if len(answer.body) > MOST_BYTES:
        raise NoAnswer(f"{url} answers with more than {MOST_BYTES} bytes.")
    return answer


def _settle(future: Future[Answer], url: str) -> None:
    try:
        future.set_result(_answer(url))
    except Exception as error:  # it is raised again where it is waited for
        future.set_exception(error)


def _answer(url: str) -> Answer:
    request = urllib.request.Request(url, headers={"Accept": "application/json"})  # noqa: S310  # see `_OPENER`
    with _OPENER.open(request, timeout=TIMEOUT_SECONDS) as answer:
        location = answer.headers.get("Location") if 300 <= answer.status < 400 else None
        return Answer(answer.status, answer.reason, location, answer.read(MOST_BYTES + 1))
