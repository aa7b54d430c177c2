"""Where a request comes from."""

from __future__ import annotations

from ipaddress import IPv6Network, ip_address
from typing import Final

from flask import request

UNKNOWN: Final = "unknown"
_OWN_BITS: Final = 64
"""The network that one subscriber of IPv6 has whole."""


def client_address() -> str:
    """Tell which client sent the request, as far as addresses tell.

    Returns:
        An address of IPv4, a network of IPv6, or `unknown` for what is neither.
    """
    return client_of(request.remote_addr or "")


def client_of(text: str) -> str:
    """Tell which client an address belongs to; some proxies write a port behind it."""
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        address = ip_address(text)
    except ValueError:
        return UNKNOWN
    if address.version == 4:
        return str(address)
    return str(address.ipv4_mapped or IPv6Network((int(address), _OWN_BITS), strict=False))
