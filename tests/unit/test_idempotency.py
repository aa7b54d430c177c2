"""Idempotency keys: how they are written, what they stand for, and what is kept."""

from __future__ import annotations

import pytest

from service.errors import Refusal
from service.idempotency import LONGEST, Receipt, decode_receipt, derived, fingerprint, read_key
from tests.tables import refusal

PATH = "/v1/matches"


def scope(header: str, path: str = PATH, token: str | None = None) -> str:
    return read_key(header, path, token).scope


def test_a_quoted_and_a_bare_value_are_the_same_key() -> None:
    assert scope('"abc"') == scope("abc")
    assert scope(r'"a\"b\\c"') == scope(r'a"b\c')


def test_key_path_and_token_make_the_scope() -> None:
    scopes = {scope("a"), scope("b"), scope("a", "/other"), scope("a", token="t"), scope("a", token="u")}
    assert len(scopes) == 5
    assert scope("a", PATH, "") == scope("a", PATH, None)


def test_neither_key_nor_token_can_be_read_from_the_scope() -> None:
    assert len(scope("a" * 200, token="secret")) == 64


@pytest.mark.parametrize("header", ["a", '"a"', "a" * LONGEST, '"' + "a" * LONGEST + '"', "a b"])
def test_printable_ascii_of_some_length_is_a_key(header: str) -> None:
    assert scope(header)


@pytest.mark.parametrize(
    "header",
    [
        "",
        '""',
        '"',
        "a" * (LONGEST + 1),
        '"' + "a" * (LONGEST + 1) + '"',
        '"a',
        '"a"b"',
        '"a\\b"',
        "ä",
        "a\tb",
        '"a\x7f"',
    ],
)
def test_anything_else_is_refused(header: str) -> None:
    assert refusal(lambda: scope(header)).code == "idempotency_key_invalid"


def test_a_key_proves_who_asks_if_it_is_long_or_comes_with_a_token() -> None:
    assert [read_key("a" * length, PATH, None).proves for length in (21, 22)] == [False, True]
    assert read_key("a", PATH, "token").proves


def test_a_quote_that_is_not_closed_is_named() -> None:
    assert "must end with one" in refusal(lambda: scope('"abc')).detail
    assert "quote" not in refusal(lambda: scope("a\tb")).detail


def test_a_key_proves_from_22_characters_on() -> None:
    assert not read_key("a" * 21, PATH, None).proves
    assert not read_key('"' + "a" * 21 + '"', PATH, None).proves
    assert read_key("a" * 22, PATH, None).proves


def test_a_fingerprint_is_of_the_value_and_not_of_its_writing() -> None:
    assert fingerprint({"a": 1, "b": [True, None]}) == fingerprint({"b": [True, None], "a": 1})
    assert len({fingerprint(body) for body in ({}, {"a": 1}, {"a": True}, {"a": "1"}, {"a": [1]}, {"b": 1})}) == 6


def test_a_receipt_is_read_as_it_was_written() -> None:
    for receipt in (Receipt("print", 1, 3, 0), Receipt("", 7, 7, None)):
        assert decode_receipt(receipt.encode()) == receipt


def test_what_is_derived_needs_the_salt_and_differs_by_purpose() -> None:
    key = read_key("a" * 22, PATH, None)
    other = read_key("b" * 22, PATH, None)
    made = {
        derived(b"salt", "x", key),
        derived(b"salt", "y", key),
        derived(b"other", "x", key),
        derived(b"salt", "x", other),
    }
    assert len(made) == 4
    assert derived(b"salt", "x", key) in made
    assert all(len(secret) == 32 for secret in made)


def test_a_refusal_is_an_error_of_the_service() -> None:
    with pytest.raises(Refusal, match="255 printable ASCII characters"):
        scope("")
