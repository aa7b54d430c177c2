"""The published test vectors of the shuffle: made by a second implementation, from the description of the bytes.

`python -m tests.vectors` makes them anew and overwrites the file. Do so only for new vectors: what is published stays.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import struct
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

from tests.proofs import Json, golden_proof, random_proofs

PATH = Path(__file__).parents[1] / "service" / "api" / "fairness" / "vectors.json"
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
NEW_PACK = [rank + suit for suit in "CDHS" for rank in RANKS]


def message(purpose: str, match_id: str, deal: int, players: list[str], counter: int) -> bytes:
    parts = b""
    for text in ("pis-yedili/1", purpose, match_id):
        parts += struct.pack(">I", len(text.encode("utf-8"))) + text.encode("utf-8")
    parts += struct.pack(">II", deal, len(players))
    for text in players:
        parts += struct.pack(">I", len(text.encode("utf-8"))) + text.encode("utf-8")
    return parts + struct.pack(">I", counter)


def numbers(seed: bytes, purpose: str, match_id: str, deal: int, players: list[str]) -> Iterator[int]:
    for counter in range(10**6):
        block = hmac.new(seed, message(purpose, match_id, deal, players, counter), hashlib.sha256).digest()
        yield from struct.unpack(">8I", block)


def below(bound: int, words: Iterator[int]) -> int:
    while True:
        word = next(words)
        if word < 2**32 - 2**32 % bound:
            return word % bound


def shuffled(cards: list[str], words: Iterator[int]) -> list[str]:
    order = cards[:]
    for place in reversed(range(1, len(order))):
        other = below(place + 1, words)
        order[place], order[other] = order[other], order[place]
    return order


ODD_TEXTS = [
    "",
    "kırmızı 7",
    '"quoted" \\ and / slashed',
    "♣♦♥♠",
    "🂧 7",
    "e\u0301 is not \u00e9",
    "7",
    "7\u00a0♣",
    "a" * 64,
]
"""Client seeds with which implementations may go wrong: in their bytes, or in the JSON of the digest."""

NO_SEED, COUNTING, ONES = bytes(32), bytes(range(32)), bytes(32 * [255])
SHUFFLES: list[tuple[str, bytes, str, int, list[str], int, list[str]]] = [
    ("two seats without client seeds", NO_SEED, "match-1", 1, ["", ""], 1, []),
    ("the worked example", COUNTING, "example", 1, ["", "tuz", ""], 1, ["AC 2C 3C 4C"]),
    (
        "three seats, one with a client seed",
        COUNTING,
        "Zm9vYmFyYmF6cXV4",
        3,
        ["", "kırmızı 7", ""],
        1,
        ["2H 3H 4H 5H 6H 8H 9H 10H", "2H 4H"],
    ),
    (
        "seven seats with two packs",
        hashlib.sha256(b"seven seats").digest(),
        "m",
        20,
        ["a", "bc", "", "def", "g", "♣♦♥♠", "7"],
        2,
        ["AC AC 2C"],
    ),
    ("four seats with three packs", hashlib.sha256(b"3").digest(), "three", 2, ["a", "a", "a", "a"], 3, ["KS"]),
    (
        "ten seats with four packs",
        ONES,
        "0123456789abcdef",
        2,
        ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"],
        4,
        [],
    ),
    (
        "nine seats with odd client seeds",
        hashlib.sha256(b"nine seats").digest(),
        "tuhaf-maç",
        7,
        ODD_TEXTS,
        4,
        ["JS JS JS JS 7C", "AD KD", "5H 6H 7H"],
    ),
]


def recorded() -> dict[str, list[Any]]:
    """Give all vectors, by kind."""
    return {
        "chains": [_chain(NO_SEED, 1), _chain(COUNTING, 4), _chain(ONES, 20)],
        "numbers": [_number(bound, words) for bound, words in _words()],
        "shuffles": [_shuffle(*members) for members in SHUFFLES],
        "proofs": [
            golden_proof("classic", 1),
            golden_proof("reshuffles", 2),
            next(random_proofs(Random(7), {"decks": 4, "hand_size": 13, "deals": 1}, ODD_TEXTS)),
            list(random_proofs(Random(8), {"hand_size": 3, "deals": 2}, ["", "tuz", ""], first_dealer=1))[1],
        ],
    }


def _chain(last: bytes, length: int) -> Json:
    members = [last]
    for _ in range(length):
        members.insert(0, hashlib.sha256(members[0]).digest())
    return {"members": [member.hex() for member in members]}


def _words() -> Iterator[tuple[int, list[int]]]:
    top = 2**32 - 1
    yield 2, [top, 0]
    for bound in (3, 7, 51, 52, 104, 156, 207, 208):
        limit = 2**32 - 2**32 % bound
        yield bound, [limit - 1, limit]
        yield bound, [word for word in (top, limit, bound + 1) if word >= limit or word == bound + 1]


def _number(bound: int, words: list[int]) -> Json:
    stream = iter(words)
    return {"words": words, "below": bound, "number": below(bound, stream), "words_left": len(list(stream))}


def _shuffle(
    about: str, seed: bytes, match_id: str, deal: int, client_seeds: list[str], decks: int, piles: list[str]
) -> Json:
    def stream(purpose: str) -> Iterator[int]:
        return numbers(seed, purpose, match_id, deal, client_seeds)

    first = message("pack", match_id, deal, client_seeds, 0)
    stocks = [shuffled(pile.split(), stream(f"reshuffle/{number}")) for number, pile in enumerate(piles, start=1)]
    return {
        "about": about,
        "seed": seed.hex(),
        "seed_commitment": hashlib.sha256(seed).hexdigest(),
        "match_id": match_id,
        "deal": deal,
        "client_seeds": client_seeds,
        "decks": decks,
        "first_pack_message": first.hex(),
        "first_pack_block": hmac.digest(seed, first, "sha256").hex(),
        "first_pack_words": list(islice(stream("pack"), 8)),
        "first_dealer": below(len(client_seeds), stream("first_dealer")),
        "pack": " ".join(shuffled(NEW_PACK * decks, stream("pack"))),
        "reshuffles": [{"pile": pile, "stock": " ".join(stock)} for pile, stock in zip(piles, stocks, strict=True)],
    }


def as_text(vectors: dict[str, list[Any]]) -> str:
    """Write vectors, one a line."""
    kinds = [
        f"{json.dumps(kind)}: [\n" + ",\n".join(json.dumps(one, ensure_ascii=False) for one in those) + "\n]"
        for kind, those in vectors.items()
    ]
    return "{" + ",\n".join(kinds) + "}\n"


if __name__ == "__main__":
    PATH.write_text(as_text(recorded()), "utf-8")
