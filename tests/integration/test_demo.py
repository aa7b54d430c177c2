"""The demonstration, as people start it, against a real service."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from io import StringIO
from pathlib import Path

import pytest

from service.demo_show import Show
from tests.client import ROOT, Client, Service, serving

ESCAPE = "\x1b["


def run(*words: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "service.demo", *words],
        env={**os.environ, "PYTHONPATH": str(ROOT), **variables},
        capture_output=True,
        text=True,
        timeout=120,
    )


def run_in_terminal(folder: Path, *words: str, **variables: str) -> str:
    """Run it where its output is a terminal, and give what stands there."""
    environment = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    environment |= {"PYTHONPATH": str(ROOT), "TERM": "xterm", **variables}
    master, terminal = pty.openpty()
    command = [sys.executable, "-m", "service.demo", *words]
    with subprocess.Popen(command, env=environment, stdout=terminal, cwd=folder):
        os.close(terminal)
        shown = b""
        try:
            while data := os.read(master, 4096):
                shown += data
        except OSError:  # how Linux tells that nobody has the terminal open any more
            pass
        finally:
            os.close(master)
    return shown.decode()


@contextmanager
def another_service(answer: bytes) -> Iterator[int]:
    """Answer whatever comes with 404 and a body, and give the port."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(404)
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield server.server_port
        finally:
            server.shutdown()
            thread.join()


def url_of(service: Service) -> str:
    return f"http://127.0.0.1:{service.port}"


@pytest.mark.parametrize("preset", ["classic", "wikipedia-tr", "iskambilci", "oyunes"])
def test_a_whole_match_is_played_and_its_end_is_what_the_service_says(
    service: Service, client: Client, preset: str
) -> None:
    done = run("--url", url_of(service), "--deals", "1", "--seats", "3", "--preset", preset)
    assert (done.returncode, done.stderr) == (0, "")
    path = re.search(r"/v1/matches/\w+", done.stdout)
    assert path
    view = client.get(path[0]).expect(200)
    assert view["status"] == "finished"
    assert view["rules"]["preset"] == preset
    winners = " and ".join(view["players"][seat]["name"] for seat in view["winners"])
    assert re.search(rf"{winners} wins? the match!", done.stdout)
    for player in view["players"]:
        assert re.search(rf"^  [★ ] {player['name']} +{player['score']}$", done.stdout, re.MULTILINE)


def test_every_deal_has_its_table(service: Service) -> None:
    done = run("--url", url_of(service), "--deals", "3", "--seats", "2")
    assert [f"Deal {number} of 3" in done.stdout for number in (1, 2, 3)] == [True] * 3
    assert done.stdout.count("left in the hand") == 3


def test_six_seats_that_draw_together_fit_into_the_columns(service: Service) -> None:
    done = run("--url", url_of(service), "--deals", "1", "--seats", "6", "--preset", "iskambilci")
    assert max(map(len, done.stdout.splitlines())) <= 78


def test_a_turn_that_does_not_fit_into_a_line_goes_on_in_the_next() -> None:
    shown = StringIO()
    show = Show(shown, colour=False)
    names = ("Ayşe", "Bora", "Ceren", "Deniz", "Elif", "Ferit")
    view = {"players": [{"name": name} for name in names], "rules": {"deals": 1, "preset": "iskambilci"}}
    show.begin(view | {"you": {"hand": []}}, "/v1/matches/x")
    turn = {"type": "turn_started", "seat": 4, "phase": "turn", "penalty": 0}
    own = [{"type": "cards_drawn", "seat": 4, "count": 1, "cards": [card]} for card in ("KD", "2S", "5C", "10D", "AH")]
    played = {"type": "card_played", "seat": 4, "card": "AH", "suit": None, "call": None}
    others = [{"type": "cards_drawn", "seat": seat, "count": 1} for seat in (5, 0, 1, 2, 3)]
    show.tell([turn, *own, played, *others], {"you": {"hand": ["KD"]}})

    lines = [line.rstrip() for line in shown.getvalue().splitlines()]
    assert max(map(len, lines)) <= 78
    assert lines[-1].strip() == "Deniz"


