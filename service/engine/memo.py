"""Values that are made once, when they are first asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeVar

_Value = TypeVar("_Value")

_MOST: Final = 8192


class Memo(dict[tuple[Any, ...], _Value]):
    """Values by what they are made of: `memo[a, b]` is `make(a, b)`, made anew only if it was not kept.

    To look a value up costs half of what a function with `functools.cache` does.
    """

    def __init__(self, make: Callable[..., _Value]) -> None:
        """Begin with nothing made.

        Args:
            make: makes a value of hashable arguments; equal arguments make equal values.
        """
        super().__init__()
        self._make = make

    def __missing__(self, arguments: tuple[Any, ...]) -> _Value:
        """Make a value, and keep it; with very many of them, begin again."""
        if len(self) >= _MOST:
            self.clear()
        value = self[arguments] = self._make(*arguments)
        return value
