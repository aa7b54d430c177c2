"""The lobby lists what is there, and mends what is not true any more."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

import pytest

from service.lobby import Lobby, Search
from service.record import FORMAT, Record, decode_record, encode_record
from service.store.base import Place, Stored
from service.store.redis import RedisStore
from service.usecases import UseCases
from tests.tables import NOW_MS, Table, commit, record


@pytest.fixture
def lobby(store: RedisStore) -> Lobby:
    return Lobby(store)


def ids(lobby: Lobby, status: str | None = None, beyond: Place | None = None, limit: int = 99) -> list[str]:
    return [found.match_id for found in lobby.page(Search(status), beyond, limit)[0]]


def enter(lobby: Lobby, store: RedisStore, number: int, **members: Any) -> None:
    """Keep and list a match, the newer the higher its number."""
    match = record(match_id=f"{number:017}", created_ms=NOW_MS + number, **members)
    store.commit(match.match_id, commit(0, match.version, encode_record(match)))
    lobby.enter(match)


def change(store: RedisStore, number: int, **members: Any) -> Record:
    """Keep a match with other members than it had."""
    stored = store.load(f"{number:017}").stored
    assert stored is not None
    match = decode_record(f"{number:017}", stored.version, stored.state)._replace(version=stored.version + 1, **members)
    store.commit(match.match_id, commit(stored.version, match.version, encode_record(match)))
    return match


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
    [entry], _ = usecases.lobby(Search("waiting"), None, 9)
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
        records, beyond = lobby.page(Search(), beyond, 2)
        found += [record.match_id for record in records]
        sizes.append(len(records))
        if beyond is None:
            break
    assert sorted(found) == sorted(made)
    assert sizes == [2, 2, 1]


def test_a_page_that_holds_exactly_all_has_no_next_one(usecases: UseCases, lobby: Lobby) -> None:
    made = [Table(usecases).match_id for _ in range(2)]
    records, beyond = lobby.page(Search(), None, 2)
    assert len(records) == len(made)
    assert beyond is None
    assert lobby.page(Search(), None, 1)[1] is not None


def test_filters_find_what_has_these_seats_this_preset_and_this_status(usecases: UseCases, lobby: Lobby) -> None:
    three = Table(usecases, 3)
    oyunes = Table(usecases, 2, rules={"preset": "oyunes", "deals": 2})
    playing = Table(usecases, 3).fill()
    playing.start()

    def found(**search: Any) -> list[str]:
        return [record.match_id for record in lobby.page(Search(**search), None, 99)[0]]

    assert set(found(seats=3)) == {three.match_id, playing.match_id}
    assert found(seats=3, status="waiting") == [three.match_id]
    assert found(preset="oyunes") == [oyunes.match_id]
    assert found(preset="oyunes", seats=3) == found(seats=10) == []


def test_a_page_looks_at_a_bounded_number_of_matches_and_the_next_one_goes_on(
    lobby: Lobby, store: RedisStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(300):
        enter(lobby, store, number, seats=3 if number == 0 else 2)
    looked_at: list[int] = []
    load_many = store.load_many

    def counted(match_ids: Sequence[str]) -> list[Stored | None]:
        looked_at[-1] += len(match_ids)
        return load_many(match_ids)

    monkeypatch.setattr(store, "load_many", counted)
    found, beyond = [], None
    while not looked_at or beyond is not None:
        looked_at.append(0)
        records, beyond = lobby.page(Search("waiting", seats=3), beyond, 20)
        found += [record.match_id for record in records]
    assert found == [f"{0:017}"]
    assert looked_at == [271, 29]


@pytest.mark.parametrize("search", [Search("waiting"), Search("waiting", seats=3), Search()])
def test_no_match_that_stays_is_skipped_or_repeated_while_others_come_and_go(
    lobby: Lobby, store: RedisStore, database: Any, search: Search
) -> None:
    for number in range(90):
        enter(lobby, store, number, seats=2 + number % 2)
    stay = {f"{number:017}" for number in range(90) if number % 3 and search.seats in (None, 2 + number % 2)}

    def come_and_go() -> None:
        for number in range(0, 90, 3):
            enter(lobby, store, 90 + number)
            if number % 2:
                database.delete(f"py:{{{number:017}}}")
            else:
                lobby.enter(change(store, number, status="playing"))

    churn = threading.Thread(target=come_and_go)
    churn.start()
    records, beyond = lobby.page(search, None, 4)
    found = [record.match_id for record in records]
    while beyond is not None:
        records, beyond = lobby.page(search, beyond, 4)
        found += [record.match_id for record in records]
    churn.join()
    assert len(found) == len(set(found))
    assert stay <= set(found)


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
