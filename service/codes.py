"""Join codes: which waiting match a code opens, and how often strangers may guess."""

from __future__ import annotations

from typing import Final

from .errors import RateLimited, Refusal
from .identity import Entropy, is_join_code, plain_join_code
from .reception import Reception
from .record import Record
from .store.base import GuessLimits, Store

LIMITS: Final = GuessLimits(client=10, everybody=1000, pressed=3, window_ms=60_000)


class JoinCodes:
    """Finds private matches by their join codes.

    A code is good while its match waits for players. Wrong guesses are limited for each client, never for a match, so
    that nobody can lock its friends out. When many clients guess wrongly, each has only a few guesses left; a friend,
    who has the code, needs but one.
    """

    def __init__(self, store: Store, reception: Reception, entropy: Entropy, limits: GuessLimits = LIMITS) -> None:
        """Compose.

        Args:
            store: keeps the codes and counts wrong guesses.
            reception: looks the matches up.
            entropy: where codes come from.
            limits: how often codes may be guessed wrongly.
        """
        self._store = store
        self._reception = reception
        self._entropy = entropy
        self._limits = limits

    def new(self, match_id: str) -> str:
        """Draw a code for a match, and keep it; no other match has it."""
        while not self._store.keep_code(code := self._entropy.join_code(), match_id):
            pass
        return code

    def look_up(self, code: str, client: str) -> Record:
        """Give the match that waits for those who have a code.

        Args:
            code: the code; case, spaces and hyphens do not count.
            client: who asks, for whom wrong guesses are counted.

        Raises:
            Refusal: `join_code_unknown` or `rate_limited`.
        """
        record = self._match(code)
        self._judge(client, is_wrong=record is None)
        if record is None:
            raise Refusal("join_code_unknown", "No match waits for players with this join code.")
        return record

    def require_guess(self, record: Record, code: str | None, client: str) -> None:
        """Check that a client may try a code at a private match; what it is told then would be a guess too.

        Raises:
            Refusal: `rate_limited`.
        """
        if record.join_code is not None and code is not None:
            self._judge(client, is_wrong=not is_join_code(record, code))

    def _match(self, code: str) -> Record | None:
        match_id = self._store.code_holder(plain_join_code(code))
        if match_id is None:
            return None
        try:
            record = self._reception.find(match_id).record
        except Refusal:
            return None
        return record if record.status == "waiting" and is_join_code(record, code) else None

    def _judge(self, client: str, *, is_wrong: bool) -> None:
        verdict = self._store.judge_guess(client, self._limits, is_wrong=is_wrong)
        if verdict.retry_ms:
            detail = "Too many wrong join codes came from where you are: wait a little."
            raise RateLimited(
                detail,
                policy="join-codes",
                quota=verdict.quota,
                window_seconds=self._limits.window_ms // 1000,
                retry_seconds=-(-verdict.retry_ms // 1000),
            )
