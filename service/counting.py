"""What the service tells of itself to whoever counts it: numbers and kinds, never who plays or which cards."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext
from typing import Final, Literal, TypeAlias

from .bots.choosing import Level
from .errors import Code
from .telling import Mover
from .view import Data

Following: TypeAlias = Literal["stream", "poll"]
Sent: TypeAlias = Literal["delivered", "failed", "gone", "dead"]


class Counting:
    """Takes what happens and counts nothing; `metrics.Metrics` counts."""

    def answered(self, operation: str, method: str, status: str, seconds: float) -> None:
        """Hear that the answer to a request begins.

        Args:
            operation: the name of the operation; empty if there is none at the path.
            method: the HTTP method as it was sent.
            status: the HTTP status, of three digits.
            seconds: how long the service has taken.
        """

    def refused(self, code: Code) -> None:
        """Hear that a request is refused."""

    def committed(self, app: str | None, movers: Iterable[Mover], events: Iterable[Data]) -> None:
        """Hear that a change of a match is stored.

        Args:
            app: the name of the application that created the match.
            movers: who made the moves of the change.
            events: what happened, complete; no more than their types counts.
        """

    def replayed(self) -> None:
        """Hear that a write was answered as an earlier one with the same idempotency key."""

    def chosen(self, level: Level, *, searched_seconds: float = 0.0, downgraded: bool = False) -> None:
        """Hear that a bot has chosen a move.

        Args:
            level: how well the bot plays.
            searched_seconds: how long it has searched.
            downgraded: whether it was `hard` and had to choose as `normal` does.
        """

    def following(self, kind: Following) -> AbstractContextManager[object]:
        """Give a context that lasts as long as a stream is open, or a poll held."""
        return nullcontext(kind)

    def streamed(self) -> None:
        """Hear that an event goes out on a stream."""

    def sent(self, outcome: Sent) -> None:
        """Hear how an attempt to tell a webhook ended, or that a message is given up.

        Args:
            outcome: the receiver took the message; there will be another attempt; the receiver wants no more of its
                match; there will be none.
        """

    def store_failed(self) -> None:
        """Hear that the store has not carried out a command, or not in time."""

    def start(self) -> object:
        """In a server: begin to write down what is only noted so far, again and again."""

    def settle(self) -> None:
        """Write down what is only noted so far."""

    def text(self) -> bytes | None:
        """Give the figures in the text format of Prometheus; None if nothing is counted."""
        return None


UNCOUNTED: Final = Counting()
