"""The house rules: every option with its values, its default and what it changes, and the named presets.

The fields of `Rules` are the one source for all of it: validation, the list that the service publishes and the
contract are made from them. What an option does stands where the game is played, in one place for each option.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from functools import cached_property, lru_cache
from typing import Any, Final, Literal, NamedTuple, TypeAlias, TypeVar, cast, get_args, get_type_hints

from .errors import OptionError, RulesError

MIN_SEATS: Final = 2
MAX_SEATS: Final = 10

Value: TypeAlias = int | str | bool | None
_T = TypeVar("_T")


class Option(NamedTuple):
    """One house rule as it is shown and validated.

    Attributes:
        name: its name in the contract.
        kind: `integer`, `boolean` or `string`.
        values: the allowed words of a string, the default first; else empty.
        minimum: the smallest number, or None.
        maximum: the largest number, or None.
        nullable: whether null is a value.
        default: the value of the written game.
        clause: the clause of the rules that it changes.
        summary: one sentence on what it does.
    """

    name: str
    kind: str
    values: tuple[str, ...]
    minimum: int | None
    maximum: int | None
    nullable: bool
    default: Value
    clause: str
    summary: str

    def refusal(self, value: object) -> str | None:
        """Say why a value is not one of this option's, or give None."""
        if value is None:
            return None if self.nullable else "Must not be null."
        if self.kind == "boolean":
            return None if isinstance(value, bool) else "Must be true or false."
        if self.kind == "string":
            return None if value in self.values else f"Must be one of: {', '.join(self.values)}."
        whole = isinstance(value, int) and not isinstance(value, bool)
        if whole and cast(int, self.minimum) <= cast(int, value) <= cast(int, self.maximum):
            return None
        return f"Must be a whole number from {self.minimum} to {self.maximum}{' or null' if self.nullable else ''}."


def _option(default: _T, clause: str, summary: str, *, within: tuple[int, int] | None = None) -> _T:
    metadata = {"clause": clause, "summary": summary, "within": within}
    field: _T = dataclasses.field(default=default, metadata=metadata)
    return field


@dataclasses.dataclass(frozen=True, kw_only=True)
class Rules:
    """The complete set of options that a match is played by. Make one with `resolve`."""

    decks: int | None = _option(
        None,
        "R1",
        "How many packs of 52 cards are used; null takes one pack for up to five seats and two for more.",
        within=(1, 4),
    )
    hand_size: int = _option(7, "R3", "How many cards each seat is dealt.", within=(3, 13))
    opening: Literal["starter", "everyone"] = _option(
        "starter",
        "R6",
        "Who must open with a club: only the deal's first seat, or every seat in its first turn, where no card has "
        "an effect.",
    )
    draw_limit: int | None = _option(
        None,
        "R7",
        "The most cards that a seat may draw by choice in one turn; a seat that has drawn them may pass.",
        within=(1, 10),
    )
    draw_only_if_unable: bool = _option(
        False, "R7", "Whether drawing by choice is forbidden while the seat holds a legal card."
    )
    must_play_if_able: bool = _option(
        False,
        "R7",
        "Whether passing is forbidden while the seat holds a legal card; an ace's second card stays optional.",
    )
    passing: Literal["after_draw", "only_if_stuck"] = _option(
        "after_draw",
        "R7",
        "When a seat that has drawn may pass: always, or only if it can neither play nor draw.",
    )
    jack_suit: Literal["any", "different"] = _option(
        "any", "R9", "Which suits a jack may nominate: any, or only another than the suit in force before it."
    )
    jack_on_jack: bool = _option(False, "R8", "Whether a jack, of any suit, may be played on a jack.")
    eight: Literal["skip", "none"] = _option("skip", "R10", "What an eight does: skip the next seat, or nothing.")
    ten_two_seats: Literal["none", "skip"] = _option(
        "none", "R11", "What a ten does at a table of two besides reversing: nothing, or skip the other seat."
    )
    seven_draw: int = _option(3, "R12", "How many cards a seven asks for.", within=(2, 3))
    seven_run: Literal["add", "double", "single"] = _option(
        "add",
        "R12",
        "What a seven on a seven does: add its cards to the penalty, or double the penalty; with single a seven "
        "cannot be answered with a seven.",
    )
    after_penalty: Literal["end_turn", "continue"] = _option(
        "end_turn",
        "R12",
        "What follows drawing the penalty: the turn ends, or the seat goes on in the same turn as having drawn.",
    )
    last_seven: Literal["free", "draws"] = _option(
        "free",
        "R14",
        "Whether the next seat draws the run's penalty before the count when a seat goes out with a seven.",
    )
    ace: Literal["again", "must_follow", "everyone_draws", "next_draws", "skip", "none"] = _option(
        "again",
        "R13",
        "What an ace does: its player may play one more card; must play one or draw; each other seat draws one card "
        "and its player takes a new turn; the next seat draws one card and misses its turn; the next seat misses its "
        "turn; or nothing.",
    )
    last_card_call: Literal["none", "tek"] = _option(
        "none",
        "R24",
        "Whether a play that leaves one card must carry the call tek; without it the seat may not go out until its "
        "next turn is over or it holds two cards again.",
    )
    stock_out: Literal["deal_ends", "reshuffle"] = _option(
        "deal_ends",
        "R17",
        "What happens when the stock runs out: the deal ends, or the discards but the top card are shuffled into a "
        "new stock.",
    )
    stock_out_score: Literal["winner_zero", "all_score"] = _option(
        "winner_zero", "R18", "What the lowest hands score when the stock has run out: nothing, or their cards."
    )
    deals: int = _option(4, "R20", "How many deals a match has.", within=(1, 20))
    target_score: int | None = _option(
        None,
        "R30",
        "The total that ends the match early when it is reached after a deal; null plays all deals.",
        within=(1, 10000),
    )

    @cached_property
    def options(self) -> Mapping[str, Value]:
        """Every option with its value, by its name in the contract."""
        return {option.name: getattr(self, attribute) for attribute, option in _BY_ATTRIBUTE.items()}

    @cached_property
    def unusual(self) -> tuple[tuple[str, Value], ...]:
        """The options that have another value than their default; see `from_pairs`."""
        return tuple((name, value) for name, value in self.options.items() if value != OPTIONS[name].default)


