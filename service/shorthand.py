"""Events as the log keeps them: the frequent ones as short lists, any other as the object that it is.

A short list holds a letter for the type, the deal, and the values of the other members in their order, without those
at the end that are what they usually are. A letter keeps its meaning and its members for ever, because logs do too.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple, TypeAlias

Data: TypeAlias = dict[str, Any]


class _Form(NamedTuple):
    """What a letter stands for: a type, and its other members with their usual values."""

    kind: str
    members: Data


_FORMS: Final = {
    "c": _Form("card_played", {"seat": None, "card": None, "suit": None, "call": None, "by": "player"}),
    "d": _Form("cards_drawn", {"seat": None, "count": 1, "reason": "choice", "by": "player", "cards": None}),
    "p": _Form("turn_passed", {"seat": None, "by": "player"}),
    "s": _Form("turn_skipped", {"seat": None, "reason": None}),
    "t": _Form("turn_started", {"seat": None, "phase": "turn", "penalty": 0, "deadline": None}),
}
_LETTERS: Final = {form.kind: letter for letter, form in _FORMS.items()}
_HEAD: Final = len(("seq", "at", "type", "deal"))
_NAMES: Final = {letter: tuple(form.members) for letter, form in _FORMS.items()}
_USUAL: Final = {letter: tuple(form.members.values()) for letter, form in _FORMS.items()}


def shortened(event: Data) -> Data | list[Any]:
    """Write an event for the log, without its first members `seq` and `at`; `type` and `deal` come after them."""
    letter = _LETTERS.get(event["type"])
    if letter is None or tuple(event)[_HEAD:] != _NAMES[letter]:
        return {name: event[name] for name in event if name not in ("seq", "at")}
    _, _, _, deal, *values = event.values()
    usual, told = _USUAL[letter], len(values)
    while told and values[told - 1] == usual[told - 1]:
        told -= 1
    return [letter, deal, *values[:told]]


def lengthened(short: Data | list[Any]) -> Data:
    """Read what `shortened` wrote."""
    if isinstance(short, dict):
        return short
    letter, deal, *values = short
    kind, members = _FORMS[letter]
    return {"type": kind, "deal": deal, **members, **dict(zip(members, values, strict=False))}
