"""The contract's promises over HTTP: what is answered, with which headers."""

from __future__ import annotations

import gzip
from collections.abc import Iterator

import pytest

from tests.client import Client, Game, Service, serving

UNKNOWN = "/v1/matches/" + "x" * 17


@pytest.fixture(scope="module")
def keyed_service(tmp_path_factory: pytest.TempPathFactory, service: Service) -> Iterator[Service]:
    """A service that asks for app keys, with a store of its own."""
    with serving(
        tmp_path_factory.mktemp("keyed"), measured=True, WORKERS="1", API_KEYS="first-key, shop:second-key"
    ) as running:
        yield running


@pytest.fixture
def game(client: Client) -> Game:
    """A match of two that is played."""
    return Game(client)


def test_creating_answers_with_the_match_the_token_and_where_it_is(client: Client) -> None:
    reply = client.post("/v1/matches", {"seats": 3, "creator": {"name": "Ayşe"}})
    made = reply.expect(201)
    assert reply.headers["Location"] == f"/v1/matches/{made['match']['id']}"
    assert reply.headers["Cache-Control"] == "no-store"
    assert reply.headers["Content-Type"] == "application/json"
    assert made.keys() == {"match", "token", "seat", "join_code"}
    assert made["match"]["players"][0]["name"] == "Ayşe"
    assert client.get(reply.headers["Location"]).expect(200)["id"] == made["match"]["id"]


def test_a_public_match_has_no_join_code_and_a_host_may_have_no_seat(client: Client) -> None:
    made = client.post("/v1/matches", {"seats": 2, "visibility": "public"}).expect(201)
    assert made.keys() == {"match", "token", "seat"}
    assert made["seat"] is None
    assert made["match"]["you"]["hand"] is None


def test_joining_answers_with_the_view_the_token_and_the_seat(client: Client) -> None:
    game = Game(client, 3, seated=1)
    reply = game.join(seat=2)
    joined = reply.expect(201)
    assert joined.keys() == {"match", "token", "seat"}
    assert (joined["seat"], joined["match"]["you"]["seat"]) == (2, 2)
    assert (reply.headers["Location"], reply.headers["Cache-Control"]) == (game.path, "no-store")


def test_a_view_may_be_kept_by_its_reader_alone(client: Client, game: Game) -> None:
    for path in ("", "/events", "/legal-moves"):
        reply = client.get(game.path + path, game.tokens[0])
        assert reply.status == 200
        assert reply.headers["Cache-Control"] == "private, no-cache"
        assert reply.headers["Vary"] == "Authorization"


def test_the_etag_tells_the_version_and_the_reader(client: Client, game: Game) -> None:
    etags = {client.get(game.path, token).headers["ETag"] for token in (*game.tokens, None)}
    assert len(etags) == 3
    version = game.view()["version"]
    assert all(etag.startswith(f'"{version}-') for etag in etags)
    assert not any(token in etag for token in game.tokens for etag in etags)


@pytest.mark.parametrize("reader", [0, 1, None])
def test_who_has_the_newest_view_is_told_so_and_sent_nothing(client: Client, game: Game, reader: int | None) -> None:
    token = None if reader is None else game.tokens[reader]
    etag = client.get(game.path, token).headers["ETag"]
    for sent in (etag, f"W/{etag}", f'"old", {etag}', f'W/"old",W/{etag}', "*"):
        reply = client.get(game.path, token, If_None_Match=sent)
        assert (reply.status, reply.body) == (304, b"")
        assert reply.headers["ETag"] == etag
        assert reply.headers["Cache-Control"] == "private, no-cache"
        assert reply.headers["Vary"] == "Authorization"
        assert reply.headers["Content-Type"] is None
    game.move_on(1)
    assert client.get(game.path, token, If_None_Match=etag).status == 200


@pytest.mark.parametrize("sent", ['"1-public"', "nonsense", '""', "W/", '"'])
def test_who_has_another_view_is_sent_the_new_one(client: Client, game: Game, sent: str) -> None:
    assert client.get(game.path, game.tokens[0], If_None_Match=sent).status == 200


def test_an_etag_does_not_stand_for_another_reader(client: Client, game: Game) -> None:
    etag = client.get(game.path, game.tokens[0]).headers["ETag"]
    assert client.get(game.path, game.tokens[1], If_None_Match=etag).expect(200)["you"]["seat"] == 1
    assert client.get(game.path, If_None_Match=etag).expect(200)["you"] is None


