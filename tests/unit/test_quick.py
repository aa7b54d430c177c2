"""Quick match seats strangers together: nobody twice, nobody at a table that is no good."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from service import deadline
from service.clocks import Clock
from service.dealings import Admission, BotOrder, NewMatch, NewPlayer
from service.errors import Refusal, StoreUnavailable
from service.gate import LOCK_MS, Gate
from service.idempotency import NOT_REPEATABLE, Once
from service.lobby import Search, fit_of
from service.store.redis import RedisStore
from service.usecases import UseCases
from tests.builders import rules
from tests.client import within
from tests.conftest import TTL_SECONDS, now_ms
from tests.tables import BusyStore, Table, numbered_entropy, once, refusal

CLOCK = Clock(30, 60, 8)


def asking(
    usecases: UseCases, seats: int = 3, *, key: Once = NOT_REPEATABLE, name: str = "A", **more: Any
) -> Admission:
    """Ask for a quick match."""
    seed = more.pop("client_seed", None)
    plain = NewMatch(seats, {}, "Quick", "public", True, name, clock=CLOCK, creator_seed=seed)
    return usecases.quick_match(plain._replace(**more), NewPlayer(name, client_seed=seed), key)


def ids(*admissions: Admission) -> list[str]:
    return [admission.match["id"] for admission in admissions]


def waiting(usecases: UseCases, seats: int = 3, **order: Any) -> Table:
    """A match that fits unless the order says otherwise."""
    usual: dict[str, Any] = {"auto_start": True, "clock": CLOCK}
    return Table(usecases, seats, **(usual | order))


def test_the_first_opens_a_match_and_the_next_ones_fill_it(usecases: UseCases) -> None:
    first, second, third, fourth = (asking(usecases, name=name) for name in "ABCD")
    assert ids(first, second, third) == [first.match["id"]] * 3
    assert [first.seat, second.seat, third.seat, fourth.seat] == [0, 1, 2, 0]
    assert first.match["you"]["is_host"]
    assert (second.match["status"], third.match["status"]) == ("waiting", "playing")
    assert fourth.match["id"] != first.match["id"]
    assert (first.match["visibility"], first.join_code) == ("public", None)


def test_the_oldest_match_is_filled_first(usecases: UseCases) -> None:
    older, newer = waiting(usecases), waiting(usecases)
    assert ids(*(asking(usecases) for _ in range(4))) == [older.match_id] * 2 + [newer.match_id] * 2


@pytest.mark.parametrize(
    "other", [{"seats": 4}, {"rules": {"preset": "oyunes"}}, {"rules": {"deals": 2}}, {"clock": None}]
)
def test_another_kind_of_match_does_not_fit(usecases: UseCases, other: dict[str, Any]) -> None:
    opened = asking(usecases)
    assert ids(asking(usecases, **other)) != ids(opened)
    assert ids(asking(usecases)) == ids(opened)


def test_the_same_rules_in_other_words_fit(usecases: UseCases) -> None:
    opened = asking(usecases)
    assert ids(asking(usecases, rules={"preset": "classic", "deals": 4, "decks": 1})) == ids(opened)
    assert fit_of(3, rules(3, ace="skip", eight="none"), None) == fit_of(3, rules(3, preset="oyunes"), None)


@pytest.mark.parametrize(
    "order",
    [
        {"visibility": "private"},
        {"auto_start": False},
        {"spectators": "hidden"},
        {"spectators": "none"},
        {"bots": [BotOrder("easy")]},
    ],
)
def test_a_match_that_is_not_meant_for_strangers_is_not_given(usecases: UseCases, order: dict[str, Any]) -> None:
    table = waiting(usecases, 3, **order)
    assert asking(usecases).match["id"] != table.match_id


def _start(table: Table, _: Any) -> None:
    table.fill()


def _leave(table: Table, _: Any) -> None:
    table.leave(0)


def _delete(table: Table, _: Any) -> None:
    table.usecases.delete(table.visit(table.host_token, "host"))


def _expire(table: Table, database: Any) -> None:
    database.delete(f"py:{{{table.match_id}}}")


@pytest.mark.parametrize("end", [_start, _leave, _delete, _expire])
def test_a_match_that_waits_no_more_is_not_given(
    usecases: UseCases, database: Any, store: RedisStore, end: Callable[[Table, Any], None]
) -> None:
    tables = [waiting(usecases) for _ in range(7)]
    fit = fit_of(3, rules(3), CLOCK)
    for table in tables:
        end(table, database)
        store.publish(store.published(None, None, 99)[-1]._replace(match_id=table.match_id), "waiting", fit)
    assert asking(usecases).match["id"] not in [table.match_id for table in tables]
    assert len(store.offered(fit, 99)) == 1


def test_a_match_that_somebody_left_is_given_again(usecases: UseCases) -> None:
    table = waiting(usecases)
    table.join()
    table.leave(1)
    assert [asking(usecases).seat for _ in range(2)] == [1, 2]


def test_what_the_opener_adds_to_the_shuffles_counts(usecases: UseCases) -> None:
    opened = asking(usecases, 2, client_seed="mine")
    assert opened.match["you"]["client_seed"] == "mine"
    asking(usecases, 2, client_seed="yours")
    events, _ = usecases.events(usecases.admit(usecases.find(opened.match["id"]), None, "anyone"), 0, 99)
    assert [event["client_seed"] for event in events if event["type"] == "client_seed_set"] == ["mine", "yours"]


def test_the_lobby_lists_what_quick_match_has_opened(usecases: UseCases) -> None:
    opened = asking(usecases)
    assert [entry["id"] for entry in usecases.lobby(Search("waiting"), None, 9)[0]] == ids(opened)


def test_a_repeat_gives_the_same_seat_and_token_to_who_opened_and_who_joined(usecases: UseCases) -> None:
    keys = [once(f"a key of twenty-two chars {number}") for number in range(4)]
    first = [asking(usecases, key=key) for key in keys]
    again = [asking(usecases, key=key) for key in keys]  # the first match plays by now
    for before, after in zip(first, again, strict=True):
        assert (after.match["id"], after.seat, after.token) == (before.match["id"], before.seat, before.token)
        assert (before.replayed, after.replayed) == (False, True)
    assert len({admission.token for admission in first}) == 4
    assert again[0].match["you"]["hand"] is not None


def test_a_key_is_good_for_one_request_and_must_prove_who_repeats_it(usecases: UseCases) -> None:
    asking(usecases, key=once())
    assert refusal(lambda: asking(usecases, key=once(body="another"))).code == "idempotency_key_reused"
    assert refusal(lambda: asking(usecases, key=once("short"))).code == "idempotency_key_invalid"


def failing(store: RedisStore, where: str) -> UseCases:
    """A server that dies once, before or after its commit."""
    died: list[str] = []

    class Dying(BusyStore):
        def commit(self, match_id: str, commit: Any) -> bytes | bool:
            done = self._store.commit(match_id, commit) if died or where == "after" else False
            if not died:
                died.append(match_id)
                raise StoreUnavailable("killed")
            return done

    dying: Any = Dying(store, lambda match_id: None)
    return UseCases(dying, ttl_seconds=TTL_SECONDS, clock=now_ms, entropy=numbered_entropy(3))


@pytest.mark.parametrize("where", ["before", "after"])
@pytest.mark.parametrize("others", [0, 1])
def test_who_was_not_answered_is_seated_once_by_a_repeat(
    usecases: UseCases, store: RedisStore, where: str, others: int
) -> None:
    opened = [asking(usecases) for _ in range(others)]
    dying = failing(store, where)
    with pytest.raises(StoreUnavailable):
        asking(dying, key=once())
    seated = asking(dying, key=once())
    assert (seated.seat, seated.replayed) == (others, where == "after")
    rest = [asking(usecases) for _ in range(2 - others)]
    assert ids(*opened, seated, *rest) == [seated.match["id"]] * 3
    assert rest[-1].match["status"] == "playing"
    assert len(store.published(None, None, 9)) == 1


def test_a_repeat_looks_elsewhere_when_the_chosen_match_has_filled(usecases: UseCases, store: RedisStore) -> None:
    opened = asking(usecases)
    dying = failing(store, "before")
    with pytest.raises(StoreUnavailable):
        asking(dying, key=once())
    asking(usecases), asking(usecases)
    seated = asking(dying, key=once())
    assert (seated.seat, seated.match["id"] == opened.match["id"]) == (0, False)


def test_a_repeat_looks_elsewhere_when_the_chosen_match_has_expired(
    usecases: UseCases, store: RedisStore, database: Any
) -> None:
    opened = asking(usecases)
    asking(usecases, key=once())
    database.delete(f"py:{{{opened.match['id']}}}")
    assert asking(usecases, key=once()).match["id"] != opened.match["id"]


def test_a_seat_that_is_taken_meanwhile_is_looked_for_elsewhere(store: RedisStore, usecases: UseCases) -> None:
    table = waiting(usecases)

    def fill(match_id: str) -> None:
        if match_id == table.match_id and table.record.status == "waiting":
            table.fill()

    busy: Any = BusyStore(store, fill)
    late = UseCases(busy, ttl_seconds=TTL_SECONDS, clock=now_ms, entropy=numbered_entropy(4))
    assert asking(late).match["id"] != table.match_id


def test_who_dies_inside_keeps_the_others_out_for_a_second_at_most(usecases: UseCases, store: RedisStore) -> None:
    store.lock(f"quick:{fit_of(3, rules(3), CLOCK)}", "dead", LOCK_MS)
    began = time.monotonic()
    assert asking(usecases).seat == 0
    assert LOCK_MS / 2000 < time.monotonic() - began < LOCK_MS / 1000 + 2
    began = time.monotonic()
    asking(usecases)
    assert time.monotonic() - began < 0.5


def test_who_waits_too_long_for_the_others_is_told_so(store: RedisStore) -> None:
    store.lock("door", "slow", 5000)
    gate = Gate(store, numbered_entropy(1), patience_seconds=0.5)
    deadline.begin(0.3)
    assert refusal(lambda: gate.alone("door").__enter__()).code == "conflict"
    with gate.alone("another door"):
        assert refusal(lambda: gate.alone("another door").__enter__()).code == "conflict"


def test_through_a_gate_goes_one_at_a_time(store: RedisStore) -> None:
    gates = [Gate(store, numbered_entropy(number)) for number in range(2)]  # as in two servers
    inside = most = 0

    def go(gate: Gate) -> None:
        nonlocal inside, most
        for _ in range(10):
            with gate.alone("door"):
                inside += 1
                most = max(most, inside)
                time.sleep(0.001)
                inside -= 1

    walkers = [threading.Thread(target=go, args=(gate,)) for gate in gates * 3]
    for walker in walkers:
        walker.start()
    for walker in walkers:
        walker.join()
    assert (most, inside) == (1, 0)


def test_who_asks_again_for_a_lock_comes_before_who_asks_later(store: RedisStore) -> None:
    assert store.lock("door", "first", 5000)
    assert not store.lock("door", "second", 5000)
    store.unlock("door", "first")
    assert not store.lock("door", "first", 5000)
    assert store.lock("door", "second", 5000)
    store.unlock("door", "second")
    assert store.lock("door", "third", 5000)  # nobody was waiting any more


def test_who_was_next_and_has_died_keeps_nobody_out_for_long(store: RedisStore) -> None:
    assert store.lock("door", "first", 5000)
    assert not store.lock("door", "dead", 5000)
    store.unlock("door", "first")
    assert within(2, lambda: store.lock("door", "third", 5000))


def test_a_lock_whose_time_was_over_is_not_given_back_by_who_had_it(store: RedisStore) -> None:
    assert store.lock("door", "first", 30)
    assert within(2, lambda: store.lock("door", "second", 5000))
    store.unlock("door", "first")
    assert not store.lock("door", "second", 5000)
    store.unlock("door", "second")
    assert store.lock("door", "second", 5000)


def test_strangers_of_two_applications_do_not_meet(usecases: UseCases) -> None:
    opened = asking(usecases, app="shop")
    assert ids(asking(usecases, app="league"), asking(usecases)) != ids(opened) * 2
    assert ids(asking(usecases, app="shop")) == ids(opened)


def test_of_different_requests_with_one_key_at_once_one_is_carried_out(usecases: UseCases) -> None:
    def ask(seats: int) -> str | None:
        try:
            return str(asking(usecases, seats, key=once(body=f"{seats} seats")).match["id"])
        except Refusal as refused:
            return refused.code

    with ThreadPoolExecutor(4) as pool:
        told = list(pool.map(ask, range(2, 6)))
    assert told.count("idempotency_key_reused") == 3
