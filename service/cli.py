"""The console script `pis-yedili`."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from service import __version__
from service.serving import settings_or_exit

SETTINGS_HELP = """\
settings, all from the environment:
  HOST, PORT              where to listen (127.0.0.1, 8000)
  WORKERS                 number of worker processes (2)
  REDIS_URL               the store: redis://, rediss://, unix://, redis+sentinel://HOST:PORT,…/SERVICE,
                          redis+cluster://HOST:PORT,…; without it the service starts its own
  DATA_DIR                where its own store keeps its data (the user's state folder)
  APPENDFSYNC             how often its own store forces its file to the disk: everysec, always, no
  MATCH_TTL_SECONDS       a match without a change for so long is forgotten (604800)
  STORE_TIMEOUT_SECONDS   how long one request may wait for the store (3)
  MAX_STREAMS             streams and long polls that one worker may hold open (2000)
  API_KEYS                keys of client applications, NAME:KEY or KEY, with commas between; if set, creating takes one
  METRICS                 whether /metrics counts what is done: on, off (on)
  WEBHOOKS_PROCESSES      processes that tell webhooks, if there are app keys (1)
  WEBHOOKS_TIMEOUT_SECONDS how long an attempt to tell a webhook may take (10)
  WEBHOOKS_RETRY_SECONDS  pauses after attempts that failed, with commas between (eight, over a day)
  WEBHOOKS_ALLOW_PRIVATE  whether webhooks may lead to private addresses and do without TLS: on, off (off)
  TRUSTED_PROXIES         proxies in front, whose X-Forwarded-For is believed (0)
  BOT_CPU_PERCENT         what part of its time one worker may let bots search for moves (25)
  BOT_SEARCH_MS           how long a hard bot takes for a move, from 5 to 200 (50)
  BOT_PAUSE_MS            the pause between two moves of a match that no human plays (500)
  CORS_ORIGINS            origins whose pages may call the service, with commas between (none but its own)
"""


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line.

    Args:
        arguments: The words after the program's name; those of the process if None.

    Raises:
        SystemExit: For `--help` and `--version`, for a wrong argument and a wrong setting (status 2).
            Otherwise this process becomes gunicorn.
    """
    parser = argparse.ArgumentParser(
        prog="pis-yedili",
        description="Pis Yedili, the Turkish Crazy Eights, as a REST service.",
        epilog=SETTINGS_HELP,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
    parser.add_argument("command", nargs="?", default="serve", choices=["serve"], help="serve (the default)")
    parser.parse_args(arguments)
    settings_or_exit()
    command = [sys.executable, "-m", "gunicorn", "--config", str(gunicorn_configuration())]
    os.execv(sys.executable, command)  # noqa: S606  # its words are ours, none comes from outside


def gunicorn_configuration() -> Path:
    """Find gunicorn's configuration.

    Returns:
        Its path: beside the package if that was installed from a wheel, else in the checkout.
    """
    package = Path(__file__).parent
    installed = package / "gunicorn.conf.py"
    return installed if installed.exists() else package.parent / "deploy" / "gunicorn.conf.py"
