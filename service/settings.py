"""The settings of the service: read once from the environment, checked, then frozen."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, cast
from urllib.parse import parse_qs, urlsplit

from marshmallow import EXCLUDE, Schema, ValidationError, fields
from marshmallow.validate import OneOf, Range

from .app_keys import AppKey, read_app_keys
from .store.address import CLUSTER, SENTINEL, names_several, place, read_servers

AppendFsync = Literal["everysec", "always", "no"]
REDIS_SCHEMES = ("redis://", "rediss://", "unix://", f"{SENTINEL}://", f"{CLUSTER}://")
WEEK_SECONDS = 7 * 24 * 60 * 60
WEBHOOKS_RETRY_SECONDS = (5.0, 30.0, 120.0, 600.0, 1800.0, 7200.0, 21_600.0, 54_000.0)
"""Nine attempts, over a day."""
_LISTS = ("API_KEYS", "CORS_ORIGINS")


class SettingsError(ValueError):
    """Variables of the environment hold values that cannot be used; the text, one line, names them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What an operator can choose. Every field is the environment variable of the same name in capitals.

    Attributes:
        redis_url: The store, as `redis://`, `rediss://`, `unix://`, `redis+sentinel://` or `redis+cluster://`; without
            it the service starts its own.
        data_dir: Where the store that the service starts itself keeps its files.
        host: The address to listen on.
        port: The TCP port to listen on, 0 for any free one.
        workers: The number of worker processes.
        match_ttl_seconds: A match without a change for so long is forgotten.
        appendfsync: How often the service's own store forces its file to the disk.
        api_keys: The keys of client applications with their names; if empty, no key is asked for.
        cors_origins: The origins whose pages browsers let call the service; if empty, only its own.
        store_timeout_seconds: How long one request may wait for the store.
        max_streams: Streams and long polls that one worker may hold open.
        trusted_proxies: How many proxies stand in front, each of which adds to `X-Forwarded-For` who asked it.
        bot_cpu_percent: What part of its time one worker may let bots search for moves.
        bot_search_ms: How long a `hard` bot takes for a move.
        bot_pause_ms: The pause between two moves of a match that no human plays.
        metrics: Whether the service counts what it does, for `/metrics`.
        webhooks_processes: How many deliverers of webhooks run beside the workers, if there are app keys.
        webhooks_timeout_seconds: How long an attempt to send to a webhook may take.
        webhooks_retry_seconds: How long to wait after each attempt that failed; after one more, a message is given up.
        webhooks_allow_private: Whether webhooks may have addresses that are not public, and do without encryption.
    """

    redis_url: str | None
    data_dir: Path
    host: str
    port: int
    workers: int
    match_ttl_seconds: int
    appendfsync: AppendFsync
    api_keys: tuple[AppKey, ...]
    cors_origins: tuple[str, ...]
    store_timeout_seconds: float
    max_streams: int
    trusted_proxies: int
    bot_cpu_percent: int
    bot_search_ms: int
    bot_pause_ms: int
    metrics: bool
    webhooks_processes: int
    webhooks_timeout_seconds: float
    webhooks_retry_seconds: tuple[float, ...]
    webhooks_allow_private: bool

    @property
    def store_place(self) -> str:
        """Where the store is, without user, password and options, to be shown."""
        if self.redis_url is None:
            return str(self.data_dir)
        if names_several(self.redis_url):
            return place(self.redis_url)
        parts = urlsplit(self.redis_url)
        host, database = parts.netloc.rpartition("@")[2], parse_qs(parts.query).get("db", [])
        return f"{parts.scheme}://{host}{parts.path}" + "".join(f"?db={number}" for number in database)

    @classmethod
    def from_env(cls, environ: Mapping[str, str] | None = None) -> Settings:
        """Read the settings.

        Args:
            environ: The variables to read; the environment of the process if None. An empty value counts
                as not set, and so do spaces, but for lists.

        Returns:
            The settings, checked.

        Raises:
            SettingsError: If a variable holds a value that cannot be used.
        """
        found = os.environ if environ is None else environ
        variables = {name: value.strip() for name, value in found.items() if _is_set(name, value)}
        variables.setdefault("DATA_DIR", str(_default_data_dir(variables)))
        try:
            return cls(**_Variables().load(variables))
        except ValidationError as error:
            messages = cast("dict[str, list[str]]", error.messages)
            complaints = [f"{name}: {' '.join(messages[name])}" for name in sorted(messages)]
            raise SettingsError("; ".join(complaints)) from error


def _is_set(name: str, value: str) -> bool:
    return bool(value if name in _LISTS else value.strip())  # who sets a list, of keys say, means it


def _default_data_dir(variables: Mapping[str, str]) -> Path:
    if sys.platform == "darwin":
        return Path("~/Library/Application Support/pis-yedili")
    state_home = Path(variables.get("XDG_STATE_HOME", ""))
    if not state_home.is_absolute():  # unset, or relative, which the XDG specification says to ignore
        state_home = Path("~/.local/state")
    return state_home / "pis-yedili"


def _check_redis_url(url: str) -> None:
    """Refuse an address that cannot be used; it may hold a password, so nothing of it is repeated."""
    if not url.startswith(REDIS_SCHEMES):
        raise ValidationError(f"Must start with {', '.join(REDIS_SCHEMES)}.")
    try:
        if names_several(url):
            read_servers(url)
            return
    except ValueError as error:
        raise ValidationError(str(error)) from None
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        raise ValidationError("Must have a host and, after a colon, a port from 0 to 65535.") from None
    path = "" if parts.scheme == "unix" else parts.path.removeprefix("/")
    for database in (path, *parse_qs(parts.query).get("db", [])):
        if not re.fullmatch("[0-9]{0,5}", database, re.ASCII):
            raise ValidationError("Must name the database by its number.")


def _check_origins(origins: tuple[str, ...]) -> None:
    for origin in origins:
        if not re.fullmatch(r"[a-z][a-z0-9+.-]*://[^\sA-Z/?#@*]+", origin):
            raise ValidationError(f"{origin} is not an origin as browsers write it, such as https://play.example.org.")


class _Folder(fields.String):
    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        try:
            return Path(super()._deserialize(value, attr, data, **kwargs)).expanduser().absolute()
        except RuntimeError as error:  # no home folder is known
            raise ValidationError(f"{error} Set an absolute path.") from error


class _CommaList(fields.String):
    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        text = super()._deserialize(value, attr, data, **kwargs)
        parts = tuple(part.strip() for part in text.split(",") if part.strip())
        if not parts:  # who sets it means it
            raise ValidationError("Names nothing. Take the variable away if that is meant.")
        return parts


class _AppKeys(_CommaList):
    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        try:
            return read_app_keys(super()._deserialize(value, attr, data, **kwargs))
        except ValueError as error:
            raise ValidationError(str(error)) from None


def _switch(name: str, *, usually: bool) -> fields.Boolean:
    return fields.Boolean(
        data_key=name,
        load_default=usually,
        truthy={"on"},
        falsy={"off"},
        error_messages={"invalid": "Must be on or off."},
    )


class _Seconds(_CommaList):
    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        parts = super()._deserialize(value, attr, data, **kwargs)
        if not all(re.fullmatch(r"[0-9]{1,6}(\.[0-9]{1,3})?", part, re.ASCII) for part in parts):
            raise ValidationError("Must be numbers of seconds, with commas between.")
        return tuple(map(float, parts))


class _Variables(Schema):
    """How each variable is read; its names are those of the environment."""

    class Meta:
        unknown = EXCLUDE

    redis_url = fields.String(data_key="REDIS_URL", load_default=None, validate=_check_redis_url)
    data_dir = _Folder(data_key="DATA_DIR", required=True)
    host = fields.String(data_key="HOST", load_default="127.0.0.1")
    port = fields.Integer(data_key="PORT", load_default=8000, validate=Range(0, 65535))
    workers = fields.Integer(data_key="WORKERS", load_default=2, validate=Range(1, 256))
    match_ttl_seconds = fields.Integer(data_key="MATCH_TTL_SECONDS", load_default=WEEK_SECONDS, validate=Range(min=1))
    appendfsync = fields.String(
        data_key="APPENDFSYNC", load_default="everysec", validate=OneOf(("everysec", "always", "no"))
    )
    api_keys = _AppKeys(data_key="API_KEYS", load_default=())
    cors_origins = _CommaList(data_key="CORS_ORIGINS", load_default=(), validate=_check_origins)
    max_streams = fields.Integer(data_key="MAX_STREAMS", load_default=2000, validate=Range(1, 100_000))
    trusted_proxies = fields.Integer(data_key="TRUSTED_PROXIES", load_default=0, validate=Range(0, 10))
    bot_cpu_percent = fields.Integer(data_key="BOT_CPU_PERCENT", load_default=25, validate=Range(0, 100))
    bot_search_ms = fields.Integer(data_key="BOT_SEARCH_MS", load_default=50, validate=Range(5, 200))
    bot_pause_ms = fields.Integer(data_key="BOT_PAUSE_MS", load_default=500, validate=Range(0, 60_000))
    metrics = _switch("METRICS", usually=True)
    webhooks_processes = fields.Integer(data_key="WEBHOOKS_PROCESSES", load_default=1, validate=Range(0, 64))
    webhooks_timeout_seconds = fields.Float(
        data_key="WEBHOOKS_TIMEOUT_SECONDS",
        load_default=10.0,
        validate=Range(min=0, min_inclusive=False, max=60),
    )
    webhooks_retry_seconds = _Seconds(data_key="WEBHOOKS_RETRY_SECONDS", load_default=WEBHOOKS_RETRY_SECONDS)
    webhooks_allow_private = _switch("WEBHOOKS_ALLOW_PRIVATE", usually=False)
    store_timeout_seconds = fields.Float(
        data_key="STORE_TIMEOUT_SECONDS",
        load_default=3.0,
        validate=Range(min=0, min_inclusive=False, max=3600),
    )
