"""Quick match: seats somebody at the oldest fitting match that waits for players, or opens one.

Those who ask for the same are served one after the other, so that a new match is opened only when no seat is free. That
nobody sits twice and no seat is given twice does not rest on this: joining and creating commit as they always do.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from .dealings import Admission, NewMatch, NewPlayer, Visit
from .errors import Refusal, key_reused
from .gate import Gate
from .idempotency import Key, Once
from .identity import STRANGER
from .lobby import Lobby
from .mint import Mint
from .reception import Reception
from .store.base import Store

_TAKEN: Final = ("match_already_started", "match_finished", "match_full", "match_not_found")


class QuickMatch:
    """Seats strangers together."""

    def __init__(
        self,
        store: Store,
        reception: Reception,
        lobby: Lobby,
        mint: Mint,
        gate: Gate,
        *,
        create: Callable[[NewMatch, Once], Admission],
        join: Callable[[Visit, NewPlayer], Admission],
    ) -> None:
        """Compose.

        Args:
            store: keeps which match was chosen for an idempotency key.
            reception: looks up the match that was chosen before.
            lobby: offers the matches that wait.
            mint: tells which match a key creates.
            gate: lets those who ask for the same in one by one.
            create: creates a match.
            join: takes a seat.
        """
        self._store = store
        self._reception = reception
        self._lobby = lobby
        self._mint = mint
        self._gate = gate
        self._create = create
        self._join = join

    def seat(self, fit: str, order: NewMatch, asked: NewPlayer, once: Once) -> Admission:
        """Seat somebody.

        A repeat goes on with the match that was chosen before, for as long as it can be joined: the first attempt,
        if it is still on its way, can then seat nobody anywhere else.

        Args:
            fit: the kind of match; see `lobby.fit_of`.
            order: the match to open, if none of this kind waits.
            asked: who they are.
            once: how a repeat is told.

        Raises:
            Refusal: `idempotency_key_invalid`, `idempotency_key_reused` or `conflict`.
        """
        key = once.key
        opened_by_key = None if key is None else self._mint.match_id(key)
        if key is not None and self._store.keep_request(key.scope, once.fingerprint) != once.fingerprint:
            raise key_reused()
        with self._gate.alone(f"quick:{fit}"):
            chosen = None if key is None else self._store.choice(key.scope)
            admission = None if chosen is None else self._at_chosen(chosen, asked, once)
            may_sit_elsewhere = chosen is None or chosen != opened_by_key
            if admission is None and may_sit_elsewhere:
                admission = self._at_offered(fit, asked, once)
            if admission is None:
                self._choose(opened_by_key, key)
                admission = self._create(order, once)
        return admission

    def _at_chosen(self, match_id: str, asked: NewPlayer, once: Once) -> Admission | None:
        try:
            found = self._reception.find(match_id, once.key)
        except Refusal:
            return None
        self._lobby.enter(found.record)  # who opened it may have died before
        return self._seated(Visit(found.record, STRANGER, None, "anyone", found.receipt, once), asked)

    def _at_offered(self, fit: str, asked: NewPlayer, once: Once) -> Admission | None:
        for record in self._lobby.offers(fit):
            self._choose(record.match_id, once.key)
            if admission := self._seated(Visit(record, STRANGER, None, "anyone", None, once), asked):
                return admission
        return None

    def _seated(self, visit: Visit, asked: NewPlayer) -> Admission | None:
        try:
            return self._join(visit, asked)
        except Refusal as refusal:
            if refusal.code in _TAKEN:
                return None
            raise

    def _choose(self, match_id: str | None, key: Key | None) -> None:
        if match_id is not None and key is not None:
            self._store.keep_choice(key.scope, match_id)
