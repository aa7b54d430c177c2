"""The options: their values, the refusals, R1's limit, presets and what overrides them."""

from __future__ import annotations

from typing import Any

import pytest

from service.engine.errors import RulesError
from service.engine.rules import OPTIONS, PRESETS, from_options, from_pairs, resolve

# Every option with its values, the default first, as the rules' table has them.
TABLE: dict[str, list[Any]] = {
    "decks": [None, 1, 2, 3, 4],
    "hand_size": [7, *(size for size in range(3, 14) if size != 7)],
    "opening": ["starter", "everyone"],
    "draw_limit": [None, *range(1, 11)],
    "draw_only_if_unable": [False, True],
    "must_play_if_able": [False, True],
    "pass": ["after_draw", "only_if_stuck"],
    "jack_suit": ["any", "different"],
    "jack_on_jack": [False, True],
    "eight": ["skip", "none"],
    "ten_two_seats": ["none", "skip"],
    "seven_draw": [3, 2],
    "seven_run": ["add", "double", "single"],
    "after_penalty": ["end_turn", "continue"],
    "last_seven": ["free", "draws"],
    "ace": ["again", "must_follow", "everyone_draws", "next_draws", "skip", "none"],
    "last_card_call": ["none", "tek"],
    "stock_out": ["deal_ends", "reshuffle"],
    "stock_out_score": ["winner_zero", "all_score"],
    "deals": [4, 1, 20],
    "target_score": [None, 1, 10000],
}
OUTSIDE: dict[str, list[Any]] = {
    "decks": [0, 5, -1],
    "hand_size": [2, 14],
    "draw_limit": [0, 11],
    "seven_draw": [1, 4],
    "deals": [0, 21],
    "target_score": [0, 10001],
}


def refused(asked: dict[str, Any], seats: int = 4) -> dict[str, str]:
    with pytest.raises(RulesError) as refusal:
        resolve(asked, seats)
    assert all(f"{error.option}: {error.detail}" in str(refusal.value) for error in refusal.value.errors)
    return {error.option: error.detail for error in refusal.value.errors}


def test_the_options_are_those_of_the_table_in_its_order() -> None:
    assert list(OPTIONS) == list(TABLE)
    assert {name: option.default for name, option in OPTIONS.items()} == {
        name: values[0] for name, values in TABLE.items()
    }


@pytest.mark.parametrize("name,value", [(name, value) for name, values in TABLE.items() for value in values])
def test_every_value_of_the_table_is_accepted(name: str, value: Any) -> None:
    resolved = resolve({name: value}, 3)
    stored = resolved.rules.options[name]
    assert stored == (1 if (name, value) == ("decks", None) else value)
    assert resolved.overridden == ((name,) if value not in (TABLE[name][0], 1 if name == "decks" else None) else ())


@pytest.mark.parametrize("name,value", [(name, value) for name, values in OUTSIDE.items() for value in values])
def test_a_number_out_of_range_is_refused_naming_the_option(name: str, value: int) -> None:
    assert list(refused({name: value})) == [name]
    assert "whole number from" in refused({name: value})[name]


@pytest.mark.parametrize("name", TABLE)
@pytest.mark.parametrize("value", ["", "maybe", 1.0, 7.5, [], {}, "3", "true"])
def test_a_value_of_the_wrong_kind_is_refused_naming_the_option(name: str, value: object) -> None:
    assert list(refused({name: value})) == [name]


@pytest.mark.parametrize("name", [name for name, option in OPTIONS.items() if option.kind == "integer"])
@pytest.mark.parametrize("value", [True, False])
def test_true_is_no_number(name: str, value: bool) -> None:
    assert list(refused({name: value})) == [name]


@pytest.mark.parametrize("name", [name for name, option in OPTIONS.items() if option.kind != "integer"])
@pytest.mark.parametrize("value", [0, 1])
def test_a_number_is_neither_true_nor_a_word(name: str, value: int) -> None:
    assert list(refused({name: value})) == [name]


@pytest.mark.parametrize("name", [name for name, values in TABLE.items() if values[0] is not None])
def test_null_is_refused_where_it_is_no_value(name: str) -> None:
    assert refused({name: None}) == {name: "Must not be null."}


