"""One connection to Redis for a whole process: commands leave together, replies are handed out in their order.

Whoever has a command puts it into the outbox of the `Line`, lets others put in theirs for a moment, and sends all of
them in one write. One thread (under gevent a green one) reads the replies, which come in the order of the commands.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Sequence
from typing import Any, Final

import hiredis
import redis

from .. import pause
from ..deadline import seconds_left
from ..errors import StoreUnavailable
from .link import WAITS, Command, checked, connecting, lost, new_connection

MOST_WAITING: Final = 10_000
"""So many commands may wait for their replies; more are refused at once."""


class SharedLink:
    """Commands over one connection, made by the first of them, and anew by the first after it was lost; see `Link`."""

    def __init__(self, url: str, timeout_seconds: float, pool: redis.ConnectionPool | None = None) -> None:
        """Prepare the connection.

        Args:
            url: `redis://` or `unix://`; of no account with a pool.
            timeout_seconds: how long commands may take, with all their waits.
            pool: how connections are made; by default to the address.
        """
        self._pool = redis.ConnectionPool.from_url(url, **connecting(timeout_seconds)) if pool is None else pool
        self._timeout_seconds = timeout_seconds
        self._connecting = threading.Lock()
        self._line: Line | None = None

    def execute(self, *commands: Command, atomic: bool = False) -> list[Any]:
        """Carry out commands in one round trip; if `atomic`, all or none, and nothing between them."""
        if not commands:
            return []
        if not atomic:
            return checked(self.ask(commands))
        replies = checked(self.ask([("MULTI",), *commands, ("EXEC",)]))
        return checked(replies[-1])

    def ask(self, commands: Sequence[Command]) -> list[Any]:
        """Give the replies to commands in one round trip; errors that the server replies stand among them.

        Raises:
            StoreUnavailable: a reply is lost, or does not come in time.
        """
        end = time.monotonic() + min(self._timeout_seconds, seconds_left())
        return self._open_line().ask(commands, end)

    def _open_line(self) -> Line:
        line = self._line
        if line is not None and not line.is_retired:
            return line
        if not self._connecting.acquire(timeout=self._timeout_seconds / WAITS):
            raise lost("connecting takes too long")
        try:
            if self._line is None or self._line.is_retired:
                self._line = Line(new_connection(self._pool), self._timeout_seconds)
            return self._line
        finally:
            self._connecting.release()

    def connection(self) -> Any:
        """Give a connection of redis-py that nobody else uses, not connected yet."""
        return new_connection(self._pool)

    def close(self) -> None:
        """Let the connection go; the next command makes a new one."""
        if self._line is not None:
            self._line.close()

    def __del__(self) -> None:
        self.close()


class _Question:
    """Commands that were sent together, and the replies so far."""

    __slots__ = ("asked_at", "count", "is_answered", "loss", "replies")

    def __init__(self, count: int) -> None:
        self.count = count
        self.asked_at = time.monotonic()
        self.replies: list[Any] = []
        self.loss: StoreUnavailable | None = None
        self.is_answered = threading.Event()


class Line:
    """A connection, from the first command to its loss.

    A question that is given up keeps its place in the order, so that its late replies reach nobody else.

    Attributes:
        is_retired: whether it takes no more questions, because it is lost or seems to be.
    """

    def __init__(self, connection: Any, timeout_seconds: float) -> None:
        """Connect.

        Args:
            connection: of redis-py, not connected yet.
            timeout_seconds: the longest that a reply may take.

        Raises:
            StoreUnavailable: there is nobody to connect to.
        """
        try:
            connection.connect()
        except (redis.RedisError, OSError) as error:
            connection.disconnect()
            raise lost(error) from error
        self._connection = connection
        self._timeout_seconds = timeout_seconds
        self._changing = threading.Lock()
        self._sending = threading.Lock()
        self._outbox: list[bytes] = []
        self._questions: deque[_Question] = deque()
        self.is_retired = False
        threading.Thread(target=self._read, name="store", daemon=True).start()

    def ask(self, commands: Sequence[Command], end: float) -> list[Any]:
        """Send commands and give their replies; errors that the server replies stand among them.

        Args:
            commands: at least one.
            end: when to give up, in seconds of the monotonic clock.

        Raises:
            StoreUnavailable: a reply is lost, or does not come in time.
        """
        packed = [
            hiredis.pack_command(tuple(command))  # type: ignore[arg-type]  # typed as if a command were one word
            for command in commands
        ]
        question = _Question(len(commands))
        with self._changing:
            if self.is_retired:
                raise lost("the connection was closed")
            if len(self._questions) >= MOST_WAITING:
                raise lost("too many commands wait")
            is_first = not self._outbox
            self._outbox += packed
            self._questions.append(question)
        if is_first:
            self._send_all_soon()
        if not question.is_answered.wait(max(end - time.monotonic(), 0)):
            self.is_retired |= self._seconds_waited() > self._timeout_seconds / WAITS
            raise lost("the time is over")
        if question.loss is not None:
            raise question.loss
        return question.replies

    def _send_all_soon(self) -> None:
        try:
            pause.a_moment()  # requests that are here by now are served in step, which costs each of them less
        finally:
            with self._sending:
                self._send_all()

    def _send_all(self) -> None:
        with self._changing:
            data, self._outbox = b"".join(self._outbox), []
        if not self._connection.is_connected:
            return  # redis-py would connect anew
        try:
            self._connection.send_packed_command((data,), check_health=False)
        except (redis.RedisError, OSError):
            self.is_retired = True  # the reader finds out too, and tells everybody

    def _read(self) -> None:
        try:
            while True:
                self._take(self._next_reply())
        except (redis.RedisError, OSError) as error:
            self._lose(error)

    def _next_reply(self) -> Any:
        while True:
            try:
                return self._connection.read_response(disconnect_on_error=False)
            except redis.ResponseError as refused:
                return refused
            except redis.TimeoutError:
                if self.is_retired or self._seconds_waited() > self._timeout_seconds:
                    raise

    def _seconds_waited(self) -> float:
        """Tell how long the oldest question has been waiting."""
        oldest = next(iter(self._questions), None)
        return time.monotonic() - oldest.asked_at if oldest else 0.0

    def _take(self, reply: Any) -> None:
        if not self._questions:
            raise redis.InvalidResponse("a reply without a question")
        question = self._questions[0]
        question.replies.append(reply)
        if len(question.replies) == question.count:
            self._questions.popleft()
            question.is_answered.set()

    def _lose(self, error: Exception) -> None:
        self.close()
        while self._questions:
            question = self._questions.popleft()
            question.loss = lost(error)
            question.is_answered.set()

    def close(self) -> None:
        """Give the connection up; the reader then tells everybody who waits."""
        with self._changing:
            self.is_retired = True
        with self._sending:
            self._connection.disconnect()