@pytest.mark.parametrize("sent", ["*", '"1-public"', None])
def test_an_etag_opens_nothing_for_a_bad_token_or_an_unknown_match(
    client: Client, game: Game, sent: str | None
) -> None:
    headers = {} if sent is None else {"If_None_Match": sent}
    bad = game.tokens[0][:-1] + ("0" if game.tokens[0][-1] != "0" else "1")
    assert client.get(game.path, bad, **headers).code == "token_invalid"
    assert client.get(UNKNOWN, bad, **headers).code == "match_not_found"
    assert client.call("GET", game.path, headers={"Authorization": "Basic x", "If-None-Match": "*"}).status == 401
    assert client.get(UNKNOWN, Authorization="Basic x", **headers).code == "match_not_found"


def test_the_challenge_names_an_error_only_for_a_token_that_was_sent(client: Client, game: Game) -> None:
    missing = client.get(f"{game.path}/legal-moves")
    assert (missing.status, missing.code) == (401, "token_required")
    assert missing.headers["WWW-Authenticate"] == 'Bearer realm="pis-yedili"'
    for authorization in ("Bearer x", "Bearer", "Bearer ", "Basic eDp5", "bearer py_a_b_", game.tokens[0]):
        wrong = client.get(game.path, Authorization=authorization)
        assert wrong.status in (401, 403)
        if wrong.status == 401:
            assert wrong.headers["WWW-Authenticate"] == 'Bearer realm="pis-yedili", error="invalid_token"'
    assert client.get(game.path, Authorization=f"bEaReR   {game.tokens[0]} ").expect(200)["you"]["seat"] == 0


@pytest.mark.parametrize(
    "method,path,allowed",
    [
        ("PUT", "/v1/matches", {"GET", "HEAD", "POST"}),
        ("PUT", UNKNOWN, {"DELETE", "GET", "HEAD"}),
        ("GET", f"{UNKNOWN}/moves", {"POST"}),
        ("POST", f"{UNKNOWN}/players/0", {"DELETE"}),
        ("GET", f"{UNKNOWN}/players/0/client-seed", {"PUT"}),
        ("OPTIONS", "/healthz", {"GET", "HEAD"}),
        ("TRACE", "/healthz", {"GET", "HEAD"}),
    ],
)
def test_another_method_is_answered_with_those_that_there_are(
    client: Client, method: str, path: str, allowed: set[str]
) -> None:
    reply = client.call(method, path)
    assert (reply.status, reply.code) == (405, "method_not_allowed")
    assert set(reply.headers["Allow"].split(", ")) == allowed


@pytest.mark.parametrize(
    "path", ["/", "/v1", "/v2/matches", "/v1//matches", f"{UNKNOWN}/x", "/%00", "/%C3%A9%ff", "/a%2fb"]
)
def test_a_path_that_leads_nowhere_is_a_problem_document(client: Client, path: str) -> None:
    reply = client.get(path)
    assert (reply.status, reply.code) == (404, "not_found")


@pytest.mark.parametrize(
    "path", ["/healthz", "/readyz", "/v1/matches", "/v1/rules", "/openapi.json", "GAME", "GAME/events"]
)
def test_head_answers_as_get_but_for_the_body(client: Client, game: Game, path: str) -> None:
    path = path.replace("GAME", game.path)
    get, head = client.get(path), client.call("HEAD", path)
    assert (head.status, head.body) == (200, b"")
    for name in ("Content-Type", "Content-Length", "ETag", "Cache-Control"):
        assert head.headers[name] == get.headers[name], name


def test_every_answer_says_how_long_it_may_be_kept(client: Client, game: Game) -> None:
    for path in ("/v1/rules", "/v1/rules/classic", "/healthz", "/v1/matches", game.path, "/nowhere", "/openapi.yaml"):
        assert client.get(path).headers["Cache-Control"]


def test_app_keys_are_asked_for_creating_alone(keyed_service: Service) -> None:
    with keyed_service.client() as client:
        for headers in ({}, {"X_API_Key": "wrong"}, {"X_API_Key": ""}, {"X_API_Key": "shop:second-key"}):
            reply = client.post("/v1/matches", b"not even JSON", **headers)
            assert (reply.status, reply.code) == (403, "app_key_required")
            assert ("none of this service's" in reply.json["detail"]) == bool(headers)
        for key in ("first-key", "second-key"):
            made = client.post("/v1/matches", {"seats": 2, "visibility": "public"}, X_API_Key=key).expect(201)
            client.post(f"/v1/matches/{made['match']['id']}/players", {"name": "x"}).expect(201)
        assert client.get("/v1/matches").status == 200


