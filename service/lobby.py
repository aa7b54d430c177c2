"""The lobby: an index of the public matches, kept true by those who read it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from .errors import UnknownFormat
from .record import Record, decode_record
from .store.base import Place, Store

_SWEPT_A_CREATION: Final = 2


class Lobby:
    """Lists public matches, newest first.

    The index is written beside the matches, not with them: whoever comes across an expired match, or one that is
    listed under another status than it has, mends the index.
    """

    def __init__(self, store: Store) -> None:
        """Keep the lobby in a store."""
        self._store = store

    def enter(self, record: Record) -> None:
        """List a match, if it is public, under the status that it has."""
        if record.visibility == "public":
            self._store.publish(Place(record.created_ms, record.match_id), record.status)

    def sweep(self) -> None:
        """Look at a few matches at random and drop the expired ones, so that the index cannot fill up with them."""
        self._records(self._store.some_published(_SWEPT_A_CREATION))

    def page(self, status: str | None, beyond: Place | None, limit: int) -> tuple[list[Record], Place | None]:
        """List public matches.

        Args:
            status: only matches of this status; None for all.
            beyond: where the page before ended; None for the first.
            limit: how many matches at most.

        Returns:
            The matches, and where the next page begins; None at the end.
        """
        found: list[Record] = []
        for record in self._all(status, beyond, limit + 1):
            if len(found) == limit:
                return found, Place(found[-1].created_ms, found[-1].match_id)
            found.append(record)
        return found, None

    def _all(self, status: str | None, beyond: Place | None, count: int) -> Iterator[Record]:
        while places := self._store.published(status, beyond, count):
            for record in self._records([place.match_id for place in places]):
                if status in (None, record.status):
                    yield record
                else:
                    self.enter(record)
            beyond = places[-1]

    def _records(self, match_ids: list[str]) -> list[Record]:
        records = []
        for match_id, stored in zip(match_ids, self._store.load_many(match_ids), strict=True):
            if stored is None:
                self._store.unpublish(match_id)
                continue
            try:
                records.append(decode_record(match_id, stored.version, stored.state))
            except UnknownFormat:
                continue
        return records
