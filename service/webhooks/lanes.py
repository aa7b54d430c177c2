"""Sending at once, but so that no receiver holds up the others.

Each receiver has a lane. It is wide while the receiver takes what it is sent; each attempt that fails halves it, each
that does not doubles it: one that hangs soon holds two attempts, not all that the process can make.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from typing import Final

from gevent.pool import Group

from .messages import Message

AT_ONCE: Final = 2000
"""Messages in all lanes together, those that wait in them too."""
WIDE: Final = 32
NARROW: Final = 2
REMEMBERED: Final = 2000
"""The lanes that are kept at most, beyond those that are in use."""
WAITING: Final = 4
"""So many times the width of a lane may wait in it."""


class Lane:
    """The way to one receiver.

    Attributes:
        waiting: the messages that are to be sent next, each with the time after which it is too late for that.
        sending: how many are being sent.
        width: how many may be.
    """

    def __init__(self) -> None:
        self.waiting: deque[tuple[Message, float]] = deque()
        self.sending = 0
        self.width = WIDE

    @property
    def is_full(self) -> bool:
        """Whether no more may wait."""
        return len(self.waiting) >= WAITING * self.width

    def learn(self, was_taken: bool) -> None:
        """Become wider or narrower after an attempt."""
        self.width = min(2 * self.width, WIDE) if was_taken else max(self.width // 2, NARROW)


class Lanes:
    """All lanes of a process.

    Attributes:
        room: how many more messages may enter.
    """

    def __init__(self, attempt: Callable[[Message], bool]) -> None:
        """Begin without any.

        Args:
            attempt: sends a message once, and tells whether the receiver took it.
        """
        self._attempt = attempt
        self._lanes: dict[str, Lane] = {}
        self._group = Group()
        self.room = AT_ONCE

    def enter(self, receiver: str, message: Message, seconds: float) -> None:
        """Send a message as soon as its lane lets it, if that is within so many seconds.

        One that finds its lane full, or waits too long in it, is left: its claim runs out, and it is claimed anew.
        """
        lane = self._lanes.pop(receiver, None) or Lane()
        self._lanes[receiver] = lane
        self._forget_idle()
        if lane.is_full:
            return
        self.room -= 1
        lane.waiting.append((message, time.monotonic() + seconds))
        if lane.sending < lane.width:
            lane.sending += 1
            self._group.spawn(self._go, receiver, lane)

    def _forget_idle(self) -> None:
        """Forget what was learnt of receivers that were sent nothing for the longest time, if there are too many."""
        if len(self._lanes) > REMEMBERED:
            idle = [receiver for receiver, lane in self._lanes.items() if not lane.sending and not lane.waiting]
            for receiver in idle[: len(self._lanes) - REMEMBERED // 2]:
                del self._lanes[receiver]

    def finish(self, seconds: float) -> None:
        """Send no more, and wait so long for what is being sent."""
        for lane in self._lanes.values():
            lane.waiting.clear()
        self._group.join(seconds)

    def _go(self, receiver: str, lane: Lane) -> None:
        while lane.waiting and lane.sending <= lane.width:
            message, end = lane.waiting.popleft()
            if time.monotonic() < end:
                lane.learn(self._attempt(message))
            self.room += 1
        lane.sending -= 1
        if not lane.sending and not lane.waiting and lane.width == WIDE:
            self._lanes.pop(receiver, None)
