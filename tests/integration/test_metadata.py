"""Which metadata a request may hold."""

from __future__ import annotations

from typing import Any

import pytest

from tests.client import Client

CREATE: dict[str, Any] = {"seats": 2, "creator": {"name": "Ayşe"}}


@pytest.mark.parametrize(
    "metadata",
    [{}, {"k" * 40: "v" * 500}, {str(number): "" for number in range(20)}, {"ş": "ş" * 500}, {"_schema": "\u200b"}],
)
def test_metadata_within_its_bounds_is_taken(client: Client, metadata: Any) -> None:
    shown = client.post("/v1/matches", {**CREATE, "metadata": metadata}).expect(201)["match"]
    assert shown.get("metadata", {}) == metadata


@pytest.mark.parametrize(
    "metadata,pointer",
    [
        (None, "/metadata"),
        ([], "/metadata"),
        ({str(number): "" for number in range(21)}, "/metadata"),
        ({"a": "🂡" * 260}, "/metadata"),
        ({"a": "v" * 501}, "/metadata/a"),
        ({"a": 1}, "/metadata/a"),
        ({"a": None}, "/metadata/a"),
        ({"a": {"b": "c"}}, "/metadata/a"),
        ({"": "v"}, "/metadata/"),
        ({"k" * 41: "v"}, "/metadata/" + "k" * 41),
        ({"a/b": "\u0007"}, "/metadata/a~1b"),
        ({"\u0085": "v"}, "/metadata/\u0085"),
        ({"_schema": 1}, "/metadata/_schema"),
    ],
)
def test_metadata_beyond_its_bounds_is_refused_by_its_place(client: Client, metadata: Any, pointer: str) -> None:
    reply = client.post("/v1/matches", {**CREATE, "metadata": metadata})
    assert (reply.status, reply.code) == (422, "invalid_body")
    assert [error["pointer"] for error in reply.json["errors"]] == [pointer]
