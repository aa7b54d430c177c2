"""The lobby: an index of the public matches, kept true by those who read it."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator
from typing import Final, NamedTuple

import orjson

from .clocks import Clock
from .engine.rules import Rules
from .errors import UnknownFormat
from .record import Record, decode_record
from .store.base import Place, Store

_SWEPT_A_CREATION: Final = 2
_STRIDE: Final = 50
_STRIDES_A_PAGE: Final = 5
"""A page looks at the matches that it may hold, and at so many strides of others, however few of them are fitting."""
_OFFERS: Final = 5


class Search(NamedTuple):
    """Which public matches somebody looks for; None for any.

    Attributes:
        status: their status.
        seats: how many seats their tables have.
        preset: the preset that their rules began with.
    """

    status: str | None = None
    seats: int | None = None
    preset: str | None = None

    def finds(self, record: Record) -> bool:
        """Tell whether a match is one of them."""
        return (
            self.status in (None, record.status)
            and self.seats in (None, record.seats)
            and self.preset in (None, record.preset)
        )


def fit_of(seats: int, rules: Rules, clock: Clock | None, app: str | None = None) -> str:
    """Give what stands for a kind of match: the same for the same table, rules and clock, and the same application.

    Applications do not share matches, because who created one may do more there, such as to give a player a new token.
    """
    kind = [seats, dict(rules.unusual), clock and tuple(clock), app]
    return hashlib.sha256(orjson.dumps(kind, option=orjson.OPT_SORT_KEYS)).hexdigest()[:32]


def _fit(record: Record) -> str | None:
    """Give the fit under which a match is offered to strangers; None for a match that is not meant for them."""
    is_usual = record.visibility == "public" and record.auto_start and record.spectators == "after_deal"
    is_for_others = record.first_dealer is not None or record.metadata or any(p.kind == "bot" for p in record.players)
    if not is_usual or is_for_others:
        return None
    return fit_of(record.seats, record.rules, record.clock, record.app)


class Lobby:
    """Lists public matches, newest first, and offers those that wait for strangers, oldest first.

    The index is written beside the matches, not with them: whoever comes across an expired match, or one that is
    listed under another status than it has, mends the index.
    """

    def __init__(self, store: Store) -> None:
        """Keep the lobby in a store."""
        self._store = store

    def enter(self, record: Record) -> None:
        """List a match, if it is public, under the status that it has."""
        if record.visibility == "public":
            self._store.publish(_place(record), record.status, _fit(record))

    def sweep(self) -> None:
        """Look at a few matches at random and drop the expired ones, so that the index cannot fill up with them."""
        self._records(self._store.some_published(_SWEPT_A_CREATION))

    def page(self, search: Search, beyond: Place | None, limit: int) -> tuple[list[Record], Place | None]:
        """List public matches.

        Args:
            search: which of them.
            beyond: where the page before ended; None for the first.
            limit: how many matches at most. There may be fewer, or none, and yet a next page.

        Returns:
            The matches, and where the next page begins; None at the end.
        """
        found: list[Record] = []
        for count in (limit + 1, *[_STRIDE] * _STRIDES_A_PAGE):
            places = self._store.published(search.status, beyond, count)
            for record in self._records([place.match_id for place in places]):
                if search.status not in (None, record.status):
                    self.enter(record)
                elif search.finds(record):
                    if len(found) == limit:
                        return found, _place(found[-1])
                    found.append(record)
            if len(places) < count:
                return found, None
            beyond = places[-1]
        return found, beyond

    def offers(self, fit: str) -> Iterator[Record]:
        """List the matches of a fit that wait for strangers, oldest first.

        Whoever asks for the next one could not join the one before: it is not offered any more.
        """
        while match_ids := self._store.offered(fit, _OFFERS):
            waiting = [
                record for record in self._records(match_ids) if record.status == "waiting" and _fit(record) == fit
            ]
            self._withdraw(fit, set(match_ids) - {record.match_id for record in waiting})
            for record in waiting:
                yield record
                self._withdraw(fit, [record.match_id])

    def _withdraw(self, fit: str, match_ids: Collection[str]) -> None:
        if match_ids:
            self._store.withdraw(fit, [*match_ids])

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


def _place(record: Record) -> Place:
    return Place(record.created_ms, record.match_id)
