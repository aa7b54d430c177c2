"""The verifier against a running service (R22)."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from service.verify.__main__ import main
from tests.client import Client, Game, Service
from tests.proofs import golden_proofs

Captured = pytest.CaptureFixture[str]


def ended(*words: str) -> int:
    with pytest.raises(SystemExit) as end:
        main(words)
    assert isinstance(end.value.code, int)
    return end.value.code


class Match:
    """A match that was played to its end by players who had noted what they must."""

    def __init__(self, client: Client, **rules: Any) -> None:
        game = Game(client, 3, seated=2, rules={"deals": 2, "hand_size": 4, **rules})
        self.url = f"http://127.0.0.1:{client.port}{game.path}"
        self.commitment: str = game.view()["commitment"]
        seed_path = f"{game.path}/players/0/client-seed"
        client.call("PUT", seed_path, {"client_seed": 'tuz "7"'}, token=game.tokens[0]).expect(200)
        game.tokens.append(game.join(client_seed="şeker ♣").expect(201)["token"])
        self.view = game.move_on(
            1000, lambda moves: max(moves, key=lambda move: (move["type"] == "play", "call" in move))
        )
        assert self.view["status"] == "finished"


def test_r22_a_match_that_was_played_is_fair(client: Client, tmp_path: Path, capsys: Captured) -> None:
    played = Match(client, ace="must_follow", last_card_call="tek")
    notes = ("--commitment", played.commitment, "--client-seed", '0=tuz "7"', "--client-seed", "2=şeker ♣")
    assert ended(played.url, *notes) == 0
    out = capsys.readouterr().out
    match_id = played.view["id"]
    for number in (1, 2):
        assert f"deal {number} of match {match_id}\n" in out
    assert f"deals 1, 2 of match {match_id} together\n" in out
    assert "  ✓ results\n" in out
    assert "Not shown" not in out

    assert ended(played.url, "--commitment", 64 * "0") == 1
    assert ended(f"{played.url}/deals/2") == 0
    kept = tmp_path / "proof.json"
    kept.write_bytes(client.get(f"/v1/matches/{match_id}/deals/2").body)
    assert ended(str(kept)) == 0


@pytest.mark.parametrize("path", ["", "/deals/1"])
def test_while_no_deal_is_over_there_is_nothing_to_check(client: Client, path: str, capsys: Captured) -> None:
    game = Game(client, 2)
    assert ended(f"http://127.0.0.1:{client.port}{game.path}{path}") == 2
    says = "answers 409: This deal is still being played." if path else "No deal of http"
    assert says in capsys.readouterr().err


def test_r22_a_running_match_is_checked_as_far_as_it_has_come(client: Client, capsys: Captured) -> None:
    game = Game(client, 2, rules={"hand_size": 3, "deals": 3})
    while len(game.view()["results"]) < 2:
        game.move_on(1)
    assert ended(f"http://127.0.0.1:{client.port}{game.path}") == 0
    assert "deals 1, 2 of match" in (out := capsys.readouterr().out)
    assert "  ✓ last deal\n" in out


@pytest.mark.parametrize("deals_over", [0, 1])
def test_r22_an_abandoned_match_is_checked_to_where_it_broke_off(
    client: Client, deals_over: int, capsys: Captured
) -> None:
    game = Game(client, 2, rules={"hand_size": 3, "deals": 3})
    while len(game.view()["results"]) < deals_over:
        game.move_on(1, lambda moves: max(moves, key=lambda move: move["type"] == "play"))
    game.move_on(1)
    for seat in (0, 1):
        client.call("DELETE", f"{game.path}/players/{seat}", token=game.tokens[seat]).expect(200)
    host = game.view()["host_seat"]
    client.call("DELETE", game.path, token=game.tokens[host]).expect(200)

    assert ended(f"http://127.0.0.1:{client.port}{game.path}") == 0
    out = capsys.readouterr().out
    assert f"deal {deals_over + 1} of match" in out
    assert "together" in out
    assert "  ✓ last deal" in out


def test_an_address_that_is_no_match_is_not_asked(service: Service, capsys: Captured) -> None:
    assert ended(f"http://127.0.0.1:{service.port}/docs") == 2
    assert "is not the address of a match" in capsys.readouterr().err


def test_a_match_that_is_not_there_cannot_be_read(service: Service, capsys: Captured) -> None:
    assert ended(f"http://127.0.0.1:{service.port}/v1/matches/nobody") == 2
    assert "answers 404: There is no match with this id" in capsys.readouterr().err


def test_a_service_that_is_not_there_cannot_be_read(capsys: Captured) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        assert ended(f"http://127.0.0.1:{unused.getsockname()[1]}/v1/matches/m") == 2
    assert "does not answer" in capsys.readouterr().err


PATH = "/v1/matches/two-seats"


@contextmanager
def answering(answers: Mapping[str, object]) -> Iterator[str]:
    """Serve these answers, as a service that deceives could; give the address of its match."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = json.dumps(answers[self.path]).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *words: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}{PATH}"
        server.shutdown()
        thread.join()


