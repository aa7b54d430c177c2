"""The slots of a cluster to which the commands of the store belong."""

from __future__ import annotations

import pytest
from redis.crc import key_slot

from service.store.slots import slot_of


@pytest.mark.parametrize(
    "command,key",
    [
        (("HGET", "py:{x}", "version"), b"py:{x}"),
        (("SET", b"key", 1), b"key"),
        (("EVALSHA", "hash", 2, "first", "second", "word"), b"first"),
        (("EVAL", "script", 1, "first"), b"first"),
        (("XGROUP", "CREATE", "stream", "group", "0"), b"stream"),
        (("XREADGROUP", "GROUP", "group", "consumer", "COUNT", 1, "STREAMS", "stream", ">"), b"stream"),
    ],
)
def test_a_command_belongs_to_the_slot_of_its_first_key(command: tuple[str | bytes | int, ...], key: bytes) -> None:
    assert slot_of(command) == key_slot(key)
    assert slot_of(("PING",)) is None
