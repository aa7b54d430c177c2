"""Random tables, options and whole deals: Hypothesis strategies, and the same from a plain seed for bulk runs."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from hypothesis import strategies as st

from service.engine.legal import legal_moves
from service.engine.moves import Call, Draw, Move, Pass, Play
from service.engine.play import apply, deal_cards
from service.engine.rules import MAX_SEATS, MIN_SEATS, OPTIONS, Option, resolve
from service.engine.shuffle import SEED_BYTES, Shuffler
from service.engine.state import Deal

CALLS: tuple[Call | None, ...] = (None, "tek")
ALL_MOVES: tuple[Move, ...] = (
    *(Play(card, suit, call) for card in range(52) for suit in (None, 0, 1, 2, 3) for call in CALLS),
    Draw(),
    Pass(),
)
"""Every move that can be written down."""

seats: st.SearchStrategy[int] = st.integers(MIN_SEATS, MAX_SEATS)
seeds: st.SearchStrategy[bytes] = st.binary(min_size=SEED_BYTES, max_size=SEED_BYTES)
client_seeds: st.SearchStrategy[str] = st.text(st.characters(codec="utf-8"), max_size=12)


def values(option: Option) -> list[Any]:
    """Give values of an option to choose from: all of a short list, the ends and the middle of a long range."""
    if option.kind == "boolean":
        return [False, True]
    if option.kind == "string":
        return list(option.values)
    assert option.minimum is not None
    assert option.maximum is not None
    wide = option.maximum - option.minimum > 20
    numbers = [1, 50, 250, 10000] if wide else list(range(option.minimum, option.maximum + 1))
    return [None, *numbers] if option.nullable else numbers


def fits(options: dict[str, Any], seats: int) -> bool:
    """Tell whether the cards suffice (R1)."""
    decks = options.get("decks") or (1 if seats <= 5 else 2)
    return int(seats * options.get("hand_size", 7)) < 52 * decks


@st.composite
def option_sets(draw: st.DrawFn, seats: int) -> dict[str, Any]:
    """Give sets of options in which every option is free, named or not."""
    each = {name: st.sampled_from(values(option)) for name, option in OPTIONS.items()}
    return draw(st.fixed_dictionaries({}, optional=each).filter(lambda options: fits(options, seats)))


@st.composite
def deals(draw: st.DrawFn) -> Deal:
    """Give freshly dealt deals at free tables."""
    count = draw(seats)
    options = draw(option_sets(count))
    shuffler = Shuffler(draw(seeds), "hypothesis", 1, ("",) * count)
    dealer = draw(st.integers(0, count - 1))
    return deal_cards(resolve(options, count).rules, shuffler, 1, dealer)[0]


def random_options(random: Random, seats: int, chance: float) -> dict[str, Any]:
    """Change each option with the given chance, at a table that the cards suffice for."""
    while True:
        options = {name: random.choice(values(option)) for name, option in OPTIONS.items() if random.random() < chance}
        if fits(options, seats):
            return options


def random_deal(random: Random) -> Deal:
    """Deal at a table of any size, from the written game to every option free."""
    count = random.choice((2, 2, 3, 4, random.randint(MIN_SEATS, MAX_SEATS)))
    options = random_options(random, count, random.choice((0.1, 0.5, 1.0)))
    shuffler = Shuffler(random.randbytes(SEED_BYTES), "random", 1, ("",) * count)
    return deal_cards(resolve(options, count).rules, shuffler, 1, random.randrange(count))[0]


def random_play(deal: Deal, random: Random) -> Iterator[tuple[Deal, Move, Deal]]:
    """Play a deal to its end with a player of random temper; give each position, move and position after it."""
    eagerness = random.choice((0.3, 0.7, 0.95, 1.0))
    while deal.turn is not None:
        listed = legal_moves(deal)
        plays = [move for move in listed if isinstance(move, Play)]
        move = random.choice(plays if plays and random.random() < eagerness else listed)
        following, _ = apply(deal, deal.turn, move)
        yield deal, move, following
        deal = following
