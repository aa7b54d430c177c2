"""What is refused over HTTP, and in which order it is judged."""

from __future__ import annotations

from typing import Any

import pytest

from tests.client import NO_BODY, Client, Game, Reply

JSON = {"Content-Type": "application/json"}
UNKNOWN = "/v1/matches/" + "x" * 17


@pytest.fixture
def game(client: Client) -> Game:
    """A match of two that is played."""
    return Game(client)


WRITES: list[tuple[str, str, Any]] = [
    ("POST", "/start", {}),
    ("POST", "/moves", {"type": "draw"}),
    ("PUT", "/players/0/client-seed", {"client_seed": "tuz"}),
    ("DELETE", "/players/0", NO_BODY),
]


@pytest.mark.parametrize("method,path,body", WRITES, ids=["start", "move", "client seed", "leave"])
def test_a_write_is_judged_by_404_then_401_then_403_then_its_shape_then_409(
    client: Client, game: Game, method: str, path: str, body: Any
) -> None:
    other = Game(client, seated=1)
    bad_shape: dict[str, Any] = {"body": b"{", "headers": {"Content-Type": "text/plain"}}
    assert client.call(method, UNKNOWN + path, token="x", **bad_shape).code == "match_not_found"
    assert client.call(method, game.path + path, **bad_shape).code == "token_required"
    assert client.call(method, game.path + path, token="x", **bad_shape).code == "token_invalid"
    assert client.call(method, game.path + path, token=other.tokens[0], **bad_shape).code == "not_your_match"
    allowed = client.call(method, game.path + path, token=game.tokens[0], **bad_shape)
    assert allowed.status == (200 if body is NO_BODY else 415)


def test_shapes_are_judged_by_415_then_413_then_400_then_422(client: Client, game: Game) -> None:
    moves, token = f"{game.path}/moves", game.tokens[0]
    large = b'{"type": "dr' + b"a" * 20_000
    assert client.call("POST", moves, large, token=token, headers={"Content-Type": "text/plain"}).status == 415
    missing = client.call("POST", moves, token=token)
    assert (missing.code, "is missing" in missing.json["detail"]) == ("unsupported_media_type", True)
    gzipped = {**JSON, "Content-Encoding": "gzip"}
    assert client.call("POST", moves, b"{}", token=token, headers=gzipped).code == "unsupported_media_type"
    assert client.post(moves, large, token).code == "body_too_large"
    for malformed in (b"", b"{", b"\xff", b'{"type": "draw"} x', b"{'type': 'draw'}", b"NaN"):
        assert client.post(moves, malformed, token).code == "malformed_json"
    odd: list[Any] = [
        None,
        [],
        "draw",
        1,
        {},
        {"type": None},
        {"type": "draw", "more": 1},
        {"type": "play", "card": "1H"},
    ]
    for wrong in odd:
        assert client.post(moves, wrong, token).code == "invalid_body"


def test_a_body_in_which_nothing_is_required_may_be_left_out(client: Client) -> None:
    game = Game(client, auto_start=False)
    assert client.call("POST", f"{game.path}/stream-tickets", token=game.tokens[0]).status == 201
    empty = {"Content-Type": "text/plain;charset=UTF-8"}
    client.call("POST", f"{game.path}/start", b"", token=game.tokens[0], headers=empty).expect(200)
    for body in (b"{", b" "):
        assert client.post(f"{game.path}/start", body, game.tokens[0]).code == "malformed_json"


def test_a_charset_of_json_is_taken(client: Client) -> None:
    headers = {"Content-Type": "application/json; charset=utf-8"}
    client.call("POST", "/v1/matches", {"seats": 2}, headers=headers).expect(201)


def test_unknown_members_are_refused_by_name(client: Client, game: Game) -> None:
    reply = client.post("/v1/matches", {"seats": 2, "cheat": True, "creator": {"name": "x", "a/b~c": 1}})
    assert reply.code == "invalid_body"
    assert {error["pointer"]: error["detail"] for error in reply.json["errors"]} == {
        "/cheat": "Not known here; known are: seats, rules, name, visibility, auto_start, spectators, clock, bots, "
        "creator, metadata, webhook.",
        "/creator/a~1b~0c": "Not known here; known are: name, metadata.",
    }
    reply = client.get(f"{game.path}/events?after=1&cheat=1&limit=1&limit=2")
    assert reply.code == "invalid_query"
    assert {error["parameter"]: error["detail"] for error in reply.json["errors"]} == {
        "cheat": "Not known here; known are: after, limit.",
        "limit": "Stands there more than once.",
    }
    [error] = client.get("/healthz?cheat=1").json["errors"]
    assert error["detail"] == "Not known here; nothing is."


