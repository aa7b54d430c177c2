"""A store on a cluster: commands find the node of their keys, wherever those move, and only its matches miss a node."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import chain, count
from pathlib import Path
from typing import Any

import pytest
import redis
from redis.crc import key_slot

from service.errors import StoreUnavailable
from service.store.base import Attendance, Entry, Stored
from service.store.cluster import ClusterLink
from service.store.redis import RedisStore
from service.store.wakes import RedisWakes
from tests.client import within
from tests.integration.processes import frozen
from tests.servers import LOOPBACK, Cluster, Node, cluster, free_ports
from tests.servers import node as lone_node
from tests.tables import commit

TIMEOUT_SECONDS = 0.6


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A cluster whose slots these tests move about, and whose nodes they kill in the end."""
    with cluster(tmp_path_factory.mktemp("moving")) as running:
        yield running


@pytest.fixture
def store(servers: Cluster) -> Iterator[RedisStore]:
    made = RedisStore(servers.url, ttl_seconds=60, timeout_seconds=TIMEOUT_SECONDS)
    made.load_many("abc")  # each node keeps one
    yield made
    made.close()


def new_match(node: int, servers: Cluster) -> str:
    """Give the id of a match that no test has yet and that a node keeps."""
    return next(match_id for match_id in IDS if owner(servers, match_id) is servers.nodes[node])


IDS = map("match{}".format, count())


def owner(servers: Cluster, match_id: str) -> Node:
    """Give the node that keeps a match."""
    servers.client.nodes_manager.initialize()
    port = servers.client.get_node_from_key(f"py:{{{match_id}}}").port
    return next(node for node in servers.nodes if node.port == port)


def tell(node: Node, *words: str | int) -> Any:
    with node.client() as client:
        return client.execute_command(*words)


def identity(node: Node) -> str:
    return str(tell(node, "CLUSTER", "MYID").decode())


class Move:
    """A slot on its way from its node to another, as an operator moves it."""

    def __init__(self, match_id: str, origin: Node, goal: Node) -> None:
        self.slot, self.origin, self.goal = key_slot(b"{%s}" % match_id.encode()), origin, goal
        tell(goal, "CLUSTER", "SETSLOT", self.slot, "IMPORTING", identity(origin))
        tell(origin, "CLUSTER", "SETSLOT", self.slot, "MIGRATING", identity(goal))

    def carry_keys(self) -> None:
        keys = tell(self.origin, "CLUSTER", "GETKEYSINSLOT", self.slot, 100)
        tell(self.origin, "MIGRATE", LOOPBACK, self.goal.port, "", 0, 5000, "KEYS", *keys)

    def end(self) -> None:
        for node in (self.goal, self.origin):
            tell(node, "CLUSTER", "SETSLOT", self.slot, "NODE", identity(self.goal))


def test_commands_follow_a_slot_that_is_on_its_way(servers: Cluster, store: RedisStore) -> None:
    match_id, staying = new_match(0, servers), new_match(2, servers)
    store.commit(match_id, commit(0, 2, scope="key", receipt=b"kept"))
    store.commit(staying, commit(0, 1))
    move = Move(match_id, *servers.nodes[:2])
    assert store.commit(match_id, commit(2, 3)) is True, "its keys have not left yet"
    move.carry_keys()
    assert store.commit(match_id, commit(3, 5)) is True, "a script asks where they went"
    assert store.commit(match_id, commit(3, 5)) is False
    found = store.load(match_id, "key")
    assert found.stored == Stored(5, b"state"), "and so do commands that belong together"
    assert found.receipt == b"kept"
    assert store.load_many([match_id, staying, match_id]) == [Stored(5, b"state"), Stored(1, b"state"), found.stored]
    again = commit(5, 6, scope="another key")
    with pytest.raises(StoreUnavailable, match="rehashing"):
        store.commit(match_id, again)  # of keys that are there and one that is not, no node can know yet
    move.end()
    assert store.load(match_id, "key") == found
    assert store.commit(match_id, again) is True
    assert [entry.last for entry in store.entries(match_id, 0, 9)] == [2, 3, 5, 6]


@pytest.mark.parametrize(
    "ask",
    [
        lambda store, match_id: store.load(match_id, "key").stored,
        lambda store, match_id: store.load_many([match_id])[0],
    ],
    ids=["by commands that belong together", "by a single one"],
)
def test_a_slot_that_has_moved_is_found_at_once(
    servers: Cluster, store: RedisStore, ask: Callable[[RedisStore, str], Stored]
) -> None:
    match_id = new_match(1, servers)
    store.commit(match_id, commit(0, 2))
    move = Move(match_id, servers.nodes[1], servers.nodes[2])
    move.carry_keys()
    move.end()
    assert ask(store, match_id) == Stored(2, b"state")
    assert store.commit(match_id, commit(2, 3)) is True


