"""Outages: times in which nobody could have moved, because the store was down or no server ran.

The store tells of them to whoever claims what is due (see `store.base.Claim`). Each server remembers what it heard
last, so that a move costs no look at them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

Outage: TypeAlias = tuple[int, int]
"""A time in which nobody could have moved: its first and its last moment, in Unix milliseconds."""

SILENCE_MS: Final = 2000
"""When no server has claimed for longer than this, none could: that was an outage."""


class Outages:
    """What a server knows of outages."""

    def __init__(self) -> None:
        """Know of none."""
        self._told: Sequence[Outage] = ()
        self._heard_ms: int | None = None

    def hear(self, told: Sequence[Outage], now_ms: int) -> None:
        """Remember what the store tells.

        Args:
            told: all outages that matter still.
            now_ms: the time, in Unix milliseconds.
        """
        self._told, self._heard_ms = told, now_ms

    def until(self, now_ms: int) -> Sequence[Outage]:
        """Give the outages up to now; when the store has been silent for long, that is one that it cannot tell yet."""
        if self._heard_ms is None or now_ms - self._heard_ms <= SILENCE_MS:
            return self._told
        return [*self._told, (self._heard_ms, now_ms)]
