"""Identities and secrets: match ids, tokens, join codes, and who a token stands for."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import string
from collections.abc import Callable
from typing import Final, NamedTuple

from .engine.shuffle import SEED_BYTES
from .errors import Refusal
from .named import Named
from .record import Record

MATCH_ID_LENGTH: Final = 17
MATCH_ID_ALPHABET: Final = string.ascii_letters + string.digits
TOKEN_BYTES: Final = 32
JOIN_CODE_LENGTH: Final = 8
JOIN_CODE_ALPHABET: Final = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
"""Without 0 and O, 1 and I, which are mistaken for each other when they are read aloud."""


class Caller(Named):
    """Who asks.

    Attributes:
        seat: the seat that they play; None for a host who does not play, and for strangers.
        is_host: whether they may start the match and free seats.
    """

    seat: int | None
    is_host: bool

    @property
    def is_stranger(self) -> bool:
        """Whether they sent no token."""
        return self.seat is None and not self.is_host


STRANGER: Final = Caller(None, False)
HOST: Final = Caller(None, True)
"""One without a seat."""


class Entropy(NamedTuple):
    """Where secrets come from; tests give their own.

    Attributes:
        seed: gives that many random bytes.
        text: gives that many random characters of an alphabet.
    """

    seed: Callable[[int], bytes]
    text: Callable[[str, int], str]

    def match_id(self) -> str:
        """Draw an identity of 101 bits for a match."""
        return self.text(MATCH_ID_ALPHABET, MATCH_ID_LENGTH)

    def join_code(self) -> str:
        """Draw what lets friends into a private match."""
        return self.text(JOIN_CODE_ALPHABET, JOIN_CODE_LENGTH)

    def last_seed(self) -> bytes:
        """Draw the secret end of a match's chain of seeds."""
        return self.seed(SEED_BYTES)


def _random_text(alphabet: str, length: int) -> str:
    return "".join(secrets.choice(alphabet) for _ in range(length))


SYSTEM_ENTROPY: Final = Entropy(secrets.token_bytes, _random_text)


def match_id_from(secret: bytes) -> str:
    """Make an identity for a match of random bytes."""
    number = int.from_bytes(secret, "big")
    letters = []
    for _ in range(MATCH_ID_LENGTH):
        number, place = divmod(number, len(MATCH_ID_ALPHABET))
        letters.append(MATCH_ID_ALPHABET[place])
    return "".join(letters)


def new_token(match_id: str, secret: bytes) -> str:
    """Make a token for a match of 32 random bytes: `py_{match_id}_{secret}`."""
    return f"py_{match_id}_{secret.hex()}"


def token_hash(token: str) -> str:
    """Give what is stored of a token."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def identify(record: Record, token: str | None) -> Caller:
    """Tell who a token stands for.

    Args:
        record: the match.
        token: the bearer token, or None if there was none.

    Raises:
        Refusal: `token_invalid` for what is no token, or not one of this match any more; `not_your_match` for one
            that names another match.
    """
    if token is None:
        return STRANGER
    kind, _, rest = token.partition("_")
    match_id, _, secret = rest.partition("_")
    if kind != "py" or not match_id or not secret:
        raise Refusal("token_invalid", "That is not a token of this service.")
    if match_id != record.match_id:
        raise Refusal("not_your_match", "That token is for another match.")
    given = token_hash(token)
    seats = [player.seat for player in record.players if hmac.compare_digest(player.token_hash, given)]
    is_host = hmac.compare_digest(record.host_token_hash, given)
    if not seats and not is_host:
        raise Refusal("token_invalid", "That token is not known, or not valid any more.")
    return Caller(seats[0] if seats else None, is_host)


def plain_join_code(code: str) -> str:
    """Give a join code as it is kept; case, spaces and hyphens do not count."""
    return code.upper().replace("-", "").replace(" ", "")


def is_join_code(record: Record, code: str | None) -> bool:
    """Tell whether a code opens a private match."""
    given = plain_join_code(code or "")
    return record.join_code is not None and hmac.compare_digest(record.join_code.encode(), given.encode())