def test_commands_that_belong_together_must_have_one_slot(servers: Cluster) -> None:
    link = ClusterLink(servers.url, TIMEOUT_SECONDS)
    together = ("SET", "{a}1", 1), ("SET", "{z}1", 1)
    with pytest.raises(redis.ResponseError):
        link.execute(*together, atomic=True)
    assert link.execute(("GET", "{a}1"), ("GET", "{z}1")) == [None, None]
    link.close()


def test_who_follows_matches_of_several_nodes_is_noted_in_one_call(servers: Cluster, store: RedisStore) -> None:
    matches = [new_match(node, servers) for node in (0, 1, 2, 0)]
    for match_id in matches[:3]:
        store.commit(match_id, commit(0, 1))
    for node in servers.nodes[1:]:
        tell(node, "SCRIPT", "FLUSH")
    noted = store.roll().attend("w", [Attendance(match_id, (1, 3)) for match_id in matches], ["w"])
    assert [here and here.noted for here in noted] == [(("w", 1), ("w", 3))] * 3 + [None]


def test_commits_on_every_node_are_heard_of_also_when_the_node_of_the_connection_dies(
    servers: Cluster, store: RedisStore
) -> None:
    matches = [new_match(node, servers) for node in range(3)]
    wakes = store.wakes()
    for _ in range(3):
        for match_id in matches:
            wakes.listen(match_id)
        assert {wakes.next(2) for _ in matches} == {(match_id, None) for match_id in matches}
        for match_id in matches:
            version = store.version(match_id)
            store.commit(match_id, commit(version, version + 1))
            assert hears(wakes, (match_id, Entry(version + 1, b"events to %d" % (version + 1))))
        for node in servers.nodes:
            tell(node, "CLIENT", "KILL", "TYPE", "PUBSUB")
        with pytest.raises(StoreUnavailable):
            wakes.next(2)
    wakes.close()


def hears(wakes: RedisWakes, news: object) -> bool:
    """Tell whether something is heard; the node may come to know only now of what was heard of another one before."""
    return any(heard == news for heard in iter(lambda: wakes.next(2), None))


def test_when_no_node_answers_at_the_start_the_next_command_tries_again() -> None:
    [port] = free_ports(1)
    link = ClusterLink(f"redis+cluster://{LOOPBACK}:{port}", TIMEOUT_SECONDS)
    for _ in range(2):
        for call in (lambda: link.execute(("PING",)), lambda: RedisWakes(link.connection()).next(0.1)):
            with pytest.raises(StoreUnavailable, match="refused"):
                call()
    link.close()


def test_when_all_nodes_are_silent_at_the_start_all_who_ask_are_told_in_time(servers: Cluster) -> None:
    link = ClusterLink(servers.url, TIMEOUT_SECONDS)
    began = time.monotonic()
    with frozen(*servers.pids), ThreadPoolExecutor(20) as pool:
        assert not any(pool.map(lambda _: answered(lambda: link.execute(("PING",))), range(20)))
        assert time.monotonic() - began < TIMEOUT_SECONDS + 1
    assert within(5, lambda: answered(lambda: link.execute(("PING",))))
    link.close()


def test_a_node_that_has_joined_no_cluster_yet_says_so(tmp_path: Path) -> None:
    [port] = free_ports(1)
    with lone_node(tmp_path, port, bind=LOOPBACK, cluster_enabled="yes", cluster_port=free_ports(1)[0]):
        link = ClusterLink(f"redis+cluster://{LOOPBACK}:{port}", TIMEOUT_SECONDS)
        with pytest.raises(StoreUnavailable, match="no node that keeps slots"):
            link.execute(("PING",))
        link.close()


def test_a_server_that_is_no_cluster_says_so(servers_of_sentinel: Any) -> None:
    link = ClusterLink(f"redis+cluster://{LOOPBACK}:{servers_of_sentinel.master.port}", TIMEOUT_SECONDS)
    with pytest.raises(StoreUnavailable, match="cluster support disabled"):
        link.execute(("PING",))
    link.close()


