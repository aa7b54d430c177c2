"""A proof that holds is found fair, and one that does not is refused at the place where it is wrong."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from service.verify import Known, verify, verify_together
from service.verify.checks import CHECKS
from tests.golden.record import TABLES
from tests.proofs import Json, golden_proof, golden_proofs, random_proofs, sealed
from tests.strategies import random_options


@pytest.mark.parametrize("name", TABLES)
def test_r22_every_deal_of_a_recorded_match_is_fair_and_they_belong_together(name: str) -> None:
    documents = [golden_proof(name, number) for number in range(1, len(golden_proofs(name)) + 1)]
    for document in documents:
        assert verify(document, Known(document["commitment"])).passed == tuple(CHECKS)
    assert verify_together(documents).fair


@pytest.mark.parametrize("number", range(12))
def test_r22_deals_by_any_house_rules_are_fair(number: int) -> None:
    random = Random(number)
    seats = random.choice((2, 3, 4, 7, 10))
    options = random_options(random, seats, 0.5) | {"deals": 2}
    client_seeds = [random.choice(("", "tuz", "♣♦♥♠")) for _ in range(seats)]
    documents = list(random_proofs(random, options, client_seeds))
    assert [verify(document).failure for document in documents] == [None] * len(documents)
    assert verify_together(documents).fair


def rematch() -> list[Json]:
    """Proofs of a match whose first dealer was fixed."""
    return list(random_proofs(Random(8), {"hand_size": 3, "deals": 2}, ["", "tuz", ""], first_dealer=2))


def test_r2_the_first_dealer_of_a_rematch_is_the_one_that_was_fixed() -> None:
    documents = rematch()
    assert [document["dealer_seat"] for document in documents] == [2, 0]
    for document in documents:
        verdict = verify(document)
        assert verdict.fair
        assert any("first dealer was fixed" in sentence for sentence in verdict.not_anchored)
    assert verify_together(documents).fair


@pytest.mark.parametrize(
    "first_dealer,failed", [(1, "first dealer"), (None, "shape"), (3, "shape"), (True, "shape"), (-1, "shape")]
)
def test_r2_another_first_dealer_is_noticed(first_dealer: Any, failed: str) -> None:
    failure = verify(sealed({**rematch()[1], "first_dealer": first_dealer})).failure
    assert failure is not None
    assert failure.check == failed


def changed(check: str, pointer: str, change: Callable[[Json], Any], says: str = "") -> Any:
    return pytest.param(change, check, pointer, says, id=f"{check} {pointer} {says}")


def setting(*path: str | int, to: Any) -> Callable[[Json], Any]:
    """Change one place of a document."""

    def change(document: Any) -> None:
        *above, last = path
        for step in above:
            document = document[step]
        document[last] = to

    return change


ZEROS = 64 * "0"
CASES = [
    changed("shape", "/seed", lambda proof: proof.pop("seed"), "Missing"),
    changed("shape", "/extra", setting("extra", to=1), "Unknown"),
    changed("shape", "/moves/0/extra", setting("moves", 0, "extra", to=1), "Unknown"),
    changed("shape", "/moves/3/type", setting("moves", 3, "type", to="shout"), "play, draw, pass"),
    changed("shape", "/moves/1", setting("moves", 1, to=[]), "object"),
    changed("shape", "/rules/eight", lambda proof: proof["rules"].pop("eight"), "Missing"),
    changed("shape", "/seats", setting("seats", to=True), "integer"),
    changed("shape", "/multiplier", setting("multiplier", to=1.0), "integer"),
    changed("shape", "/pack/5", setting("pack", 5, to="1C"), "card"),
    changed("shape", "/seed", setting("seed", to=ZEROS[1:] + "A"), "lower case"),
    changed("shape", "/seed", setting("seed", to=ZEROS + "\n"), "64"),
    changed("shape", "/client_seeds/0", setting("client_seeds", 0, to="\ud800"), "Unicode"),
    changed("shape", "/client_seeds", lambda proof: proof["client_seeds"].pop(), "each seat"),
    changed("derivation", "/derivation", setting("derivation", to="pis-yedili/2"), "version"),
    changed("rules", "/rules/eight", setting("rules", "eight", to="stop"), "skip, none"),
    changed("rules", "/rules/decks", setting("rules", "decks", to=None), "resolved"),
    changed("rules", "/rules/hand_size", setting("rules", "hand_size", to=7.0), "whole number"),
    changed("rules", "/rules/overridden/0", setting("rules", "overridden", to=[]), "differ"),
    changed("rules", "/rules/overridden/0", setting("rules", "eight", to="none"), "not the options that differ"),
    changed("rules", "/number", setting("number", to=4), "fewer deals"),
    changed("commitment", "/seed_commitment", setting("seed", to=ZEROS), "the SHA-256 of the seed"),
    changed("commitment", "/seed_commitment", setting("seed_commitment", to=ZEROS), "SHA-256"),
    changed("commitment", "/commitment", setting("commitment", to=ZEROS), "hashed"),
    changed("first dealer", "/dealer_seat", lambda proof: proof.update(dealer_seat=(proof["dealer_seat"] + 1) % 4)),
    changed("hands dealt", "/hands_dealt/2/0", lambda proof: proof["hands_dealt"][2].reverse(), "R3"),
    changed("moves", "/moves", lambda proof: proof["moves"].pop(), "not over"),
    changed("moves", "/moves/63", lambda proof: proof["moves"].append(proof["moves"][-1]), "over"),
    changed("moves", "/moves/0", lambda proof: proof["moves"].pop(0), "(R"),
    changed("moves", "/moves/1", setting("moves", 1, "seat", to=9), "R21"),
    changed("reshuffles", "/reshuffles/0", lambda proof: proof["reshuffles"].append({"pile": [], "stock": []})),
    changed("hands", "/hands/0", lambda proof: proof["hands"].reverse()),
    changed("result", "/reason", setting("reason", to="stock_out")),
    changed("result", "/multiplier", lambda proof: proof.update(multiplier=proof["multiplier"] % 3 + 1)),
    changed("result", "/points/0", setting("points", 0, to=508)),
]


@pytest.mark.parametrize("change,check,pointer,says", CASES)
def test_r22_what_is_wrong_is_named_with_its_place(
    change: Callable[[Json], Any], check: str, pointer: str, says: str
) -> None:
    document = golden_proof("classic", 3)
    change(document)
    if "digest" in document and check != "shape":
        document = sealed(document)
    failure = verify(document).failure
    assert failure is not None
    assert (failure.check, failure.pointer[: len(pointer)]) == (check, pointer)
    assert says in failure.detail
