"""The process that delivers webhooks: its command line, its parts, its end."""

from __future__ import annotations

import argparse
import os
import signal
import sys
import time
from collections.abc import Sequence

import gevent
from gevent.socket import wait_read

from ..counting import UNCOUNTED
from ..errors import StoreUnavailable
from ..metrics import Metrics
from ..serving import ADDRESS_NAME, EXIT_WRONG_SETTINGS, log_like_gunicorn, settings_or_exit
from ..settings import Settings
from ..store.outbox import Outbox
from ..store.redis import RedisStore
from .deliverer import Deliverer
from .sending import Sender

_STDIN = 0


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line; without arguments, deliver until SIGTERM or SIGINT.

    Args:
        arguments: the words after the program's name; those of the process if None.

    Raises:
        SystemExit: for `--help`, a wrong argument, a wrong setting, and a store that does not answer `--dead`.
    """
    parser = argparse.ArgumentParser(prog="python -m service.webhooks", description="Deliver webhooks.")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--dead", action="store_true", help="print the messages that were given up, one JSON a line")
    what.add_argument("--tied", action="store_true", help="end when the standard input ends, too")
    asked = parser.parse_args(arguments)
    settings = settings_or_exit()
    url = _store_url(settings)
    outbox = Outbox(url, settings.store_timeout_seconds)
    if asked.dead:
        _print_dead(outbox)
    else:
        log_like_gunicorn()
        _deliver(settings, url, outbox, is_tied=asked.tied)
    outbox.close()


def _store_url(settings: Settings) -> str:
    try:
        return settings.redis_url or (settings.data_dir / ADDRESS_NAME).read_text()
    except OSError:
        print(f"pis-yedili: REDIS_URL is not set, and no service has run in {settings.data_dir}", file=sys.stderr)
        raise SystemExit(EXIT_WRONG_SETTINGS) from None


def _print_dead(outbox: Outbox) -> None:
    try:
        for story in outbox.dead():
            print(story.decode())
    except StoreUnavailable as error:
        print(f"pis-yedili: {error}", file=sys.stderr)
        raise SystemExit(1) from None


def _deliver(settings: Settings, url: str, outbox: Outbox, *, is_tied: bool) -> None:
    store = RedisStore(url, ttl_seconds=settings.match_ttl_seconds, timeout_seconds=settings.store_timeout_seconds)
    timeout_seconds = settings.webhooks_timeout_seconds
    is_counted = settings.metrics and "PROMETHEUS_MULTIPROC_DIR" in os.environ  # those of a service beside it
    deliverer = Deliverer(
        store,
        outbox,
        Sender(timeout_seconds=timeout_seconds, allow_private=settings.webhooks_allow_private),
        clock=lambda: time.time_ns() // 1_000_000,
        retry_seconds=settings.webhooks_retry_seconds,
        timeout_seconds=timeout_seconds,
        ttl_seconds=settings.match_ttl_seconds,
        counting=Metrics() if is_counted else UNCOUNTED,
    )
    for number in (signal.SIGTERM, signal.SIGINT):
        gevent.signal_handler(number, deliverer.stop)
    if is_tied:
        gevent.spawn(_stop_at_end_of_input, deliverer)
    deliverer.run()
    store.close()


def _stop_at_end_of_input(deliverer: Deliverer) -> None:
    wait_read(_STDIN)
    while os.read(_STDIN, 1024):
        wait_read(_STDIN)
    deliverer.stop()
