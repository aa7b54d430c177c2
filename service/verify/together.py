"""What the proofs of one match have in common, and what the match's view told about them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final, NamedTuple

from ..engine.scoring import lowest_totals
from .shape import ABANDONED
from .verdict import Checks, Fault, Verdict, as_json, judge, require_same

_COMMON: Final = ("match_id", "seats", "rules", "derivation", "commitment", "client_seeds", "first_dealer")
_RESULT: Final = ("number", "reason", "winners", "multiplier", "points", "final_card")


class Deals(NamedTuple):
    """The proofs of one match, each of which holds by itself, by number; and its view, if it was asked for."""

    proofs: Sequence[Mapping[str, Any]]
    view: Mapping[str, Any] | None

    @property
    def finished(self) -> list[Mapping[str, Any]]:
        """The proofs of the deals that were played to their end."""
        return [proof for proof in self.proofs if proof["reason"] != ABANDONED]


def verify_together(proofs: Sequence[Mapping[str, Any]], view: Mapping[str, Any] | None = None) -> Verdict:
    """Check that proofs belong to one match.

    Args:
        proofs: the proofs of deals of one match, each of which `verify` found fair.
        view: the match as the service shows it, as `require_view` gives it; None if it was not asked for.

    Returns:
        What held, and the first thing that did not; pointers begin with the number of the deal, or with `view`.
    """
    ordered = sorted(proofs, key=lambda proof: proof["number"])
    numbers = [proof["number"] for proof in ordered]
    title = f"deals {', '.join(map(str, numbers))} of match {ordered[0]['match_id']} together"
    checks = CHECKS if view is None else {**CHECKS, **VIEW_CHECKS}
    return judge(title, checks, Deals(ordered, view), _not_anchored(numbers))


def _not_anchored(numbers: Sequence[int]) -> Iterator[str]:
    missing = sorted(set(range(1, numbers[-1])) - set(numbers))
    if missing:
        yield f"The proofs of earlier deals are missing: {', '.join(map(str, missing))}."


def _pairs(deals: Deals) -> Iterator[tuple[Mapping[str, Any], Mapping[str, Any]]]:
    return pairwise(deals.proofs)


def _one_match(deals: Deals) -> None:
    first = deals.proofs[0]
    for proof in deals.proofs[1:]:
        for name in _COMMON:
            detail = f"Deal {first['number']} has another value."
            require_same(f"/{proof['number']}/{name}", first.get(name), proof.get(name), detail)


def _numbers(deals: Deals) -> None:
    for former, proof in _pairs(deals):
        if proof["number"] == former["number"]:
            raise Fault(f"/{proof['number']}", "There are two proofs of this deal.")


def _chain(deals: Deals) -> None:
    for former, proof in _pairs(deals):
        if proof["number"] == former["number"] + 1:
            detail = "This is not the seed that was revealed for the deal before."
            require_same(f"/{proof['number']}/seed_commitment", former["seed"], proof["seed_commitment"], detail)


def _dealers(deals: Deals) -> None:
    for former, proof in _pairs(deals):
        dealer = (former["dealer_seat"] + proof["number"] - former["number"]) % proof["seats"]
        require_same(f"/{proof['number']}/dealer_seat", dealer, proof["dealer_seat"], "The deal goes round (R2).")


def _end(deals: Deals) -> None:
    target = deals.proofs[0]["rules"]["target_score"]
    totals = [0] * deals.proofs[0]["seats"]
    for proof in deals.proofs:
        if target is not None and max(totals) >= target:
            detail = f"The match was over before: a total had reached {target} (R30)."
            raise Fault(f"/{proof['number']}", detail, found=as_json(totals))
        totals = [total + points for total, points in zip(totals, proof["points"], strict=True)]


def _view(deals: Deals) -> None:
    first, view = deals.proofs[0], deals.view
    assert view is not None
    detail = "The proofs have another value."
    require_same("/view/id", first["match_id"], view["id"], detail)
    for name in ("seats", "rules", "commitment", "first_dealer"):
        require_same(f"/view/{name}", first.get(name), view.get(name), detail)


def _results(deals: Deals) -> None:
    assert deals.view is not None
    results = deals.view["results"]
    numbers = [result["number"] for result in results]
    require_same("/view/results", list(range(1, len(results) + 1)), numbers, "The deals are not all told in order.")
    for proof in deals.finished:
        result = {name: proof[name] for name in _RESULT}
        shown = results[proof["number"] - 1] if proof["number"] <= len(results) else None
        require_same(f"/view/results/{proof['number'] - 1}", result, shown, "The proof has another result.")


def _scores(deals: Deals) -> None:
    view, proofs = deals.view, deals.finished
    assert view is not None
    if len(proofs) < len(view["results"]):
        return
    totals = [sum(proof["points"][seat] for proof in proofs) for seat in range(view["seats"])]
    players = [{"seat": seat, "score": total} for seat, total in enumerate(totals)]
    require_same("/view/players", players, view["players"], "The points of the proofs come to another score.")
    rules = deals.proofs[0]["rules"]
    target = rules["target_score"]
    over = len(proofs) == rules["deals"] or (target is not None and max(totals) >= target)
    detail = "The points of the proofs, and the rules, say whether the match is over (R20, R30)."
    broken_off = ABANDONED if view["status"] == ABANDONED else "playing"
    require_same("/view/status", "finished" if over else broken_off, view["status"], detail)
    winners = list(lowest_totals(tuple(totals))) if over else []
    require_same("/view/winners", winners, view["winners"], "The lowest totals win once the match is over (R20).")


def _last_deal(deals: Deals) -> None:
    view, last = deals.view, deals.proofs[-1]
    assert view is not None
    results = len(view["results"])
    if last["number"] < results:
        return
    if view["status"] == "finished" or last["reason"] == ABANDONED:
        deal = {"number": last["number"], "seed_commitment": last["seed_commitment"]}
    else:
        deal = {"number": results + 1, "seed_commitment": last["seed"]}
    detail = "The deal shown is not the one that follows from the results and the last seed that was revealed."
    require_same("/view/deal", deal, view["deal"], detail)


CHECKS: Final[Checks[Deals]] = {
    "one match": _one_match,
    "each deal once": _numbers,
    "chain of seeds": _chain,
    "dealers": _dealers,
    "end of the match": _end,
}
VIEW_CHECKS: Final[Checks[Deals]] = {
    "view": _view,
    "results": _results,
    "scores": _scores,
    "last deal": _last_deal,
}
