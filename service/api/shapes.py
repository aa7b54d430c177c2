"""Short ways to describe the members of answers."""

from __future__ import annotations

from typing import Any, Final

from marshmallow import INCLUDE, Schema, fields
from marshmallow.validate import OneOf

from ..engine.cards import RANK_NAMES, SUIT_NAMES

_CARD_PATTERN: Final = rf"^({'|'.join(RANK_NAMES)})[{''.join(SUIT_NAMES)}]$"


class Open(Schema):
    """An answer that may get more members."""

    class Meta:
        """Take unknown members."""

        unknown = INCLUDE


def text(description: str, *, known: tuple[str, ...] = (), **more: Any) -> fields.String:
    """Describe a text; `known` are values so far of a set that may grow."""
    if known:
        description += f" Known values: {', '.join(f'`{value}`' for value in known)}; more may come."
    return fields.String(**_about(description, more))


def number(description: str, **more: Any) -> fields.Integer:
    """Describe a whole number."""
    return fields.Integer(**_about(description, more))


def truth(description: str, **more: Any) -> fields.Boolean:
    """Describe a truth value."""
    return fields.Boolean(**_about(description, more))


def time(description: str, **more: Any) -> fields.String:
    """Describe a moment."""
    return text(description + " RFC 3339, UTC.", format="date-time", **more)


def card(description: str, **more: Any) -> fields.String:
    """Describe a card."""
    return text(description, pattern=_CARD_PATTERN, **more)


def cards(description: str, **more: Any) -> fields.List[Any]:
    """Describe a list of cards."""
    return many(card("A card."), description, **more)


def choice(description: str, values: tuple[str, ...], **more: Any) -> fields.String:
    """Describe one of a closed set of texts."""
    return fields.String(validate=OneOf(values), **_about(description, more))


def suit(description: str, **more: Any) -> fields.String:
    """Describe a suit."""
    return choice(description, SUIT_NAMES, **more)


def many(item: fields.Field[Any], description: str, **more: Any) -> fields.List[Any]:
    """Describe a list."""
    return fields.List(item, **_about(description, more))


def seats(description: str, **more: Any) -> fields.List[Any]:
    """Describe a list of seats."""
    return many(number("A seat, from 0."), description, **more)


def one(schema: type[Schema], description: str, **more: Any) -> fields.Nested:
    """Describe an object."""
    return fields.Nested(schema, **_about(description, more))


def either(names: tuple[str, ...], description: str, **more: Any) -> fields.Raw:
    """Describe an object that has one of several shapes, which the contract describes elsewhere."""
    shapes = [{"$ref": f"#/components/schemas/{name}"} for name in names]
    return fields.Raw(**_about(description, {**more, "anyOf": shapes}))


def anything(description: str, **more: Any) -> fields.Raw:
    """Describe a value of any type."""
    return fields.Raw(**_about(description, more))


def _about(description: str, more: dict[str, Any]) -> dict[str, Any]:
    required, nullable = more.pop("required", True), more.pop("nullable", False)
    return {"required": required, "allow_none": nullable, "metadata": {"description": description, **more}}
