"""The proof of a finished deal holds all that is needed to shuffle, deal and play it again."""

from __future__ import annotations

import hashlib
import json
from typing import Any, NamedTuple

import pytest

from service.engine.cards import card_names
from service.engine.moves import as_move, format_move, parse_move
from service.engine.play import apply
from service.engine.replay import replay
from service.engine.rules import resolve
from service.engine.shuffle import Shuffler
from service.journal import Journal
from service.proof import digest, moves_of
from service.store.embedded import EmbeddedServer
from service.store.redis import RedisStore
from service.usecases import UseCases
from tests.builders import position
from tests.conftest import TTL_SECONDS, now_ms
from tests.tables import NOW_MS, Table, numbered_entropy

ORDERS: list[dict[str, Any]] = [
    {"seats": 2, "rules": {"deals": 2}},
    {
        "seats": 3,
        "rules": {
            "preset": "wikipedia-tr",
            "deals": 2,
            "hand_size": 13,
            "stock_out": "reshuffle",
            "last_card_call": "none",
        },
    },
    {"seats": 6, "rules": {"preset": "iskambilci", "deals": 1, "ace": "must_follow"}},
]


class Finished(NamedTuple):
    """A finished match: the proofs of its deals as clients read them, its first and last view, and its log."""

    proofs: list[dict[str, Any]]
    created: dict[str, Any]
    view: dict[str, Any]
    log: list[dict[str, Any]]


@pytest.fixture(scope="module", params=ORDERS, ids=["two seats", "three seats", "six seats"])
def finished(request: pytest.FixtureRequest, server: EmbeddedServer) -> Finished:
    """A match of players of whom some gave a client seed."""
    store = RedisStore(server.url, ttl_seconds=TTL_SECONDS, timeout_seconds=3)
    usecases = UseCases(
        store, ttl_seconds=TTL_SECONDS, clock=now_ms, entropy=numbered_entropy(100 + request.param["seats"])
    )
    table = Table(usecases, **request.param)
    table.set_client_seed(0, "ay ışığı 🌙")
    table.join(client_seed="4711")
    table.fill().start()
    while table.record.status == "playing":
        table.play_on()
    numbers = range(1, len(table.record.deal_ends) + 1)
    proofs = [json.loads(json.dumps(usecases.finished_deal(table.visit(), number))) for number in numbers]
    return Finished(proofs, table.made.match, usecases.view(table.visit()), table.events())


def test_r22_a_stranger_can_play_every_deal_again_from_its_proof_alone(finished: Finished) -> None:
    dealer = None
    for shown in finished.proofs:
        asked = {name: value for name, value in shown["rules"].items() if name != "overridden"}
        options = resolve(asked, shown["seats"]).rules
        assert options.decks
        shuffler = Shuffler(
            bytes.fromhex(shown["seed"]), shown["match_id"], shown["number"], tuple(shown["client_seeds"])
        )
        dealer = shuffler.first_dealer() if dealer is None else (dealer + 1) % shown["seats"]
        moves = [(move["seat"], as_move(move)) for move in shown["moves"]]
        played = [deal for deal, _ in replay(options, shuffler, shown["number"], dealer, moves)]

        assert dealer == shown["dealer_seat"]
        assert card_names(shuffler.pack(options.decks)) == shown["pack"]
        assert [card_names(hand) for hand in played[0].hands] == shown["hands_dealt"]
        assert [card_names(hand) for hand in played[-1].hands] == shown["hands"]
        result = played[-1].result
        assert result
        assert (result.reason, list(result.winners), list(result.points)) == (
            shown["reason"],
            shown["winners"],
            shown["points"],
        )
        assert played[-1].reshuffles == len(shown["reshuffles"])
        assert shown["seed_commitment"] == shuffler.commitment
        assert shown["commitment"] == finished.view["commitment"]
        assert shown["rules"] == finished.view["rules"]


def test_a_revealed_seed_leads_back_to_the_commitment_that_was_seen_first(finished: Finished) -> None:
    for shown in finished.proofs:
        member = bytes.fromhex(shown["seed"])
        for _ in range(shown["number"]):
            member = hashlib.sha256(member).digest()
        assert member.hex() == shown["commitment"] == finished.created["commitment"]


