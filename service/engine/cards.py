"""Cards, their names and their points.

A card is an `int`: `13 * suit + rank`, suits in the order C D H S and ranks in the order A 2 … 10 J Q K, both counted
from 0. Sorting cards as numbers therefore sorts a hand by suit, then by rank with the ace low. Two packs hold two
equal cards: the rules never tell them apart.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, TypeAlias

from .errors import NotationError

Card: TypeAlias = int
Rank: TypeAlias = int
Suit: TypeAlias = int

RANK_NAMES: Final = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUIT_NAMES: Final = ("C", "D", "H", "S")
SUIT_WORDS: Final = ("clubs", "diamonds", "hearts", "spades")

ACE: Final[Rank] = 0
SEVEN: Final[Rank] = 6
EIGHT: Final[Rank] = 7
TEN: Final[Rank] = 9
JACK: Final[Rank] = 10

CLUBS: Final[Suit] = 0
SUITS: Final[tuple[Suit, ...]] = (0, 1, 2, 3)

PACK: Final[tuple[Card, ...]] = tuple(range(52))
RANK: Final[tuple[Rank, ...]] = tuple(card % 13 for card in PACK)
SUIT: Final[tuple[Suit, ...]] = tuple(card // 13 for card in PACK)
CARD_NAMES: Final[tuple[str, ...]] = tuple(RANK_NAMES[RANK[card]] + SUIT_NAMES[SUIT[card]] for card in PACK)

_RANK_POINTS: Final = (15, 2, 3, 4, 5, 6, 20, 8, 9, 10, 25, 10, 10)
POINTS: Final[tuple[int, ...]] = tuple(_RANK_POINTS[RANK[card]] for card in PACK)
"""What a card left in a hand costs, by card (R15)."""

_CARDS: Final = {name: card for card, name in enumerate(CARD_NAMES)}
_SUITS: Final = {name: suit for suit, name in enumerate(SUIT_NAMES)}


def parse_card(name: str) -> Card:
    """Give the card of a name such as `10H` or `JS`.

    Raises:
        NotationError: there is no card of that name.
    """
    try:
        return _CARDS[name]
    except KeyError:
        raise NotationError(f"{name!r} is not a card: a card is a rank (A 2 … 10 J Q K) and a suit (C D H S)") from None


def parse_suit(name: str) -> Suit:
    """Give the suit of a letter.

    Raises:
        NotationError: the letter is not one of C, D, H and S.
    """
    try:
        return _SUITS[name]
    except KeyError:
        raise NotationError(f"{name!r} is not a suit: a suit is C, D, H or S") from None


def card_names(cards: Iterable[Card]) -> list[str]:
    """Give the names of cards, in their order."""
    return [CARD_NAMES[card] for card in cards]


def points_of(cards: Iterable[Card]) -> int:
    """Count the points of the cards left in a hand (R15); a full pack counts 508."""
    return sum([POINTS[card] for card in cards])