_NAMES: Final = {"passing": "pass"}
"""Options whose name in the contract is a keyword of Python."""


def _described(field: dataclasses.Field[Any], hint: object) -> Option:
    within = field.metadata["within"]
    words = () if within else tuple(word for word in get_args(hint) if isinstance(word, str))
    return Option(
        name=_NAMES.get(field.name, field.name),
        kind="integer" if within else "string" if words else "boolean",
        values=words,
        minimum=within[0] if within else None,
        maximum=within[1] if within else None,
        nullable=field.default is None,
        default=cast(Value, field.default),
        clause=field.metadata["clause"],
        summary=field.metadata["summary"],
    )


_HINTS: Final = get_type_hints(Rules)
_BY_ATTRIBUTE: Final = {field.name: _described(field, _HINTS[field.name]) for field in dataclasses.fields(Rules)}

OPTIONS: Final[dict[str, Option]] = {option.name: option for option in _BY_ATTRIBUTE.values()}
"""Every option by its name, in the order in which they are shown."""


class Preset(NamedTuple):
    """A named set of options; those that it does not name have their default."""

    summary: str
    options: dict[str, Value]


CLASSIC: Final = "classic"
PRESETS: Final[dict[str, Preset]] = {
    CLASSIC: Preset("The written game.", {}),
    "wikipedia-tr": Preset(
        "After the Turkish Wikipedia: everyone opens with a club, one card is drawn a turn, the last card is called.",
        {"opening": "everyone", "draw_limit": 1, "last_card_call": "tek"},
    ),
    "iskambilci": Preset(
        "After iskambilci.com: everyone opens with a club, sevens double, an ace makes everyone else draw.",
        {
            "opening": "everyone",
            "seven_run": "double",
            "ace": "everyone_draws",
            "eight": "none",
            "pass": "only_if_stuck",
        },
    ),
    "oyunes": Preset("After oyunes.com: an ace skips, an eight does nothing.", {"ace": "skip", "eight": "none"}),
}


class ResolvedRules(NamedTuple):
    """What a request for rules comes to.

    Attributes:
        preset: the preset's name.
        overridden: the names of the options that differ from the preset, in the order of `OPTIONS`.
        rules: the complete set.
    """

    preset: str
    overridden: tuple[str, ...]
    rules: Rules


def resolve(asked: Mapping[str, object], seats: int) -> ResolvedRules:
    """Complete and check what a creator asked for.

    Args:
        asked: `preset` (default `classic`) and any options that override it.
        seats: the number of seats at the table.

    Raises:
        RulesError: an option or a value is unknown, or the cards do not suffice for the hands (R1).
    """
    preset = asked.get("preset", CLASSIC)
    errors = [
        OptionError(name, f"There is no option of this name; there are: {', '.join(OPTIONS)}.")
        for name in asked
        if name != "preset" and name not in OPTIONS
    ]
    errors += [
        OptionError(name, refusal)
        for name, option in OPTIONS.items()
        if name in asked and (refusal := option.refusal(asked[name]))
    ]
    if not isinstance(preset, str) or preset not in PRESETS:
        errors.append(OptionError("preset", f"Must be one of: {', '.join(PRESETS)}."))
    if errors:
        raise RulesError(errors)
    base = _complete(PRESETS[cast(str, preset)].options, seats)
    wanted = _complete({**base, **{name: asked[name] for name in OPTIONS if name in asked}}, seats)
    _require_enough_cards(wanted, seats)
    overridden = tuple(name for name in OPTIONS if wanted[name] != base[name])
    return ResolvedRules(cast(str, preset), overridden, from_options(wanted))


def from_options(options: Mapping[str, Any]) -> Rules:
    """Make the rules of a checked set of options, as `Rules.options` gave it."""
    return from_pairs(tuple(options.items()))


@lru_cache(maxsize=1024)
def from_pairs(options: tuple[tuple[str, Value], ...]) -> Rules:
    """Make the rules of checked options with their values, as `Rules.unusual` gave them.

    An option that is not there has its default, which therefore never changes.
    """
    chosen = dict(options)
    values: dict[str, Any] = {name: chosen.get(option.name, option.default) for name, option in _BY_ATTRIBUTE.items()}
    return Rules(**values)


def _complete(options: Mapping[str, object], seats: int) -> dict[str, Any]:
    complete = {name: options.get(name, option.default) for name, option in OPTIONS.items()}
    complete["decks"] = complete["decks"] or (1 if seats <= 5 else 2)
    return complete


def _require_enough_cards(options: Mapping[str, Any], seats: int) -> None:
    needed, cards = seats * options["hand_size"], 52 * options["decks"]
    if needed >= cards:
        detail = f"{seats} hands of {options['hand_size']} are {needed} cards, and one must be left of {cards}."
        raise RulesError([OptionError("hand_size", detail), OptionError("decks", detail)])
