"""Where new identities come from: drawn at random, or derived from an idempotency key, the same for every repeat."""

from __future__ import annotations

import hmac

from .errors import Refusal
from .idempotency import SHORTEST_AS_PROOF, Key, derived
from .identity import TOKEN_BYTES, Entropy, match_id_from, new_token
from .store.base import Store


class Mint:
    """Makes the identities of matches and the tokens of players."""

    def __init__(self, store: Store, entropy: Entropy) -> None:
        """Compose.

        Args:
            store: keeps the secret of the derivations, the same for all servers.
            entropy: where random ones come from.
        """
        self._store = store
        self._entropy = entropy
        self._salt: bytes | None = None

    def match_id(self, key: Key | None) -> str:
        """Make the identity of a match.

        Raises:
            Refusal: `idempotency_key_invalid` for a key that is too short to prove who repeats.
        """
        return self._entropy.match_id() if key is None else match_id_from(self._derived("match", key))

    def next_match_id(self, match_id: str) -> str:
        """Tell the identity of the match that follows another: the same for all servers, and not to be guessed."""
        return match_id_from(hmac.digest(self._ask_secret(), f"rematch\0{match_id}".encode(), "sha256"))

    def token(self, match_id: str, key: Key | None, first: int) -> str:
        """Make a token for a match.

        Args:
            match_id: the match.
            key: the idempotency key of the request, if it has one.
            first: the number of the first event that the request causes, which tells uses of a key apart.

        Raises:
            Refusal: `idempotency_key_invalid` for a key that is too short to prove who repeats.
        """
        if key is None:
            return new_token(match_id, self._entropy.seed(TOKEN_BYTES))
        return new_token(match_id, self._derived(f"token {match_id} {first}", key))

    def ticket(self, match_id: str, key: Key | None) -> str:
        """Make a ticket for the stream of a match."""
        if key is None:
            return self._entropy.seed(TOKEN_BYTES).hex()
        return derived(self._ask_secret(), f"ticket {match_id}", key).hex()  # the scope of the key holds the token

    def reader_mark(self, match_id: str, token: str | None) -> str:
        """Give what tells the readers of a match's view apart and cannot be guessed; None is anyone without a token."""
        return hmac.digest(self._secret(), f"{match_id} {token or ''}".encode(), "sha256")[:8].hex()

    def _derived(self, purpose: str, key: Key) -> bytes:
        if not key.proves:
            detail = f"An Idempotency-Key that stands for who asks must have at least {SHORTEST_AS_PROOF} characters."
            raise Refusal("idempotency_key_invalid", detail)
        return derived(self._ask_secret(), purpose, key)

    def _secret(self) -> bytes:
        return self._salt or self._ask_secret()

    def _ask_secret(self) -> bytes:
        """Ask the store, which may have lost what it gave before: then all servers propose that again."""
        self._salt = self._store.salt(self._salt or self._entropy.seed(TOKEN_BYTES))
        return self._salt