def test_all_nodes_are_told_user_and_password(servers: Cluster) -> None:
    for node in servers.nodes:
        with node.client() as client:
            client.acl_setuser("ayşe", enabled=True, passwords=["+s3cret/?"], categories=["+@all"], keys=["*"])
    address = servers.url.partition("://")[2]
    link = ClusterLink(f"redis+cluster://ay%C5%9Fe:s3cret%2F%3F@{address}", 3)
    link.execute(*(("GET", key) for key in "abc"))
    for node in servers.nodes:
        with node.client() as client:
            assert "ayşe" in {connected["user"] for connected in client.client_list()}
    link.close()
    refused = ClusterLink(f"redis+cluster://:wrong@{address}", 3)
    with pytest.raises(StoreUnavailable):
        refused.execute(("PING",))
    refused.close()


def test_a_silent_node_is_missed_by_its_own_matches_alone(servers: Cluster, store: RedisStore) -> None:
    lost, others = new_match(0, servers), [new_match(node, servers) for node in (1, 2)]
    store.commit(lost, commit(0, 1))
    with frozen(servers.nodes[0].process.pid):
        for round_ in range(3):
            began = time.monotonic()
            for call in (lambda: store.version(lost), lambda: store.load_many([lost, *others])):
                with pytest.raises(StoreUnavailable):
                    call()
            assert time.monotonic() - began < 2 * TIMEOUT_SECONDS + 1
            for match_id in others:
                assert store.commit(match_id, commit(round_, round_ + 1)) is True
            store.ping()
    assert within(5, lambda: answered(lambda: store.commit(lost, commit(1, 2))))


def answered(call: Callable[[], object]) -> bool:
    try:
        call()
    except StoreUnavailable:
        return False
    return True


def test_a_cluster_that_is_down_as_a_whole_is_told(servers: Cluster, store: RedisStore) -> None:
    match_id = new_match(0, servers)
    slot = key_slot(b"{%s}" % match_id.encode())
    try:
        tell(servers.nodes[0], "CONFIG", "SET", "cluster-require-full-coverage", "yes")
        tell(servers.nodes[0], "CLUSTER", "DELSLOTS", slot)
        assert within(5, lambda: not answered(lambda: store.version(match_id)))
    finally:
        tell(servers.nodes[0], "CLUSTER", "ADDSLOTS", slot)
        tell(servers.nodes[0], "CONFIG", "SET", "cluster-require-full-coverage", "no")
    assert within(5, lambda: answered(lambda: store.version(match_id)))


def test_matches_whose_slot_nobody_keeps_are_missed_alone(servers: Cluster) -> None:
    lost, other = new_match(1, servers), new_match(1, servers)
    slot = key_slot(b"{%s}" % lost.encode())
    for member in servers.nodes:
        tell(member, "CLUSTER", "DELSLOTS", slot)
    store = RedisStore(servers.url, ttl_seconds=60, timeout_seconds=TIMEOUT_SECONDS)
    with pytest.raises(StoreUnavailable, match=f"no node of the cluster keeps slot {slot}"):
        store.version(lost)
    assert store.commit(other, commit(0, 1)) is True
    tell(servers.nodes[1], "CLUSTER", "ADDSLOTS", slot)
    assert within(5, lambda: answered(lambda: store.version(lost)))
    store.close()


def test_the_slots_of_a_dead_node_are_found_where_others_have_taken_them_over(
    servers: Cluster, store: RedisStore
) -> None:
    match_id, dead, heir = new_match(2, servers), servers.nodes[2], servers.nodes[0]
    store.commit(match_id, commit(0, 1))
    wakes = [store.wakes() for _ in servers.nodes]
    for heard in wakes:
        heard.listen(match_id)
        assert heard.next(2) == (match_id, None)
    ranges = [slots[:2] for slots in tell(heir, "CLUSTER", "SLOTS") if slots[2][1] == dead.port]
    dead.kill()
    assert not answered(lambda: store.version(match_id))
    for node in servers.nodes[:2]:
        tell(node, "CLUSTER", "DELSLOTSRANGE", *chain(*ranges))
    tell(heir, "CLUSTER", "ADDSLOTSRANGE", *chain(*ranges))
    assert within(5, lambda: answered(lambda: store.commit(match_id, commit(0, 7))))
    assert store.version(match_id) == 7
    assert all(map(is_lost_and_made_anew, wakes)), "what was heard of may be undone"
    for heard in wakes:
        heard.close()


def is_lost_and_made_anew(wakes: RedisWakes) -> bool:
    return within(5, lambda: not answered(lambda: wakes.next(0.1))) and within(
        5, lambda: answered(lambda: wakes.next(2))
    )