def test_what_must_be_an_object_says_so(client: Client) -> None:
    bodies: list[Any] = [[], {"seats": 2, "rules": "classic"}, {"seats": 2, "creator": "Ayşe"}]
    for body in bodies:
        [error] = client.post("/v1/matches", body).json["errors"]
        assert error["detail"] == "Must be an object."


def test_a_missing_join_code_is_told_from_a_wrong_one(client: Client) -> None:
    game = Game(client, seated=1)
    for code, fault in (({}, "none was sent"), ({"join_code": "ABCDEFGH"}, "that is not it")):
        reply = client.post(f"{game.path}/players", {"name": "Bora", **code})
        assert (reply.code, fault in reply.json["detail"]) == ("join_code_wrong", True)


def test_a_path_that_leads_nowhere_says_where_the_others_stand(client: Client) -> None:
    assert "/docs" in client.get("/").json["detail"]


def test_an_accept_header_that_nothing_fits_is_refused(client: Client, game: Game) -> None:
    assert client.get(game.path, Accept="text/html").code == "not_acceptable"
    assert client.get(game.path, Accept="text/html, application/*;q=0.1").status == 200
    assert client.get(game.path, Accept="*/*").status == 200


def test_a_seat_is_not_found_before_anybody_is_asked_who_they_are(client: Client) -> None:
    game = Game(client, 3, seated=2)
    for seat in ("3", "-1", "00", "x", "2", "1.0"):
        assert client.call("DELETE", f"{game.path}/players/{seat}").code == "seat_not_found"
    assert client.call("DELETE", f"{game.path}/players/1").code == "token_required"
    assert client.call("DELETE", f"{game.path}/players/0", token=game.tokens[1]).code == "not_your_seat"
    left = client.call("DELETE", f"{game.path}/players/1", token=game.tokens[1])
    assert [player["seat"] for player in left.expect(200)["match"]["players"]] == [0]
    assert client.call("DELETE", f"{game.path}/players/1", token=game.tokens[1]).code == "seat_not_found"


def test_a_client_seed_is_set_by_its_player_until_the_start(client: Client) -> None:
    game = Game(client, 3, seated=2)
    path = f"{game.path}/players/{{}}/client-seed"

    def put(seat: int | str, token: str | None, client_seed: Any = "tuz", **headers: str) -> Reply:
        body = {"client_seed": client_seed}
        return client.call("PUT", path.format(seat), body, token=token, headers=headers)

    for absent in ("2", "3", "x"):
        assert put(absent, game.tokens[0]).code == "seat_not_found"
    assert put(0, None).code == "token_required"
    assert put(0, game.tokens[1]).code == "not_your_seat"
    assert put(1, game.tokens[0]).code == "not_your_seat", "not even the host"
    for wrong in ("", " ", "\u202e", "x" * 65, "a\nb", 1, None, ["tuz"]):
        assert put(0, game.tokens[0], wrong).json["errors"][0]["pointer"].startswith("/client_seed")
    assert client.call("PUT", path.format(0), {}, token=game.tokens[0]).code == "invalid_body"
    for _ in range(2):
        answer = put(0, game.tokens[0], "🂡" * 64, **{"Idempotency-Key": "first"}).expect(200)
        assert answer["match"]["you"]["client_seed"] == "🂡" * 64
        assert [event["type"] for event in answer["events"]] == ["client_seed_set"]
    assert answer["events"][0]["client_seed"] == "🂡" * 64
    put(0, game.tokens[0], "biber").expect(200)
    assert [event.get("client_seed") for event in game.events(0)[-2:]] == ["🂡" * 64, "biber"]
    assert game.events(1)[-2:] == game.events()[-2:] == game.events(0)[-2:]
    game.tokens.append(game.join(client_seed="nane").expect(201)["token"])
    started = next(event for event in game.events() if event["type"] == "match_started")
    assert started["client_seeds"] == ["biber", "", "nane"]
    assert [view["you"]["client_seed"] for view in game.views()] == ["biber", None, "nane"]
    assert put(0, game.tokens[0]).code == "match_already_started"


def test_a_host_without_a_seat_adds_nothing_to_the_shuffles(client: Client) -> None:
    made = client.post("/v1/matches", {"seats": 2}).expect(201)
    path = f"/v1/matches/{made['match']['id']}/players"
    client.post(path, {"name": "Ayşe", "join_code": made["join_code"]}).expect(201)
    refused = client.call("PUT", f"{path}/0/client-seed", {"client_seed": "tuz"}, token=made["token"])
    assert refused.code == "not_your_seat"


