"""Fields that take what the contract says and nothing that looks like it: no number in a string, no `true` for 1."""

from __future__ import annotations

import re
from typing import Any, Final

from marshmallow import ValidationError, fields
from marshmallow.validate import Length, Regexp

_DIGITS: Final = re.compile(r"[0-9]{1,16}")
_EXACT: Final = 2**53

_UNPRINTABLE: Final = (
    r"\u0000-\u001f\u007f-\u009f\u00ad\u0600-\u0605\u061c\u06dd\u070f\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    r"\ue000-\uf8ff\ufeff\ufff0-\uffff"
)
_SPACES: Final = r"\u0020\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000"
PRINTABLE_PATTERN: Final = f"^[^{_UNPRINTABLE}{_SPACES}][^{_UNPRINTABLE}]*$"
"""Printable text that begins with a visible character."""


def without_zero_fraction(value: Any) -> Any:
    """Give the integer of a number such as 3.0, which is one in JSON Schema, and anything else as it is.

    A number so large that its digits are lost stays what it is: no member takes it.
    """
    return int(value) if isinstance(value, float) and value.is_integer() and abs(value) <= _EXACT else value


class StrictInteger(fields.Integer):
    """A JSON integer."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> int:
        value = without_zero_fraction(value)
        if not isinstance(value, int) or isinstance(value, bool):
            raise self.make_error("invalid", input=value)
        return value


class StrictBoolean(fields.Boolean):
    """A JSON boolean."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> bool:
        if not isinstance(value, bool):
            raise self.make_error("invalid", input=value)
        return value


class QueryInteger(fields.Integer):
    """An integer of a query: decimal digits and nothing else."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> int:
        if not _DIGITS.fullmatch(value):
            raise ValidationError("Must be a whole number in decimal digits.")
        return int(value)


class QueryBoolean(fields.Boolean):
    """A truth value of a query: `true` or `false` and nothing else."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> bool:
        if value not in ("true", "false"):
            raise ValidationError("Must be true or false.")
        return bool(value == "true")


class Printable(fields.String):
    """Text that people read: printable Unicode, the first character visible."""

    def __init__(self, longest: int, **kwargs: Any) -> None:
        """Take the largest number of characters, and the arguments of a field."""
        pattern = Regexp(re.compile(PRINTABLE_PATTERN.replace("$", r"\Z")), error="Must be printable text.")
        super().__init__(validate=[Length(1, longest), pattern], **kwargs)


class Name(Printable):
    """A name: 1 to 40 characters."""

    def __init__(self, **kwargs: Any) -> None:
        """Take the arguments of a field."""
        super().__init__(40, **kwargs)


class ClientSeed(Printable):
    """What a player adds to the shuffles: 1 to 64 characters, taken as they are, to the last bit."""

    def __init__(self, **kwargs: Any) -> None:
        """Take the arguments of a field."""
        super().__init__(64, **kwargs)
