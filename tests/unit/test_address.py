"""Addresses of stores of several servers."""

from __future__ import annotations

import pytest

from service.store.address import Servers, names_several, read_servers


def test_an_address_names_sentinels_the_service_and_the_database() -> None:
    read = read_servers("redis+sentinel://one:26380,two,[::1]:1/my%20master/3")
    assert read == Servers((("one", 26380), ("two", 26379), ("::1", 1)), {}, {}, "my master", 3)
    assert (
        read_servers("redis+sentinel://one/main").database == read_servers("redis+sentinel://one/main/").database == 0
    )


def test_an_address_names_nodes_of_a_cluster() -> None:
    for path in ("", "/", "/0"):
        read = read_servers(f"redis+cluster://one:7000,two{path}")
        assert read == Servers((("one", 7000), ("two", 6379)), {}, {}, "", 0)


def test_servers_and_sentinels_have_logins_of_their_own() -> None:
    read = read_servers(
        "redis+sentinel://ay%C5%9Fe:p%40ss%2C@one,two/x?sentinel_username=w%C5%9F&sentinel_password=%26"
    )
    assert read.servers == (("one", 26379), ("two", 26379))
    assert read.login == {"username": "ayşe", "password": "p@ss,"}
    assert read.sentinel_login == {"username": "wş", "password": "&"}
    assert read_servers("redis+cluster://:secret@one").login == {"password": "secret"}


@pytest.mark.parametrize(
    "url,why",
    [
        ("redis+sentinel://:secret@one", "SERVICE"),
        ("redis+sentinel://:secret@one/", "SERVICE"),
        ("redis+sentinel://:secret@one/main/first", "SERVICE"),
        ("redis+sentinel://:secret@one/main/1/2", "SERVICE"),
        ("redis+sentinel:///main", "hosts"),
        ("redis+sentinel://:secret@one,,two/main", "hosts"),
        ("redis+sentinel://:secret@one:port/main", "port"),
        ("redis+sentinel://:secret@one:65536/main", "port"),
        ("redis+sentinel://:secret@one:0/main", "port"),
        ("redis+sentinel://one/main?password=secret", "sentinel_password"),
        ("redis+cluster://", "hosts"),
        ("redis+cluster://:secret@one/1", "no database but 0"),
        ("redis+cluster://:secret@one?sentinel_password=secret", "options"),
        ("redis+cluster://:secret@[::1", "hosts"),
        ("redis+cluster://:sec/ret@one", "no other path|percent-encoded"),
    ],
)
def test_an_address_that_cannot_be_used_is_refused_with_the_reason_and_never_repeated(url: str, why: str) -> None:
    with pytest.raises(ValueError, match=why) as refused:
        read_servers(url)
    assert "secret" not in str(refused.value)


def test_other_addresses_are_of_one_server() -> None:
    assert names_several("redis+sentinel://one/x")
    assert names_several("redis+cluster://one")
    for url in ("redis://one", "rediss://one", "unix:///one", "rediss+cluster://one"):
        assert not names_several(url)
