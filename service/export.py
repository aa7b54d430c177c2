"""A match as one document, made piece by piece, so that no match is too long for it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from . import deadline
from .dealings import Visit
from .errors import no_match
from .finished import deal_log
from .proof import proof
from .store.base import Store
from .streaming import read_log
from .view import Data, redacted, veils_deals

_PAGE: Final = 500


class Export(NamedTuple):
    """A match as its reader may see it, up to one version.

    Attributes:
        match: the view.
        deals: the proofs of the finished deals that are open to the reader, in order.
        events: the log in order, in pages.
    """

    match: Data
    deals: Iterator[Data]
    events: Iterator[list[Data]]


def exported(store: Store, visit: Visit, view: Data) -> Export:
    """Export a match.

    Every piece may take as long as the request may by now, because how long its reader takes between them is not known.

    Args:
        store: where the log is.
        visit: the match and its reader.
        view: the match as they see it.

    Returns:
        The match, whose pieces are read as they are taken. Taking one raises `StoreUnavailable` when the store does not
        answer, and `Refusal` with `match_not_found` when the match has expired meanwhile.
    """
    seconds = deadline.seconds_left()
    return Export(view, _deals(store, visit, seconds), _events(store, visit, seconds))


def _deals(store: Store, visit: Visit, seconds: float) -> Iterator[Data]:
    if veils_deals(visit.record, visit.caller):
        return
    for number in range(1, len(visit.record.deal_ends) + 1):
        deadline.begin(seconds)
        yield proof(visit.record, number, deal_log(store, visit, number))


def _events(store: Store, visit: Visit, seconds: float) -> Iterator[list[Data]]:
    record, caller = visit.record, visit.caller
    veiled, after = veils_deals(record, caller), 0
    while after < record.version:
        deadline.begin(seconds)
        page = read_log(store, record.match_id, after, min(_PAGE, record.version - after))
        if not page:
            raise no_match()
        yield [redacted(event, caller, veiled=veiled) for event in page]
        after = page[-1]["seq"]
