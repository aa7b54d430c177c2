"""The deliverers of webhooks that run beside gunicorn's master: started, started anew, and ended with it.

Each is kept by a shell of one line, which starts it anew if it dies. Both hold the reading end of a pipe, of which the
master alone holds the other: its end is that of the master, however it came about, `SIGKILL` included.
"""

from __future__ import annotations

import contextlib
import subprocess
import sys

from .settings import Settings

STOP_SECONDS = 6.0
KEEPER = 'until "$@" || ! kill -0 "$PPID" 2>/dev/null; do sleep 1; done'
_keepers: list[subprocess.Popen[bytes]] = []


def start_deliverers(settings: Settings) -> None:
    """Start as many deliverers as the operator wants, if there are app keys: without one nobody can ask for webhooks.

    Args:
        settings: the settings; the deliverers read theirs from the environment, `REDIS_URL` too.
    """
    for _ in range(settings.webhooks_processes if settings.api_keys else 0):
        command = [sys.executable, "-m", "service.webhooks", "--tied"]
        _keepers.append(
            subprocess.Popen(
                ["/bin/sh", "-c", KEEPER, "pis-yedili-webhooks", *command],
                stdin=subprocess.PIPE,
                start_new_session=True,  # Ctrl-C reaches every process of the terminal's group
            )
        )


def leave_deliverers_to_master() -> None:
    """In a new worker: hold nothing that keeps a deliverer running once the master is gone."""
    for keeper in _keepers:
        assert keeper.stdin
        keeper.stdin.close()


def stop_deliverers() -> None:
    """Stop the deliverers, which finish what they are sending if that does not take long."""
    for keeper in _keepers:
        assert keeper.stdin
        keeper.stdin.close()
    for keeper in _keepers:
        with contextlib.suppress(subprocess.TimeoutExpired):
            keeper.wait(STOP_SECONDS)
    _keepers.clear()
