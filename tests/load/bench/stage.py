"""What is measured: the service and the floor, on one store."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

from service.store.embedded import EmbeddedServer
from service.store.redis import RedisStore
from tests.load.processes import Service

from .sample import Sample, take_sample

WEEK_SECONDS: Final = 7 * 24 * 60 * 60
FLOOR: Final = ("-m", "gunicorn", "--config", "deploy/gunicorn.conf.py", "tests.load.bench.floor:app")


class Stage(NamedTuple):
    """A service with a store of its own."""

    store: EmbeddedServer
    service: Service
    folder: Path

    def look_into_store(self) -> RedisStore:
        """Connect to the store beside the service."""
        return RedisStore(self.store.url, ttl_seconds=WEEK_SECONDS, timeout_seconds=3)


@contextmanager
def stage(folder: Path) -> Iterator[Stage]:
    """Start a store and the service on it."""
    with (
        EmbeddedServer.start(folder / "store") as store,
        Service(folder / "service", REDIS_URL=store.url) as service,
    ):
        yield Stage(store, service, folder)


@contextmanager
def without_metrics(stage: Stage) -> Iterator[Service]:
    """Start the service once more on the same store, without its metrics."""
    with Service(stage.folder / "without_metrics", REDIS_URL=stage.store.url, METRICS="off") as service:
        yield service


@contextmanager
def floor(stage: Stage) -> Iterator[tuple[Service, Sample]]:
    """Start the floor on the store of a service, with the sizes of that service's moves."""
    sample = take_sample(stage.service.port, stage.look_into_store())
    path = sample.write(stage.folder / "sample.json")
    with Service(stage.folder / "floor", program=FLOOR, REDIS_URL=stage.store.url, BENCH_SAMPLE=str(path)) as service:
        yield service, sample
