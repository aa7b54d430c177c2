"""Which client sent a request: the address itself, or what the operator's own proxies tell of it."""

from __future__ import annotations

import dataclasses

import pytest
from flask import Flask

from service.api.client import UNKNOWN, client_address, client_of
from service.app import create_app
from service.settings import Settings


@pytest.mark.parametrize(
    "address,client",
    [
        ("192.0.2.7", "192.0.2.7"),
        ("192.0.2.7:49152", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::", "2001:db8:1:2::/64"),
        ("[2001:db8:1:2::9]:49152", "2001:db8:1:2::/64"),
        ("[2001:db8:1:2::9]", "2001:db8:1:2::/64"),
        ("[::ffff:192.0.2.7]", "192.0.2.7"),
        ("fe80::1%eth0", "fe80::/64"),
        ("", UNKNOWN),
        ("_hidden", UNKNOWN),
        ("a:b", UNKNOWN),
    ],
)
def test_a_client_is_an_address_of_ipv4_or_a_network_of_ipv6(address: str, client: str) -> None:
    assert client_of(address) == client


@pytest.fixture
def plain() -> Settings:
    return dataclasses.replace(Settings.from_env({}), redis_url="unix:///nowhere/store.sock")


def told(app: Flask, header: str | None) -> str:
    """Ask with a header from 192.0.2.1, and give the client that the application sees."""
    app.add_url_rule("/who", "who", client_address)
    headers = {} if header is None else {"X-Forwarded-For": header}
    return app.test_client().get("/who", headers=headers, environ_base={"REMOTE_ADDR": "192.0.2.1"}).text


@pytest.mark.parametrize(
    "proxies,header,client",
    [
        (0, "203.0.113.5", "192.0.2.1"),
        (1, "203.0.113.5", "203.0.113.5"),
        (1, "198.51.100.9, 203.0.113.5", "203.0.113.5"),
        (2, "198.51.100.9, 203.0.113.5, 192.0.2.2", "203.0.113.5"),
        (2, "203.0.113.5", "192.0.2.1"),
        (1, None, "192.0.2.1"),
    ],
)
def test_only_what_trusted_proxies_add_is_believed(
    plain: Settings, proxies: int, header: str | None, client: str
) -> None:
    assert told(create_app(dataclasses.replace(plain, trusted_proxies=proxies)), header) == client
