"""Writes that can be repeated safely: the key that names one, and the receipt that is kept of it.

A receipt is small: it tells which events the write caused and whose seat it was. What a repeat is answered is made
from that, the log and the match; a token is not kept but derived from the key again.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from typing import Final, NamedTuple

import orjson

from .errors import Refusal

KEPT_MS: Final = 24 * 60 * 60 * 1000
LONGEST: Final = 255
SHORTEST_AS_PROOF: Final = 22
"""A key that proves who created or joined must be hard to guess: 22 characters of base 64 hold 128 bits."""

_QUOTED: Final = re.compile(r'"((?:[\x20-\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"')
_BARE: Final = re.compile(r"[\x21\x23-\x7e][\x20-\x7e]*")


class Key(NamedTuple):
    """An idempotency key in its scope: the caller's token, or the application, and the path.

    Attributes:
        scope: what stands for key, token, path and application in the store, in hexadecimal.
        proves: whether it is the proof of who asks: because a token is, or because it is too long to be guessed.
    """

    scope: str
    proves: bool


class Once(NamedTuple):
    """How a repeat of a request is told.

    Attributes:
        key: its idempotency key, if it has one.
        fingerprint: stands for its body.
    """

    key: Key | None
    fingerprint: str


NOT_REPEATABLE: Final = Once(None, "")


class Receipt(NamedTuple):
    """What is kept of a write.

    Attributes:
        fingerprint: stands for the body of the request.
        first: the number of the first event that it caused.
        last: the number of the last.
        seat: the seat that was taken, for a creator or a joining player.
    """

    fingerprint: str
    first: int
    last: int
    seat: int | None

    def encode(self) -> bytes:
        """Write the receipt for the store."""
        return orjson.dumps(tuple(self))


def decode_receipt(data: bytes) -> Receipt:
    """Read what `Receipt.encode` wrote."""
    return Receipt(*orjson.loads(data))


def read_key(header: str, path: str, token: str | None, app: str | None = None) -> Key:
    """Read an `Idempotency-Key` header: a quoted string, or a bare value.

    Args:
        header: what it holds.
        path: the path of the request.
        token: the caller's token; None for a request that takes none.
        app: the application that asks; None where no app key is asked for.

    Raises:
        Refusal: `idempotency_key_invalid`.
    """
    quoted = _QUOTED.fullmatch(header)
    text = re.sub(r"\\(.)", r"\1", quoted.group(1)) if quoted else header
    if not (quoted or _BARE.fullmatch(header)) or not 1 <= len(text) <= LONGEST:
        detail = f"An Idempotency-Key has 1 to {LONGEST} printable ASCII characters."
        if header.startswith('"') and not quoted:
            detail += ' If it begins with a quote it must end with one, and a quote within is written \\".'
        raise Refusal("idempotency_key_invalid", detail)
    parts = (token or "", path, text) if app is None else (token or "", path, text, app)
    scope = hashlib.sha256(b"\0".join(part.encode("utf-8", "replace") for part in parts))
    return Key(scope.hexdigest(), token is not None or len(text) >= SHORTEST_AS_PROOF)


def fingerprint(body: object) -> str:
    """Give what stands for the body of a request in its receipt: the same for the same JSON value."""
    return hashlib.sha256(orjson.dumps(body, option=orjson.OPT_SORT_KEYS)).hexdigest()[:32]


def derived(salt: bytes, purpose: str, key: Key) -> bytes:
    """Derive 32 secret bytes from a key: the same for every repeat, and not to be guessed without the salt."""
    return hmac.digest(salt, f"{purpose}\0{key.scope}".encode(), "sha256")
