"""The introduction to the contract: what is written beside this, and the rules of the game from their one source."""

from __future__ import annotations

from importlib.resources import files
from typing import Final

from ...engine.clauses import CHAPTERS

_WRITTEN: Final = ("playing.md", "keeping_up.md", "terms.md")


def introduction() -> str:
    """Give the description of the contract, in Markdown: the written part, then the clauses of the rules."""
    chapters = [
        "\n\n".join([f"### {title}", *(f"#### {number} {name}\n\n{text}" for number, (name, text) in clauses.items())])
        for title, clauses in CHAPTERS.items()
    ]
    written = [files(__package__).joinpath(name).read_text("utf-8").strip() for name in _WRITTEN]
    return "\n\n".join([*written, *chapters]) + "\n"
