"""Finding a match over HTTP: quick match, join codes and their limits, the filters of the lobby."""

from __future__ import annotations

import itertools
import random
import secrets
from pathlib import Path
from typing import Any

import pytest

from service.codes import LIMITS
from tests.client import Client, Game, Reply, Service, serving
from tests.load.quick import Rush

QUICK = "/v1/quick-matches"
LOOKUP = "/v1/join-codes/lookup"
WRONG = "AAAABBBB"
_NETWORKS = itertools.count(random.getrandbits(24))


def new_address() -> str:
    """An address from which nobody has called; the service is told of it as by a proxy."""
    return f"10.{'.'.join(map(str, next(_NETWORKS).to_bytes(3, 'big')))}"


def look_up(client: Client, code: str | None, address: str) -> Reply:
    return client.post(LOOKUP, {"join_code": code}, X_Forwarded_For=address)


def kind(**more: Any) -> dict[str, Any]:
    """A kind of match that nobody else asks for."""
    return {"seats": 2, "clock": {"turn_seconds": random.randint(5, 86_400)}} | more


def test_of_200_strangers_who_ask_at_once_each_sits_at_one_of_50_full_tables(service: Service) -> None:
    outcome = Rush(service.port, 200, 200).end()
    assert outcome.is_kept(), outcome
    assert len(outcome.matches) == outcome.full == 50, outcome


def test_quick_match_answers_as_joining_does_and_the_token_plays(client: Client) -> None:
    asked = kind()
    first, second = (client.post(QUICK, {"name": name, **asked}) for name in ("Ayşe", "Bora"))
    made, joined = first.expect(201), second.expect(201)
    assert made["match"]["id"] == joined["match"]["id"]
    for reply in (first, second):
        assert reply.headers["Location"] == f"/v1/matches/{made['match']['id']}"
        assert reply.headers["Cache-Control"] == "no-store"
    assert [player["name"] for player in joined["match"]["players"]] == ["Ayşe", "Bora"]
    path, turn = first.headers["Location"], joined["match"]["deal"]["turn_seat"]
    token = (made["token"], joined["token"])[turn]
    [move, *_] = client.get(f"{path}/legal-moves", token).expect(200)["moves"]
    client.post(f"{path}/moves", move, token).expect(200)


def test_a_repeated_quick_match_is_answered_alike(client: Client) -> None:
    body, key = {"name": "Ayşe", **kind(seats=3)}, secrets.token_hex(16)
    first, again = (client.post(QUICK, body, Idempotency_Key=key) for _ in range(2))
    assert (first.headers["Idempotency-Replayed"], again.headers["Idempotency-Replayed"]) == (None, "true")
    assert first.headers["Location"] == again.headers["Location"]
    assert first.expect(201) == again.expect(201)
    assert client.post(QUICK, body | {"name": "Bora"}, Idempotency_Key=key).code == "idempotency_key_reused"


def test_without_a_clock_of_their_own_strangers_get_one(client: Client) -> None:
    rules = {"deals": random.randint(5, 20), "target_score": random.randint(1, 10_000)}
    made = client.post(QUICK, {"name": "Ayşe", "seats": 2, "rules": rules}).expect(201)
    assert made["match"]["clock"] == {"turn_seconds": 30, "bank_seconds": 60, "deal_pause": 8}
    made = client.post(QUICK, {"name": "Ayşe", "seats": 2, "rules": rules, "clock": None}).expect(201)
    assert made["match"]["clock"] is None


def test_a_join_code_leads_to_its_table_until_the_match_starts(client: Client) -> None:
    game, friend = Game(client, 2, seated=1), new_address()
    found = look_up(client, game.join_code, friend).expect(200)["match"]
    assert f"/v1/matches/{found['id']}" == game.path
    assert (found["free_seats"], found["players"]) == ([1], [{"seat": 0, "name": "Player 0"}])
    game.join().expect(201)
    assert look_up(client, game.join_code, friend).code == "join_code_unknown"