def test_one_idempotency_key_of_two_applications_makes_two_matches(keyed_service: Service) -> None:
    order, repeatable = {"seats": 2, "creator": {"name": "A"}}, {"Idempotency_Key": "order-2026-11-30-000001"}
    with keyed_service.client() as client:
        shop, other, again = (
            client.post("/v1/matches", order, X_API_Key=key, **repeatable).expect(201)
            for key in ("second-key", "first-key", "second-key")
        )
    assert shop["match"]["id"] != other["match"]["id"]
    assert (again["match"]["id"], again["token"]) == (shop["match"]["id"], shop["token"])


def test_without_app_keys_none_is_asked_for(client: Client) -> None:
    client.post("/v1/matches", {"seats": 2}, X_API_Key="any").expect(201)


def test_a_lobby_is_paged_by_its_cursor(client: Client) -> None:
    made = [
        client.post("/v1/matches", {"seats": 2, "visibility": "public"}).expect(201)["match"]["id"] for _ in range(3)
    ]
    first = client.get("/v1/matches?status=waiting&limit=2").expect(200)
    assert [match["id"] for match in first["matches"]] == made[:0:-1]
    second = client.get(f"/v1/matches?status=waiting&limit=2&cursor={first['next_cursor']}").expect(200)
    assert second["matches"][0]["id"] == made[0]
    for query in ("status=gone", "limit=0", "limit=101", "cursor=x", "limit=1e1", "cursor=1-x"):
        assert client.get(f"/v1/matches?{query}").code == "invalid_query"


def test_a_repeated_write_is_marked_and_answered_as_before(client: Client) -> None:
    key = {"Idempotency_Key": '"an-unguessable-key-of-this-test"'}
    first = client.post("/v1/matches", {"seats": 2}, **key)
    again = client.post("/v1/matches", {"seats": 2}, **key)
    assert first.headers["Idempotency-Replayed"] is None
    assert again.headers["Idempotency-Replayed"] == "true"
    assert (again.json["token"], again.headers["Location"]) == (first.json["token"], first.headers["Location"])
    assert client.post("/v1/matches/", {"seats": 2}, **key).json["token"] == first.json["token"], "the same operation"
    assert client.post("/v1/matches", {"seats": 3}, **key).code == "idempotency_key_reused"
    assert client.post("/v1/matches", {"seats": 2}, Idempotency_Key="short").code == "idempotency_key_invalid"
    assert client.post("/v1/matches", {"seats": 2}, Idempotency_Key="é").code == "idempotency_key_invalid"
    leaving = Game(client, 3, seated=2)
    left = [
        client.call("DELETE", f"{leaving.path}/players/1", token=leaving.tokens[1], headers={"Idempotency-Key": "x"})
        for _ in range(2)
    ]
    assert [reply.status for reply in left] == [200, 200]
    assert left[1].headers["Idempotency-Replayed"] == "true"


@pytest.mark.parametrize("spectators,shows", [("after_deal", True), ("none", False)])
def test_an_etag_tells_those_to_whom_a_match_is_closed_nothing(client: Client, spectators: str, *, shows: bool) -> None:
    game = Game(client, 2, spectators=spectators)
    assert ("ETag" in client.get(game.path).headers) == shows
    assert ("ETag" in client.get(game.path, If_None_Match="*").headers) == shows
    assert "ETag" in client.get(game.path, game.tokens[0]).headers


@pytest.mark.parametrize("path", ["/openapi.yaml", "/openapi.json", "/docs", "/docs/fairness"])
def test_documents_that_do_not_change_come_compressed_to_who_takes_that(client: Client, path: str) -> None:
    plain, packed = client.get(path), client.get(path, Accept_Encoding="gzip, br;q=0.9")
    assert plain.headers["Content-Encoding"] is None
    assert packed.headers["Content-Encoding"] == "gzip"
    assert plain.headers["Vary"] == packed.headers["Vary"] == "Accept-Encoding"
    assert gzip.decompress(packed.body) == plain.body
    assert len(packed.body) < len(plain.body) / 2
    assert client.get(path, Accept_Encoding="gzip;q=0").body == plain.body


@pytest.mark.parametrize("name", ["guesses", "lobby", "clock", "lock", "webhooks", "salt"])
def test_no_name_of_something_else_in_the_store_is_a_match(client: Client, name: str) -> None:
    client.post("/v1/join-codes/lookup", {"join_code": "WXYZ2345"})
    assert client.get(f"/v1/matches/{name}").code == "match_not_found"
