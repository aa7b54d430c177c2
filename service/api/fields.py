"""Fields that take what the contract says and nothing that looks like it: no number in a string, no `true` for 1."""

from __future__ import annotations

import re
from typing import Any, Final

import orjson
from marshmallow import ValidationError, fields
from marshmallow.validate import Length, Regexp

from ..identity import JOIN_CODE_ALPHABET, JOIN_CODE_LENGTH

_DIGITS: Final = re.compile(r"[0-9]{1,16}")
_EXACT: Final = 2**53

_UNPRINTABLE: Final = (
    r"\u0000-\u001f\u007f-\u009f\u00ad\u0600-\u0605\u061c\u06dd\u070f\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    r"\ue000-\uf8ff\ufeff\ufff0-\uffff"
)
_SPACES: Final = r"\u0020\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000"
PRINTABLE_PATTERN: Final = f"^[^{_UNPRINTABLE}{_SPACES}][^{_UNPRINTABLE}]*$"
"""Printable text that begins with a visible character."""

_PORT: Final = "([1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])"
_LABEL: Final = "[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
HOOK_URL_PATTERN: Final = (
    rf"https?://{_LABEL}(\.{_LABEL})*(:{_PORT})?"
    r'([/?][!"$-\[\]-~]*)?\Z'
)
"""A host by its name or IPv4 address, then visible ASCII without `#` and backslash."""
_BASE_64: Final = "[A-Za-z0-9+/]"
HOOK_SECRET_PATTERN: Final = (
    rf"whsec_(({_BASE_64}{{4}}){{8,20}}({_BASE_64}{{2}}==|{_BASE_64}{{3}}=)?"
    rf"|({_BASE_64}{{4}}){{21}}({_BASE_64}{{2}}==)?)\Z"
)


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


class JoinCode(fields.String):
    """A join code, as somebody may write down what was read aloud."""

    def __init__(self, **kwargs: Any) -> None:
        """Take the arguments of a field."""
        letters = JOIN_CODE_ALPHABET + JOIN_CODE_ALPHABET.lower()
        pattern = re.compile(rf"[ -]*([{letters}][ -]*){{{JOIN_CODE_LENGTH}}}\Z")
        error = f"Must be {JOIN_CODE_LENGTH} letters and digits, without 0, O, 1 and I."
        super().__init__(validate=Regexp(pattern, error=error), **kwargs)


class ClientSeed(Printable):
    """What a player adds to the shuffles: 1 to 64 characters, taken as they are, to the last bit."""

    def __init__(self, **kwargs: Any) -> None:
        """Take the arguments of a field."""
        super().__init__(64, **kwargs)


MOST_PAIRS: Final = 20
LONGEST_KEY: Final = 40
LONGEST_VALUE: Final = 500
METADATA_BYTES: Final = 1024
_NO_CONTROL: Final = r"[^\u0000-\u001f\u007f-\u009f]"
METADATA_SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "description": f"Pairs of texts, which the service keeps and shows, and does not read. At most {MOST_PAIRS} pairs, "
    f"and {METADATA_BYTES} bytes of JSON in UTF-8 without spaces. No control characters.",
    "maxProperties": MOST_PAIRS,
    "propertyNames": {"minLength": 1, "maxLength": LONGEST_KEY, "pattern": rf"^{_NO_CONTROL}*$"},
    "additionalProperties": {"type": "string", "maxLength": LONGEST_VALUE, "pattern": rf"^{_NO_CONTROL}*$"},
}


class Metadata(fields.Dict):
    """Texts of an app's own beside a match or a player, as `METADATA_SCHEMA` tells."""

    def __init__(self, description: str, **kwargs: Any) -> None:
        """Take a description, and the arguments of a field."""
        super().__init__(load_default=dict, metadata={"description": description}, **kwargs)
        self.error_messages["invalid"] = "Must be an object."

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> dict[str, str]:
        pairs: dict[str, str] = super()._deserialize(  # type: ignore[no-untyped-call]  # marshmallow gives this method no types
            value, attr, data, **kwargs
        )
        wrong = {key: [detail] for key, text in pairs.items() if (detail := _wrong_in_pair(key, text))}
        if wrong:
            raise ValidationError(wrong)
        if len(pairs) > MOST_PAIRS:
            raise ValidationError(f"Must have at most {MOST_PAIRS} pairs.")
        if len(orjson.dumps(pairs)) > METADATA_BYTES:
            raise ValidationError(f"Must have at most {METADATA_BYTES} bytes of JSON in UTF-8.")
        return pairs


def _wrong_in_pair(key: str, text: Any) -> str | None:
    if not 1 <= len(key) <= LONGEST_KEY or not re.fullmatch(f"{_NO_CONTROL}*", key):
        return f"A key must have 1 to {LONGEST_KEY} characters, no control characters."
    if not isinstance(text, str) or len(text) > LONGEST_VALUE or not re.fullmatch(f"{_NO_CONTROL}*", text):
        return f"Must be a text of at most {LONGEST_VALUE} characters, no control characters."
    return None


class HookUrl(fields.String):
    """The address of a webhook's receiver; whether it may be reached is not judged by its form."""

    def __init__(self, **kwargs: Any) -> None:
        """Take the arguments of a field."""
        form = Regexp(
            re.compile(HOOK_URL_PATTERN), error="Must be a URL, https, without user information and fragment."
        )
        super().__init__(validate=[Length(max=500), form], **kwargs)


class HookSecret(fields.String):
    """What signs a webhook's messages: `whsec_` and 24 to 64 bytes in base 64."""

    def __init__(self, **kwargs: Any) -> None:
        """Take the arguments of a field."""
        form = Regexp(re.compile(HOOK_SECRET_PATTERN), error="Must be whsec_ and 24 to 64 bytes in base 64.")
        super().__init__(validate=form, **kwargs)
