"""What can be seen of matches, by those who may: the verbs of the service that change nothing."""

from __future__ import annotations

from .codes import JoinCodes
from .dealings import Visit
from .export import Export, exported
from .finished import deal_log, position_view
from .identity import Caller
from .lobby import Lobby, Search
from .mint import Mint
from .proof import proof
from .reception import is_closed
from .record import Record
from .store.base import Place, Store
from .streaming import read_log
from .view import Data, lobby_entry, match_view, outline, postable_moves, redacted, veils_deals


class Looking:
    """Looks at matches."""

    def __init__(self, store: Store, lobby: Lobby, codes: JoinCodes, mint: Mint, ttl_seconds: int) -> None:
        """Compose.

        Args:
            store: keeps the matches.
            lobby: lists the public ones.
            codes: lead to the private ones.
            mint: tells readers apart.
            ttl_seconds: after how long without a change a match expires.
        """
        self._store = store
        self._lobby = lobby
        self._codes = codes
        self._mint = mint
        self._ttl_seconds = ttl_seconds

    def version(self, match_id: str) -> int:
        """Give the version of a match; 0 if there is none."""
        return self._store.version(match_id)

    def reader_mark(self, match_id: str, token: str | None) -> str:
        """Give what tells the readers of a view apart and cannot be guessed."""
        return self._mint.reader_mark(match_id, token)

    def new_ticket(self, visit: Visit) -> str:
        """Make a ticket for a stream; `Follower.admit_ticket` makes it good."""
        return self._mint.ticket(visit.record.match_id, visit.once.key)

    def view(self, visit: Visit) -> Data:
        """Show a match to its visitor; see `is_closed`."""
        return self._view(visit.record, visit.caller)

    def legal_moves(self, visit: Visit) -> list[Data]:
        """List what a player may do now, as bodies that can be posted."""
        return postable_moves(visit.record, visit.caller)

    def events(self, visit: Visit, after: int, limit: int) -> tuple[list[Data], int]:
        """Read the log as its reader may see it.

        Returns:
            The events beyond number `after`, at most `limit`, and the number to go on after: no more than the log has.
        """
        events = read_log(self._store, visit.record.match_id, after, limit)
        veiled = veils_deals(visit.record, visit.caller)
        shown = [redacted(event, visit.caller, veiled=veiled) for event in events]
        return shown, (events[-1]["seq"] if events else min(after, visit.record.version))

    def export(self, visit: Visit) -> Export:
        """Give all of a match that its reader may see, piece by piece: see `export.exported`."""
        return exported(self._store, visit, self._view(visit.record, visit.caller))

    def finished_deal(self, visit: Visit, number: int) -> Data:
        """Show a finished deal and prove it: see `proof.proof`.

        Raises:
            Refusal: as `finished.deal_log`.
        """
        return proof(visit.record, number, deal_log(self._store, visit, number))

    def position(self, visit: Visit, number: int, made: int) -> Data:
        """Show a finished deal as it was after so many of its moves: see `finished.position_view`.

        Raises:
            Refusal: as `finished.deal_log`; `position_not_found`, when the deal had fewer moves.
        """
        return position_view(visit.record, number, deal_log(self._store, visit, number), made)

    def lobby(self, search: Search, beyond: Place | None, limit: int) -> tuple[list[Data], Place | None]:
        """List public matches, newest first; see `Lobby.page`."""
        records, beyond = self._lobby.page(search, beyond, limit)
        return [lobby_entry(record, self._ttl_seconds) for record in records], beyond

    def look_up(self, join_code: str, client: str) -> Data:
        """Show the match that waits for those who have a join code; see `JoinCodes.look_up`.

        Raises:
            Refusal: `join_code_unknown` or `rate_limited`.
        """
        return lobby_entry(self._codes.look_up(join_code, client), self._ttl_seconds)

    def ping(self) -> None:
        """Ask the store for a sign of life."""
        self._store.ping()

    def _view(self, record: Record, caller: Caller) -> Data:
        return outline(record) if is_closed(record, caller) else match_view(record, caller, self._ttl_seconds)
