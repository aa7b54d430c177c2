"""The lobby lists what is there, and mends what is not true any more."""

from __future__ import annotations

from typing import Any

import pytest

from service.lobby import Lobby
from service.record import FORMAT, encode_record
from service.store.base import Place
from service.store.redis import RedisStore
from service.usecases import UseCases
from tests.tables import Table, commit, record


@pytest.fixture
def lobby(store: RedisStore) -> Lobby:
    return Lobby(store)


def ids(lobby: Lobby, status: str | None = None, beyond: Place | None = None, limit: int = 99) -> list[str]:
    return [found.match_id for found in lobby.page(status, beyond, limit)[0]]


def forget(database: Any, table: Table) -> None:
    database.delete(f"py:{{{table.match_id}}}")


def listed(database: Any, key: str = "all") -> int:
    return int(database.zcard(f"py:{{lobby}}:{key}"))


def test_only_public_matches_are_listed(usecases: UseCases, lobby: Lobby) -> None:
    Table(usecases, visibility="private")
    public = Table(usecases)
    assert ids(lobby) == [public.match_id]


def test_an_entry_shows_who_sits_and_what_is_free_and_nothing_of_the_cards(usecases: UseCases) -> None:
    table = Table(usecases, 3)
    [entry], _ = usecases.lobby("waiting", None, 9)
    assert entry["players"] == [{"seat": 0, "name": "Player 0"}]
    assert entry["free_seats"] == [1, 2]
    assert entry["rules"]["preset"] == "classic"
    assert {"deal", "you", "commitment", "join_code"}.isdisjoint(entry)
    assert entry["id"] == table.match_id


def test_a_match_is_listed_under_the_status_that_it_has(usecases: UseCases, lobby: Lobby) -> None:
    table = Table(usecases)
    assert ids(lobby, "waiting") == [table.match_id]
    table.fill()
    table.start()
    assert ids(lobby, "waiting") == []
    assert ids(lobby, "playing") == ids(lobby) == [table.match_id]
    left = Table(usecases)
    left.leave(0)
    assert ids(lobby, "abandoned") == [left.match_id]
    assert set(ids(lobby)) == {table.match_id, left.match_id}


def test_pages_follow_each_other_to_the_end(usecases: UseCases, lobby: Lobby) -> None:
    made = [Table(usecases).match_id for _ in range(5)]
    found, beyond = [], None
    sizes = []
    while True:
        records, beyond = lobby.page(None, beyond, 2)
        found += [record.match_id for record in records]
        sizes.append(len(records))
        if beyond is None:
            break
    assert sorted(found) == sorted(made)
    assert sizes == [2, 2, 1]


def test_a_page_that_holds_exactly_all_has_no_next_one(usecases: UseCases, lobby: Lobby) -> None:
    made = [Table(usecases).match_id for _ in range(2)]
    records, beyond = lobby.page(None, None, 2)
    assert len(records) == len(made)
    assert beyond is None
    assert lobby.page(None, None, 1)[1] is not None


def test_an_expired_match_is_dropped_by_who_comes_across_it(usecases: UseCases, lobby: Lobby, database: Any) -> None:
    gone, there = Table(usecases), Table(usecases)
    forget(database, gone)
    assert listed(database) == 2
    assert ids(lobby, limit=1) == [there.match_id]
    assert listed(database) == listed(database, "waiting") == 1


def test_a_page_is_filled_from_beyond_expired_matches(usecases: UseCases, lobby: Lobby, database: Any) -> None:
    there = Table(usecases)
    for _ in range(7):
        forget(database, Table(usecases))
    assert ids(lobby, limit=1) == [there.match_id]


def test_a_match_that_is_listed_under_another_status_is_moved(
    usecases: UseCases, lobby: Lobby, store: RedisStore, database: Any
) -> None:
    table = Table(usecases)
    store.publish(Place(table.record.created_ms, table.match_id), "playing")
    assert ids(lobby, "waiting") == []
    assert ids(lobby, "playing") == []
    assert ids(lobby, "waiting") == [table.match_id]
    assert listed(database, "playing") == 0


def test_a_match_in_another_format_is_passed_over_and_stays(
    usecases: UseCases, lobby: Lobby, store: RedisStore, database: Any
) -> None:
    for match_id, state in (("later", b'{"format": %d}' % (FORMAT + 1)), ("compressed", b"\x28\xb5\x2f\xfd")):
        store.commit(match_id, commit(0, 1, state))
        store.publish(Place(1, match_id), "waiting")
    table = Table(usecases)
    assert ids(lobby) == ids(lobby, "waiting") == [table.match_id]
    assert listed(database) == 3


def test_every_creation_sweeps_some_expired_matches_out(usecases: UseCases, database: Any) -> None:
    for _ in range(10):
        forget(database, Table(usecases))
    for _ in range(30):
        Table(usecases, visibility="private")
    assert listed(database) == 0


def test_entering_a_private_match_lists_nothing(lobby: Lobby, store: RedisStore) -> None:
    lobby.enter(record(visibility="private"))
    assert store.published(None, None, 9) == []
    lobby.enter(record())
    assert store.published("waiting", None, 9) == [Place(record().created_ms, "match")]
    store.commit("match", commit(0, 1, encode_record(record())))
    assert ids(lobby) == ["match"]