@pytest.mark.parametrize("name", ["jokers", "Decks", "pass_", "", "preset "])
def test_an_unknown_option_is_refused_by_name(name: str) -> None:
    told = refused({name: 1})
    assert list(told) == [name]
    assert "hand_size" in told[name]


def test_all_faults_are_told_at_once() -> None:
    assert list(refused({"jokers": 2, "ace": "king", "deals": 0, "preset": "mine"})) == [
        "jokers",
        "ace",
        "deals",
        "preset",
    ]


@pytest.mark.parametrize("preset", ["", "Classic", None, 1, ["classic"], {}])
def test_an_unknown_preset_is_refused(preset: object) -> None:
    assert list(refused({"preset": preset})) == ["preset"]


@pytest.mark.parametrize(
    "seats,hand_size,decks", [(4, 13, None), (4, 13, 1), (5, 11, 1), (6, 9, 1), (10, 11, 2), (8, 13, 2), (10, 6, 1)]
)
def test_r1_too_few_cards_are_refused_naming_hand_size_and_decks(seats: int, hand_size: int, decks: int | None) -> None:
    told = refused({"hand_size": hand_size, "decks": decks}, seats)
    assert list(told) == ["hand_size", "decks"]
    assert str(seats * hand_size) in told["decks"]


@pytest.mark.parametrize("seats,hand_size,decks", [(5, 10, 1), (3, 13, 1), (10, 10, 2), (10, 13, 3), (4, 13, 2)])
def test_r1_as_long_as_one_card_is_left_over_the_hands_are_accepted(seats: int, hand_size: int, decks: int) -> None:
    assert resolve({"hand_size": hand_size, "decks": decks}, seats).rules.decks == decks


@pytest.mark.parametrize("seats,decks", [(2, 1), (5, 1), (6, 2), (10, 2)])
def test_r1_decks_is_stored_resolved_and_not_overridden_by_its_own_value(seats: int, decks: int) -> None:
    assert resolve({}, seats).rules.decks == decks
    assert resolve({"decks": decks}, seats).overridden == ()
    assert resolve({"decks": decks + 1}, seats).overridden == ("decks",)


def test_presets_are_the_published_ones() -> None:
    assert {name: preset.options for name, preset in PRESETS.items()} == {
        "classic": {},
        "wikipedia-tr": {"opening": "everyone", "draw_limit": 1, "last_card_call": "tek"},
        "iskambilci": {
            "opening": "everyone",
            "seven_run": "double",
            "ace": "everyone_draws",
            "eight": "none",
            "pass": "only_if_stuck",
        },
        "oyunes": {"ace": "skip", "eight": "none"},
    }


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("seats", [2, 10])
def test_a_preset_resolves_every_option_and_overrides_none(preset: str, seats: int) -> None:
    resolved = resolve({"preset": preset}, seats)
    options = resolved.rules.options
    assert (resolved.preset, resolved.overridden) == (preset, ())
    assert list(options) == list(OPTIONS)
    assert options.items() >= PRESETS[preset].options.items()


def test_without_a_preset_the_game_is_classic() -> None:
    assert resolve({}, 4) == resolve({"preset": "classic"}, 4)


def test_overridden_names_what_differs_from_the_preset_in_the_order_of_the_options() -> None:
    asked = {"preset": "oyunes", "deals": 2, "ace": "again", "eight": "none", "decks": 2}
    assert resolve(asked, 4).overridden == ("decks", "ace", "deals")


def test_options_that_cannot_matter_at_this_table_are_accepted() -> None:
    assert resolve({"ten_two_seats": "skip", "eight": "none"}, 4).rules.ten_two_seats == "skip"


def test_rules_survive_being_written_as_options() -> None:
    for preset in PRESETS:
        rules = resolve({"preset": preset}, 6).rules
        assert from_options(rules.options) == rules


def test_every_option_tells_its_clause_and_what_it_does() -> None:
    for option in OPTIONS.values():
        assert option.clause.startswith("R")
        assert option.summary.endswith(".")


def test_rules_stored_before_an_option_existed_have_its_default() -> None:
    rules = resolve({"ace": "skip"}, 4).rules
    stored = {name: value for name, value in rules.options.items() if name != "target_score"}
    assert from_options(stored) == rules
    assert from_pairs(rules.unusual) == rules
    assert dict(rules.unusual) == {"decks": 1, "ace": "skip"}
