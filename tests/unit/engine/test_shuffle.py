"""The shuffle can be recomputed by anyone (R22): its bytes are built here a second time, from their description."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.engine.cards import card_names, parse_card
from service.engine.play import deal_cards
from service.engine.shuffle import Shuffler, chain_member, next_below
from tests.builders import after, cards, position, rules
from tests.strategies import client_seeds, seeds
from tests.vectors import NEW_PACK, PATH, as_text, below, numbers, recorded, shuffled

VECTORS: dict[str, list[dict[str, Any]]] = json.loads(PATH.read_text("utf-8"))


@given(seeds, st.text(max_size=20), st.integers(1, 20), st.lists(client_seeds, min_size=2, max_size=10))
def test_r22_the_dealer_and_the_pack_follow_from_the_described_bytes(
    seed: bytes, match_id: str, deal: int, players: list[str]
) -> None:
    shuffler = Shuffler(seed, match_id, deal, tuple(players))
    words = numbers(seed, "first_dealer", match_id, deal, players)
    assert shuffler.first_dealer() == below(len(players), words)
    words = numbers(seed, "pack", match_id, deal, players)
    assert card_names(shuffler.pack(2)) == shuffled(NEW_PACK * 2, words)


def test_r22_what_is_published_is_what_the_description_gives() -> None:
    assert PATH.read_text("utf-8") == as_text(recorded()), "run `python -m tests.vectors`, if that is meant"


@pytest.mark.parametrize("vector", VECTORS["shuffles"], ids=lambda vector: vector["about"])
def test_r22_the_published_shuffles_hold(vector: dict[str, Any]) -> None:
    seed = bytes.fromhex(vector["seed"])
    shuffler = Shuffler(seed, vector["match_id"], vector["deal"], tuple(vector["client_seeds"]))
    assert vector["seed_commitment"] == shuffler.commitment
    assert vector["first_dealer"] == shuffler.first_dealer()
    assert vector["pack"].split() == card_names(shuffler.pack(vector["decks"]))
    for number, made in enumerate(vector["reshuffles"], start=1):
        order = shuffler.reshuffle(number, map(parse_card, made["pile"].split()))
        assert made["stock"].split() == card_names(order)


def test_r22_the_published_chains_hold() -> None:
    for vector in VECTORS["chains"]:
        members = [bytes.fromhex(member) for member in vector["members"]]
        last, length = members[-1], len(members) - 1
        assert members == [chain_member(last, length, index) for index in range(length + 1)]


def test_r22_the_published_numbers_hold() -> None:
    for vector in VECTORS["numbers"]:
        words = iter(vector["words"])
        assert next_below(words, vector["below"]) == vector["number"]
        assert len(list(words)) == vector["words_left"]


def test_r22_each_member_of_the_chain_is_the_hash_of_the_next() -> None:
    last = bytes(range(32))
    chain = [chain_member(last, 5, index) for index in range(6)]
    assert chain[5] == last
    assert [hashlib.sha256(member).digest() for member in chain[1:]] == chain[:-1]


def test_r22_the_commitment_of_a_deal_is_the_hash_of_its_seed() -> None:
    assert Shuffler(b"s" * 32, "m", 1, ("", "")).commitment == hashlib.sha256(b"s" * 32).hexdigest()


@pytest.mark.parametrize("bound", [2, 3, 7, 52, 208])
def test_r22_a_word_at_the_limit_is_dropped_and_one_below_it_is_taken(bound: int) -> None:
    limit = 2**32 - 2**32 % bound
    assert next_below(iter([limit - 1, 0]), bound) == bound - 1
    if limit < 2**32:
        assert next_below(iter([limit, 2**32 - 1, 1]), bound) == 1


def test_r22_each_dealer_is_as_likely_as_any_other() -> None:
    dealers = Counter(Shuffler(bytes(32), str(number), 1, ("",) * 3).first_dealer() for number in range(3000))
    assert all(900 < dealers[seat] < 1100 for seat in range(3))


BASE = Shuffler(b"a" * 32, "match", 1, ("ab", "c"))


@pytest.mark.parametrize(
    "other",
    [
        BASE._replace(server_seed=b"b" * 32),
        BASE._replace(match_id="other"),
        BASE._replace(deal=2),
        BASE._replace(client_seeds=("ab", "d")),
        BASE._replace(client_seeds=("ab", "")),
        BASE._replace(client_seeds=("c", "ab")),
        BASE._replace(client_seeds=("a", "bc")),
        BASE._replace(client_seeds=("ab", "c", "")),
        BASE._replace(match_id="matcha", client_seeds=("b", "c")),
    ],
)
def test_r22_whatever_enters_the_shuffle_changes_it(other: Shuffler) -> None:
    assert other.pack(1) != BASE.pack(1)
    assert sorted(other.pack(1)) == sorted(BASE.pack(1)) == list(range(52))


def test_r22_the_same_seeds_give_the_same_cards() -> None:
    assert BASE.pack(2) == BASE.pack(2)


def test_r26_each_reshuffle_of_a_deal_has_its_own_number() -> None:
    pile = list(range(20))
    orders = [BASE.reshuffle(number, pile) for number in (1, 2, 11)]
    assert orders[0] != orders[1] != orders[2] != orders[0]
    for number, order in zip((1, 2, 11), orders, strict=True):
        words = numbers(b"a" * 32, f"reshuffle/{number}", "match", 1, ["ab", "c"])
        assert card_names(order) == shuffled(card_names(pile), words)


def test_r26_the_deal_counts_its_reshuffles_from_one_and_shuffles_the_pile_from_bottom_to_top() -> None:
    deal = position("hands KD QD / 9C 3C; pile 2H 3H 4H 5H 9S; stock", stock_out="reshuffle")
    deal = after(deal, "draw")
    first = [*(set(deal.hands[0]) - set(cards("KD QD"))), *deal.stock]
    assert first == deal.shuffler.reshuffle(1, cards("2H 3H 4H 5H"))
    assert deal.reshuffles == 1
    deal = deal._replace(stock=(), discards=cards("2D 3D 4D 9S"))
    deal = after(deal, "draw")
    assert deal.reshuffles == 2
    assert deal.stock == tuple(deal.shuffler.reshuffle(2, cards("2D 3D 4D"))[1:])


def test_r3_the_first_card_of_the_pack_is_dealt_first() -> None:
    deal, _ = deal_cards(rules(2), BASE, 1, dealer=1)
    assert BASE.pack(1)[0] in deal.hands[0]
    assert BASE.pack(1)[1] in deal.hands[1]
