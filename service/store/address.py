"""The addresses of stores of several servers, behind sentinels or in a cluster, as `REDIS_URL` gives them."""

from __future__ import annotations

import re
from typing import Final, NamedTuple
from urllib.parse import parse_qsl, unquote, urlsplit

SENTINEL: Final = "redis+sentinel"
CLUSTER: Final = "redis+cluster"
_PORTS: Final = {SENTINEL: 26379, CLUSTER: 6379}
_OPTIONS: Final = ("sentinel_username", "sentinel_password")
# The standard library knows addresses of one host only.
_URL: Final = re.compile("([^:]+)://(?:([^:/?@]*)(?::([^/?]*))?@)?([^/?@]*)(/[^?]*)?(?:[?](.*))?")
_WRONG_HOSTS: Final = (
    "Must name hosts with commas between, each with a port from 1 to 65535 after a colon or none; user and password "
    "stand before them, percent-encoded."
)

Server = tuple[str, int]
"""The host and the port of a server."""


class Servers(NamedTuple):
    """What an address tells.

    Attributes:
        servers: the sentinels, or the nodes of the cluster that are asked for the others.
        login: `username` and `password` for the servers that keep the matches, as far as they are given.
        sentinel_login: the same for the sentinels.
        service: the name by which the sentinels know the master; empty for a cluster.
        database: its number.
    """

    servers: tuple[Server, ...]
    login: dict[str, str]
    sentinel_login: dict[str, str]
    service: str
    database: int


def names_several(url: str) -> bool:
    """Tell whether an address is of this kind."""
    return url.startswith((f"{SENTINEL}://", f"{CLUSTER}://"))


def read_servers(url: str) -> Servers:
    """Read `redis+sentinel://[USER:PASSWORD@]HOST[:PORT],…/SERVICE[/DATABASE]` or `redis+cluster://…` without a path.

    The options `sentinel_username` and `sentinel_password` may follow the former, as those of any URL.

    Raises:
        ValueError: it cannot be used; the text says why, and repeats nothing of it, because it may hold a password.
    """
    scheme, username, password, hosts, path, query = _parts(url)
    service, database = _read_path(scheme, path)
    options = dict(parse_qsl(query, keep_blank_values=True))
    if options.keys() - (_OPTIONS if scheme == SENTINEL else ()):
        raise ValueError(f"Knows no options but, for {SENTINEL}://, {' and '.join(_OPTIONS)}.")
    return Servers(
        tuple(_read_server(host, _PORTS[scheme]) for host in hosts.split(",")),
        {name: unquote(word) for name, word in (("username", username), ("password", password)) if word},
        {name.removeprefix("sentinel_"): word for name, word in options.items() if word},
        service,
        database,
    )


def place(url: str) -> str:
    """Give an address of this kind without user, password and options, to be shown."""
    scheme, _, _, hosts, path, _ = _parts(url)
    return f"{scheme}://{hosts}{path}"


def _parts(url: str) -> tuple[str, ...]:
    found = _URL.fullmatch(url)
    if not found:
        raise ValueError(_WRONG_HOSTS)
    return found.groups("")


def _read_server(text: str, usual_port: int) -> Server:
    try:
        parts = urlsplit(f"//{text}")
        host, port = parts.hostname, parts.port
    except ValueError:
        raise ValueError(_WRONG_HOSTS) from None
    if not host or port == 0:
        raise ValueError(_WRONG_HOSTS)
    return host, port or usual_port


def _read_path(scheme: str, path: str) -> tuple[str, int]:
    if scheme == CLUSTER:
        if path not in ("", "/", "/0"):
            raise ValueError("A cluster has no database but 0, and no other path.")
        return "", 0
    found = re.fullmatch("/([^/]+)(?:/([0-9]{0,5}))?", path, re.ASCII)
    if not found:
        raise ValueError("Must name, after the hosts, /SERVICE as the sentinels know it, or /SERVICE/DATABASE.")
    return unquote(found[1]), int(found[2] or 0)
