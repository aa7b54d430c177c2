"""Changes that give somebody a token, which is shown once and derived again for a repeat."""

from __future__ import annotations

from collections.abc import Callable

from .changes import Change
from .dealings import Visit, Written
from .mint import Mint
from .writing import Writer


class Tokens:
    """Carries such changes out."""

    def __init__(self, writer: Writer, mint: Mint) -> None:
        """Compose.

        Args:
            writer: carries out changes.
            mint: makes tokens.
        """
        self._writer = writer
        self._mint = mint

    def given(self, visit: Visit, decide: Callable[[Visit, str], Change]) -> tuple[Written, str]:
        """Decide on a change with a new token in hand, and commit it.

        Returns:
            What was written, and the token; both of an earlier request with the same idempotency key, if there was one.

        Raises:
            Refusal: whatever `decide` raises; `idempotency_key_invalid`, `idempotency_key_reused` or `conflict`.
        """
        match_id, key = visit.record.match_id, visit.once.key
        tokens: list[str] = []

        def decided(visit: Visit) -> Change:
            tokens.append(self._mint.token(match_id, key, visit.record.version + 1))
            return decide(visit, tokens[-1])

        written = self._writer.write(visit, decided)
        return written, self._mint.token(match_id, key, written.first) if written.replayed else tokens[-1]
