"""The live stream of a real service with two workers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
import redis

from service.store.embedded import EmbeddedServer
from tests.client import Client, Game, Service, within
from tests.sse import Message, Stream


def eager(moves: Sequence[Any]) -> Any:
    return moves[0]


def finish(game: Game) -> None:
    """Play to the end."""
    assert game.move_on(2000, eager)["status"] == "finished"


def data_of(messages: Sequence[Message]) -> list[Any]:
    return [message.data for message in messages]


@pytest.fixture
def game(client: Client) -> Game:
    return Game(client, 3, rules={"deals": 1, "hand_size": 3})


def stream(service: Service, game: Game, seat: int | None = None, query: str = "", **headers: str) -> Stream:
    token = None if seat is None else game.tokens[seat]
    return Stream(service.port, f"{game.path}/stream{query}", token, **headers)


def test_a_stream_begins_with_a_comment_and_the_whole_view(service: Service, game: Game) -> None:
    with stream(service, game, 1) as opened:
        assert opened.status == 200
        assert opened.answer.headers["Content-Type"].startswith("text/event-stream")
        assert opened.answer.headers["Cache-Control"] == "no-store"
        assert opened.answer.headers["X-Accel-Buffering"] == "no"
        first = next(opened.blocks)
        assert first[""]
        assert int(first["retry"]) > 0
        [snapshot] = opened.take(1)
        assert within(5, lambda: bool(game.view(1)["players"][1]["present"]))
        view = game.view(1)
    assert snapshot == (view["version"], "snapshot", view)


def test_events_come_as_they_happen_each_reader_getting_their_own_copy(service: Service, game: Game) -> None:
    readers = (0, 1, 2, None)
    streams = [stream(service, game, seat) for seat in readers]
    try:
        [version] = {opened.take(1)[0].id for opened in streams}
        game.move_on(12)
        for seat, opened in zip(readers, streams, strict=True):
            log = game.events(seat, version)
            messages = opened.take(len(log))
            assert data_of(messages) == log
            assert [(message.id, message.event) for message in messages] == [(e["seq"], e["type"]) for e in log]
    finally:
        for opened in streams:
            opened.__exit__()


def test_last_event_id_beats_after_and_nothing_is_missing_or_repeated(service: Service, game: Game) -> None:
    game.move_on(10)
    log = game.events(0)
    with stream(service, game, 0, "?after=2", Last_Event_ID="5") as opened:
        assert data_of(opened.take(len(log) - 5)) == log[5:]
    with stream(service, game, 0, "?after=0") as opened:
        assert data_of(opened.take(4)) == log[:4]
        last = log[3]["seq"]
    with stream(service, game, 0, Last_Event_ID=str(last)) as opened:
        assert data_of(opened.take(len(log) - 4)) == log[4:]
        game.move_on(3)
        later = game.events(0, log[-1]["seq"])
        assert data_of(opened.take(len(later))) == later


def test_a_stream_ends_after_the_match_and_resuming_there_answers_204(service: Service, game: Game) -> None:
    with stream(service, game, 2) as opened:
        opened.take(1)
        finish(game)
        *_, last = opened.messages()
    assert last.event == "match_ended"
    assert last.id == game.view()["version"]
    for query, headers in ((f"?after={last.id}", {}), ("", {"Last_Event_ID": str(last.id)})):
        with stream(service, game, 2, query, **headers) as resumed:
            assert resumed.status == 204
            assert resumed.answer.read() == b""
    with stream(service, game, 2, f"?after={last.id - 1}") as resumed:
        assert list(resumed.messages()) == [last]


def test_a_stream_of_a_finished_match_ends_after_the_view(service: Service, game: Game) -> None:
    finish(game)
    with stream(service, game, 1) as opened:
        view = game.view(1)
        assert list(opened.messages()) == [(view["version"], "snapshot", view)]


def test_a_place_that_the_log_has_not_reached_begins_anew(service: Service, game: Game) -> None:
    with stream(service, game, 0, "?after=2000000000") as opened:
        assert opened.take(1)[0].event == "snapshot"
        finish(game)
        assert list(opened.messages())[-1].event == "match_ended"


def test_an_abandoned_match_ends_its_stream(service: Service, client: Client) -> None:
    game = Game(client, 2, seated=1)
    with stream(service, game) as opened:
        opened.take(1)
        client.call("DELETE", f"{game.path}/players/0", token=game.tokens[0]).expect(200)
        messages = list(opened.messages())
    assert [message.event for message in messages] == ["player_left", "match_abandoned"]
    with stream(service, game, None, f"?after={messages[-1].id}") as resumed:
        assert resumed.status == 204


@pytest.mark.parametrize("query,count", [("?limit=1", 1), ("?limit=4", 4), ("?after=0&limit=3", 3)])
def test_a_limit_ends_the_stream_after_so_many_messages(service: Service, game: Game, query: str, count: int) -> None:
    game.move_on(4)
    with stream(service, game, 0, query) as opened:
        if not query.startswith("?after"):
            assert opened.take(1)[0].event == "snapshot"
            game.move_on(4)
            count -= 1
        assert len(list(opened.messages())) == count


@pytest.mark.parametrize(
    "query,headers,parameter",
    [
        ("?after=x", {}, "after"),
        ("?after=-1", {}, "after"),
        ("?limit=0", {}, "limit"),
        ("?limit=1001", {}, "limit"),
        ("?ticket=short", {}, "ticket"),
        ("?after=1&after=2", {}, "after"),
        ("", {"Last_Event_ID": "x"}, "Last-Event-ID"),
        ("", {"Last_Event_ID": "-1"}, "Last-Event-ID"),
        ("", {"Last_Event_ID": "²"}, "Last-Event-ID"),
        ("", {"Last_Event_ID": "9" * 30}, "Last-Event-ID"),
        ("", {"Last_Event_ID": "0" * 16 + "9" * 30}, "Last-Event-ID"),
        ("", {"Last_Event_ID": "0" * 16 + "9" * 5000}, "Last-Event-ID"),
    ],
)
def test_a_wrong_place_to_resume_from_is_named(
    client: Client, game: Game, query: str, headers: dict[str, str], parameter: str
) -> None:
    reply = client.get(f"{game.path}/stream{query}", **headers)

    assert (reply.status, reply.code) == (422, "invalid_query")
    assert [error["parameter"] for error in reply.json["errors"]] == [parameter]


def test_a_stream_is_opened_by_who_may_look(client: Client, game: Game) -> None:
    other = Game(client)
    assert client.get(f"{game.path}/stream", other.tokens[0]).code == "not_your_match"
    assert client.get(f"{game.path}/stream", game.tokens[0][:-1] + "x").code == "token_invalid"
    assert client.get("/v1/matches/nowhere/stream").code == "match_not_found"
    assert client.get(f"{game.path}/stream", Accept="application/json").code == "not_acceptable"


def test_head_of_a_stream_answers_at_once(client: Client, game: Game) -> None:
    assert client.call("HEAD", f"{game.path}/stream").status == 200


def ticket_for(game: Game, seat: int) -> str:
    made = game.client.post(f"{game.path}/stream-tickets", {}, game.tokens[seat])
    assert made.headers["Cache-Control"] == "no-store"
    return str(made.expect(201)["ticket"])


def test_a_ticket_opens_the_players_own_stream_again_and_again(service: Service, game: Game) -> None:
    ticket = ticket_for(game, 1)
    for _ in range(3):
        with stream(service, game, None, f"?ticket={ticket}&limit=1") as opened:
            assert opened.take(1)[0].data == game.view(1)


def test_a_ticket_is_good_for_a_minute_and_once_used_for_a_day(
    service: Service, game: Game, server: EmbeddedServer
) -> None:
    ticket = ticket_for(game, 1)
    with redis.Redis.from_url(f"{server.url}?db=1") as database:
        match_id = game.path.rpartition("/")[2]
        [key] = database.keys(f"*{match_id}*ticket*")
        assert ticket.encode() not in key
        assert 55 <= database.ttl(key) <= 60
        for _ in range(2):
            with stream(service, game, None, f"?ticket={ticket}&limit=1") as opened:
                opened.take(1)
            assert 24 * 3600 - 5 <= database.ttl(key) <= 24 * 3600
        database.expire(key, 1000)
        with stream(service, game, None, f"?ticket={ticket}&limit=1") as opened:
            opened.take(1)
        assert database.ttl(key) <= 1000, "only the first use prolongs a ticket"


def test_a_ticket_of_another_match_or_of_nobody_is_refused(client: Client, game: Game) -> None:
    ticket = ticket_for(game, 0)
    other = Game(client)
    for path, wrong in ((other.path, ticket), (game.path, "0" * 64)):
        reply = client.get(f"{path}/stream?ticket={wrong}")
        assert (reply.status, reply.code) == (401, "token_invalid")
        assert 'error="invalid_token"' in reply.headers["WWW-Authenticate"]


def test_a_ticket_opens_nothing_but_the_stream(client: Client, game: Game) -> None:
    ticket = ticket_for(game, 0)
    assert client.get(f"{game.path}?ticket={ticket}").code == "invalid_query"
    assert client.get(f"{game.path}/events", ticket).code == "token_invalid"
    assert client.post(f"{game.path}/moves", {"type": "draw"}, ticket).code == "token_invalid"


def test_a_host_who_does_not_play_sees_a_closed_match_with_a_ticket_and_strangers_get_none(client: Client) -> None:
    made = client.post("/v1/matches", {"seats": 2, "spectators": "none"}).expect(201)
    path = f"/v1/matches/{made['match']['id']}"
    assert client.post(f"{path}/stream-tickets", {}).code == "token_required"
    ticket = client.post(f"{path}/stream-tickets", {}, made["token"]).expect(201)["ticket"]
    assert client.get(f"{path}/stream?limit=1").code == "token_required"
    seen = client.get(f"{path}/stream?limit=1&ticket={ticket}")
    assert seen.status == 200
    assert b'"you":{"seat":null,"is_host":true' in seen.body


def test_who_leaves_their_seat_does_not_see_the_hand_of_who_takes_it(service: Service, client: Client) -> None:
    game = Game(client, 2, auto_start=False)
    ticket = ticket_for(game, 1)
    with (
        stream(service, game, 1) as by_token,
        stream(service, game, None, f"?ticket={ticket}") as by_ticket,
    ):
        for opened in (by_token, by_ticket):
            opened.take(1)
        client.call("DELETE", f"{game.path}/players/1", token=game.tokens[1]).expect(200)
        game.join().expect(201)
        client.post(f"{game.path}/start", {}, game.tokens[0]).expect(200)
        log = game.events(None, 3)
        for opened in (by_token, by_ticket):
            assert data_of(opened.take(len(log))) == log
    assert client.get(f"{game.path}/stream?ticket={ticket}").code == "token_invalid"
