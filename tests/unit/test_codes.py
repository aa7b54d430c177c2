"""Join codes lead to waiting matches only, and strangers who guess lock nobody out but themselves."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from service.codes import LIMITS, JoinCodes
from service.errors import RateLimited, Refusal
from service.reception import Reception
from service.store.base import GuessLimits
from service.store.redis import RedisStore
from service.usecases import UseCases
from tests.client import within
from tests.conftest import TTL_SECONDS, now_ms
from tests.tables import Table, numbered_entropy, once, record, refusal

WRONG = "AAAABBBB"
FEW = GuessLimits(client=4, everybody=10, pressed=2, window_ms=60_000)


@pytest.fixture
def codes(store: RedisStore) -> JoinCodes:
    """Join codes with low limits."""
    return JoinCodes(store, Reception(store), numbered_entropy(2), FEW)


def private(usecases: UseCases, seats: int = 2, **order: Any) -> tuple[Table, str]:
    table = Table(usecases, seats, visibility="private", **order)
    assert table.made.join_code is not None
    return table, table.made.join_code


def told(codes: JoinCodes, code: str, client: str) -> str:
    """Look a code up, and give the match or the code of the refusal."""
    try:
        return codes.look_up(code, client).match_id
    except Refusal as refused:
        return refused.code


def test_a_code_leads_to_its_match_however_it_is_written(usecases: UseCases) -> None:
    table, code = private(usecases, 3)
    for written in (code, code.lower(), f" {code[:4]}-{code[4:]}", " ".join(code)):
        found = usecases.look_up(written, "friend")
        assert found["id"] == table.match_id
    assert found["players"] == [{"seat": 0, "name": "Player 0"}]
    assert (found["name"], found["seats"], found["free_seats"]) == ("Table", 3, [1, 2])
    assert found["rules"]["preset"] == "classic"
    assert {"join_code", "you", "deal", "commitment"}.isdisjoint(found)


def test_who_sits_at_a_closed_table_is_not_told(usecases: UseCases) -> None:
    _, code = private(usecases, spectators="none")
    assert usecases.look_up(code, "friend")["players"] == []


def test_a_code_is_dead_at_the_start_of_its_match(usecases: UseCases) -> None:
    table, code = private(usecases, auto_start=True)
    assert usecases.look_up(code, "friend")["id"] == table.match_id
    table.join(join_code=code)
    assert table.record.status == "playing"
    assert refusal(lambda: usecases.look_up(code, "friend")).code == "join_code_unknown"
    assert refusal(lambda: table.join(join_code=code)).code == "match_already_started"


def test_a_code_is_dead_when_its_match_is_abandoned_or_forgotten(usecases: UseCases, database: Any) -> None:
    abandoned, code = private(usecases)
    abandoned.leave(0)
    assert refusal(lambda: usecases.look_up(code, "friend")).code == "join_code_unknown"
    forgotten, code = private(usecases)
    database.delete(f"py:{{{forgotten.match_id}}}")
    assert refusal(lambda: usecases.look_up(code, "friend")).code == "join_code_unknown"


def test_a_code_that_is_kept_for_a_match_with_another_one_leads_nowhere(usecases: UseCases, store: RedisStore) -> None:
    table, _ = private(usecases)
    assert store.keep_code(WRONG, table.match_id)
    assert refusal(lambda: usecases.look_up(WRONG, "friend")).code == "join_code_unknown"


def test_two_matches_never_share_a_code(store: RedisStore) -> None:
    drawn = iter([WRONG, WRONG, WRONG, "CCCCDDDD"])
    entropy = numbered_entropy(1)._replace(text=lambda alphabet, length: next(drawn))
    codes = JoinCodes(store, Reception(store), entropy)
    assert [codes.new("one"), codes.new("one"), codes.new("two")] == [WRONG, WRONG, "CCCCDDDD"]


def test_of_matches_that_draw_the_same_code_at_once_one_gets_it(store: RedisStore) -> None:
    with ThreadPoolExecutor(16) as pool:
        kept = list(pool.map(lambda number: store.keep_code(WRONG, f"match{number}"), range(64)))
    assert kept.count(True) == 1
    assert store.code_holder(WRONG) == f"match{kept.index(True)}"


def test_a_code_lives_as_long_as_its_waiting_match(usecases: UseCases, database: Any) -> None:
    table, code = private(usecases, 3)
    database.pexpire(f"py:code:{code}", 1000)
    table.join(join_code=code)
    assert database.pttl(f"py:code:{code}") > (TTL_SECONDS - 60) * 1000


def test_a_code_is_found_by_another_server(usecases: UseCases, store: RedisStore) -> None:
    table, code = private(usecases)
    another = UseCases(store, ttl_seconds=TTL_SECONDS, clock=now_ms, entropy=numbered_entropy(2))
    assert another.look_up(code, "friend")["id"] == table.match_id


def test_wrong_guesses_are_limited_and_right_ones_do_not_count(usecases: UseCases, codes: JoinCodes) -> None:
    table, code = private(usecases)
    for _ in range(FEW.client):
        assert told(codes, code, "stranger") == table.match_id
        assert told(codes, WRONG, "stranger") == "join_code_unknown"
    assert told(codes, WRONG, "stranger") == "rate_limited"
    with pytest.raises(RateLimited) as refused:
        codes.look_up(code, "stranger")  # else it would find out by guessing on
    assert (refused.value.quota, refused.value.window_seconds) == (FEW.client, 60)
    assert 1 <= refused.value.retry_seconds <= 60


def test_a_stranger_does_not_lock_friends_out(usecases: UseCases) -> None:
    table, code = private(usecases)
    wrong = [refusal(lambda: table.join(join_code=WRONG, client="stranger")).code for _ in range(LIMITS.client + 3)]
    assert Counter(wrong) == {"join_code_wrong": LIMITS.client, "rate_limited": 3}
    assert refusal(lambda: table.join(join_code=code, client="stranger")).code == "rate_limited"
    assert usecases.look_up(code, "friend")["id"] == table.match_id
    assert table.join(join_code=code, client="friend").seat == 1


def test_a_flood_from_everywhere_leaves_each_friend_some_guesses(usecases: UseCases, codes: JoinCodes) -> None:
    table, code = private(usecases)
    for number in range(FEW.everybody):
        assert told(codes, WRONG, f"bot {number}") == "join_code_unknown"
    assert [told(codes, WRONG, "bot") for _ in range(3)] == ["join_code_unknown"] * FEW.pressed + ["rate_limited"]
    assert told(codes, WRONG, "friend") == "join_code_unknown"
    assert told(codes, code, "friend") == table.match_id


def test_guesses_at_joining_and_looking_up_count_together(usecases: UseCases) -> None:
    table, code = private(usecases)
    for _ in range(LIMITS.client):
        assert refusal(lambda: table.join(join_code=WRONG, client="stranger")).code == "join_code_wrong"
    assert refusal(lambda: usecases.look_up(code, "stranger")).code == "rate_limited"


def test_a_missing_code_is_no_guess(usecases: UseCases) -> None:
    table, code = private(usecases)
    for _ in range(LIMITS.client + 1):
        assert refusal(lambda: table.join(client="friend")).code == "join_code_wrong"
    assert table.join(join_code=code, client="friend").seat == 1


def test_who_may_not_guess_any_more_can_still_repeat_a_join(usecases: UseCases, store: RedisStore) -> None:
    table, code = private(usecases, 3)
    joined = table.join(once=once(), join_code=code, client="friend")
    for _ in range(LIMITS.client):
        store.judge_guess("friend", LIMITS, is_wrong=True)
    assert refusal(lambda: table.join(join_code=code, client="friend")).code == "rate_limited"
    assert table.join(once=once(), join_code=code, client="friend").token == joined.token


def test_of_guesses_at_the_same_moment_none_slips_through(store: RedisStore) -> None:
    with ThreadPoolExecutor(16) as pool:
        judged = list(pool.map(lambda _: store.judge_guess("stranger", FEW, is_wrong=True).retry_ms > 0, range(40)))
    assert judged.count(False) == FEW.client


def test_guesses_are_forgotten_after_their_time(store: RedisStore, database: Any) -> None:
    limits = FEW._replace(window_ms=100)
    for _ in range(FEW.client):
        assert store.judge_guess("stranger", limits, is_wrong=True).retry_ms == 0
    assert 0 < store.judge_guess("stranger", limits, is_wrong=True).retry_ms <= 100
    assert within(2, lambda: store.judge_guess("stranger", limits, is_wrong=False).retry_ms == 0)
    assert within(2, lambda: not database.keys("py:{guesses}*"))


def test_a_public_match_takes_any_code(usecases: UseCases, codes: JoinCodes) -> None:
    for _ in range(FEW.client + 1):
        codes.require_guess(record(), WRONG, "stranger")
