"""App keys are read as an operator writes them, and tell which application asks."""

from __future__ import annotations

import hashlib

import pytest

from service.app_keys import AppKey, bearer_of, read_app_keys


def test_an_entry_is_a_name_and_a_key() -> None:
    assert read_app_keys(["shop:s3cret/+=", "club.de_2:-x-"]) == (
        AppKey("shop", "s3cret/+="),
        AppKey("club.de_2", "-x-"),
    )


def test_a_key_alone_is_named_after_its_hash() -> None:
    name = f"key-{hashlib.sha256(b's3cret').hexdigest()[:8]}"
    assert read_app_keys(["s3cret"]) == (AppKey(name, "s3cret"),)


def test_several_keys_may_bear_one_name() -> None:
    keys = read_app_keys(["shop:old", "shop:new"])
    assert [bearer_of(keys, key) for key in (b"old", b"new")] == ["shop", "shop"]


@pytest.mark.parametrize(
    "entry",
    ["shop:", ":key", "shop:a:b", "-shop:key", "my shop:key", "ş:key", "şeker", "a b", f"{'x' * 65}:key", "a,b"],
)
def test_what_is_no_entry_is_refused_by_its_number_alone(entry: str) -> None:
    with pytest.raises(ValueError, match=r"^Entry 2 is neither NAME:KEY nor KEY\.") as refusal:
        read_app_keys(["good", entry])
    assert entry not in str(refusal.value)


@pytest.mark.parametrize("second", ["club:one", "shop:one", "one"])
def test_a_key_stands_there_once(second: str) -> None:
    with pytest.raises(ValueError, match=r"^Entry 2 holds a key that stands there before\.$"):
        read_app_keys(["shop:one", second])


@pytest.mark.parametrize("given", [b"", b"on", b"onee", b"shop:one", "öne".encode()])
def test_another_key_is_nobodys(given: bytes) -> None:
    assert bearer_of(read_app_keys(["shop:one"]), given) is None
