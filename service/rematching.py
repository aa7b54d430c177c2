"""Rematches over the store: the match that is played again, the one that follows it, and who comes there.

Two matches are written, one after the other, because no step of the store spans both. The identity of the second
follows from that of the first, so that whoever asks, and whoever asks again after a failure, finds the same one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from . import changes, rematch
from .changes import Change
from .dealings import Lookup, Visit, Written
from .errors import Refusal
from .idempotency import NOT_REPEATABLE, Key
from .identity import STRANGER, Entropy
from .journal import Journal
from .lobby import Lobby
from .mint import Mint
from .reception import Reception
from .record import Record
from .tokens import Tokens
from .writing import Writer

MOST_TRIES: Final = 4
"""So many rematches of one match may be begun: for none of them an app key is asked."""


class Rematches:
    """Lets the players of a match go on at the same table."""

    def __init__(
        self,
        reception: Reception,
        writer: Writer,
        lobby: Lobby,
        mint: Mint,
        tokens: Tokens,
        *,
        clock: Callable[[], int],
        entropy: Entropy,
        join_code: Callable[[str], str],
    ) -> None:
        """Compose.

        Args:
            reception: finds the rematch.
            writer: writes both matches.
            lobby: lists the rematch, if it is public.
            mint: tells the identity of a rematch.
            tokens: gives who comes a token.
            clock: gives the time in Unix milliseconds.
            entropy: where seeds come from.
            join_code: gives a new join code for a match.
        """
        self._reception = reception
        self._writer = writer
        self._lobby = lobby
        self._mint = mint
        self._tokens = tokens
        self._clock = clock
        self._entropy = entropy
        self._join_code = join_code

    def come(self, visit: Visit, client_seed: str | None) -> tuple[Written, str]:
        """Seat a player of a match that is over in its rematch, which the first one brings about.

        Returns:
            What was written in the rematch, and the player's token there.

        Raises:
            Refusal: as `rematch.require_played` and `rematch.taken`, `match_finished` after too many that were given
                up, `idempotency_key_reused` or `conflict`.
        """
        before, seat = visit.record, visit.caller.seat
        assert seat is not None, "admitted as a player"
        rematch.require_played(before)
        found = self._open(before, visit.once.key)
        match_id = found.record.match_id
        self._writer.write(
            visit._replace(once=NOT_REPEATABLE),
            lambda visit: rematch.offered(visit.record, match_id, seat, self._clock()),
        )
        return self._tokens.given(
            self._reception.admit(found, None, "anyone")._replace(once=visit.once),
            lambda visit, token: rematch.taken(visit.record, seat, token, client_seed, self._clock()),
        )

    def _open(self, before: Record, key: Key | None) -> Lookup:
        """Find the rematch, or make it; one that was given up before it began is followed by another."""
        for match_id in self._identities(before):
            found = self._find(match_id, key)
            if found is None:
                self._make(before, match_id)
                return self._reception.find(match_id, key)
            if found.receipt is not None or not rematch.is_dead(found.record):
                return found
        raise Refusal("match_finished", "The rematch was given up again and again: create a match.")

    def _identities(self, before: Record) -> list[str]:
        """Give the identities that the rematch may have, from the one that was offered last."""
        identities = [self._mint.next_match_id(before.match_id)]
        while len(identities) < MOST_TRIES:
            identities.append(self._mint.next_match_id(identities[-1]))
        return identities[identities.index(before.rematch) :] if before.rematch in identities else identities

    def _find(self, match_id: str, key: Key | None) -> Lookup | None:
        try:
            return self._reception.find(match_id, key)
        except Refusal:  # it is not there yet
            return None

    def _make(self, before: Record, match_id: str) -> None:
        join_code = self._join_code(match_id) if before.visibility == "private" else None
        record = rematch.again(before, match_id, self._entropy.last_seed(), join_code, self._clock())

        def lay(visit: Visit) -> Change:
            """Create it, unless somebody else has meanwhile."""
            if visit.record.version:
                return Change(visit.record, Journal(visit.record.version, self._clock()))
            return changes.created(record)

        self._lobby.enter(self._writer.write(Visit(record, STRANGER, None, "anyone", None), lay).record)
