"""Which workers run, and which players follow matches through them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from importlib.resources import files
from typing import Any, Final

from .base import Attendance, Here
from .wakes import channel, read_here

_BEAT: Final = files(__package__).joinpath("beat.lua").read_text("utf-8")
_HERE: Final = files(__package__).joinpath("here.lua").read_text("utf-8")
_WORKERS: Final = "py:{here}:workers"


class RedisRoll:
    """The roll of the workers, and what they note at the matches; see `base.Roll`."""

    def __init__(self, run_all: Callable[..., list[Any]], match_key: Callable[[str], str]) -> None:
        """Use a store.

        Args:
            run_all: runs a script several times in one round trip, each time with its words.
            match_key: gives the key of a match.
        """
        self._run_all = run_all
        self._match_key = match_key

    def beat(self, worker: str, seconds: int) -> frozenset[str]:
        """Tell that a worker runs, by the clock of the store, and give those that do."""
        [workers] = self._run_all(_BEAT, (1, _WORKERS, worker, seconds))
        return frozenset(other.decode() for other in workers)

    def attend(self, worker: str, attendances: Sequence[Attendance], running: Collection[str]) -> list[Here | None]:
        """Note who follows matches through a worker, and give what is noted there by now, in one round trip."""
        others = " ".join(running)
        calls = [
            (1, self._match_key(match_id), channel(match_id), worker, " ".join(map(str, seats)), others)
            for match_id, seats in attendances
        ]
        return [found and read_here(found) for found in self._run_all(_HERE, *calls)]
