"""A reader of server-sent events, a few lines long."""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator
from typing import Any, NamedTuple


class Message(NamedTuple):
    """One message of a stream."""

    id: int
    event: str
    data: Any


class Stream:
    """An open stream; close it, or use it in a `with` block."""

    def __init__(self, port: int, path: str, token: str | None = None, **headers: str) -> None:
        """Open it; an underscore in a header's name stands for a hyphen."""
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if token is not None:
            sent["Authorization"] = f"Bearer {token}"
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
        self._connection.request("GET", path, headers=sent)
        self.answer = self._connection.getresponse()
        self.status = self.answer.status
        self.blocks = self._read()

    def __enter__(self) -> Stream:
        return self

    def __exit__(self, *exception: object) -> None:
        self.answer.close()
        self._connection.close()

    def _read(self) -> Iterator[dict[str, str]]:
        """Give the blocks of lines that an empty line ends; a comment stands under the empty name."""
        block: dict[str, str] = {}
        for line in iter(self.answer.readline, b""):
            text = line.decode().removesuffix("\n")
            if text:
                name, _, value = text.partition(": ")
                block[name.removesuffix(":")] = value
            else:
                yield block
                block = {}
        assert not block, "the stream was cut in the middle of a message"

    def messages(self) -> Iterator[Message]:
        """Give the messages that have an `id`: neither comments, nor who comes and goes."""
        for block in self.blocks:
            if "id" in block:
                yield Message(int(block["id"]), block["event"], json.loads(block["data"]))

    def presence(self) -> Iterator[tuple[int, bool]]:
        """Give who comes and goes, passing over everything else: the seat, and whether its player is here."""
        for block in self.blocks:
            if block.get("event") == "presence":
                assert "id" not in block, "a browser must not resume from it"
                yield tuple(json.loads(block["data"]).values())

    def take(self, count: int) -> list[Message]:
        """Give the next so many messages."""
        found: list[Message] = []
        while len(found) < count:
            found.append(next(self.messages()))
        return found
