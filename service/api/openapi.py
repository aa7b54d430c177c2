"""`openapi.yaml`, made from the operations that the views declare.

`python -m service.api.openapi` prints it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib.resources import files
from typing import Any, Final

import orjson
import yaml
from apispec import APISpec
from apispec.ext.marshmallow import MarshmallowPlugin
from marshmallow import Schema, fields

from .. import __version__
from ..engine.cards import SUIT_NAMES
from ..engine.rules import MAX_SEATS, MIN_SEATS, OPTIONS
from . import answers, hooks
from .contract import Operation
from .described import Json, describe
from .fields import METADATA_SCHEMA, Metadata
from .introduction import introduction
from .problems import KINDS
from .requests import MOVES, RulesField, RulesRequest

_EXAMPLES: Final = files(__package__).joinpath("examples.json")
_TAGS: Final[Mapping[str, str]] = {
    "matches": "Creating, finding, starting, looking at and deleting matches.",
    "players": "Joining, leaving and coming back.",
    "play": "What may be done, doing it, and what happened.",
    "rules": "Presets and house rules.",
    "webhooks": "What your application is told, if it asks for it when it creates a match.",
    "service": "For those who run the service, and the contract itself.",
}
_ORDER: Final = ("openapi", "info", "servers", "tags", "paths", "webhooks", "components")
_PACK: Final = 52


def document(operations: Iterable[Operation]) -> Json:
    """Make the OpenAPI document of operations."""
    plugin = MarshmallowPlugin(schema_name_resolver=_name)
    spec = APISpec(
        title="Pis Yedili",
        version=__version__,
        openapi_version="3.1.0",
        plugins=[plugin],
        info={
            "summary": "The Turkish Crazy Eights as a service.",
            "description": introduction(),
            "contact": {"name": "Pis Yedili contributors"},
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        servers=[{"url": "/", "description": "Where this document was found."}],
        tags=[{"name": name, "description": text} for name, text in _TAGS.items()],
    )
    assert plugin.converter is not None
    plugin.converter.add_attribute_function(_reference)  # type: ignore[no-untyped-call]  # apispec ships this method without types
    examples = orjson.loads(_EXAMPLES.read_bytes())
    _add_components(spec, examples.get("problems", {}))
    for operation in operations:
        described = describe(operation, examples.get(operation.name, {}), examples.get("problems", {}))
        spec.path(operation.path, operations={operation.method.lower(): described})
    whole: Json = _tidy(spec.to_dict())
    whole["webhooks"] = hooks.webhooks(examples.get("webhooks", {}))
    _complete(whole["components"]["schemas"])
    _drop_unused(whole["components"]["examples"], whole["paths"])
    return {part: whole[part] for part in _ORDER}


def _add_components(spec: APISpec, problems: Json) -> None:
    spec.components.security_scheme(
        "token", {"type": "http", "scheme": "bearer", "description": "The token from creating or joining."}
    )
    spec.components.security_scheme(
        "app_key",
        {"type": "apiKey", "in": "header", "name": "X-API-Key", "description": "Asked for where keys are set."},
    )
    spec.components.schema("RulesRequest", schema=RulesRequest)
    spec.components.schema("Problem", schema=answers.Problem)
    for schema in MOVES.values():
        spec.components.schema(schema.__name__, schema=schema)
    spec.components.schema("MoveRequest", _move_schema())
    spec.components.schema("Metadata", METADATA_SCHEMA)
    for schema in hooks.MESSAGES.values():
        spec.components.schema(schema.__name__, schema=schema)
    for code, example in problems.items():
        spec.components.example(code, example)


def _name(schema: type[Schema] | Schema) -> str:
    return (schema if isinstance(schema, type) else type(schema)).__name__


def _reference(_converter: Any, field: fields.Field[Any], **_: Any) -> Json:
    """Refer to a schema of its own where there is a field of its own for it."""
    names = {RulesField: "RulesRequest", answers.PostableMove: "MoveRequest", Metadata: "Metadata"}
    name = names.get(type(field))
    return {"$ref": f"#/components/schemas/{name}"} if name else {}


def _move_schema() -> Json:
    references = {kind: f"#/components/schemas/{schema.__name__}" for kind, schema in MOVES.items()}
    return {
        "description": "A move: which one is told by `type`.",
        "oneOf": [{"$ref": reference} for reference in references.values()],
        "discriminator": {"propertyName": "type", "mapping": references},
    }


def _complete(schemas: Json) -> None:
    """Add what marshmallow's schemas cannot tell."""
    schemas["Problem"]["properties"]["code"]["description"] += f"\n\n{_codes()}"
    for name in ("CreateMatchRequest", "QuickMatchRequest"):
        schemas[name] |= _enough_cards()
    _drop_defaults(schemas)
    schemas["Suit"] = {"type": "string", "enum": [*SUIT_NAMES], "description": "Clubs, diamonds, hearts or spades."}


