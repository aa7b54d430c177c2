"""What tests share: one real store and one real service for each test process."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from math import inf
from typing import Any

import pytest
import redis
from hypothesis import HealthCheck, settings

from service import deadline
from service.store.cluster import ClusterLink
from service.store.embedded import EmbeddedServer
from service.store.link import PooledLink
from service.store.redis import RedisStore
from service.store.sentinel import SentinelLink
from service.store.shared import SharedLink
from service.usecases import UseCases
from tests.client import Client, Service, serving
from tests.servers import Cluster, Replicated, Way, cluster, replicated
from tests.tables import numbered_entropy

TTL_SECONDS = 3600

# A busy machine is no fault, and what was right yesterday is not to fail today by chance.
settings.register_profile("steady", deadline=None, derandomize=True, suppress_health_check=[*HealthCheck])
settings.load_profile("steady")


@pytest.hookimpl(wrapper=True, trylast=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Trace nothing in tests marked `no_cover`: pytest-cov, which comes before, stops one collector of several."""
    if item.get_closest_marker("no_cover") is None:
        return (yield)
    trace = sys.gettrace()
    sys.settrace(None)
    try:
        return (yield)
    finally:
        sys.settrace(trace)


@pytest.fixture(autouse=True)
def no_deadline() -> None:
    """Forget the deadline of a request that an earlier test made in this thread."""
    deadline.begin(inf)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedServer]:
    """A real store server; what is in it lasts for the session."""
    with EmbeddedServer.start(tmp_path_factory.mktemp("store"), "no") as running:
        yield running


@pytest.fixture
def store_url(server: EmbeddedServer) -> str:
    """The address of an empty store."""
    with redis.Redis.from_url(server.url) as client:
        client.flushdb()
    return server.url


@pytest.fixture
def database(store_url: str) -> Iterator[Any]:
    """The empty store, to look into by hand."""
    with redis.Redis.from_url(store_url) as client:
        yield client


@pytest.fixture(scope="session")
def servers_of_sentinel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Replicated]:
    """A real master with a replica, and a sentinel."""
    with replicated(tmp_path_factory.mktemp("sentinel")) as running:
        yield running


@pytest.fixture(scope="session")
def servers_of_cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A real cluster."""
    with cluster(tmp_path_factory.mktemp("cluster")) as running:
        yield running


@pytest.fixture(params=[SharedLink, PooledLink, SentinelLink, ClusterLink])
def way(request: pytest.FixtureRequest) -> Iterator[Way]:
    """Each of the ways in which commands reach Redis, with an empty store at its end."""
    if request.param in (SentinelLink, ClusterLink):
        name = "servers_of_sentinel" if request.param is SentinelLink else "servers_of_cluster"
        servers: Replicated | Cluster = request.getfixturevalue(name)
        servers.client.flushdb()
        yield Way(request.param, servers.url, servers.pids, servers.client)
    else:
        server: EmbeddedServer = request.getfixturevalue("server")
        with redis.Redis.from_url(server.url) as client:
            client.flushdb()
            yield Way(request.param, server.url, [server.pid], client)


@pytest.fixture
def store(store_url: str) -> Iterator[RedisStore]:
    """The store of the service, empty."""
    made = RedisStore(store_url, ttl_seconds=TTL_SECONDS, timeout_seconds=3)
    yield made
    made.close()


@pytest.fixture
def usecases(store: RedisStore) -> UseCases:
    """The use cases on an empty store, with secrets that are the same in every run."""
    return UseCases(store, ttl_seconds=TTL_SECONDS, clock=now_ms, entropy=numbered_entropy(1))


def now_ms() -> int:
    return time.time_ns() // 1_000_000


@pytest.fixture(scope="session")
def service(server: EmbeddedServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """The service with two workers, on a part of the store that `store` does not empty; tests play its proxy."""
    url = f"{server.url}?db=1"
    with serving(tmp_path_factory.mktemp("service"), REDIS_URL=url, TRUSTED_PROXIES="1") as running:
        yield running


@pytest.fixture
def client(service: Service) -> Iterator[Client]:
    """A connection to the service."""
    with service.client() as connected:
        yield connected
