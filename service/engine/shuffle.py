"""Shuffles that can be repeated from their seeds (R22).

A match has one chain of secrets. Its last member is drawn at random, each earlier one is the SHA-256 of the one after
it, and member 0 is the match's public commitment. Deal *k* is shuffled with member *k*, which stays secret until the
deal is over.

The random numbers of a shuffle come from blocks of 32 bytes::

    HMAC-SHA256(key     = server seed,
                message = text("pis-yedili/1") text(purpose) text(match id) number(deal)
                          number(seats) text(client seed of seat 0) text(client seed of seat 1) …
                          number(block counter: 0, 1, 2, …))

where `number` is 4 bytes, big-endian, and `text` is the number of its UTF-8 bytes followed by them. Each block gives
eight big-endian 32-bit words. A number below *n* is the first word *w* with *w* < 2³² - (2³² mod *n*), taken mod *n*;
words that are too large are dropped, so that no result is favoured.
"""

from __future__ import annotations

import hashlib
import hmac
import struct
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import count
from typing import Final, NamedTuple

from .cards import PACK, Card

_WORDS: Final = struct.Struct(">8L")
_WORD_RANGE: Final = 2**32

SEED_BYTES: Final = 32
DERIVATION: Final = "pis-yedili/1"
"""The version of the byte layout above: another layout takes another name."""


@lru_cache(maxsize=4096)
def chain_member(last: bytes, length: int, index: int) -> bytes:
    """Give member `index` of the chain of seeds whose member `length` is `last`; member 0 is the commitment."""
    member = last
    for _ in range(length - index):
        member = _hashed(member)
    return member


@lru_cache(maxsize=4096)
def _hashed(member: bytes) -> bytes:
    return hashlib.sha256(member).digest()


def _number(value: int) -> bytes:
    return value.to_bytes(4, "big")


def _text(value: str) -> bytes:
    encoded = value.encode()
    return _number(len(encoded)) + encoded


class Shuffler(NamedTuple):
    """The source of every random choice in one deal.

    Attributes:
        server_seed: 32 secret bytes, the deal's member of the chain.
        match_id: the match, so that no two matches share a stream.
        deal: the deal's number, from 1.
        client_seeds: what the players added, in seat order; empty for those who gave none.
    """

    server_seed: bytes
    match_id: str
    deal: int
    client_seeds: tuple[str, ...]

    @property
    def commitment(self) -> str:
        """The public hash of the server seed, in hexadecimal."""
        return _hashed(self.server_seed).hex()

    def first_dealer(self) -> int:
        """Draw the seat that deals first, where that was not fixed before (R2)."""
        return next_below(self._words("first_dealer"), len(self.client_seeds))

    def pack(self, decks: int) -> list[Card]:
        """Shuffle `decks` new packs, each in the order C D H S and A to K; the first card is dealt first."""
        return self._shuffled("pack", PACK * decks)

    def reshuffle(self, number: int, pile: Iterable[Card]) -> list[Card]:
        """Shuffle the discards into a new stock (R26).

        Args:
            number: which reshuffle of the deal this is, from 1.
            pile: the discards without the top card, from bottom to top.
        """
        return self._shuffled(f"reshuffle/{number}", pile)

    def _shuffled(self, purpose: str, cards: Iterable[Card]) -> list[Card]:
        """Fisher-Yates, from the last place down to the second."""
        order = list(cards)
        words = self._words(purpose)
        for place in range(len(order) - 1, 0, -1):
            other = next_below(words, place + 1)
            order[place], order[other] = order[other], order[place]
        return order

    def _words(self, purpose: str) -> Iterator[int]:
        message = _text(DERIVATION) + _text(purpose) + _text(self.match_id) + _number(self.deal)
        message += _number(len(self.client_seeds)) + b"".join(map(_text, self.client_seeds))
        begun = hmac.new(self.server_seed, message, "sha256")
        for counter in count():
            block = begun.copy()
            block.update(_number(counter))
            yield from _WORDS.unpack(block.digest())


def next_below(words: Iterator[int], bound: int) -> int:
    """Take the next number below `bound` from a stream of 32-bit words, by rejection sampling."""
    limit = _WORD_RANGE - _WORD_RANGE % bound
    word = next(words)
    while word >= limit:
        word = next(words)
    return word % bound