def test_joining_is_refused_with_the_reason(client: Client) -> None:
    game = Game(client, 3, seated=1, auto_start=False)
    assert game.join(join_code="ABCD2345").code == "join_code_wrong"
    assert client.post(f"{game.path}/players", {"name": "x"}).code == "join_code_wrong"
    assert game.join(seat=3).code == "seat_not_found"
    assert game.join(seat=0).code == "seat_taken"
    assert client.post(f"{UNKNOWN}/players", {"name": "x"}).code == "match_not_found"
    for name in ("", " ", "x" * 41, "a\u202eb", 1, None):
        assert game.join(name=name).code == "invalid_body"
    assert client.post(f"{game.path}/start", {}, game.tokens[0]).code == "seats_free"
    game.tokens += [game.join().expect(201)["token"] for _ in range(2)]
    assert game.join().code == "match_full"
    assert client.post(f"{game.path}/start", {}, game.tokens[1]).code == "host_only"
    assert client.post(f"{game.path}/moves", {"type": "draw"}, game.tokens[1]).code == "match_not_started"
    assert client.post(f"{game.path}/start", {}, game.tokens[0]).expect(200)["match"]["status"] == "playing"
    assert client.post(f"{game.path}/start", {}, game.tokens[0]).code == "match_already_started"
    assert game.join().code == "match_already_started"
    assert client.call("DELETE", f"{game.path}/players/1", token=game.tokens[0]).code == "match_already_started"
    assert client.call("DELETE", game.path, token=game.tokens[0]).code == "match_already_started"
    assert client.call("DELETE", game.path, token=game.tokens[1]).code == "host_only"


def test_a_finished_match_takes_no_moves_and_shows_its_deals(client: Client) -> None:
    game = Game(client, rules={"deals": 1, "hand_size": 3})
    deals = f"{game.path}/deals"
    for number, code in (
        ("1", "deal_unfinished"),
        ("0", "deal_not_found"),
        ("2", "deal_not_found"),
        ("x", "deal_not_found"),
    ):
        assert client.get(f"{deals}/{number}").code == code
    view = game.move_on(1000)
    assert (view["status"], view["deal"]["phase"], view["deal"]["turn_seat"]) == ("finished", "over", None)
    assert game.move(0, {"type": "draw", "if_version": 1}).code == "match_finished"
    assert client.post(f"{game.path}/start", {}, game.tokens[0]).code == "match_finished"
    assert game.join().code == "match_finished"
    shown = client.get(f"{deals}/1").expect(200)
    assert shown["points"] == view["results"][0]["points"]
    assert client.get(f"{deals}/1", game.tokens[0]).expect(200) == shown
    for number in ("100", "1.0", "%C2%B2", "-1", "+1", "%31%20"):
        assert client.get(f"{deals}/{number}").code == "deal_not_found"
        assert client.get(f"{deals}/{number}/positions").code == "deal_not_found"


def test_a_position_is_named_by_a_number_of_moves_that_were_made(client: Client) -> None:
    game = Game(client, rules={"deals": 1, "hand_size": 3})
    positions = f"{game.path}/deals/1/positions"
    assert client.get(positions).code == "deal_unfinished"
    game.move_on(1000)
    dealt = client.get(positions).expect(200)
    assert dealt == client.get(f"{positions}?move=0", game.tokens[0]).expect(200)
    assert (dealt["move"], dealt["phase"], dealt["discards"], dealt["top_card"]) == (0, "opening", [], None)
    last = client.get(f"{positions}?move={dealt['moves']}").expect(200)
    assert (last["phase"], last["turn_seat"]) == ("over", None)
    beyond = client.get(f"{positions}?move={dealt['moves'] + 1}")
    assert (beyond.status, beyond.code) == (404, "position_not_found")
    assert f"{dealt['moves']} moves" in beyond.json["detail"]
    for move in ("-1", "1001", "x", "", "1.0"):
        refused = client.get(f"{positions}?move={move}")
        assert (refused.code, refused.json["errors"][0]["parameter"]) == ("invalid_query", "move")


def test_an_unknown_preset_is_not_found_and_the_others_are_named(client: Client) -> None:
    reply = client.get("/v1/rules/mau-mau")
    assert (reply.status, reply.code) == (404, "not_found")
    assert "wikipedia-tr" in reply.json["detail"]