def test_a_hand_that_does_not_fit_beside_the_points_goes_on_in_the_next_line() -> None:
    shown = StringIO()
    show = Show(shown, colour=False)
    view = {"players": [{"name": "Ayşe"}, {"name": "Bora"}], "rules": {"deals": 1, "preset": "oyunes"}}
    hand = [f"10{suit}" for suit in "CDHS"] * 10
    show.begin(view | {"you": {"hand": []}}, "/v1/matches/x")
    dealt = {"type": "deal_started", "deal": 1, "dealer_seat": 0, "stock_count": 37}
    show.tell([dealt, {"type": "turn_started", "seat": 1, "phase": "turn", "penalty": 0}], {"you": {"hand": []}})
    ended = {"type": "deal_ended", "winners": [0], "final_card": "AS", "multiplier": 1}
    show.tell([ended | {"hands": [[], hand], "points": [0, 400]}], {"you": {"hand": hand}})

    lines = shown.getvalue().splitlines()
    assert max(map(len, lines)) <= 78
    starts = [line.index("10♣") for line in lines if "40 left" in line or "400" in line]
    rows = [line for line in lines if "10♠" in line]
    assert starts == [55, 27]
    assert [len(line[55:].split()) for line in rows[:7]] == [6] * 6 + [4]
    assert [len(line[27:].split()) for line in rows[7:]] == [13] * 3 + [1]


def test_no_colour_goes_into_a_file(service: Service) -> None:
    assert ESCAPE not in run("--url", url_of(service), "--deals", "1").stdout


def test_a_terminal_gets_red_hearts(service: Service, tmp_path: Path) -> None:
    shown = run_in_terminal(tmp_path, "--url", url_of(service), "--deals", "1", "--delay", "0")
    assert re.search(r"\x1b\[1;31m(A|\d+|[JQK])♥\x1b\[0m", shown)


@pytest.mark.parametrize("variables", [{"NO_COLOR": "1"}, {"TERM": "dumb"}], ids=str)
def test_a_terminal_that_wants_no_colour_gets_none(service: Service, tmp_path: Path, variables: dict[str, str]) -> None:
    shown = run_in_terminal(tmp_path, "--url", url_of(service), "--deals", "1", "--delay", "0", **variables)
    assert "wins the match!" in shown or "win the match!" in shown
    assert ESCAPE not in shown


def test_without_a_service_one_line_says_so() -> None:
    done = run("--url", "http://127.0.0.1:1")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("No Pis Yedili answers at http://127.0.0.1:1 (")


def test_it_looks_for_the_service_where_the_same_variables_would_start_it(service: Service) -> None:
    done = run("--deals", "1", "--seats", "2", HOST="0.0.0.0", PORT=str(service.port))
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("answer", [b"<html>", b"[]", b'{"error": "unknown"}'])
def test_another_service_at_the_address_is_told_in_one_line(answer: bytes) -> None:
    with another_service(answer) as port:
        done = run("--url", f"http://127.0.0.1:{port}")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)
    assert "Pis Yedili" in done.stderr


@pytest.mark.parametrize("url", ["127.0.0.1:8000", "ftp://127.0.0.1", "http://"])
def test_an_address_of_no_service_is_refused_in_one_line(url: str) -> None:
    done = run("--url", url)
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert "is not the address of a service" in done.stderr


def test_what_the_service_refuses_is_told_in_its_words(service: Service) -> None:
    done = run("--url", url_of(service), "--preset", "mystery")
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert "Must be one of: classic" in done.stderr


@pytest.mark.parametrize("words", [("--seats", "1"), ("--seats", "x"), ("--deals", "21"), ("--delay", "-1")], ids=str)
def test_a_number_out_of_bounds_is_refused_with_its_bounds_said_once(words: tuple[str, str]) -> None:
    done = run(*words)
    assert (done.returncode, done.stdout) == (2, "")
    last = done.stderr.splitlines()[-1]
    assert re.search(rf"argument {words[0]}: {words[1]} is no number from \d+ to \d+$", last)


def test_an_address_with_a_path_is_told_from_one_of_no_service(service: Service) -> None:
    done = run("--url", f"{url_of(service)}/v1")
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert "is not the root of a Pis Yedili" in done.stderr


def test_a_service_with_app_keys_takes_one(tmp_path: Path) -> None:
    with serving(tmp_path, WORKERS="1", API_KEYS="one,two") as service:
        refused = run("--url", url_of(service))
        assert (refused.returncode, "app key" in refused.stderr) == (1, True)
        few = ("--url", url_of(service), "--deals", "1", "--seats", "2")
        assert run(*few, "--api-key", "two").returncode == 0
        assert run(*few, API_KEY="one").returncode == 0


def test_a_reader_who_has_seen_enough_ends_it_quietly(service: Service) -> None:
    command = [sys.executable, "-m", "service.demo", "--url", url_of(service)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as demo:
        assert demo.stdout
        assert demo.stderr
        demo.stdout.readline()
        demo.stdout.close()
        assert demo.stderr.read() == ""
        assert demo.wait(30) == 1
