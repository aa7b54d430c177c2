"""The folder in which the workers keep their figures: the master makes it and takes it away.

The functions are called by gunicorn's hooks (see deploy/gunicorn.conf.py); as in `serving`, what they know outlives a
reload of that file.
"""

from __future__ import annotations

import importlib
import os
import shutil
import tempfile
from typing import Any

from service.settings import Settings

_folder: str | None = None


def make_folder(settings: Settings) -> None:
    """Make a fresh folder for the figures, if there are to be any, and tell the workers by a variable.

    Args:
        settings: whether anything is counted.
    """
    global _folder
    if settings.metrics:
        _folder = tempfile.mkdtemp(prefix="pis-yedili-metrics-")
        os.environ["PROMETHEUS_MULTIPROC_DIR"] = _folder
        # Now, because it looks for the variable; and here, because the workers then count under the plain lock of the
        # master, which costs a fraction of a green one. Nothing waits while it is held.
        importlib.import_module("prometheus_client")


def forget_worker(worker: Any) -> None:
    """Let the streams that a worker held open count no more; what it counted stays.

    Args:
        worker: gunicorn's worker, which has ended.
    """
    if _folder is not None:
        from prometheus_client.multiprocess import mark_process_dead

        mark_process_dead(worker.pid, _folder)  # type: ignore[no-untyped-call]  # untyped in the library


def leave(worker: Any) -> None:
    """In a worker that ends: write down what is only noted; if the master was killed, remove the folder in its place.

    Args:
        worker: gunicorn's worker.
    """
    if counting := getattr(worker.app.wsgi(), "extensions", {}).get("counting"):
        counting.settle()
    if os.getpid() == worker.pid and os.getppid() != worker.ppid:
        remove_folder()


def remove_folder() -> None:
    """Remove the folder; the workers are gone by then."""
    global _folder
    if _folder is not None:
        shutil.rmtree(_folder, ignore_errors=True)
        _folder = None
