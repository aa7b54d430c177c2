"""Which addresses a webhook may reach: public ones, unless the operator allows others."""

from __future__ import annotations

import socket
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import Final, TypeAlias
from urllib.parse import urlsplit

Address: TypeAlias = IPv4Address | IPv6Address

_UNICAST: Final = IPv6Network("2000::/3")
"""All that is routed; what lies outside is local, reserved, or stands for another address."""
_NAT64: Final = IPv6Network("64:ff9b::/96")
_LOW_32: Final = 2**32 - 1
_NOBODYS: Final = (IPv4Network("192.88.99.0/24"), IPv6Network("3fff::/20"))
"""Set aside since: a relay that is no more, and examples. Python 3.11 takes them for public."""


class Forbidden(Exception):
    """A receiver that must not be reached; the text says why, and names neither its address nor its URL."""


def is_public(address: Address) -> bool:
    """Tell whether an address is one host's on the public Internet, and does not stand for another that is not."""
    if any(address in network for network in _NOBODYS):
        return False
    if isinstance(address, IPv4Address):
        return address.is_global and not address.is_multicast
    if (inner := _inner(address)) is not None:
        return is_public(inner)
    return address in _UNICAST and address.is_global and address.teredo is None


def _inner(address: IPv6Address) -> IPv4Address | None:
    """Give the IPv4 address that an IPv6 address leads to, by whatever way."""
    if address in _NAT64:
        return IPv4Address(int(address) & _LOW_32)
    return address.ipv4_mapped or address.sixtofour


def fault_of(url: str) -> str | None:
    """Say why a receiver must not be reached, if that can be told before its name is resolved."""
    parts = urlsplit(url)
    if parts.scheme != "https":
        return "Must be https."
    try:
        literal = ip_address(parts.hostname or "")
    except ValueError:
        return None  # a name
    return None if is_public(literal) else "Must be a public address."


def addresses(host: str, port: int, *, allow_private: bool) -> list[str]:
    """Resolve the name of a receiver, and check all that it stands for.

    Args:
        host: the name, or an address.
        port: the TCP port.
        allow_private: whether the operator allows any address.

    Returns:
        The addresses, to be connected to as they are: the name could stand for others the next time.

    Raises:
        Forbidden: one of them is not public, or there is none.
        OSError: the name cannot be resolved.
    """
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except UnicodeError as error:
        raise Forbidden("Its name is none.") from error
    resolved = list(dict.fromkeys(str(sockaddr[0]) for *_, sockaddr in found))
    if not resolved or not (allow_private or all(is_public(ip_address(address)) for address in resolved)):
        raise Forbidden("Its name leads to an address that is not public.")
    return resolved
