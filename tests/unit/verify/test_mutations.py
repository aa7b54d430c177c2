"""Whatever is changed in a proof is noticed, and the place named (R22).

A change of the document alone is betrayed by its digest at the latest. Whoever wants to deceive computes that anew:
then everything must be noticed that the seeds, the cards or the rules contradict.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from copy import deepcopy
from functools import cache
from random import Random
from typing import Any

import pytest

from service.engine.cards import CARD_NAMES
from service.engine.rules import OPTIONS
from service.verify import verify
from service.verify.reading import Unreadable, parse
from tests.golden.record import TABLES
from tests.proofs import Json, golden_proofs, sealed

SHORT, LONG = 100, 20_000
EXACT = (
    *("reason", "winners", "multiplier", "points", "final_card", "hands", "commitment", "seed_commitment"),
    *("dealer_seat", "pack", "hands_dealt", "reshuffles", "derivation", "digest"),
)
"""Members that are compared with what follows from the others: a change there is named there."""


UNCONFIRMED = {"by", "suit", "call", *OPTIONS}
"""What nothing in a deal may contradict: who moved for a seat, another legal move, an option without a difference."""


@cache
def originals() -> list[str]:
    return [proof for name in TABLES for proof in golden_proofs(name)]


def mutate(document: Any, random: Random, path: tuple[str | int, ...] = ()) -> tuple[str | int, ...]:
    """Change something in a document, anywhere, and give its place."""
    key: Any = random.choice(list(document)) if isinstance(document, dict) else random.randrange(len(document))
    value = document[key]
    if isinstance(value, dict | list) and value and random.random() < 0.9:
        return mutate(value, random, (*path, key))
    document[key] = other(value, random)
    change = random.randrange(8)
    if change == 0:
        del document[key]
    elif change == 1 and isinstance(document, list):
        document.insert(key, value)
    elif change == 2 and isinstance(document, list):
        place = random.randrange(len(document))
        document[key], document[place] = document[place], value
    elif change == 3 and isinstance(document, dict):
        document[f"{key}_"] = value
    return (*path, key)


def other(value: Any, random: Random) -> Any:
    """Give another value of the same kind, more often than not."""
    if random.random() < 0.1:
        return random.choice([None, True, 0, -1, 1.5, "", "7", [], {}])
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return random.choice([value + 1, value - 1, random.randrange(20)])
    if isinstance(value, str) and value in CARD_NAMES:
        return random.choice(CARD_NAMES)
    if isinstance(value, str) and len(value) == 64:
        place = random.randrange(64)
        return value[:place] + random.choice("0123456789abcdef") + value[place + 1 :]
    if isinstance(value, str):
        words = [
            "player",
            "bot",
            "clock",
            "play",
            "draw",
            "pass",
            "tek",
            "C",
            "D",
            "H",
            "S",
            "classic",
            "none",
            value + " ",
        ]
        return random.choice(words)
    return random.choice([7, "AC", [], {}])


def survivors(count: int, random: Random, seal: Callable[[Json], Json]) -> Counter[str]:
    """Change proofs in so many ways and count, by the last member of its place, what was not noticed."""
    unnoticed: Counter[str] = Counter()
    made = 0
    while made < count:
        original = json.loads(random.choice(originals()))
        changed = deepcopy(original)
        path = mutate(changed, random)
        if changed == original and str(changed) == str(original):
            continue
        made += 1
        digest_changed = path[0] == "digest"
        failure = verify(changed if digest_changed else seal(changed)).failure
        if failure is None:
            unnoticed[str(path[-1])] += 1
        elif path[0] in EXACT:
            assert failure.pointer.startswith(f"/{path[0]}"), (path, failure)
        else:
            assert failure.pointer, (path, failure)
            assert failure.detail
    return unnoticed


def byte_survivors(count: int, random: Random) -> list[bytes]:
    """Change, remove or add single bytes of proofs; give those that are noticed neither as JSON nor by a check."""
    unnoticed = []
    for _ in range(count):
        original = random.choice(originals())
        data = bytearray(json.dumps(json.loads(original), ensure_ascii=False, separators=(",", ":")).encode())
        place = random.randrange(len(data))
        byte = random.choice([data[place] ^ 1 << random.randrange(8), random.randrange(256)])
        data[place : place + random.randrange(2)] = random.choice([b"", bytes([byte])])
        try:
            document = parse(bytes(data), "the proof")
        except Unreadable:
            continue
        if document != json.loads(original) and verify(document).fair:
            unnoticed.append(bytes(data))
    return unnoticed


def test_r22_a_changed_byte_is_noticed() -> None:
    assert byte_survivors(SHORT, Random("bytes")) == []


def test_r22_a_changed_member_is_noticed_and_its_place_named() -> None:
    assert survivors(SHORT, Random("members"), lambda proof: proof) == {}


def test_r22_a_change_is_noticed_though_the_digest_was_computed_anew() -> None:
    assert survivors(SHORT, Random("sealed"), sealed).keys() <= UNCONFIRMED


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_r22_each_of_very_many_changes_is_noticed() -> None:
    assert byte_survivors(LONG // 2, Random("many bytes")) == []
    assert survivors(LONG // 2, Random("many members"), lambda proof: proof) == {}


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_r22_of_very_many_changes_with_a_right_digest_only_what_nothing_contradicts_is_not_noticed() -> None:
    unnoticed = survivors(LONG, Random("many sealed"), sealed)
    print(f"not noticed of {LONG}: {dict(unnoticed)}")
    assert unnoticed.keys() <= UNCONFIRMED
    assert unnoticed.total() < LONG / 100
