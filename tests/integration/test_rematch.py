"""A rematch over HTTP, with two workers."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from copy import copy
from operator import itemgetter
from pathlib import Path
from typing import Any

import pytest

from tests.client import Client, Game, Service, within
from tests.unit.verify.test_command import ended


def play_out(game: Game) -> Any:
    """Make the first legal move of each player until the match is over, and give its view; bots make theirs."""
    while (view := game.view())["status"] == "playing":
        seat = view["deal"]["turn_seat"]
        if seat < len(game.tokens) and (moves := game.legal_moves(seat)):
            game.move(seat, moves[0]).expect(200)
        else:
            time.sleep(0.05)
    return view


def test_players_who_ask_at_once_meet_in_one_rematch_and_followers_are_told(service: Service, client: Client) -> None:
    before = Game(client, 4, rules={"deals": 1, "hand_size": 3})
    version = before.move_on(1000)["version"]

    def come(seat: int) -> tuple[int, str]:
        with service.client() as own:
            made = own.post(f"{before.path}/rematch", {"client_seed": f"seed {seat}"}, before.tokens[seat]).expect(201)
            assert made["seat"] == seat
            return made["match"]["id"], made["token"]

    with ThreadPoolExecutor() as pool:
        came = list(pool.map(come, range(4)))
    assert len(set(map(itemgetter(0), came))) == 1
    path = f"/v1/matches/{came[0][0]}"
    assert before.view(2)["rematch"] == {"match_id": came[0][0]}
    for _, token in came:
        assert len(client.get(path, token).expect(200)["you"]["hand"]) == 3
    created, *_ = client.get(f"{path}/events").expect(200)["events"]
    assert [player["seat"] for player in created["awaited"]] == [0, 1, 2, 3]
    stream = client.get(f"{before.path}/stream?after={version}", before.tokens[0]).body
    assert stream.count(b"event: rematch_offered") == stream.count(b"event:") == 1
    assert client.get(f"{before.path}/stream?after={version + 1}").status == 204
    etag = client.get(before.path).headers["ETag"]
    assert client.get(f"{before.path}?wait=30", If_None_Match=etag).status == 304


@pytest.mark.slow
def test_r2_a_bot_stands_in_after_a_minute_for_who_does_not_come_until_they_do(client: Client, tmp_path: Path) -> None:
    before = Game(client, 4, seated=3, bots=[{"level": "easy", "seat": 3}], rules={"deals": 1, "hand_size": 3})
    dealer = play_out(before)["deal"]["dealer_seat"]
    came = [client.post(f"{before.path}/rematch", {}, before.tokens[seat]).expect(201) for seat in (0, 1)]
    game = copy(before)
    game.path = f"/v1/matches/{came[0]['match']['id']}"
    began = time.monotonic()
    assert within(75, lambda: bool(game.view()["status"] == "playing"))
    assert time.monotonic() - began > 55
    assert game.view()["first_dealer"] == (dealer + 1) % 4
    assert [player["played_by"] for player in game.view()["players"]] == ["player", "player", "bot", "bot"]
    came.append(client.post(f"{before.path}/rematch", {}, before.tokens[2]).expect(201))
    game.tokens = [made["token"] for made in came]
    assert play_out(game)["status"] == "finished"
    path = tmp_path / "match.json"
    path.write_bytes(client.get(f"{game.path}/export").body)
    assert ended(path) == 0
