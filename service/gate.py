"""A gate: of all who want to do the same thing, over all servers, it lets in one at a time."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

from . import deadline
from .errors import Refusal, StoreUnavailable
from .identity import Entropy
from .store.base import Store

LOCK_MS: Final = 1000
"""So long a server that dies inside keeps the others out. One that takes longer inside is not alone any more."""
_QUEUES: Final = 64
_PAUSE_SECONDS: Final = 0.003


class Gate:
    """Lets in one at a time.

    In a process those who wait stand in a queue, and only the first of them asks the store, again and again. The time
    that passes meanwhile does not count as waiting for the store.
    """

    def __init__(self, store: Store, entropy: Entropy, *, patience_seconds: float = 10.0) -> None:
        """Compose.

        Args:
            store: keeps the locks.
            entropy: where the names of those who hold one come from.
            patience_seconds: how long to wait for the others.
        """
        self._store = store
        self._entropy = entropy
        self._patience_seconds = patience_seconds
        self._queues = [threading.Lock() for _ in range(_QUEUES)]

    @contextmanager
    def alone(self, name: str) -> Iterator[None]:
        """Be the only one inside, unless it takes longer than the lock lasts.

        Args:
            name: what it is that only one may do at a time.

        Raises:
            Refusal: `conflict`, when the others take all the time that there is.
        """
        end = time.monotonic() + self._patience_seconds
        queue = self._queues[hash(name) % _QUEUES]
        with deadline.Paused():
            is_first = queue.acquire(timeout=self._patience_seconds)
        if not is_first:
            raise _crowded()
        try:
            with self._lock(name, end):
                yield
        finally:
            queue.release()

    @contextmanager
    def _lock(self, name: str, end: float) -> Iterator[None]:
        holder = self._entropy.seed(8).hex()
        while not self._is_in(name, holder):
            if time.monotonic() > end:
                raise _crowded()
        try:
            yield
        finally:
            with suppress(StoreUnavailable):  # it opens by itself
                self._store.unlock(name, holder)

    def _is_in(self, name: str, holder: str) -> bool:
        with deadline.Paused():
            is_in = self._store.lock(name, holder, LOCK_MS)
            if not is_in:
                time.sleep(_PAUSE_SECONDS)
        return is_in


def _crowded() -> Refusal:
    return Refusal("conflict", "Too many ask for the same at the same time: try once more.")
