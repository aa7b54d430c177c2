"""Odd requests, down to the bytes: always a problem document, never a fault, and judged as the contract says."""

from __future__ import annotations

import http.client
import json
import socket
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from service.engine.rules import OPTIONS
from tests.client import Game, Reply, Service
from tests.contract.checking import CheckedClient

LIMIT = 16 * 1024
SMALLEST = b'{"seats": 2}'
LOOKALIKES: list[Any] = [
    None, True, False, 0, 1, 2, -1, 1.0, 2.0, 1.5, 1e300, 10**30, -(2**63), 2**64 - 1,
    "", "1", "2", "true", "null", "\0", "ş" * 41, "\u202e", [], [2], {}, {"a": 1}, [[[[]]]],
]  # fmt: skip


@pytest.fixture
def client(service: Service) -> Iterator[CheckedClient]:
    with CheckedClient(service.port) as connected:
        yield connected


def exchange(port: int, request: bytes, *, hang_up: bool = False) -> Reply:
    """Send bytes and read the answer; `hang_up` tells the server that nothing follows them."""
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
        connection.sendall(request)
        if hang_up:
            connection.shutdown(socket.SHUT_WR)
        with http.client.HTTPResponse(connection, method=request.partition(b" ")[0].decode("latin-1")) as answer:
            answer.begin()
            return Reply(answer.status, answer.headers, answer.read())


def head(line: str, headers: Mapping[str, str | int]) -> bytes:
    """Write the head of a request; characters up to ÿ are sent as one byte."""
    lines = [f"{line} HTTP/1.1", "Host: x", "Connection: close", *(f"{name}: {headers[name]}" for name in headers)]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")