def two_seats(**changes: Any) -> dict[str, Any]:
    """Give the answers about a recorded match, its view with changes."""
    proofs = [json.loads(proof) for proof in golden_proofs("two-seats")]
    result = ("number", "reason", "winners", "multiplier", "points", "final_card")
    view = {
        "id": "two-seats",
        "status": "finished",
        "seats": 2,
        "rules": proofs[0]["rules"],
        "commitment": proofs[0]["commitment"],
        "players": [{"seat": 0, "name": "Ayşe", "score": 0}, {"seat": 1, "name": "Bora", "score": 149}],
        "results": [{name: proof[name] for name in result} for proof in proofs],
        "deal": {"number": 4, "phase": "over", "seed_commitment": proofs[3]["seed_commitment"]},
        "winners": [0],
        **changes,
    }
    return {PATH: view} | {f"{PATH}/deals/{proof['number']}": proof for proof in proofs}


@pytest.mark.parametrize(
    "changes,says",
    [
        ({}, None),
        ({"newer": "member"}, None),
        ({"commitment": 64 * "0"}, "✗ view, at /view/commitment"),
        ({"status": "playing"}, "✗ scores, at /view/status"),
        ({"winners": [1]}, "✗ scores, at /view/winners/0"),
        ({"players": [{"seat": 0, "score": 0}, {"seat": 1, "score": 148}]}, "✗ scores, at /view/players/1/score"),
        ({"deal": None}, "✗ last deal, at /view/deal"),
        ({"deal": {"number": 5, "seed_commitment": 64 * "0"}}, "✗ last deal, at /view/deal/number"),
        ({"deal": {"number": 4, "seed_commitment": 64 * "0"}}, "✗ last deal, at /view/deal/seed_commitment"),
    ],
)
def test_r22_what_the_view_says_is_held_against_the_proofs(
    changes: Mapping[str, Any], says: str | None, capsys: Captured
) -> None:
    with answering(two_seats(**changes)) as url:
        assert ended(url) == (1 if says else 0)
    assert (says or "FAIR") in capsys.readouterr().out


@pytest.mark.parametrize(
    "change,says",
    [
        (lambda results: results[2].update(points=[0, 0]), "✗ results, at /view/results/2/points/"),
        (lambda results: results[2].update(newer=1), None),
        (lambda results: results.pop(0), "✗ results, at /view/results/0"),
        (lambda results: results.pop(1), "✗ results, at /view/results/1"),
        (lambda results: results.pop(3), "✗ scores, at /view/players/1/score"),
        (lambda results: results.insert(2, results.pop()), "✗ results, at /view/results/2"),
        (lambda results: results.append(results[3]), "✗ results, at /view/results/4"),
    ],
)
def test_r22_other_results_in_the_view_are_noticed(
    change: Callable[[list[Any]], Any], says: str | None, capsys: Captured
) -> None:
    answers = two_seats()
    change(answers[PATH]["results"])
    with answering(answers) as url:
        assert ended(url) == (1 if says else 0)
    assert (says or "FAIR") in capsys.readouterr().out


@pytest.mark.parametrize(
    "number,seed,says",
    [
        (4, "its own", None),
        (4, "another", "✗ last deal, at /view/deal/seed_commitment"),
        (5, "its own", "✗ last deal, at /view/deal/number"),
    ],
)
def test_r22_the_deal_being_played_is_the_next_and_committed_to(
    number: int, seed: str, says: str | None, capsys: Captured
) -> None:
    answers = two_seats(status="playing", winners=[])
    view = answers[PATH]
    commitment = view["deal"]["seed_commitment"] if seed == "its own" else 64 * "0"
    view["deal"] = {"number": number, "seed_commitment": commitment}
    view["players"][1]["score"] -= view["results"].pop()["points"][1]
    with answering(answers) as url:
        assert ended(url) == (1 if says else 0)
    assert (says or "FAIR") in capsys.readouterr().out


@pytest.mark.parametrize(
    "answer,says",
    [
        ([], "shows no proof and no match"),
        ({}, "is not a match: /"),
        (two_seats(id="other")[PATH], "another match"),
        (two_seats(seats=2.0)[PATH], "is not a match: /seats:"),
        (two_seats(players=[{"seat": False, "score": 0}])[PATH], "is not a match: /players/0/seat:"),
        (two_seats(results={"number": 1})[PATH], "is not a match: /results:"),
        (two_seats(results=[{"number": 1}])[PATH], "is not a match: /results/0/reason:"),
        (two_seats(results=21 * two_seats()[PATH]["results"][:1])[PATH], "Longer than maximum length"),
        (
            two_seats(results=[{**two_seats()[PATH]["results"][0], "reason": "abandoned"}])[PATH],
            "is not a match: /results/0/reason:",
        ),
        (two_seats(deal={"number": "x"})[PATH], "is not a match: /deal/number:"),
        (two_seats(id=[1])[PATH], "is not a match: /id:"),
    ],
)
def test_an_answer_that_is_no_match_cannot_be_read(answer: object, says: str, capsys: Captured) -> None:
    with answering({PATH: answer}) as url:
        assert ended(url) == 2
    assert says in capsys.readouterr().err


def test_another_deal_than_was_asked_for_cannot_be_read(capsys: Captured) -> None:
    answers = two_seats()
    answers[f"{PATH}/deals/1"] = answers[f"{PATH}/deals/2"]
    with answering(answers) as url:
        assert ended(f"{url}/deals/1") == 2
    assert "shows another deal" in capsys.readouterr().err
