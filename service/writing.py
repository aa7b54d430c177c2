"""Writes: decide on a change, commit it, and decide anew when another write came first."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from .autoplay import Autoplay
from .changes import Change
from .counting import Counting
from .deadline import Paused, seconds_left
from .dealings import Visit, Written
from .errors import Refusal, key_reused
from .idempotency import Once, Receipt
from .identity import Entropy
from .lobby import Lobby
from .reception import Reception
from .record import Record, encode_record
from .store.base import Commit, Due, Store, Stored
from .streaming import read_log
from .webhooks.messages import note_of

COMMIT_ATTEMPTS: Final = 20
"""How often a write is decided anew when another write came first; after that it is a `conflict`."""
_QUEUES: Final = 64
_LONGEST_WAIT_SECONDS: Final = 60.0


class Writer:
    """Carries out changes."""

    def __init__(
        self,
        store: Store,
        reception: Reception,
        lobby: Lobby,
        autoplay: Autoplay,
        entropy: Entropy,
        counting: Counting,
    ) -> None:
        """Compose.

        Args:
            store: keeps the matches.
            reception: admits visitors again when their match has changed meanwhile.
            lobby: is told when the status of a match changes.
            autoplay: carries a match on after each change.
            entropy: where the identities of commits come from.
            counting: is told what was committed.
        """
        self._store = store
        self._reception = reception
        self._lobby = lobby
        self._autoplay = autoplay
        self._entropy = entropy
        self._counting = counting
        self._queues = [threading.Lock() for _ in range(_QUEUES)]

    def write(self, visit: Visit, decide: Callable[[Visit], Change]) -> Written:
        """Decide on a change and commit it; one without events is none and needs no commit.

        Raises:
            Refusal: whatever `decide` raises; `idempotency_key_reused` or `conflict`.
        """
        if written := self._written(visit, decide):
            return written
        with self._queued(visit.record.match_id):
            for _ in range(COMMIT_ATTEMPTS - 1):
                visit = self._revisit(visit)
                if written := self._written(visit, decide):
                    return written
        raise _conflict()

    def _written(self, visit: Visit, decide: Callable[[Visit], Change]) -> Written | None:
        """Try once; None when another write came first."""
        if visit.receipt is not None:
            return self._replayed(visit.record, visit.receipt, visit.once)
        change = decide(visit)
        before, journal = visit.record, change.journal
        if not journal.events:
            return Written(before, [], before.version + 1, change.seat, False)
        change = self._autoplay.carried_on(change)
        record = change.record
        if record.version != journal.version:
            record = record._replace(version=journal.version, active_ms=journal.now_ms)
        if self._commit(before, record, change, visit.once) is not True:
            return None
        if record.status != before.status:
            self._lobby.enter(record)
        self._counting.committed(record.app, journal.movers, journal.events)
        return Written(record, journal.events, before.version + 1, change.seat, False)

    @contextmanager
    def _queued(self, match_id: str) -> Iterator[None]:
        """Wait behind those in this server who lost a race for the match before, so that they do not race each other.

        Whoever asks most often would win else, and a start could be kept off by who sets a client seed again and again.
        """
        queue = self._queues[hash(match_id) % _QUEUES]
        patience = max(min(seconds_left(), _LONGEST_WAIT_SECONDS), 0)
        with Paused():  # others who come first are no slow store
            is_next = queue.acquire(timeout=patience)
        if not is_next:
            raise _conflict()
        try:
            yield
        finally:
            queue.release()

    def _commit(self, before: Record, record: Record, change: Change, once: Once) -> bytes | bool:
        receipt = once.key and Receipt(once.fingerprint, before.version + 1, record.version, change.seat)
        commit = Commit(
            identity=self._entropy.seed(8).hex(),
            expected=before.version,
            stored=Stored(record.version, encode_record(record)),
            entry=change.journal.encode(),
            scope=once.key and once.key.scope,
            receipt=receipt.encode() if receipt else b"",
        )
        if record.status == "waiting" and record.join_code is not None and before.version:
            self._store.keep_code(record.join_code, record.match_id)
        if record.due_ms is not None and record.due_ms != before.due_ms:
            self._store.schedule(Due(record.match_id, record.due_ms, record.active_ms, record.is_attended))
        if record.webhook is not None and (note := note_of(commit, record, change.journal.events)):
            self._store.announce(note)
        return self._store.commit(record.match_id, commit)

    def _revisit(self, visit: Visit) -> Visit:
        creates = visit.record.version == 0
        try:
            found = self._reception.find(visit.record.match_id, visit.once.key)
        except Refusal as refusal:
            if creates and refusal.code == "match_not_found":
                raise Refusal("idempotency_key_reused", "The match that this key created has expired.") from refusal
            raise
        if creates and visit.once.key is not None and found.receipt is None:
            raise Refusal("idempotency_key_reused", "A match was created with this key more than 24 hours ago.")
        return self._reception.admit(found, visit.token, visit.access)._replace(once=visit.once)

    def _replayed(self, record: Record, receipt: Receipt, once: Once) -> Written:
        if receipt.fingerprint != once.fingerprint:
            raise key_reused()
        self._counting.replayed()
        events = read_log(self._store, record.match_id, receipt.first - 1, receipt.last - receipt.first + 1)
        return Written(record, events, receipt.first, receipt.seat, True)


def _conflict() -> Refusal:
    return Refusal("conflict", "Others changed the match at the same time, again and again: try once more.")