@pytest.mark.slow
def test_codes_and_those_who_wait_outlive_a_restart(tmp_path: Path) -> None:
    asked, key = kind(seats=3), secrets.token_hex(16)
    with serving(tmp_path, MATCH_TTL_SECONDS="3600") as first, first.client() as client:
        game = Game(client, 2, seated=1)
        opened = client.post(QUICK, {"name": "Ayşe", **asked}, Idempotency_Key=key).expect(201)
    with serving(tmp_path, MATCH_TTL_SECONDS="3600") as again, again.client() as client:
        assert client.post(LOOKUP, {"join_code": game.join_code}).expect(200)["match"]["free_seats"] == [1]
        repeated = client.post(QUICK, {"name": "Ayşe", **asked}, Idempotency_Key=key).expect(201)
        assert (repeated["token"], repeated["seat"]) == (opened["token"], 0)
        joined = client.post(QUICK, {"name": "Bora", **asked}).expect(201)
        assert (joined["match"]["id"], joined["seat"]) == (opened["match"]["id"], 1)


def test_who_guesses_too_much_is_told_when_to_come_back_and_friends_come_in(client: Client) -> None:
    game, stranger, friend = Game(client, 2, seated=1), new_address(), new_address()
    for _ in range(LIMITS.client // 2):
        assert look_up(client, WRONG, stranger).code == "join_code_unknown"
        body: dict[str, Any] = {"name": "x", "join_code": WRONG}
        assert client.post(f"{game.path}/players", body, X_Forwarded_For=stranger).code == "join_code_wrong"
    refused = look_up(client, game.join_code, stranger)
    assert (refused.status, refused.code) == (429, "rate_limited")
    seconds = int(refused.headers["Retry-After"])
    assert 1 <= seconds <= 60
    assert refused.headers["RateLimit"] == f'"join-codes";r=0;t={seconds}'
    assert refused.headers["RateLimit-Policy"] == f'"join-codes";q={LIMITS.client};w=60'
    body = {"name": "Friend", "join_code": game.join_code}
    assert client.post(f"{game.path}/players", body, X_Forwarded_For=stranger).code == "rate_limited"
    assert look_up(client, game.join_code, friend).status == 200
    assert client.post(f"{game.path}/players", body, X_Forwarded_For=friend).status == 201


def test_what_a_client_writes_about_itself_does_not_count(client: Client) -> None:
    address = new_address()
    codes = [look_up(client, WRONG, f"{new_address()}, {address}").code for _ in range(LIMITS.client + 1)]
    assert codes == ["join_code_unknown"] * LIMITS.client + ["rate_limited"]


def test_addresses_of_one_ipv6_network_are_one_client(client: Client) -> None:
    network = f"2001:db8:{random.getrandbits(16):x}:{random.getrandbits(16):x}"
    codes = [look_up(client, WRONG, f"{network}::{number:x}").code for number in range(LIMITS.client + 1)]
    assert codes == ["join_code_unknown"] * LIMITS.client + ["rate_limited"]


@pytest.mark.parametrize("query", ["status=open", "seats=11", "seats=two", "preset=poker", "sort=age"])
def test_a_filter_that_nothing_can_pass_is_refused_by_its_name(client: Client, query: str) -> None:
    reply = client.get(f"/v1/matches?{query}")
    assert (reply.status, reply.code) == (422, "invalid_query")
    assert [error["parameter"] for error in reply.json["errors"]] == [query.partition("=")[0]]


def test_filters_narrow_the_lobby(client: Client) -> None:
    game = Game(client, 7, seated=1, visibility="public", rules={"preset": "oyunes"})
    page = client.get("/v1/matches?status=waiting&seats=7&preset=oyunes&limit=100").expect(200)
    assert game.path.rpartition("/")[2] in [match["id"] for match in page["matches"]]
    assert {(match["seats"], match["rules"]["preset"], match["status"]) for match in page["matches"]} == {
        (7, "oyunes", "waiting")
    }
