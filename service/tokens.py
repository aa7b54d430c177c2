"""Changes that give somebody a token, which is shown once and derived again for a repeat; and a new one for an old."""

from __future__ import annotations

from collections.abc import Callable

from .changes import Change
from .dealings import Visit, Written
from .errors import Refusal
from .identity import token_hash
from .journal import Journal
from .mint import Mint
from .record import Record
from .writing import Writer


def require_own_app(record: Record, app: str | None) -> None:
    """Check that an application created a match.

    Args:
        record: the match.
        app: the name of the application that asks; None where no app key is asked for.

    Raises:
        Refusal: `app_key_required`.
    """
    if app is None or record.app != app:
        raise Refusal("app_key_required", "This takes the key of the application that created the match, in X-API-Key.")


def reissued(record: Record, seat: int, token: str, now_ms: int) -> Change:
    """Give a player another token, and let the old one die; the host's rights go with it.

    Raises:
        Refusal: `seat_not_found`, when no human sits there.
    """
    if not record.sits(seat) or record.player(seat).kind == "bot":
        raise Refusal("seat_not_found", "No human sits at this seat.")
    hashed = token_hash(token)
    journal = Journal(record.version, now_ms)
    journal.add(None, "token_reissued", seat=seat)
    record = record.with_player(record.player(seat)._replace(token_hash=hashed))
    if record.host_seat == seat:
        record = record._replace(host_token_hash=hashed)
    return Change(record, journal, seat)


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
