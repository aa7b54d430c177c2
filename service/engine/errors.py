"""What the engine raises. Each error can be shown to a player as it is."""

from __future__ import annotations

from typing import NamedTuple


class NotationError(ValueError):
    """A text is not a card, a move or a position: it could not be understood at all."""


class OptionError(NamedTuple):
    """One option that cannot be accepted, and why."""

    option: str
    detail: str


class RulesError(ValueError):
    """A set of rule options is refused; `errors` has one entry for each option concerned."""

    def __init__(self, errors: list[OptionError]) -> None:
        super().__init__("; ".join(f"{error.option}: {error.detail}" for error in errors))
        self.errors = errors


class IllegalMove(Exception):
    """A well-formed move that the rules forbid here.

    Attributes:
        clause: the clause of the rules that forbids it, such as `R12`.
        detail: the reason, in words that a player understands.
        option: the house rule that forbids it, when it is not the written game that does.
    """

    def __init__(self, clause: str, detail: str, option: str | None = None) -> None:
        super().__init__(f"{clause}: {detail}")
        self.clause = clause
        self.detail = detail
        self.option = option


class NotOnTurn(IllegalMove):
    """The move comes from a seat that is not on turn (R21)."""
