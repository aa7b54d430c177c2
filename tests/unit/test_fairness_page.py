"""The page on fair cards tells what the code does, and its examples are the published vectors (R22)."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from typing import Any

import pytest

from service.api.page import render_text
from service.engine.shuffle import DERIVATION
from service.verify.checks import CHECKS
from tests.vectors import NEW_PACK, PATH

TEXT = PATH.with_name("page.md").read_text("utf-8")
VECTORS: dict[str, list[dict[str, Any]]] = json.loads(PATH.read_text("utf-8"))
[EXAMPLE] = [vector for vector in VECTORS["shuffles"] if vector["about"] == "the worked example"]
COMMANDS = re.findall(r"```sh\n(.*?)# (.*?)\n```", TEXT, re.DOTALL)
TOOLS = ("sh", "xxd", "openssl", "sha256sum")


def block_after(words: str) -> str:
    """Give the block of text that follows these words."""
    return TEXT[TEXT.index(words) :].split("```text\n")[1].split("```")[0]


def test_the_example_is_the_published_vector() -> None:
    assert (EXAMPLE["match_id"], EXAMPLE["deal"], EXAMPLE["client_seeds"]) == ("example", 1, ["", "tuz", ""])
    joined = TEXT.replace("\\\n", "")
    for name in ("seed", "seed_commitment", "first_pack_message", "first_pack_block"):
        assert EXAMPLE[name] in joined
    first, second, third, *_ = EXAMPLE["first_pack_words"]
    assert f"`{first}`, `{second}` and `{third}`" in TEXT
    assert f"{first} mod 52 = {first % 52}" in TEXT
    assert f"place {first % 52}, `{NEW_PACK[first % 52]}`" in TEXT
    assert f"it is seat {EXAMPLE['first_dealer']}." in TEXT
    assert block_after("In the end the pack is").split() == EXAMPLE["pack"].split()


def test_the_hands_of_the_example_are_dealt_from_its_pack() -> None:
    cards = EXAMPLE["pack"].split()
    for line in block_after("### 6. Dealing").splitlines():
        seat, hand = re.fullmatch(r"seat (\d): (.*)", line).groups()  # type: ignore[union-attr]  # else it fails
        first = (int(seat) - EXAMPLE["first_dealer"] - 1) % 3
        assert hand.split() == sorted(cards[first:21:3], key=NEW_PACK.index)


@pytest.mark.skipif(not all(map(shutil.which, TOOLS)), reason=f"not all of {', '.join(TOOLS)} are on this machine")
def test_the_commands_of_the_page_give_what_stands_below_them() -> None:
    assert len(COMMANDS) == 2
    for command, result in COMMANDS:
        done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=True)
        assert result in done.stdout


def test_every_check_and_the_version_are_named() -> None:
    listed = TEXT[TEXT.index("It makes these checks") :]
    told = {"moves": "every move", "hands": "the hands as\nthey were left", "notes": "your notes"}
    for check in CHECKS:
        assert told.get(check, check) in listed
    assert f"`{DERIVATION}` names this derivation" in TEXT


def test_every_member_of_a_proof_is_listed() -> None:
    table = TEXT[TEXT.index("### The members of a proof") : TEXT.index("## The bytes")]
    listed = re.findall(r"^\| (`.*?`) \|", table, re.MULTILINE)
    assert sorted(re.findall(r"`(\w+)`", " ".join(listed))) == sorted(VECTORS["proofs"][-1])


def test_every_kind_of_vectors_is_described() -> None:
    assert [f"| `{kind}` |" in TEXT for kind in VECTORS] == [True] * 4


def test_the_page_links_clauses_to_the_contract_and_needs_no_script() -> None:
    page = render_text(TEXT)
    assert '<a href="/docs#R26">R26</a>' in page.html
    assert "<script" not in page.html
    assert page.html.count("<h1>") == 1