def test_the_digest_is_that_of_the_canonical_json_of_all_else(finished: Finished) -> None:
    for shown in finished.proofs:
        told = shown.pop("digest")
        canonical = json.dumps(shown, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        assert told == hashlib.sha256(canonical.encode()).hexdigest()


def test_the_digest_of_anything_else_is_another() -> None:
    assert digest({"a": 1, "b": [True, None], "digest": "x"}) == digest({"b": [True, None], "a": 1})
    assert digest({"a": 1}) != digest({"a": "1"})
    assert digest({"a": "é"}) != digest({"a": "e\u0301"}), "text is taken as it is, not normalized"


def test_seeds_and_client_seeds_are_in_the_log_too(finished: Finished) -> None:
    started = next(event for event in finished.log if event["type"] == "match_started")
    ends = [event for event in finished.log if event["type"] == "deal_ended"]
    for shown, end in zip(finished.proofs, ends, strict=True):
        assert shown["client_seeds"] == started["client_seeds"]
        assert shown["seed"] == end["seed"]


@pytest.mark.parametrize(
    "text,moves,options",
    [
        ("hands 7S KD / 5C 3C; pile 9C 9D 9S; stock 2D", "7S draw", {"stock_out": "reshuffle"}),
        ("hands 7S KD 5D / 5C 3C; pile 9C 9D 9S; stock", "7S draw", {"stock_out": "reshuffle"}),
        (
            "hands 9C KD 2H / 4D KS; pile 7C; stock 3D 4S 5S 6S; penalty 3",
            "draw draw pass",
            {"after_penalty": "continue"},
        ),
        ("hands AS KD / 5C 3C; pile 9S; stock 2D 4D 5D", "AS draw pass", {"ace": "must_follow"}),
        ("hands AS KD 2D / 5C 3C / 4H 5H; pile 9S; stock 2H 4D 5D 6D", "AS draw", {"ace": "everyone_draws"}),
        ("hands AS KD / 5C 3C; pile 9S; stock 2D 4D 5D", "AS draw", {"ace": "next_draws"}),
        ("hands AS JD / 5C 3C; pile 9S; stock 2D 4D 5D", "AS JD", {"ace": "again"}),
        ("hands 7S / 4H; pile 2D 9S; stock 3H", "7S", {"last_seven": "draws", "stock_out": "reshuffle"}),
        ("hands JS KD 2D / 4H 5H; pile 2S; stock 3H 4S", "JS[H] 4H", {}),
        ("hands 9S KD / 4H 9H; pile 2S; stock 3H", "9S!tek 9H", {"last_card_call": "tek"}),
        ("hands 8S KD 2D / 4H 5H; pile 2S; stock 3H", "8S draw pass", {}),
        ("hands 5D 6D / 5C 3H; stock 9D 2H 9C 4C; phase opening", "draw draw draw 9C draw", {}),
    ],
)
def test_each_move_is_told_once_and_what_follows_from_a_card_is_none(
    text: str, moves: str, options: dict[str, Any]
) -> None:
    deal = position(text, **options)
    journal = Journal(0, NOW_MS)
    journal.add(1, "deal_started")
    for move in map(parse_move, moves.split()):
        assert deal.turn is not None
        deal, events = apply(deal, deal.turn, move)
        journal.add_all((1, event) for event in events)
    told = moves_of(journal.events, deal.rules)
    assert [format_move(as_move(move)) for move in told] == moves.split()


def test_a_suit_that_is_ignored_is_not_part_of_the_move() -> None:
    """R9: a Jack that goes out needs no suit."""
    deal = position("hands JS / 4H 9H; pile 2S; stock 3H")
    journal = Journal(0, NOW_MS)
    journal.add(1, "deal_started")
    journal.add_all((1, event) for event in apply(deal, 0, parse_move("JS[H]"))[1])
    assert moves_of(journal.events, deal.rules) == [{"seat": 0, "by": "player", "type": "play", "card": "JS"}]
