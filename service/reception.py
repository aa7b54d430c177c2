"""Who asks, and for which match."""

from __future__ import annotations

from collections.abc import Callable

from .dealings import Access, Lookup, Visit
from .errors import Refusal, no_match
from .idempotency import Key, decode_receipt
from .identity import STRANGER, Caller, identify
from .record import NOBODY, Record, decode_record
from .store.base import Here, Store


def nobody(_here: Here) -> frozenset[int]:
    """Tell that no player is here, where none can follow a match."""
    return NOBODY


class Reception:
    """Looks matches up, and judges those who ask for them."""

    def __init__(self, store: Store, present: Callable[[Here], frozenset[int]] = nobody) -> None:
        """Look into a store.

        Args:
            store: keeps the matches.
            present: tells which players are here by what is noted at a match; see `presence`.
        """
        self._store = store
        self._present = present

    def find(self, match_id: str, key: Key | None = None) -> Lookup:
        """Load a match, and what is kept for an idempotency key.

        Raises:
            Refusal: `match_not_found`.
            UnknownFormat: another release wrote it.
        """
        found = self._store.load(match_id, key and key.scope)
        stored, receipt = found.stored, found.receipt
        if stored is None:
            raise no_match()
        present = NOBODY if found.here is None else self._present(found.here)
        record = decode_record(match_id, stored.version, stored.state, present)
        return Lookup(record, None if receipt is None else decode_receipt(receipt))

    def admit(self, found: Lookup, token: str | None, access: Access) -> Visit:
        """Tell who asks, and check that they may.

        A token that is not valid any more may still repeat the request that it made when it was.

        Raises:
            Refusal: `token_required`, `token_invalid`, `not_your_match`, `not_your_seat` or `host_only`.
        """
        record, receipt = found.record, found.receipt
        if receipt is not None and token is not None:
            return Visit(record, caller_now(record, token), token, access, receipt)
        caller = identify(record, token)
        if access == "reader":
            require_open(record, caller)
        elif access != "anyone" and caller.is_stranger:
            raise Refusal("token_required", "This needs the token that was given at creating or joining.")
        if access == "player" and caller.seat is None:
            raise Refusal("not_your_seat", "You are this match's host but have no seat at its table.")
        if access == "host" and not caller.is_host:
            raise Refusal("host_only", "Only the host may do this.")
        return Visit(record, caller, token, access, receipt)


def require_own_seat(visit: Visit, seat: int) -> None:
    """Check that a seat is its visitor's own; the host may do for others what any member may.

    Raises:
        Refusal: `not_your_seat`.
    """
    is_allowed = visit.caller.seat == seat or (visit.access == "member" and visit.caller.is_host)
    if visit.receipt is None and not is_allowed:
        or_host = ", or the host," if visit.access == "member" else ""
        raise Refusal("not_your_seat", f"Only the player of this seat{or_host} may do this.")


def require_open(record: Record, caller: Caller) -> None:
    """Check that a match is open to its reader.

    Raises:
        Refusal: `token_required`.
    """
    if is_closed(record, caller):
        raise Refusal("token_required", "This match is closed to those without a token.")


def is_closed(record: Record, caller: Caller) -> bool:
    """Tell whether a reader may see no more of a match than its outline."""
    return record.spectators == "none" and caller.is_stranger


def caller_now(record: Record, token: str) -> Caller:
    """Tell who a token stands for by now; a stranger, if it has died."""
    try:
        return identify(record, token)
    except Refusal:
        return STRANGER