def _drop_defaults(schemas: Json) -> None:
    """Name no default in a request: generated clients would send it, and so undo the preset of a match's rules."""
    for name, schema in schemas.items():
        if name.endswith("Request"):
            for member in schema.get("properties", {}).values():
                member.pop("default", None)


def _drop_unused(examples: Json, paths: Json) -> None:
    text = orjson.dumps(paths).decode()
    for code in [code for code in examples if f'"#/components/examples/{code}"' not in text]:
        del examples[code]


def _codes() -> str:
    lines = [
        f"- {KINDS[code].status} `{code}`: {KINDS[code].title}."
        for code in sorted(KINDS, key=lambda code: KINDS[code].status)
    ]
    return "\n".join(["Known values, each with its status; more may come:", "", *lines])


def _enough_cards() -> Json:
    """Say in JSON Schema that the hands together are smaller than the packs (R1)."""
    hand_size = OPTIONS["hand_size"]
    assert isinstance(hand_size.default, int)
    assert hand_size.maximum is not None
    tables = []
    for seats in range(MIN_SEATS, MAX_SEATS + 1):
        for decks in (1, 2):
            too_many = -(-_PACK * decks // seats)
            if too_many > hand_size.maximum:
                continue
            rules: Json = {"properties": {"decks": {"const": decks}, "hand_size": {"minimum": too_many}}}
            rules["required"] = ["decks", "hand_size"]
            if decks == (1 if seats <= 5 else 2):
                rules["properties"]["decks"] = {"enum": [decks, None]}
                rules["required"].remove("decks")
            if too_many <= hand_size.default:
                rules["required"].remove("hand_size")
            tables.append({"properties": {"seats": {"const": seats}, "rules": rules}, "required": ["rules"]})
    return {"not": {"description": "Tables whose hands take all the cards, or more (R1).", "anyOf": tables}}


def _tidy(node: Any) -> Any:
    """Give plain data, with nullable objects as `oneOf`, bare references, and patterns that every language reads."""
    if isinstance(node, Mapping):
        tidy = {str(name): _tidy(value) for name, value in node.items()}
        if {"type": "null"} in tidy.get("anyOf", []):
            tidy["oneOf"] = tidy.pop("anyOf")
        if "$ref" in tidy and tidy.get("type") == "object":
            tidy = {name: value for name, value in tidy.items() if name in ("$ref", "description")}
        if isinstance(pattern := tidy.get("pattern"), str):
            tidy["pattern"] = "^" + pattern.removeprefix("^").replace(r"\Z", "$")
        return _suit(tidy) if tidy.get("enum", [])[: len(SUIT_NAMES)] == [*SUIT_NAMES] else tidy
    if isinstance(node, list | tuple):
        return [_tidy(value) for value in node]
    return node


def _suit(described: Json) -> Json:
    """Refer to the one schema of suits, so that generated clients have one type of them."""
    reference: Json = {"$ref": "#/components/schemas/Suit"}
    if None in described["enum"]:
        reference = {"oneOf": [reference, {"type": "null"}]}
    return {**reference, "description": described["description"]}


def as_yaml(contract: Json) -> str:
    """Write an OpenAPI document as YAML."""
    text: str = yaml.dump(contract, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=110)
    return text


class _Dumper(yaml.CSafeDumper):
    """Writes texts of several lines as blocks, and no aliases."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def _text(dumper: yaml.CSafeDumper, value: str) -> yaml.ScalarNode:
    return dumper.represent_scalar("tag:yaml.org,2002:str", value, style="|" if "\n" in value else None)


_Dumper.add_representer(str, _text)


if __name__ == "__main__":
    from .routes import OPERATIONS

    print(as_yaml(document(OPERATIONS)), end="")
