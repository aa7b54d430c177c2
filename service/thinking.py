"""What bots may spend: a set time for each search, and a share of this process's time for all of them."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from functools import partial
from random import Random
from typing import Final

from . import pause
from .bots.choosing import Budget, Level, choose
from .bots.sight import Body
from .counting import UNCOUNTED, Counting
from .view import Data

USUAL_SEARCH_MS: Final = 50
SEARCHED_PART: Final = 0.8
"""How much of that a search takes, so that it ends in time where its last look at the clock comes late."""
UNATTENDED_SEARCH_MS: Final = 30_000
"""How long the bots of one match may search from one act of a human to the next: no request buys more."""
LOOKS_IN_A_ROW: Final = 24
"""After so many looks at the clock, 1 to 3 ms, a search lets others go first; several searches share them.

If it did so after each, a search in a busy process would try so little out that it chose worse than by rules of thumb.
"""
_SAVED_SECONDS: Final = 2.0
"""How much of the share is saved up at most while no bot searches, but for what one search takes."""


class Thinking:
    """Lets bots choose, within a budget; beyond it `hard` plays as `normal`.

    Attributes:
        search_ms: how long `hard` takes for a move: always, whether it has a choice or not, so that its time tells
            nothing. What a search leaves of it is waited.
    """

    def __init__(self, share: float, counting: Counting = UNCOUNTED, *, search_ms: int = USUAL_SEARCH_MS) -> None:
        """Begin with a full budget.

        Args:
            share: what part of this process's time bots may search, from 0 to 1.
            counting: is told what was chosen.
            search_ms: how long `hard` takes for a move.
        """
        self.search_ms = search_ms
        self._seconds = search_ms / 1000
        self._share = share
        self._saved = share * _SAVED_SECONDS
        self._looked = time.monotonic()
        self._searching = 0
        self._counting = counting

    def choose(
        self, level: Level, searched_ms: int, view: Data, log: Sequence[Data], random: Random
    ) -> tuple[Body, int]:
        """Choose a move; see `bots.choosing.choose`.

        Args:
            level: how well the bot plays.
            searched_ms: how long the bots of this match have searched since a human last did something.
            view: the match as a player at the seat sees it.
            log: the events that this player could have followed.
            random: decides what is left to chance.

        Returns:
            The move, and for how many milliseconds it was searched.
        """
        if level != "hard":
            self._counting.chosen(level)
            return choose(level, view, log, random, Budget()), 0
        began = time.perf_counter()
        searched = 0.0
        if searched_ms < UNATTENDED_SEARCH_MS and self._takes_share():
            body = self._search(view, log, random)
            searched = time.perf_counter() - began
            self._saved += self._seconds - searched
        else:
            body = choose("normal", view, log, random, Budget())
        self._counting.chosen("hard", searched_seconds=searched, downgraded=not searched)
        time.sleep(max(began + self._seconds - time.perf_counter(), 0))
        return body, round(searched * 1000)

    def _takes_share(self) -> bool:
        """Take what a search costs from the share, before it begins: others begin while it lasts."""
        now = time.monotonic()
        earned = (now - self._looked) * self._share
        self._saved = min(self._saved + earned, max(self._share * _SAVED_SECONDS, self._seconds))
        self._looked = now
        if self._saved < self._seconds:
            return False
        self._saved -= self._seconds
        return True

    def _search(self, view: Data, log: Sequence[Data], random: Random) -> Body:
        budget = Budget(self._seconds * SEARCHED_PART, clock=partial(next, self._patient_times()))
        self._searching += 1
        try:
            return choose("hard", view, log, random, budget)
        finally:
            self._searching -= 1

    def _patient_times(self) -> Iterator[float]:
        """Tell the time again and again, and between some looks let other green threads of this process go first.

        What passed while they did is added, because as much will pass the next time: so a search ends in time in a busy
        process too.
        """
        paused = 0.0
        while True:
            for _ in range(max(LOOKS_IN_A_ROW // self._searching, 1)):
                yield time.perf_counter() + paused
            before = time.perf_counter()
            pause.a_moment()
            paused = time.perf_counter() - before