def creating(**headers: str | int) -> bytes:
    """Write the head of a request to create a match; an underscore stands for a hyphen."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return head("POST /v1/matches", {"Content-Type": "application/json", **named})


def chunked(body: bytes) -> bytes:
    return b"%x\r\n%s\r\n0\r\n\r\n" % (len(body), body)


@pytest.mark.parametrize(
    "body,code",
    [
        pytest.param(b"", "malformed_json", id="empty"),
        pytest.param(b'{"seats": 2, "name": "\xff"}', "malformed_json", id="not UTF-8"),
        pytest.param('{"seats": 2, "name": "Ayşe"}'.encode("iso8859-9"), "malformed_json", id="Turkish code page"),
        pytest.param('{"seats": 2}'.encode("utf-16"), "malformed_json", id="UTF-16"),
        pytest.param(b"\xef\xbb\xbf" + SMALLEST, "malformed_json", id="byte order mark"),
        pytest.param(b'{"seats": 2, "name": "\\ud800"}', "malformed_json", id="lone surrogate"),
        pytest.param(b'{"seats": 2, "\\udfff": 1}', "malformed_json", id="lone surrogate in a name"),
        pytest.param(b'{"seats": 2, "name": "\xed\xa0\x80"}', "malformed_json", id="surrogate in UTF-8"),
        pytest.param(SMALLEST + b"\0", "malformed_json", id="zero byte"),
        pytest.param(b'{"seats": NaN}', "malformed_json", id="not a number"),
        pytest.param(b'{"seats": 1e999}', "malformed_json", id="beyond all numbers"),
        pytest.param(b'{"seats": %s}' % (b"9" * 5000), "malformed_json", id="number of 5000 digits"),
        pytest.param(b'{"rules":' + b"[" * 8000 + b"]" * 8000 + b"}", "malformed_json", id="8000 brackets"),
        pytest.param(b'{"a":' * 2000 + b"1" + b"}" * 2000, "malformed_json", id="2000 braces"),
        pytest.param(
            b'{"seats": 2, "rules": {"deals": %s}}' % (b"[" * 999 + b"]" * 999), "invalid_body", id="deep list"
        ),
        pytest.param(
            b'{"seats": 2, "rules": %s}' % (b'{"a":' * 999 + b"1" + b"}" * 999), "invalid_body", id="deep rules"
        ),
        pytest.param(b"null", "invalid_body", id="null"),
        pytest.param(b"[]", "invalid_body", id="list"),
        pytest.param(b'"seats"', "invalid_body", id="text"),
        pytest.param(b'{"seats": 2, "": 1}', "invalid_body", id="member without a name"),
        pytest.param(b'{"seats": 2, "__proto__": {}}', "invalid_body", id="prototype"),
        pytest.param(json.dumps(dict.fromkeys(map(str, range(1000)))).encode(), "invalid_body", id="1000 members"),
        pytest.param(b'{"seats": 2, "rules": {"_schema": 1}}', "invalid_rules", id="unknown option"),
        pytest.param(b'{"seats": 2, "name": "%s"}' % (b"a" * 1_000_000), "body_too_large", id="1 MB"),
    ],
)
def test_a_body_that_is_none_is_refused(client: CheckedClient, body: bytes, code: str) -> None:
    assert client.post("/v1/matches", body).code == code


@pytest.mark.parametrize(
    "body,pointer",
    [
        (None, ""),
        ({"seats": 2, "creator": []}, "/creator"),
        ({"seats": 2, "_schema": 1}, "/_schema"),
        ({"seats": 2, "creator": {"name": "Ayşe", "_schema": {"a": 1}}}, "/creator/_schema"),
        ({"seats": 2, "rules": {"_schema": []}}, "/rules/_schema"),
        ({"seats": 2, "~a/b": 1}, "/~0a~1b"),
    ],
)
def test_a_complaint_points_to_what_it_is_about(client: CheckedClient, body: Any, pointer: str) -> None:
    assert [error["pointer"] for error in client.post("/v1/matches", body).json["errors"]] == [pointer]


@pytest.mark.parametrize("spelt", ["ABCD-EFGH", "abcd efgh", " a-b-c-d  e-f-g-h- "])
def test_a_join_code_may_be_typed_as_people_write_it(client: CheckedClient, spelt: str) -> None:
    game = Game(client, seated=1)
    assert game.join_code is not None
    typed = iter(game.join_code.lower())
    code = "".join(next(typed) if letter.isalpha() else letter for letter in spelt)
    assert game.join(join_code=code).status == 201


@pytest.mark.parametrize("name", ["seats", "rules", "name", "visibility", "auto_start", "creator"])
def test_members_of_a_new_match_take_what_their_schema_says(client: CheckedClient, name: str) -> None:
    for value in LOOKALIKES:
        client.post("/v1/matches", {"seats": 2, name: value})
        client.post("/v1/matches", {"seats": 2, "creator": {"name": "Ayşe", name: value}})


@pytest.mark.parametrize("option", ["preset", *OPTIONS, "stakes"])
def test_house_rules_take_what_their_schema_says(client: CheckedClient, option: str) -> None:
    for value in LOOKALIKES:
        client.post("/v1/matches", {"seats": 2, "rules": {option: value}})


@pytest.mark.parametrize("name", ["name", "seat", "join_code", "client_seed", "token"])
def test_members_of_who_joins_take_what_their_schema_says(client: CheckedClient, name: str) -> None:
    game = Game(client, seated=1)
    for value in LOOKALIKES:
        reply = client.post(f"{game.path}/players", {"name": "Mehmet", name: value})
        assert reply.status in (403, 404, 422)


@pytest.mark.parametrize("name", ["name", "seats", "rules", "clock", "client_seed", "bots"])
def test_members_of_who_looks_for_strangers_take_what_their_schema_says(client: CheckedClient, name: str) -> None:
    for value in LOOKALIKES:
        client.post("/v1/quick-matches", {"name": "Mehmet", "seats": 9, name: value})


def test_a_join_code_to_look_up_takes_what_its_schema_says(client: CheckedClient) -> None:
    for value in (*LOOKALIKES, "ABCDEFG", "ABCDEFGHJ", "ABCDEFG0", "ABCDEFGI", "ABCDEFGı", "ABCD_EFGH"):
        client.post("/v1/join-codes/lookup", {"join_code": value})
    assert client.post("/v1/join-codes/lookup", {}).code == "invalid_body"


def test_a_client_seed_takes_what_its_schema_says(client: CheckedClient) -> None:
    game = Game(client, seated=1)
    for value in LOOKALIKES:
        for name in ("client_seed", "seed"):
            client.call("PUT", f"{game.path}/players/0/client-seed", {name: value}, token=game.tokens[0])


@pytest.mark.parametrize("name", ["type", "card", "suit", "call", "if_version", "count"])
def test_members_of_a_move_take_what_their_schema_says(client: CheckedClient, name: str) -> None:
    game = Game(client, seated=1)
    for body in ({"type": "play", "card": "JH"}, {"type": "draw"}, {"type": "pass"}):
        for value in LOOKALIKES:
            assert game.move(0, {**body, name: value}).status in (409, 422)


@pytest.mark.parametrize("size", [LIMIT - 1, LIMIT, LIMIT + 1, LIMIT + 2, 100_000])
def test_a_body_has_at_most_16_kib_however_it_is_sent(service: Service, size: int) -> None:
    body = SMALLEST.ljust(size)
    for request in (
        creating(Content_Length=size) + body,
        creating(Transfer_Encoding="chunked") + chunked(body),
        creating(Transfer_Encoding="chunked") + chunked(body[:100])[:-5] + chunked(body[100:]),
    ):
        reply = exchange(service.port, request)
        assert reply.status == 201 if size <= LIMIT else reply.code == "body_too_large"


@pytest.mark.parametrize(
    "request_bytes",
    [
        pytest.param(creating(Transfer_Encoding="chunked") + b"zz\r\n", id="size of a chunk"),
        pytest.param(creating(Transfer_Encoding="chunked") + b"-1\r\n", id="negative size"),
        pytest.param(creating(Transfer_Encoding="chunked") + b"c\r\n" + SMALLEST + b"0\r\n\r\n", id="end of a chunk"),
        pytest.param(creating(Transfer_Encoding="chunked") + b"ff\r\n" + SMALLEST, id="cut in a chunk"),
        pytest.param(creating(Transfer_Encoding="chunked") + b"c\r\n" + SMALLEST + b"\r\n", id="cut between chunks"),
        pytest.param(creating(Content_Length=100) + SMALLEST, id="shorter than its length"),
        pytest.param(creating(Content_Length="+12") + SMALLEST, id="signed length"),
        pytest.param(creating(Content_Length=12, Transfer_Encoding="chunked") + chunked(SMALLEST), id="two lengths"),
        pytest.param(creating(Transfer_Encoding="gzip, chunked") + chunked(SMALLEST), id="compressed in transfer"),
    ],
)
def test_a_body_that_is_not_well_formed_http_is_refused(service: Service, request_bytes: bytes) -> None:
    assert exchange(service.port, request_bytes, hang_up=True).code == "malformed_request"


def test_a_body_for_an_operation_that_takes_none_is_left_unread(service: Service) -> None:
    for body in (b"{", b"x" * 1_000_000):
        assert exchange(service.port, head("GET /healthz", {"Content-Length": len(body)}) + body).status == 200
    assert exchange(service.port, head("GET /healthz", {"Transfer-Encoding": "chunked"}) + b"zz\r\n").status == 200


@pytest.mark.parametrize(
    "path,code",
    [
        ("/", "not_found"),
        ("//", "not_found"),
        ("/v1//matches", "not_found"),
        ("/v1/matches//", "not_found"),
        ("/V1/matches", "not_found"),
        ("/v1/../v1/matches", "not_found"),
        ("/v1/matches/%2F", "not_found"),
        ("/v1/rules%2Fclassic", "not_found"),
        ("/v1%2frules?a=b", "not_found"),
        ("http://x/v1/rules%2Fclassic", "not_found"),
        ("/%", "not_found"),
        ("/%zz", "not_found"),
        ("/\\", "not_found"),
        ("/v1/rules/%00", "not_found"),
        ("/v1/rules/CLASSIC", "not_found"),
        ("/v1/matches/%00", "match_not_found"),
        ("/v1/matches/%ff", "match_not_found"),
        ("/v1/matches/%ED%A0%80", "match_not_found"),
        ("/v1/matches/%0d%0aX:%20y", "match_not_found"),
        ("/v1/matches/..", "match_not_found"),
        ("/v1/matches/*", "match_not_found"),
        ("/v1/matches/{match_id}/events?%00=%ff", "match_not_found"),
        ("/v1/matches/" + "a" * 8000, "match_not_found"),
        ("/v1/matches/" + "a" * 9000, "uri_too_long"),
        ("/v1/matches/é", "malformed_request"),
        ("*", "malformed_request"),
    ],
)
def test_an_odd_path_leads_nowhere(service: Service, path: str, code: str) -> None:
    assert exchange(service.port, head(f"GET {path}", {})).code == code


@pytest.mark.parametrize("path", ["/v1/matches", "/healthz", "/v1/matches/x/moves", "/nowhere"])
@pytest.mark.parametrize(
    "method,code",
    [
        *((method, "method_not_allowed") for method in ("TRACE", "OPTIONS", "PROPFIND", "PATCH", "CONNECT", "X-Y")),
        *((method, "malformed_request") for method in ("get", "Post", "A" * 50, "GÉT")),
    ],
)
def test_an_unknown_method_is_refused(service: Service, method: str, code: str, path: str) -> None:
    reply = exchange(service.port, head(f"{method} {path}", {}))
    assert reply.code == ("not_found" if (path, code) == ("/nowhere", "method_not_allowed") else code)
    assert (reply.headers["Allow"] is not None) == (reply.status == 405)


@pytest.mark.parametrize(
    "query,named",
    [
        ("limit", "limit"),
        ("limit=", "limit"),
        ("limit=+1", "limit"),
        ("limit=1.0", "limit"),
        ("limit=1;after=2", "limit"),
        ("limit=%D9%A3", "limit"),
        ("limit=%ff", "limit"),
        ("limit=" + "9" * 2000, "limit"),
        ("limit=1&limit=1", "limit"),
        ("LIMIT=1", "LIMIT"),
        ("limit[]=1", "limit[]"),
        ("%00=1", "\0"),
        ("=1", ""),
        ("after=2147483648", "after"),
        ("after=-1", "after"),
    ],
)
def test_an_odd_query_is_refused_by_the_name_of_its_parameter(client: CheckedClient, query: str, named: str) -> None:
    game = Game(client, seated=1)
    for path in ("/events", "/stream"):
        reply = client.get(f"{game.path}{path}?{query}")
        assert reply.code == "invalid_query"
        assert [error["parameter"] for error in reply.json["errors"]] == [named]


@pytest.mark.parametrize("place", ["", "x", "-1", "1.0", "²", "1, 2", "2147483648", "9" * 8000])
def test_an_odd_place_to_resume_from_is_refused(service: Service, client: CheckedClient, place: str) -> None:
    path = f"{Game(client, seated=1).path}/stream?limit=1"
    assert exchange(service.port, head(f"GET {path}", {"Last-Event-ID": place})).code == "invalid_query"


def test_a_whole_number_may_be_written_with_a_zero_fraction(client: CheckedClient) -> None:
    reply = client.post("/v1/matches", {"seats": 3.0, "rules": {"deals": 2.0}})
    assert '"seats":3,' in reply.body.decode()
    assert '"deals":2,' in reply.body.decode()


def test_odd_conditions_and_ranges_change_nothing(client: CheckedClient) -> None:
    game = Game(client, seated=1)
    for name, value in (
        ("If-Match", '"x"'),
        ("If-Match", "*"),
        ("If-Unmodified-Since", "Wed, 21 Oct 2015 07:28:00 GMT"),
        ("If-Modified-Since", "Wed, 21 Oct 2099 07:28:00 GMT"),
        (
            "If-None-Match",
            'W/"',
        ),
        ("If-None-Match", "x" * 4000),
        ("Range", "bytes=9999999-"),
        ("X-HTTP-Method-Override", "DELETE"),
    ):
        client.call("GET", game.path, headers={name: value}).expect(200)


@pytest.mark.parametrize(
    "accept,served",
    [
        ("application/json; charset=utf-8", True),
        ('application/json;charset="UTF-8";q=0.5', True),
        ("application/json; charset=utf-16", False),
        ("application/json;q=0, */*", False),
        ("*/*;q=0", False),
        (";", False),
        (",,,", True),
    ],
)
def test_an_odd_wish_for_a_media_type_is_understood(client: CheckedClient, accept: str, served: bool) -> None:
    reply = client.get("/v1/matches", Accept=accept)
    assert reply.status == 200 if served else reply.code == "not_acceptable"


def test_an_odd_authorization_is_refused(service: Service, client: CheckedClient) -> None:
    game, other = Game(client, seated=1), Game(client, seated=1)
    path, token = f"GET {game.path}/legal-moves", game.tokens[0]
    for given in ("", "Bearer", "Bearer é", "Bearer ÿ", f"Bearer\t{token}", f"Bearer {token}0", f"Token {token}"):
        assert exchange(service.port, head(path, {"Authorization": given})).code == "token_invalid", given
    twice = head(path, {"Authorization": f"Bearer {token}", "authorization": f"Bearer {other.tokens[0]}"})
    assert exchange(service.port, twice).status == 401
    assert exchange(service.port, head(path, {"Authorization": "Bearer \x7f"})).code == "malformed_request"
    assert exchange(service.port, head(path, {"Authorization": "x" * 9000})).code == "headers_too_large"
