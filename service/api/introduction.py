"""The introduction to the contract: what is written, and the rules of the game from their one source."""

from __future__ import annotations

from importlib.resources import files
from typing import Final

from ..engine.clauses import CHAPTERS

_WRITTEN: Final = files(__package__).joinpath("introduction.md")


def introduction() -> str:
    """Give the description of the contract, in Markdown: the written part, then the clauses of the rules."""
    chapters = [
        "\n\n".join([f"### {title}", *(f"#### {number} {name}\n\n{text}" for number, (name, text) in clauses.items())])
        for title, clauses in CHAPTERS.items()
    ]
    return "\n\n".join([_WRITTEN.read_text("utf-8").strip(), *chapters]) + "\n"
