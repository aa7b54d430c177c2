"""Whole matches as readable text: how they are told, and how new ones are recorded.

`python -m tests.golden.record` plays the matches of `TABLES` anew and overwrites their files. Do so only after a
change of the rules that is meant, and read the difference.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random
from typing import Any

from service.engine import match as matches
from service.engine.legal import legal_moves
from service.engine.match import Happening, Match
from service.engine.moves import Play, format_move, parse_move
from service.engine.rules import resolve
from tests.builders import names, told

FOLDER = Path(__file__).with_name("matches")

TABLES: dict[str, tuple[list[str], dict[str, Any]]] = {
    "classic": (["", "salt", "", "şeker 7"], {"deals": 3}),
    "wikipedia-tr": (["", "", ""], {"preset": "wikipedia-tr", "deals": 3}),
    "iskambilci": (["", ""], {"preset": "iskambilci", "deals": 3}),
    "oyunes": (["1", "2", "3", "4", "5", "6"], {"preset": "oyunes", "deals": 2}),
    "reshuffles": (
        ["", "", ""],
        {
            "hand_size": 13,
            "stock_out": "reshuffle",
            "last_card_call": "tek",
            "after_penalty": "continue",
            "seven_run": "double",
            "last_seven": "draws",
            "ace": "must_follow",
            "jack_on_jack": True,
            "jack_suit": "different",
            "draw_only_if_unable": True,
            "deals": 2,
        },
    ),
    "two-seats": (
        ["a", "b"],
        {"ten_two_seats": "skip", "ace": "next_draws", "must_play_if_able": True, "target_score": 100, "deals": 20},
    ),
}


def tell(asked: dict[str, Any], client_seeds: list[str], name: str, moves: Iterable[str] | None) -> Iterator[str]:
    """Play a match and tell it line by line; without moves, a random player makes them."""
    seed = hashlib.sha256(name.encode()).digest()
    rules = resolve(asked, len(client_seeds)).rules
    yield f"rules {json.dumps(asked)}"
    yield f"client_seeds {json.dumps(client_seeds, ensure_ascii=False)}"
    yield f"last_seed {seed.hex()}"
    yield f"commitment {matches.commitment(seed, rules)}"
    match, happenings = matches.start(name, rules, seed, tuple(client_seeds))
    yield from dealt(match)
    choices, random = iter(moves) if moves is not None else None, Random(name)
    while match.deal.turn is not None:
        seat, deal = match.deal.turn, match.deal
        text = next(choices) if choices else choose(match, random)
        match, happenings = matches.play(match, seat, parse_move(text))
        yield f"  {seat} {text} -> {'; '.join(lines(deal.number, happenings)) or '-'}"
        if match.deal.number != deal.number:
            yield from finished(match)
            yield from dealt(match)
    yield from finished(match)
    yield f"totals {list(match.totals)}; winners {list(match.winners)}"


def choose(match: Match, random: Random) -> str:
    """Choose a legal move, a play more often than not."""
    listed = legal_moves(match.deal)
    plays = [move for move in listed if isinstance(move, Play)]
    return format_move(random.choice(plays if plays and random.random() < 0.8 else listed))


def lines(number: int, happenings: list[Happening]) -> list[str]:
    """Tell what happened in a deal, but not the card that the line begins with."""
    return [told(event) for deal, event in happenings if deal == number and type(event).__name__ != "CardPlayed"]


def dealt(match: Match) -> Iterator[str]:
    """Tell a fresh deal."""
    deal = match.deal
    yield f"deal {deal.number}; dealer {deal.dealer}; seed_commitment {deal.shuffler.commitment}"
    yield from (f"  hand {seat}: {names(hand)}" for seat, hand in enumerate(deal.hands))
    yield f"  stock: {names(deal.stock)}"


def finished(match: Match) -> Iterator[str]:
    """Tell the result of the last deal that is over."""
    result = match.results[-1]
    card = "-" if result.final_card is None else names([result.final_card])
    yield (
        f"  {result.reason}; winners {list(result.winners)}; multiplier {result.multiplier}; "
        f"points {list(result.points)}; final_card {card}"
    )


def moves_of(text: str) -> list[str]:
    """Give the moves of a match that was told."""
    return [line.split()[1] for line in text.splitlines() if " -> " in line]


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name, (client_seeds, asked) in TABLES.items():
        text = "\n".join(tell(asked, client_seeds, name, None)) + "\n"
        (FOLDER / f"{name}.txt").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
