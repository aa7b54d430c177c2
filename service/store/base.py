"""What the use cases ask of a store. `store.redis` is the implementation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol


class Stored(NamedTuple):
    """A match as the store keeps it: its version and its encoded state."""

    version: int
    state: bytes


class Entry(NamedTuple):
    """What one commit added to a match's log.

    Attributes:
        last: the number of its last event.
        data: its events, encoded.
    """

    last: int
    data: bytes


class Place(NamedTuple):
    """Where a match stands in the lobby, which is ordered by creation time, newest first."""

    created_ms: int
    match_id: str


class Store(Protocol):
    """Keeps matches, their logs and the lobby.

    Every method raises `StoreUnavailable` when the store does not answer in time.
    """

    def load(self, match_id: str) -> Stored | None:
        """Read a match; None if there is none, or no longer."""

    def load_many(self, match_ids: Sequence[str]) -> list[Stored | None]:
        """Read several matches in one round trip."""

    def commit(self, match_id: str, expected: int, stored: Stored, entry: bytes) -> bool:
        """Replace a match's state, append to its log and renew its expiry, all or nothing.

        Args:
            match_id: the match.
            expected: the version that it must still have; 0 if it must not exist.
            stored: the new version, which is the number of its last event, and the new state.
            entry: the new events, encoded.

        Returns:
            False, with nothing changed, if the match has another version.
        """

    def entries(self, match_id: str, after: int, count: int) -> list[Entry]:
        """Read the log from the first entry with an event beyond number `after`, at most `count` entries."""

    def publish(self, place: Place, status: str) -> None:
        """Put a match into the lobby, or move it there to another status."""

    def unpublish(self, match_id: str) -> None:
        """Take a match out of the lobby."""

    def published(self, status: str | None, beyond: Place | None, count: int) -> list[Place]:
        """List the lobby.

        Args:
            status: the status that the matches were published with; None for any.
            beyond: the place after which to begin; None for the newest.
            count: how many places at most.
        """

    def some_published(self, count: int) -> list[str]:
        """Pick so many matches of the lobby at random."""

    def ping(self) -> None:
        """Ask for a sign of life."""
