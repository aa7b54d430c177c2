"""Who a token stands for, and what secrets are made of."""

from __future__ import annotations

import re
from random import Random

import pytest

from service.errors import Refusal
from service.identity import (
    JOIN_CODE_ALPHABET,
    MATCH_ID_LENGTH,
    STRANGER,
    SYSTEM_ENTROPY,
    Caller,
    identify,
    is_join_code,
    match_id_from,
    new_token,
    token_hash,
)
from tests.tables import HOST_TOKEN, numbered_entropy, record, token_of


def test_a_match_id_holds_at_least_96_bits_of_letters_and_digits() -> None:
    for match_id in (SYSTEM_ENTROPY.match_id(), match_id_from(bytes([255]) * 32), match_id_from(bytes(32))):
        assert re.fullmatch("[A-Za-z0-9]{17}", match_id)
    assert 62**MATCH_ID_LENGTH >= 2**96


def test_an_id_made_of_bytes_depends_on_all_of_its_letters() -> None:
    made = {match_id_from(Random(number).randbytes(32)) for number in range(1000)}
    assert len(made) == 1000
    for place in range(MATCH_ID_LENGTH):
        assert len({match_id[place] for match_id in made}) == 62


def test_a_token_names_its_match_and_holds_256_bits() -> None:
    assert new_token("match", bytes(range(32))) == "py_match_" + bytes(range(32)).hex()
    assert len({SYSTEM_ENTROPY.seed(32) for _ in range(100)}) == 100


def test_what_is_stored_of_a_token_is_a_hash_of_any_text() -> None:
    assert re.fullmatch("[0-9a-f]{64}", token_hash("py_match_x"))
    assert token_hash("\udcff") == token_hash("?")


def test_a_join_code_has_no_letter_that_is_mistaken_for_another() -> None:
    code = SYSTEM_ENTROPY.join_code()
    assert re.fullmatch(f"[{JOIN_CODE_ALPHABET}]{{8}}", code)
    assert not set("0O1I") & set(JOIN_CODE_ALPHABET)


def test_tests_can_have_secrets_that_are_the_same_every_time() -> None:
    assert numbered_entropy(1).match_id() == numbered_entropy(1).match_id() != numbered_entropy(2).match_id()
    assert len(numbered_entropy(1).last_seed()) == 32


def test_nobody_is_a_stranger() -> None:
    assert identify(record(0), None) == STRANGER
    assert STRANGER.is_stranger


@pytest.mark.parametrize("token", ["", "x", "py", "py_", "py_match", "py_match_", "xx_match_0", "py__0", "Py_match_0"])
def test_what_is_no_token_is_invalid(token: str) -> None:
    with pytest.raises(Refusal) as refused:
        identify(record(0), token)
    assert refused.value.code == "token_invalid"


def test_a_token_of_another_match_is_told_apart_from_an_unknown_one() -> None:
    with pytest.raises(Refusal) as refused:
        identify(record(0), "py_other_0")
    assert refused.value.code == "not_your_match"
    with pytest.raises(Refusal) as refused:
        identify(record(0), "py_match_unknown")
    assert refused.value.code == "token_invalid"


def test_the_creators_token_is_the_hosts_and_the_others_are_players() -> None:
    match = record(0, 2, seats=3)
    assert identify(match, token_of(0)) == Caller(0, True)
    assert identify(match, token_of(2)) == Caller(2, False)
    assert not identify(match, token_of(2)).is_stranger


def test_a_host_may_have_no_seat() -> None:
    host = identify(record(0, host_seat=None, host_token_hash=token_hash(HOST_TOKEN)), HOST_TOKEN)
    assert host == Caller(None, True)
    assert not host.is_stranger


@pytest.mark.parametrize("given", ["ABCD2345", "abcd2345", "ABCD-2345", "ab cd 23 45"])
def test_a_join_code_is_read_as_people_write_it(given: str) -> None:
    assert is_join_code(record(join_code="ABCD2345"), given)


@pytest.mark.parametrize("given", [None, "", "ABCD2346", "ABCD234", "ABCD23455", "ßBCD2345"])
def test_another_join_code_opens_nothing(given: str | None) -> None:
    assert not is_join_code(record(join_code="ABCD2345"), given)


@pytest.mark.parametrize("given", [None, "", "ABCD2345"])
def test_a_match_without_a_join_code_is_opened_by_none(given: str | None) -> None:
    assert not is_join_code(record(), given)
