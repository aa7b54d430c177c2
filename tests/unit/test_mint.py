"""New identities: drawn at random, or the same for every repeat."""

from __future__ import annotations

from typing import Any

import pytest

from service.idempotency import Key
from service.identity import SYSTEM_ENTROPY
from service.mint import Mint
from service.store.redis import RedisStore
from tests.tables import numbered_entropy, refusal

KEY = Key("scope", True)


@pytest.fixture
def mint(store: RedisStore) -> Mint:
    return Mint(store, SYSTEM_ENTROPY)


def test_without_a_key_every_identity_is_new(mint: Mint) -> None:
    assert len({mint.match_id(None) for _ in range(50)}) == 50
    assert len({mint.token("match", None, 1) for _ in range(50)}) == 50


def test_with_a_key_they_are_the_same_on_every_server_of_the_store(mint: Mint, store: RedisStore) -> None:
    other = Mint(store, numbered_entropy(5))
    assert mint.match_id(KEY) == mint.match_id(KEY) == other.match_id(KEY)
    assert mint.token("match", KEY, 3) == other.token("match", KEY, 3)
    assert mint.token("match", KEY, 3).startswith("py_match_")


def test_with_a_key_they_differ_by_match_use_and_key(mint: Mint) -> None:
    made = {
        mint.token("match", KEY, 3),
        mint.token("match", KEY, 4),
        mint.token("other", KEY, 3),
        mint.token("match", Key("other", True), 3),
    }
    assert len({token[-64:] for token in made}) == 4
    assert mint.match_id(KEY) != mint.match_id(Key("other", True))


def test_a_key_that_proves_nothing_makes_nothing(mint: Mint) -> None:
    short = Key("scope", False)
    assert refusal(lambda: mint.match_id(short)).code == "idempotency_key_invalid"
    assert refusal(lambda: mint.token("match", short, 1)).code == "idempotency_key_invalid"


def test_another_store_derives_others(mint: Mint, store: RedisStore, database: Any) -> None:
    made = mint.match_id(KEY)
    database.flushdb()
    assert Mint(store, SYSTEM_ENTROPY).match_id(KEY) != made


def test_servers_agree_again_when_the_store_has_lost_the_secret(mint: Mint, store: RedisStore, database: Any) -> None:
    mint.match_id(KEY)
    database.flushdb()
    other = Mint(store, SYSTEM_ENTROPY)
    assert other.match_id(KEY) == mint.match_id(KEY)
    assert other.reader_mark("match", "a") == mint.reader_mark("match", "a")


def test_readers_are_told_apart_by_what_cannot_be_guessed(mint: Mint, store: RedisStore) -> None:
    marks = {mint.reader_mark(match_id, token) for match_id in ("one", "other") for token in ("a", "b", None)}
    assert len(marks) == 6
    assert Mint(store, SYSTEM_ENTROPY).reader_mark("one", "a") in marks
