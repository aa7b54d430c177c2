"""The keys of client applications, and the names that tell an operator who uses them."""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Iterable
from typing import Final, NamedTuple

_NAME: Final = "[A-Za-z0-9][A-Za-z0-9._-]{0,63}"
_ENTRY: Final = re.compile(rf"(?:(?P<name>{_NAME}):)?(?P<key>[!-+\--9;-~]+)")
"""A key is visible ASCII: no comma, which ends an entry, and no colon, which ends a name."""


class AppKey(NamedTuple):
    """A key that an operator gave to a client application.

    Attributes:
        name: what the operator calls the application; several keys may bear one name while they are exchanged.
        key: the secret that it sends.
    """

    name: str
    key: str


def read_app_keys(entries: Iterable[str]) -> tuple[AppKey, ...]:
    """Read app keys as an operator writes them: each `NAME:KEY`, or a `KEY` alone.

    A key alone is called `key-` and the first 8 hexadecimal digits of its SHA-256: the same name after every start,
    from which nobody learns a key that was drawn at random.

    Args:
        entries: the keys with their names; none is empty.

    Raises:
        ValueError: an entry cannot be used; the text names it by its number, never what stands in it.
    """
    keys: dict[str, str] = {}
    for number, entry in enumerate(entries, 1):
        read = _ENTRY.fullmatch(entry)
        if read is None:
            raise ValueError(
                f"Entry {number} is neither NAME:KEY nor KEY. A name has 1 to 64 letters, digits, `.`, `_` and `-` and"
                " begins with a letter or digit; a key has no spaces and no colon, and is ASCII."
            )
        if read["key"] in keys:
            raise ValueError(f"Entry {number} holds a key that stands there before.")
        keys[read["key"]] = read["name"] or f"key-{hashlib.sha256(read['key'].encode()).hexdigest()[:8]}"
    return tuple(AppKey(name, key) for key, name in keys.items())


def bearer_of(keys: Iterable[AppKey], given: bytes) -> str | None:
    """Tell which application sent a key, in a time that does not depend on what was sent.

    Returns:
        Its name; None if that is none of the keys.
    """
    names = [known.name for known in keys if hmac.compare_digest(known.key.encode(), given)]
    return names[0] if names else None
