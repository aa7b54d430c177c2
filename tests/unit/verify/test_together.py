"""Proofs that hold by themselves must belong to one match (R2, R22, R30)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from service.verify import verify_together
from tests.proofs import Json, golden_proof

Change = Callable[[list[Json]], Any]


def deals() -> list[Json]:
    return [golden_proof("two-seats", number) for number in (1, 2, 3, 4)]


@pytest.mark.parametrize(
    "change,check,pointer",
    [
        (lambda proofs: proofs[2].update(match_id="other"), "one match", "/3/match_id"),
        (lambda proofs: proofs[1].update(commitment=64 * "0"), "one match", "/2/commitment"),
        (lambda proofs: proofs[1]["rules"].update(eight="none"), "one match", "/2/rules/eight"),
        (lambda proofs: proofs[3]["client_seeds"].reverse(), "one match", "/4/client_seeds/0"),
        (lambda proofs: proofs[1].update(first_dealer=0), "one match", "/2/first_dealer"),
        (lambda proofs: proofs.append(proofs[3]), "each deal once", "/4"),
        (lambda proofs: proofs[2].update(seed_commitment=64 * "0"), "chain of seeds", "/3/seed_commitment"),
        (lambda proofs: proofs[2].update(dealer_seat=1 - proofs[2]["dealer_seat"]), "dealers", "/3/dealer_seat"),
        (lambda proofs: proofs[0].update(points=[100, 0]), "end of the match", "/2"),
    ],
)
def test_what_does_not_fit_is_named_with_its_deal(change: Change, check: str, pointer: str) -> None:
    proofs = deals()
    change(proofs)
    failure = verify_together(proofs).failure
    assert failure is not None
    assert (failure.check, failure.pointer) == (check, pointer)


def test_the_order_of_the_proofs_does_not_matter() -> None:
    assert verify_together(deals()[::-1]) == verify_together(deals())
    assert verify_together(deals()).fair


def test_deals_that_are_missing_are_said() -> None:
    verdict = verify_together([deals()[3], deals()[1]])
    assert verdict.fair
    assert verdict.not_anchored == ("The proofs of earlier deals are missing: 1, 3.",)
