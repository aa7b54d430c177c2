"""Webhooks from a real service to a real receiver, while processes are killed and the receiver misbehaves."""

from __future__ import annotations

import http.client
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from service.settings import Settings
from service.store.embedded import EmbeddedServer
from service.store.outbox import Outbox, Parcel
from service.webhooks import process
from tests.client import ROOT, Client, Game, Service, measured_as_green, serving, within
from tests.integration.processes import Process, children, kill, workers
from tests.receiver import SECRET, Post, Receiver, node_is_missing, receiving, verified_by_node

KEY = "an-app-key"
TOLD = {
    "match_started": "match_started",
    "turn_started": "your_turn",
    "deal_ended": "deal_ended",
    "match_ended": "match_ended",
}


@pytest.fixture(scope="module")
def shop(server: EmbeddedServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service with an app key, whose webhooks may lead to this machine, are given up soon, and tried again soon."""
    with serving(
        tmp_path_factory.mktemp("shop"),
        measured=True,
        REDIS_URL=f"{server.url}?db=5",
        API_KEYS=f"shop:{KEY}",
        WEBHOOKS_ALLOW_PRIVATE="on",
        WEBHOOKS_TIMEOUT_SECONDS="0.5",
        WEBHOOKS_RETRY_SECONDS="0.2,0.4,0.6",
        WORKERS="1",
    ) as running:
        yield running
        family = [process.pid for process in below(running.master.pid)]
    assert not any(map(is_alive, family))


@pytest.fixture
def client(shop: Service) -> Iterator[Client]:
    with shop.client() as connected:
        yield connected


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as running:
        yield running


def create(client: Client, url: str, key: str = KEY, **body: Any) -> Any:
    hook = {"url": url, "secret": SECRET}
    whole = {"seats": 2, "creator": {"name": "Ayşe"}, "rules": {"deals": 1, "hand_size": 3}, "webhook": hook} | body
    return client.call("POST", "/v1/matches", whole, headers={"X-API-Key": key})


class Hooked(Game):
    """A match with a webhook, started."""

    def __init__(self, client: Client, url: str) -> None:
        made = create(client, url).expect(201)
        self.client, self.path, self.join_code = client, f"/v1/matches/{made['match']['id']}", made["join_code"]
        self.id, self.tokens = made["match"]["id"], [made["token"]]
        self.tokens.append(self.join().expect(201)["token"])

    def due(self) -> dict[str, str]:
        """What has to be told by now: the kinds by identities."""
        return {f"msg_{self.id}_{e['seq']}": TOLD[e["type"]] for e in self.events() if e["type"] in TOLD}


def deliverers(service: Service) -> list[int]:
    """Give the ids of the processes that deliver."""
    keepers = [child.pid for child in children(service.master.pid) if "pis-yedili-webhooks" in child.command]
    return [child.pid for keeper in keepers for child in children(keeper)]


def test_each_event_is_delivered_with_its_identity_while_processes_die_and_the_receiver_fails(
    shop: Service, client: Client, receiver: Receiver
) -> None:
    def answer(post: Post) -> int | tuple[int, str]:
        """Fail at the first attempt in one way or another, but for each fourth, and take the message then."""
        if receiver.identities.count(post.identity) == 1:
            match len(set(receiver.identities)) % 4:
                case 0:
                    return 500
                case 1:
                    return 301, other.url
                case 2:
                    return hang(post)
        return 204

    def kill_two() -> None:
        for find in (deliverers, workers):
            time.sleep(0.5)
            kill(find(shop)[0])

    receiver.answer = answer
    killing = threading.Thread(target=kill_two)
    with receiving() as other:
        game = Hooked(client, f"{receiver.url}/hooks")
        killing.start()
        while not is_over(game):
            pass
        killing.join()
        assert within(5, lambda: is_over(game)), "over a new connection too, if the last thing was the end of a worker"
        due = game.due()
        assert within(60, lambda: due.keys() <= receiver.taken), due.keys() - receiver.taken
        assert other.connections == 0
    bodies: dict[str, bytes] = {}
    for post in receiver.posts:
        assert post.message["type"] == due[post.identity]
        assert bodies.setdefault(post.identity, post.body) == post.body


def is_over(game: Game) -> bool:
    """Make a move, if the service lives, and tell whether the match is over."""
    with suppress(OSError, http.client.HTTPException):
        return bool(game.move_on(1)["status"] != "playing")
    time.sleep(0.1)
    return False


def hang(post: Post) -> int:
    """Answer when nobody waits any more."""
    time.sleep(3)
    return 204


def test_a_receiver_that_hangs_holds_no_other_up(shop: Service, client: Client, receiver: Receiver) -> None:
    with receiving() as hanging:
        hanging.answer = hang
        hung = [Hooked(client, hanging.url) for _ in range(5)]
        assert within(5, lambda: len(hanging.posts) > 2)
        began = time.monotonic()
        game = Hooked(client, receiver.url)
        assert within(5, lambda: len(receiver.posts) == 2)
        assert time.monotonic() - began < 2
        assert set(game.due()) == set(receiver.identities)
        assert all(game.due() for game in hung)


def test_a_message_that_is_given_up_is_listed_for_the_operator_without_address_and_secret(
    shop: Service, client: Client, server: EmbeddedServer, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    with receiving() as receiver:
        game = Hooked(client, f"{receiver.url}/private-path")
        receiver.answer = lambda post: 400
        assert within(5, lambda: len(receiver.posts) > 2)
    monkeypatch.setenv("REDIS_URL", f"{server.url}?db=5")

    def stories() -> list[Any]:
        process.main(["--dead"])
        printed = capsys.readouterr().out
        assert SECRET not in printed
        assert "private-path" not in printed
        return [story for story in map(json.loads, printed.splitlines()) if story["match_id"] == game.id]

    assert within(20, lambda: len(stories()) == 2)
    assert {story["type"] for story in stories()} == {"match_started", "your_turn"}
    assert {story["attempts"] for story in stories()} == {4}
    text = shop.log.read_text()
    assert "is given up after 4 attempts" in text
    assert SECRET not in text
    assert "private-path" not in text


@pytest.mark.slow
@pytest.mark.skipif(bool(node_is_missing()), reason=node_is_missing())
def test_signatures_are_right_for_the_library_of_javascript(client: Client, receiver: Receiver, tmp_path: Path) -> None:
    Hooked(client, receiver.url)
    assert within(5, lambda: len(receiver.posts) == 2)
    forged = replace(receiver.posts[0], body=receiver.posts[0].body.replace(b"version", b"Version"))
    try:
        verified = verified_by_node(tmp_path, [*receiver.posts, forged])
    except subprocess.CalledProcessError as error:
        if error.cmd[0] == "npm":
            pytest.skip("npm cannot bring standardwebhooks here")
        raise
    assert verified == 2


def test_a_webhook_takes_an_app_key(service: Service, client: Client, receiver: Receiver) -> None:
    assert create(client, receiver.url, "another").code == "app_key_required"
    with service.client() as without_keys:
        assert create(without_keys, receiver.url).code == "app_key_required"


@pytest.mark.parametrize(
    "hook",
    [
        {"url": "https://app.example/hooks"},
        {"secret": SECRET},
        {"url": "ftp://app.example/", "secret": SECRET},
        {"url": "https://user:pass@app.example/", "secret": SECRET},
        {"url": "https://app.example/#part", "secret": SECRET},
        {"url": "https://app.example:0/", "secret": SECRET},
        {"url": f"https://app.example/{'a' * 500}", "secret": SECRET},
        {"url": "https://app.example/a b", "secret": SECRET},
        {"url": "https://app.example/", "secret": "whsec_c2hvcnQ="},
        {"url": "https://app.example/", "secret": SECRET.removeprefix("whsec_")},
        {"url": "https://app.example/", "secret": SECRET, "events": []},
        {"url": "https://app.example/", "secret": SECRET, "events": ["card_played"]},
        {"url": "https://app.example/", "secret": SECRET, "retries": 3},
        "https://app.example/",
    ],
)
def test_a_webhook_of_another_form_is_refused_and_not_repeated(client: Client, hook: Any) -> None:
    reply = create(client, "", webhook=hook)
    assert (reply.status, reply.code) == (422, "invalid_body")
    assert b"app.example" not in reply.body
    assert SECRET.encode() not in reply.body


@contextmanager
def companions(url: str) -> Iterator[subprocess.Popen[bytes]]:
    """Run what stands for gunicorn's master, with a deliverer beside it; it ends at the end of its input."""
    program = (
        "import sys; from service import companions; from service.settings import Settings;"
        "companions.start_deliverers(Settings.from_env()); sys.stdin.read(); companions.stop_deliverers()"
    )
    environment = {**measured_as_green(), "REDIS_URL": url, "API_KEYS": "shop:key", "PYTHONPATH": str(ROOT)}
    with subprocess.Popen([sys.executable, "-c", program], env=environment, stdin=subprocess.PIPE) as master:
        yield master
        master.kill()


def new_deliverers(master: int, *known: int) -> list[int]:
    """Wait for deliverers that are not known yet."""
    for _ in range(50):
        if found := [process.pid for process in below(master)[1:] if process.pid not in known]:
            break
        time.sleep(0.2)
    return found


def below(pid: int) -> list[Process]:
    """List the processes below one."""
    return [process for child in children(pid) for process in (child, *below(child.pid))]


def end_soon(pids: list[int]) -> bool:
    """Wait until processes have ended, and tell whether they have; `ps` costs more than what it looks at."""
    end = time.monotonic() + 10
    while (alive := any(map(is_alive, pids))) and time.monotonic() < end:
        time.sleep(0.2)
    return not alive


def is_alive(pid: int) -> bool:
    return subprocess.run(["ps", "-p", str(pid), "-o", "stat="], capture_output=True).stdout.strip()[:1] not in (
        b"",
        b"Z",
    )


def test_a_deliverer_is_started_anew_when_it_dies_and_ends_when_its_master_is_killed(store_url: str) -> None:
    with companions(store_url) as master:
        [deliverer] = new_deliverers(master.pid)
        kill(deliverer)
        assert new_deliverers(master.pid, deliverer)
        family = [process.pid for process in below(master.pid)]
        kill(master.pid)
        assert end_soon(family)


def test_a_deliverer_alone_ends_at_sigterm(store_url: str) -> None:
    environment = {**measured_as_green(), "REDIS_URL": store_url, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        [sys.executable, "-m", "service.webhooks"], env=environment, stdin=subprocess.DEVNULL
    ) as alone:
        outbox = Outbox(store_url, 3)
        assert within(10, lambda: b"notes" in b"".join(outbox._ask("KEYS", "py:*")))
        os.kill(alone.pid, signal.SIGTERM)
        assert alone.wait(10) == 0
        outbox.close()


def test_the_dead_of_the_own_store_are_found_by_its_folder(
    server: EmbeddedServer, store_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    monkeypatch.delenv("REDIS_URL", raising=False)
    monkeypatch.setenv("DATA_DIR", str(tmp_path))
    with pytest.raises(SystemExit, match=r"^2$"):
        process.main(["--dead"])
    assert str(tmp_path) in capsys.readouterr().err
    (tmp_path / "address").write_text("unix:///nowhere/socket")
    with pytest.raises(SystemExit, match=r"^1$"):
        process.main(["--dead"])
    outbox = Outbox(store_url, 3)
    outbox.bury(Parcel("msg_1", b"").identity, b'{"id":"msg_1"}')
    outbox.close()
    (tmp_path / "address").write_text(store_url)
    process.main(["--dead"])
    assert capsys.readouterr().out == '{"id":"msg_1"}\n'
    assert Settings.from_env().redis_url is None
