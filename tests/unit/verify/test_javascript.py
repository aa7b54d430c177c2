"""The verifier in JavaScript, written a second time from the description, comes to the same (R22)."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.golden.record import TABLES
from tests.proofs import Json, golden_proof, golden_proofs, random_proofs, sealed
from tests.strategies import random_options
from tests.vectors import PATH as VECTORS

VERIFIER = VECTORS.with_name("verify.mjs")
CHECK_VECTORS = Path(__file__).with_name("check_vectors.mjs")
NODE = shutil.which("node")

pytestmark = pytest.mark.skipif(
    NODE is None, reason="Node is not on this machine: the verifier in JavaScript is not run"
)


def node(*words: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([NODE or "", *words], capture_output=True, encoding="utf-8", timeout=120)


def verified(folder: Path, documents: Sequence[Any]) -> tuple[int, list[str]]:
    """Give the status of the command and the lines of its verdict."""
    path = folder / "proofs.json"
    path.write_text(json.dumps(documents))
    ended = node(VERIFIER, path)
    assert ended.stderr == ""
    return ended.returncode, ended.stdout.splitlines()


def test_r22_the_published_vectors_hold_in_javascript() -> None:
    program = f"""
        import {{ readFileSync }} from "node:fs";
        import differences from {json.dumps(CHECK_VECTORS.as_uri())};
        import * as verifier from {json.dumps(VERIFIER.as_uri())};
        const vectors = JSON.parse(readFileSync({json.dumps(str(VECTORS))}, "utf8"));
        console.log(JSON.stringify(await differences(verifier, vectors)));
    """
    ended = node("--input-type=module", "--eval", program)
    assert (ended.stderr, json.loads(ended.stdout)) == ("", [])


def test_r22_recorded_and_random_deals_are_fair_in_javascript(tmp_path: Path) -> None:
    documents = [json.loads(proof) for name in TABLES for proof in golden_proofs(name)]
    for number in range(10):
        random = Random(number)
        seats = random.randint(2, 10)
        options = random_options(random, seats, 0.5) | {"deals": 1, "stock_out": "reshuffle"}
        documents += random_proofs(random, options, [random.choice(("", "ğ", "7 \\")) for _ in range(seats)])
    assert any(document["reshuffles"] for document in documents)
    status, lines = verified(tmp_path, documents)
    assert (status, [line for line in lines if "✗" in line]) == (0, [])
    assert lines[-1].startswith("FAIR")


def other_stock(proof: Json) -> None:
    proof["reshuffles"][0]["stock"].reverse()


def other_pile(proof: Json) -> None:
    proof["reshuffles"][0]["pile"][:2] = proof["reshuffles"][0]["pile"][1::-1]


def empty_pile(proof: Json) -> None:
    proof["reshuffles"].insert(0, {"pile": [], "stock": []})


def typed(kind: str) -> Any:
    return lambda proof: proof["moves"][0].update(type=kind)


CHANGES: dict[str, tuple[Any, str]] = {
    "no seed": (lambda proof: proof.pop("seed"), "shape, at /seed"),
    "no card": (lambda proof: proof["moves"][0].pop("card"), "shape, at /moves"),
    "unknown": (lambda proof: proof.update(extra=1), "shape, at /extra: unknown"),
    "unknown in a move": (lambda proof: proof["moves"][0].update(extra=1), "shape, at /moves"),
    "unknown in a reshuffle": (lambda proof: proof["reshuffles"][0].update(extra=1), "shape, at /reshuffles"),
    "a name of all objects": (lambda proof: proof.update(constructor=1), "shape, at /constructor: unknown"),
    "constructor": (typed("constructor"), "shape, at /moves"),
    "__proto__": (typed("__proto__"), "shape, at /moves"),
    "long client seed": (lambda proof: proof.update(client_seeds=[65 * "a", "", ""]), "shape, at /client_seeds"),
    "no result": (lambda proof: proof.pop("winners"), "shape, at /winners: missing"),
    "a list as a result": (lambda proof: proof.update(hands=[]), "shape, at /hands"),
    "points": (lambda proof: proof.update(points=[-5, 0, 0]), "shape, at /points"),
    "an option": (lambda proof: proof["rules"].update(eight=[]), "shape, at /rules"),
    "fewer deals": (lambda proof: proof["rules"].update(deals=0), "shape, at /rules"),
    "no reshuffles by the rules": (
        lambda proof: proof["rules"].update(stock_out="deal_ends"),
        "shape, at /reshuffles: the rules know none",
    ),
    "an empty pile": (empty_pile, "shape, at /reshuffles"),
    "another layout": (lambda proof: proof.update(derivation="pis-yedili/2"), "derivation, at /derivation"),
    "another seed": (lambda proof: proof.update(seed=64 * "0"), "commitment, at /seed_commitment"),
    "another deal": (lambda proof: proof.update(number=2), "commitment, at /commitment"),
    "another dealer": (lambda proof: proof.update(dealer_seat=(proof["dealer_seat"] + 1) % 3), "first dealer, at"),
    "another first dealer": (
        lambda proof: proof.update(first_dealer=(proof["dealer_seat"] + 1) % 3),
        "first dealer, at /dealer_seat",
    ),
    "no such first dealer": (lambda proof: proof.update(first_dealer=3), "shape, at /first_dealer: the table"),
    "no first dealer": (lambda proof: proof.update(first_dealer=None), "shape, at /first_dealer: not of"),
    "another client seed": (lambda proof: proof.update(client_seeds=["", "tuz", ""]), "pack, at /pack/0"),
    "another pack": (lambda proof: proof["pack"].reverse(), "pack, at /pack/0"),
    "another hand": (lambda proof: proof["hands_dealt"].reverse(), "hands dealt, at /hands_dealt/0/"),
    "another pile": (other_pile, "reshuffles, at /reshuffles/0/pile/0"),
    "another stock": (other_stock, "reshuffles, at /reshuffles/0/stock/"),
}


def test_r22_javascript_names_the_place_of_what_is_wrong(tmp_path: Path) -> None:
    documents = [golden_proof("reshuffles", 1) for _ in CHANGES]
    for document, (change, _) in zip(documents, CHANGES.values(), strict=True):
        change(document)
    status, lines = verified(tmp_path, [sealed(document) for document in documents])
    assert (status, lines[-1]) == (1, "NOT FAIR")
    faults = [line.removeprefix("  ✗ ") for line in lines if "✗" in line]
    for fault, (_, place) in zip(faults, CHANGES.values(), strict=True):
        assert fault.startswith(place)


def test_r22_javascript_finds_a_digest_that_is_not_that_of_the_other_members(tmp_path: Path) -> None:
    status, lines = verified(tmp_path, [{**golden_proof("classic"), "points": [0, 0, 0, 0]}])
    assert status == 1
    assert "✗ digest, at /digest" in "\n".join(lines)


def test_r22_javascript_takes_a_deal_that_was_abandoned(tmp_path: Path) -> None:
    assert verified(tmp_path, [sealed({**golden_proof("classic"), "reason": "abandoned"})])[0] == 0


@pytest.mark.parametrize("content", ["[]", "7", "null", "[[]]", "[null]", '"x"'])
def test_json_without_a_proof_is_nothing_to_check(content: str, tmp_path: Path) -> None:
    path = tmp_path / "proof.json"
    path.write_text(content)
    ended = node(VERIFIER, path)
    assert (ended.returncode, ended.stdout, ended.stderr) == (2, "", f"{path} holds no proof\n")


def other_rules(proofs: list[Json]) -> None:
    proofs[1]["rules"]["eight"] = "none"


def one_deal_twice(proofs: list[Json]) -> None:
    proofs.append(proofs[0])


@pytest.mark.parametrize(
    "change,says",
    [
        (other_rules, "match two-seats: deals 1 and 2 have not the same rules"),
        (one_deal_twice, "match two-seats: there are two proofs of deal 1"),
    ],
)
def test_r22_javascript_finds_deals_that_do_not_belong_together(change: Any, says: str, tmp_path: Path) -> None:
    documents = [golden_proof("two-seats", number) for number in (1, 2)]
    change(documents)
    status, lines = verified(tmp_path, [sealed(document) for document in documents])
    assert (status, lines[-2:]) == (1, [f"  ✗ together, {says}", "NOT FAIR"])


@pytest.mark.parametrize("content", ["{", ""])
def test_what_is_not_json_cannot_be_read(content: str, tmp_path: Path) -> None:
    path = tmp_path / "proof.json"
    path.write_text(content)
    ended = node(VERIFIER, path)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert "JSON" in ended.stderr


def test_without_a_file_the_command_says_how_it_is_used() -> None:
    ended = node(VERIFIER)
    assert (ended.returncode, ended.stderr) == (2, "usage: node verify.mjs FILE…\n")


def test_r22_javascript_never_stumbles_over_what_is_no_proof(tmp_path: Path) -> None:
    proof = golden_proof("reshuffles", 1)
    odd: list[Any] = [None, 7, "x", "\ud800", [], {}, [None], [[7]], [{}]]
    broken = [{**proof, name: value} for name in proof for value in odd]
    status, lines = verified(tmp_path, [*broken, {}, {"number": {"toString": 1}}, {"match_id": "\x1b[2J\n\u202e"}])
    assert all(line.isprintable() for line in lines)
    assert status == 1
    assert len([line for line in lines if "✗" in line]) == len([line for line in lines if line.startswith("deal ")])
