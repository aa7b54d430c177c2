"""The composition root: the one place that puts the parts together."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import cache

from flask import Flask
from werkzeug.middleware.proxy_fix import ProxyFix

from .api import contract, cors, measuring, openapi, problems
from .api.application import Application
from .api.routes import OPERATIONS
from .counting import UNCOUNTED
from .following import Follower
from .identity import SYSTEM_ENTROPY, Entropy
from .metrics import Metrics
from .presence import Presence
from .settings import Settings, SettingsError
from .store.redis import RedisStore
from .streaming import Hub
from .thinking import Thinking
from .ticker import Ticker
from .usecases import UseCases


def system_clock() -> int:
    """Give the time in Unix milliseconds."""
    return time.time_ns() // 1_000_000


def create_app(
    settings: Settings, *, entropy: Entropy = SYSTEM_ENTROPY, clock: Callable[[], int] = system_clock
) -> Flask:
    """Make the application.

    Args:
        settings: what the operator chose; `redis_url` must be there.
        entropy: where ids, tokens and seeds come from; only tests give another.
        clock: gives the time in Unix milliseconds; only tests give another.

    Raises:
        SettingsError: there is no store to connect to.
    """
    if settings.redis_url is None:
        raise SettingsError("REDIS_URL is not set: `pis-yedili` starts a store of its own, this server does not.")
    counting = Metrics() if settings.metrics else UNCOUNTED
    store = RedisStore(
        settings.redis_url,
        ttl_seconds=settings.match_ttl_seconds,
        timeout_seconds=settings.store_timeout_seconds,
        counting=counting,
    )
    timeout = settings.store_timeout_seconds
    hub = Hub(store)
    presence = Presence(store, hub, timeout_seconds=timeout)
    usecases = UseCases(
        store,
        ttl_seconds=settings.match_ttl_seconds,
        clock=clock,
        entropy=entropy,
        thinking=Thinking(settings.bot_cpu_percent / 100, counting, search_ms=settings.bot_search_ms),
        bot_pause_ms=settings.bot_pause_ms,
        counting=counting,
        present=presence.seats,
    )
    app = Application(__name__, static_folder=None)
    app.config["WEBHOOKS_ALLOW_PRIVATE"] = settings.webhooks_allow_private
    app.url_map.merge_slashes = False
    app.url_map.strict_slashes = False
    app.extensions["contract"] = cache(lambda: openapi.document(OPERATIONS))
    if settings.trusted_proxies:
        app.wsgi_app = ProxyFix(  # type: ignore[method-assign]  # Flask's documented way to add middleware
            app.wsgi_app, x_for=settings.trusted_proxies, x_proto=0
        )
    problems.register(app)
    cors.register(app, settings.cors_origins)
    ticker = Ticker(store, usecases, clock=clock, timeout_seconds=timeout)
    app.extensions |= {"hub": hub, "store": store, "ticker": ticker, "presence": presence, "counting": counting}
    follower = Follower(
        store,
        hub,
        presence,
        max_streams=settings.max_streams,
        timeout_seconds=timeout,
        ttl_seconds=settings.match_ttl_seconds,
        entropy=entropy,
        counting=counting,
    )
    contract.register(app, OPERATIONS, contract.Parts(usecases, follower, settings.api_keys, timeout))
    if settings.metrics:
        app.wsgi_app = measuring.measured(app.wsgi_app, counting)  # type: ignore[assignment]  # middleware, as above
    return app
