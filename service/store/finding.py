"""Finding matches in Redis: the lobby, the offers of quick match, and join codes.

========================  ===========================================================================
key                       holds
========================  ===========================================================================
``py:{lobby}:STATUS``     sorted set: the public matches of a status, by creation time
``py:{lobby}:all``        sorted set: all public matches
``py:{lobby}:fit:FIT``    sorted set: the waiting matches that quick match may give to those who ask for
                          this fit, by creation time
``py:{lock:NAME}:held``   string: who has the lock
``py:{lock:NAME}:next``   string: who is next
``py:quick:SCOPE``        string: the match that was chosen for a quick match with an idempotency key
``…:request``             string: what was asked for with it
``py:code:CODE``          string: the private match that has this join code
``py:{guesses}:CLIENT``   string: how often a client guessed a join code wrongly of late
``py:{guesses}:all``      string: how often all did
========================  ===========================================================================

All but the locks and the counters are hints: the matches themselves tell what is true. The lobby and the offers are
written after the commit, and whoever lists them mends what a failure between the two left behind. Join codes and
choices are written before it.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files
from typing import Final

from ..idempotency import KEPT_MS
from .asking import Asker
from .base import GuessLimits, Place, Verdict

_LOCK: Final = files(__package__).joinpath("lock.lua").read_text("utf-8")
_UNLOCK: Final = files(__package__).joinpath("unlock.lua").read_text("utf-8")
_GUESS: Final = files(__package__).joinpath("guess.lua").read_text("utf-8")
_STATUSES: Final = ("waiting", "playing", "finished", "abandoned")
_ALL: Final = "py:{lobby}:all"
_NEXT_MS: Final = 100
_GUESSES: Final = "py:{guesses}:"


def _lobby_key(status: str | None) -> str:
    return f"py:{{lobby}}:{status}" if status else _ALL


def _fit_key(fit: str) -> str:
    return f"py:{{lobby}}:fit:{fit}"


def _lock_key(name: str, part: str) -> str:
    return f"py:{{lock:{name}}}:{part}"


def _choice_key(scope: str) -> str:
    return f"py:quick:{scope}"


def _code_key(code: str) -> str:
    return f"py:code:{code}"


class Finding(Asker):
    """The part of the store that leads to matches."""

    _ttl_ms: int
    """After how long without a commit a match expires."""

    def publish(self, place: Place, status: str, fit: str | None = None) -> None:
        """Put a match into the lobby, or move it there to another status; offer it, if it waits and has a fit."""
        created_ms, match_id = place
        key = _fit_key(fit or "")
        offering = [("ZADD", key, created_ms, match_id), ("PEXPIRE", key, self._ttl_ms)]
        self._ask_all(
            ("ZADD", _ALL, created_ms, match_id),
            ("ZADD", _lobby_key(status), created_ms, match_id),
            *(("ZREM", _lobby_key(other), match_id) for other in _STATUSES if other != status),
            *([] if fit is None else offering if status == "waiting" else [("ZREM", key, match_id)]),
            atomic=True,
        )

    def unpublish(self, match_id: str) -> None:
        """Take a match out of the lobby."""
        self._ask_all(*(("ZREM", _lobby_key(status), match_id) for status in (None, *_STATUSES)), atomic=True)

    def published(self, status: str | None, beyond: Place | None, count: int) -> list[Place]:
        """List the lobby, newest first; matches of the same millisecond in descending order of their ids."""
        key = _lobby_key(status)
        if beyond is None:
            return _places(self._ask("ZRANGE", key, 0, count - 1, "REV", "WITHSCORES"))
        created = beyond.created_ms
        same, older = self._ask_all(
            ("ZRANGE", key, created, created, "BYSCORE", "REV", "WITHSCORES"),
            ("ZRANGE", key, f"({created}", "-inf", "BYSCORE", "REV", "LIMIT", 0, count, "WITHSCORES"),
        )
        return [*(place for place in _places(same) if place < beyond), *_places(older)][:count]

    def some_published(self, count: int) -> list[str]:
        """Pick so many matches of the lobby at random."""
        return [match_id.decode() for match_id in self._ask("ZRANDMEMBER", _ALL, count)]

    def offered(self, fit: str, count: int) -> list[str]:
        """List the matches of a fit that were offered first."""
        return [match_id.decode() for match_id in self._ask("ZRANGE", _fit_key(fit), 0, count - 1)]

    def withdraw(self, fit: str, match_ids: Sequence[str]) -> None:
        """Do not offer matches any more; at least one."""
        self._ask("ZREM", _fit_key(fit), *match_ids)

    def lock(self, name: str, holder: str, milliseconds: int) -> bool:
        """Take a lock for so long, unless somebody has it or is next, and tell whether it was taken."""
        keys = _lock_key(name, "held"), _lock_key(name, "next")
        return bool(self._run(_LOCK, 2, *keys, holder, milliseconds, _NEXT_MS))

    def unlock(self, name: str, holder: str) -> None:
        """Give a lock back; nothing happens if its time was over."""
        self._run(_UNLOCK, 1, _lock_key(name, "held"), holder)

    def keep_request(self, scope: str, fingerprint: str) -> str:
        """Keep what was asked for with an idempotency key, if it is new, and give what was first asked for."""
        kept = self._ask("SET", f"{_choice_key(scope)}:request", fingerprint, "NX", "GET", "PX", KEPT_MS)
        return _text(kept) or fingerprint

    def keep_choice(self, scope: str, match_id: str) -> None:
        """Keep which match was chosen for an idempotency key, as long as its receipt."""
        self._ask("SET", _choice_key(scope), match_id, "PX", KEPT_MS)

    def choice(self, scope: str) -> str | None:
        """Give the match that was chosen for an idempotency key."""
        return _text(self._ask("GET", _choice_key(scope)))

    def keep_code(self, code: str, match_id: str) -> bool:
        """Keep a join code as long as its match, and tell whether it is this match's."""
        key = _code_key(code)  # whoever has it already, it lives on from now: another match will draw another one
        holder, _ = self._ask_all(
            ("SET", key, match_id, "NX", "GET", "PX", self._ttl_ms), ("PEXPIRE", key, self._ttl_ms)
        )
        return _text(holder) in (None, match_id)

    def code_holder(self, code: str) -> str | None:
        """Give the match that has a join code; it need not wait for players any more."""
        return _text(self._ask("GET", _code_key(code)))

    def judge_guess(self, client: str, limits: GuessLimits, *, is_wrong: bool) -> Verdict:
        """Tell whether a client may guess a join code, and count the guess if it may and is wrong."""
        quota, retry_ms = self._run(_GUESS, 2, _GUESSES + client, _GUESSES + "all", *limits, int(is_wrong))
        return Verdict(quota, retry_ms)


def _places(found: Sequence[bytes]) -> list[Place]:
    return [Place(int(score), match_id.decode()) for match_id, score in zip(found[::2], found[1::2], strict=True)]


def _text(kept: bytes | None) -> str | None:
    return None if kept is None else kept.decode()
