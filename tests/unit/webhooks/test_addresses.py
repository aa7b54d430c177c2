"""Where webhooks may lead: public addresses, by their names too."""

from __future__ import annotations

import socket
from ipaddress import ip_address
from typing import Any

import pytest

from service.webhooks.addresses import Forbidden, addresses, fault_of, is_public

PUBLIC = ["8.8.8.8", "93.184.215.14", "2606:4700:4700::1111", "64:ff9b::808:808", "2002:808:808::1"]
PRIVATE = [
    *("0.0.0.0", "10.0.0.1", "100.64.0.1", "127.0.0.1", "127.1.2.3", "169.254.169.254", "172.16.0.1", "192.168.1.1"),
    *("192.0.2.1", "198.18.0.1", "224.0.0.1", "239.1.1.1", "240.0.0.1", "255.255.255.255"),
    *("::", "::1", "::127.0.0.1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:0:127.0.0.1"),
    *("64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe", "64:ff9b:1::1", "2002:7f00:1::1", "2001:0:4136:e378::1"),
    *("192.88.99.1", "3fff::1"),
    *("fc00::1", "fd12::1", "fe80::1", "fe80::1%1", "fec0::1", "ff02::1", "2001:db8::1", "100::1"),
]


def resolve_to(monkeypatch: pytest.MonkeyPatch, *found: str) -> list[str]:
    """Let every name stand for some addresses, and give the names that are looked up from then on."""
    asked = []

    def getaddrinfo(host: str, port: int, **_: object) -> list[Any]:
        asked.append(host)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in found]

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    return asked


@pytest.mark.parametrize("address", PUBLIC)
def test_a_public_address_is_one(address: str) -> None:
    assert is_public(ip_address(address))


@pytest.mark.parametrize("address", PRIVATE)
def test_what_is_private_local_reserved_or_leads_there_is_not_public(address: str) -> None:
    assert not is_public(ip_address(address))


def test_a_name_is_given_by_its_addresses(monkeypatch: pytest.MonkeyPatch) -> None:
    resolve_to(monkeypatch, "8.8.8.8", "8.8.8.8", "2606:4700:4700::1111")
    assert addresses("app.example", 443, allow_private=False) == ["8.8.8.8", "2606:4700:4700::1111"]


@pytest.mark.parametrize("private", PRIVATE)
def test_a_name_with_one_address_that_is_not_public_is_forbidden(private: str, monkeypatch: pytest.MonkeyPatch) -> None:
    resolve_to(monkeypatch, "8.8.8.8", private)
    with pytest.raises(Forbidden) as forbidden:
        addresses("app.example", 443, allow_private=False)
    assert private not in str(forbidden.value)
    assert addresses("app.example", 443, allow_private=True) == ["8.8.8.8", private]


@pytest.mark.parametrize("host", ["127.1", "2130706433", "0x7f.1", "localhost"])
def test_other_ways_to_write_loopback_are_forbidden_too(host: str) -> None:
    with pytest.raises(Forbidden):
        addresses(host, 443, allow_private=False)


def test_a_name_that_stands_for_nothing_or_is_none_is_forbidden(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(Forbidden):
        addresses(f"{'a' * 64}.example", 443, allow_private=False)
    resolve_to(monkeypatch)
    with pytest.raises(Forbidden):
        addresses("app.example", 443, allow_private=True)


@pytest.mark.parametrize("url", ["http://app.example/", "https://127.0.0.1/", "https://10.1.2.3:8443/hooks"])
def test_what_can_be_told_at_once_is_told(url: str) -> None:
    assert url not in (fault_of(url) or url)


@pytest.mark.parametrize("url", ["https://app.example/hooks", "https://8.8.8.8", "https://app.example:8443/a?b=c"])
def test_a_name_is_judged_when_something_is_sent(url: str) -> None:
    assert fault_of(url) is None
