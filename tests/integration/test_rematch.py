"""A rematch over HTTP, with two workers."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from operator import itemgetter

from tests.client import Client, Game, Service


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
