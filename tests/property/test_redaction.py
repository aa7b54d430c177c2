"""Whatever a reader is sent of a random match holds no card that they may not see, and no secret."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from random import Random
from typing import Any

import orjson
import pytest
from flask import Flask
from hypothesis import given, settings
from hypothesis import strategies as st

from service.app import create_app
from service.engine.cards import CARD_NAMES, card_names
from service.engine.shuffle import chain_member
from service.record import Record, decode_record
from service.settings import Settings
from service.store.embedded import EmbeddedServer
from service.store.redis import RedisStore
from tests.strategies import random_options

# What the coverage of these would show is covered elsewhere, and measuring it doubles their time.
pytestmark = pytest.mark.no_cover

CARD = re.compile(r"\b(?:A|[2-9]|10|J|Q|K)[CDHS]\b")


def cards_in(value: object, path: str = "") -> Iterator[tuple[str, str]]:
    """Give every card that a JSON value names, in its strings and their parts, with the path to it."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from cards_in(inner, f"{path}.{name}")
    elif isinstance(value, list):
        for inner in value:
            yield from cards_in(inner, f"{path}[]")
    elif isinstance(value, str):
        yield from ((path, card) for card in CARD.findall(value))


class Witness:
    """A match over the application, with a look at the truth behind it."""

    def __init__(self, app: Flask, store: RedisStore, random: Random) -> None:
        self.http = app.test_client()
        self.store = store
        self.random = random
        self.seats = random.choice((2, 3, 4, random.randint(2, 8)))
        rules = random_options(random, self.seats, random.choice((0.0, 0.4, 1.0))) | {"deals": random.choice((1, 2))}
        made = self.post("/v1/matches", {"seats": self.seats, "rules": rules, "visibility": "public"})
        self.match_id = made["match"]["id"]
        self.path = f"/v1/matches/{self.match_id}"
        self.host = made["token"]
        self.tokens: list[str] = []
        for seat in range(self.seats):
            brought = {"client_seed": f"brought by {seat}"} if random.random() < 0.5 else {}
            joined = self.post(f"{self.path}/players", {"name": f"Player {seat}"} | brought)
            self.tokens.append(joined["token"])
            self.check_secrets(orjson.dumps(joined), {joined["token"]})
            self.check_view(joined["match"], seat)
            if seat + 1 < self.seats and random.random() < 0.3:
                self.check_client_seed(seat)
        self.dealt: dict[int, list[list[str]]] = {}

    def post(self, path: str, body: object, token: str | None = None) -> Any:
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        return self.http.post(path, json=body, headers=headers).json

    def get(self, path: str, token: str | None) -> Any:
        """Read, and search the bytes for secrets."""
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        reply = self.http.get(path, headers=headers)
        assert reply.status_code == 200, reply.text
        self.check_secrets(reply.data + str(reply.headers).encode(), set())
        return orjson.loads(reply.data)

    @property
    def truth(self) -> Record:
        stored = self.store.load(self.match_id).stored
        assert stored
        return decode_record(self.match_id, stored.version, stored.state)

    def check_secrets(self, answer: bytes, own: set[str]) -> None:
        record = self.truth
        finished = len(record.match.results) if record.match else 0
        length = record.rules.deals
        seeds = {chain_member(record.last_seed, length, number).hex() for number in range(finished + 1, length + 1)}
        hashes = {player.token_hash for player in record.players} | {record.host_token_hash}
        for secret in (seeds | hashes | {self.host, *self.tokens}) - own:
            assert secret.encode() not in answer
            assert secret.rpartition("_")[2].encode() not in answer

    def check_client_seed(self, seat: int) -> None:
        """Set a client seed: everybody is told of it at once (R22)."""
        given, token = f"given by {seat}", self.tokens[seat]
        headers = {"Authorization": f"Bearer {token}"}
        answer = self.http.put(f"{self.path}/players/{seat}/client-seed", json={"client_seed": given}, headers=headers)
        self.check_secrets(answer.data, set())
        for _, other in self.readers():
            assert given in str(self.get(f"{self.path}/events", other))

    def readers(self) -> list[tuple[int | None, str | None]]:
        return [(None, None), (None, self.host), *enumerate(self.tokens)]

    def hand(self, seat: int | None) -> list[str]:
        match = self.truth.match
        return [] if seat is None or match is None else card_names(match.deal.hands[seat])

    def check_view(self, view: Any, seat: int | None) -> None:
        match, hand = self.truth.match, self.hand(seat)
        for path, card in cards_in(view):
            if path == ".deal.top_card":
                assert match
                assert card == CARD_NAMES[match.deal.discards[-1]]
            elif path.startswith(".you."):
                assert card in hand
            else:
                assert path == ".results[].final_card"
        if view["you"] and seat is not None:
            assert view["you"]["hand"] == hand

    def check_event(self, event: Any, seat: int | None) -> None:
        allowed = {
            "card_played": (".card",),
            "cards_drawn": (".cards[]",) if event.get("seat") == seat else (),
            "deal_started": (".hand[]",),
            "deal_ended": (".hands[][]", ".final_card"),
        }.get(event["type"], ())
        for path, card in cards_in(event):
            assert path in allowed, (event, card)
        if event["type"] == "deal_started":
            assert ("hand" in event) == (seat is not None)
            if seat is not None:
                assert (
                    event["hand"]
                    == self.dealt.setdefault(event["deal"], [self.hand(s) for s in range(self.seats)])[seat]
                )

    def look(self, after: int) -> None:
        """Let everybody read everything that is new."""
        for seat, token in self.readers():
            self.check_view(self.get(self.path, token), seat)
            log = self.get(f"{self.path}/events?after={after}&limit=1000", token)["events"]
            for event in log:
                self.check_event(event, seat)
            if log:
                self.check_stream(after, log, token)
            if seat is not None:
                for _, card in cards_in(self.get(f"{self.path}/legal-moves", token)):
                    assert card in self.hand(seat)
        assert not list(cards_in(self.get("/v1/matches", None)))

    def check_stream(self, after: int, log: list[Any], token: str | None) -> None:
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        with self.http.get(f"{self.path}/stream?after={after}&limit={len(log)}", headers=headers) as reply:
            lines = reply.data.splitlines()
        self.check_secrets(b"\n".join(lines), set())
        assert [orjson.loads(line[6:]) for line in lines if line.startswith(b"data: ")] == log

    def check_refusal(self) -> None:
        """Try a card that the mover does not hold: the answer must not tell who does."""
        seat = self.random.randrange(self.seats)
        card = self.random.choice(CARD_NAMES)
        match, hand = self.truth.match, self.hand(seat)
        problem = self.http.post(
            f"{self.path}/moves",
            json={"type": "play", "card": card, "if_version": 1},
            headers={"Authorization": f"Bearer {self.tokens[seat]}"},
        )
        assert problem.status_code == 409
        headers = {"Authorization": f"Bearer {self.tokens[seat]}"}
        if card not in hand:
            problem = self.http.post(f"{self.path}/moves", json={"type": "play", "card": card}, headers=headers)
            assert problem.status_code == 409
        assert match
        top = [CARD_NAMES[card] for card in match.deal.discards[-1:]]
        self.check_secrets(problem.data, set())
        assert {named for _, named in cards_in(problem.json)} <= {card, *hand, *top}

    def play(self, moves: int) -> None:
        """Play on, everybody looking; remember the hands as they were dealt."""
        version = 0
        for number in range(moves):
            match = self.truth.match
            assert match
            if self.truth.status != "playing":
                break
            self.look(version)
            if number % 5 == 0:
                self.check_refusal()
            version = self.truth.version
            seat = match.deal.turn
            assert seat is not None
            body = self.random.choice(self.get(f"{self.path}/legal-moves", self.tokens[seat])["moves"])
            answer = self.post(f"{self.path}/moves", body, self.tokens[seat])
            for event in answer["events"]:
                self.check_event(event, seat)
            self.check_view(answer["match"], seat)
            self.check_secrets(orjson.dumps(answer), set())
        self.look(version)
        self.check_finished_deals()

    def check_finished_deals(self) -> None:
        match = self.truth.match
        assert match
        for number in range(1, len(match.results) + 1):
            path = f"{self.path}/deals/{number}"
            shown = self.get(path, None)
            assert {where.split("[")[0] for where, _ in cards_in(shown)} <= {
                ".hands",
                ".final_card",
                ".pack",
                ".hands_dealt",
                ".moves",
                ".reshuffles",
            }
            for made in {0, self.random.randint(0, len(shown["moves"])), len(shown["moves"])}:
                self.get(f"{path}/positions?move={made}", None)
        for path in ("", "/positions"):
            reply = self.http.get(f"{self.path}/deals/{len(match.results) + 1}{path}")
            assert reply.status_code in (404, 409)
            self.check_secrets(reply.data, set())


@pytest.fixture(scope="module")
def app(server: EmbeddedServer) -> Iterator[Flask]:
    app = create_app(Settings.from_env({"REDIS_URL": f"{server.url}?db=2", "DATA_DIR": "/nowhere"}))
    yield app
    app.extensions["hub"].stop()


@pytest.fixture(scope="module")
def own_store(server: EmbeddedServer) -> RedisStore:
    return RedisStore(f"{server.url}?db=2", ttl_seconds=60, timeout_seconds=3)


@settings(max_examples=6)
@given(seed=st.integers(0, 2**32), moves=st.integers(1, 25))
def test_no_reader_is_sent_a_card_that_is_hidden_from_them_or_a_secret(
    app: Flask, own_store: RedisStore, seed: int, moves: int
) -> None:
    Witness(app, own_store, Random(seed)).play(moves)


def test_a_whole_match_tells_nobody_too_much_and_the_server_s_log_nothing(
    app: Flask, own_store: RedisStore, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    witness = Witness(app, own_store, Random(7))
    witness.play(400)
    truth = witness.truth
    assert truth.status == "finished"
    for number in range(1, truth.rules.deals + 1):
        assert chain_member(truth.last_seed, truth.rules.deals, number).hex() not in caplog.text
