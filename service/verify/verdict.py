"""What a check comes to: what held, and the first thing that did not."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple, TypeAlias, TypeVar


class Fault(Exception):
    """Something is not as it must be.

    Attributes:
        pointer: the JSON pointer of the place in the document.
        detail: what is wrong, in a sentence.
        expected: the JSON of what must stand there, when that is known.
        found: the JSON of what stands there.
    """

    def __init__(self, pointer: str, detail: str, expected: str | None = None, found: str | None = None) -> None:
        super().__init__(detail)
        self.pointer = pointer
        self.detail = detail
        self.expected = expected
        self.found = found


class Failure(NamedTuple):
    """Where and why a check ended.

    Attributes:
        check: the name of the check that failed.
        pointer: the JSON pointer of the place in the document.
        detail: what is wrong, in a sentence.
        expected: the JSON of what must stand there, when that is known.
        found: the JSON of what stands there.
    """

    check: str
    pointer: str
    detail: str
    expected: str | None
    found: str | None


class Verdict(NamedTuple):
    """The outcome of checking one document, or the deals of one match together.

    Attributes:
        subject: what was checked, in words.
        passed: the names of the checks that held, in their order.
        failure: the first thing that is wrong; None if nothing is.
        not_anchored: what a check of this document alone cannot tell, in sentences.
    """

    subject: str
    passed: tuple[str, ...]
    failure: Failure | None
    not_anchored: tuple[str, ...]

    @property
    def fair(self) -> bool:
        """Whether everything holds."""
        return self.failure is None


_Subject = TypeVar("_Subject")
Checks: TypeAlias = Mapping[str, Callable[[_Subject], None]]


def judge(title: str, checks: Checks[_Subject], subject: _Subject, not_anchored: Iterable[str]) -> Verdict:
    """Make checks in their order, up to the first that fails."""
    passed: list[str] = []
    for name, check in checks.items():
        try:
            check(subject)
        except Fault as fault:
            failure = Failure(name, fault.pointer, fault.detail, fault.expected, fault.found)
            return Verdict(title, tuple(passed), failure, ())
        passed.append(name)
    return Verdict(title, tuple(passed), None, tuple(not_anchored))


def require_same(pointer: str, expected: Any, found: Any, detail: str) -> None:
    """Compare two pieces of JSON.

    Raises:
        Fault: at the first place where they differ.
    """
    if as_json(expected) == as_json(found):
        return
    if isinstance(expected, list) and isinstance(found, list):
        for place, (one, other) in enumerate(zip(expected, found, strict=False)):
            require_same(f"{pointer}/{place}", one, other, detail)
        detail = f"{detail} It must have {len(expected)} entries, and has {len(found)}."
        raise Fault(f"{pointer}/{min(len(expected), len(found))}", detail)
    if isinstance(expected, dict) and isinstance(found, dict) and expected.keys() == found.keys():
        for name in expected:
            require_same(f"{pointer}/{name}", expected[name], found[name], detail)
    raise Fault(pointer, detail, as_json(expected), as_json(found))


def as_json(value: Any) -> str:
    """Write a value for a reader; what is written alike is the same, though to Python 1, 1.0 and true are equal."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True)
