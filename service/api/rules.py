"""The catalogue of presets and house rules."""

from __future__ import annotations

from typing import Final

from flask import Response

from ..engine.rules import OPTIONS, PRESETS, Option, Preset
from ..errors import Refusal
from ..view import Data
from . import answers
from .contract import Answer, Call, Operations, json_response

operations: Final[Operations] = Operations("rules")

_PUBLIC: Final = {"Cache-Control": "public, max-age=3600"}


@operations.operation("GET", "/v1/rules", {200: Answer("The presets and the options.", answers.RulesCatalogue)})
def list_rules(call: Call) -> Response:
    """List the presets and house rules.

    Every preset with every option resolved, and every option with its type, values, default, a sentence on what it
    does and the clause of the rules that it changes.
    """
    return json_response(
        {"presets": [_preset(name, preset) for name, preset in PRESETS.items()], "options": _options()},
        headers=_PUBLIC,
    )


@operations.operation(
    "GET",
    "/v1/rules/{preset}",
    {200: Answer("The preset.", answers.PresetAnswer)},
    refuses=("not_found",),
)
def get_preset(call: Call) -> Response:
    """Look at a preset.

    Every option of the preset with its value, and what each option does.
    """
    name = call.path["preset"]
    preset = PRESETS.get(name)
    if preset is None:
        raise Refusal("not_found", f"There is no preset of this name; there are: {', '.join(PRESETS)}.")
    return json_response({**_preset(name, preset), "options": _options()}, headers=_PUBLIC)


def _preset(name: str, preset: Preset) -> Data:
    resolved = {option: preset.options.get(option, OPTIONS[option].default) for option in OPTIONS}
    return {"name": name, "summary": preset.summary, "rules": {"preset": name, "overridden": [], **resolved}}


def _options() -> list[Data]:
    return [_option(option) for option in OPTIONS.values()]


def _option(option: Option) -> Data:
    data: Data = {"name": option.name, "type": option.kind, "default": option.default, "nullable": option.nullable}
    if option.values:
        data["values"] = option.values
    if option.maximum is not None:
        data |= {"minimum": option.minimum, "maximum": option.maximum}
    return {**data, "summary": option.summary, "clause": option.clause}
