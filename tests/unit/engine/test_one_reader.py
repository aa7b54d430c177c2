"""Every house rule acts in one place: each option is read by one function of the engine."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

import service.engine
from service.engine.rules import OPTIONS

# What an option does in two places, and why that is honest.
EXCEPTIONS = {
    "decks": "so many packs are shuffled, and only two of them have equal cards, which are listed once",
    "ace": "whether its player must follow is a question of legality, the rest is its effect",
    "draw_limit": "the refusal names the number",
    "seven_run": "whether a seven may be answered is a question of legality, how a run grows is its effect",
    "deals": "it ends the match, and is the length of the chain of seeds",
}


# The options whose name in the code differs from the contract's, because it is a word of the language.
NAMES = {"passing": "pass"}


def readers() -> dict[str, set[str]]:
    """Find the functions that read `….rules.option` or `rules.option`, by option."""
    found: dict[str, set[str]] = defaultdict(set)
    for path in sorted(Path(service.engine.__file__).parent.glob("*.py")):
        if path.name == "rules.py":
            continue
        for function in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(function, ast.FunctionDef):
                continue
            for node in ast.walk(function):
                if isinstance(node, ast.Attribute) and ast.unparse(node.value).split(".")[-1] == "rules":
                    found[NAMES.get(node.attr, node.attr)].add(f"{path.name}:{function.name}")
    return dict(found)


def test_every_option_is_read_in_exactly_one_function() -> None:
    found = readers()
    assert set(found) == set(OPTIONS)
    assert {option for option, places in found.items() if len(places) > 1} == set(EXCEPTIONS), found


def test_options_that_decide_the_play_of_a_deal_are_read_outside_the_match() -> None:
    of_the_match = {name for name, places in readers().items() if all("match.py" in place for place in places)}
    assert of_the_match == {"deals", "target_score"}
