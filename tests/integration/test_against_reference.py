"""Random matches over HTTP, held against the naive reference of the rules after every move.

The reference knows only what the players were told: their hands at the deal and the cards that they drew.
"""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from service.engine.rules import PRESETS
from tests.client import Client, Game
from tests.shadow import Shadow, in_order, text_of
from tests.strategies import random_options

# What the coverage of these would show is covered elsewhere, and measuring it doubles their time.
pytestmark = pytest.mark.no_cover


class Comparison:
    """A match over HTTP beside its shadow."""

    def __init__(self, client: Client, random: Random, seats: int, rules: dict[str, Any]) -> None:
        self.random = random
        self.seats = seats
        self.game = Game(client, seats, rules=rules)
        self.results: list[dict[str, Any]] = []
        self.rules = self.game.view()["rules"]
        self.shadow = self._new_shadow(1, None)

    def _new_shadow(self, number: int, dealer: int | None) -> Shadow:
        views = self.game.views()
        actual = views[0]["deal"]["dealer_seat"]
        assert dealer in (None, actual)
        assert views[0]["deal"]["number"] == number
        return Shadow(self.rules, number, actual, [view["you"]["hand"] for view in views])

    def play(self) -> None:
        """Play to the end of the match and compare after every move."""
        self.compare()
        while not self.is_over():
            self.move()
            self.compare()

    def move(self) -> None:
        seat = self.shadow.deal.mover()
        moves = self.game.legal_moves(seat)
        assert sorted(map(text_of, moves)) == sorted(self.shadow.deal.moves())
        plays = [move for move in moves if move["type"] == "play"]
        move = self.random.choice(plays if plays and self.random.random() < 0.85 else moves)
        events = self.game.move(seat, move).expect(200)["events"]
        self.shadow.do(move, self.cards_drawn(events))
        if self.shadow.result:
            self.finish_deal()

    def cards_drawn(self, events: list[dict[str, Any]]) -> list[str]:
        """Gather the cards that a move made players draw, each as told to the one who drew it."""
        cards: list[str] = []
        for event in events:
            if event["type"] == "cards_drawn":
                [own] = self.game.events(event["seat"], event["seq"] - 1, 1)
                assert own == event | {"cards": own["cards"]}
                cards += own["cards"]
        return cards

    def finish_deal(self) -> None:
        shadow = self.shadow
        assert shadow.result
        self.results.append(shadow.result)
        shown = self.game.client.get(f"{self.game.path}/deals/{shadow.number}").expect(200)
        assert shown["hands"] == [in_order(hand) for hand in shadow.deal.hands]
        assert {name: shown[name] for name in shadow.result} == shadow.result
        if not self.is_over():
            self.shadow = self._new_shadow(shadow.number + 1, (shadow.dealer + 1) % self.seats)

    def totals(self) -> list[int]:
        return [sum(result["points"][seat] for result in self.results) for seat in range(self.seats)]

    def is_over(self) -> bool:
        target = self.rules["target_score"]
        reached: bool = target is not None and max(self.totals()) >= target
        return reached or bool(len(self.results) == self.rules["deals"])

    def compare(self) -> None:
        """Compare what every seat sees with what the reference says."""
        shadow, totals = self.shadow, self.totals()
        winners = [seat for seat in range(self.seats) if totals[seat] == min(totals)] if self.is_over() else []
        for seat, view in enumerate(self.game.views()):
            told = {name: value for name, value in view["deal"].items() if name not in ("seed_commitment", "deadline")}
            assert told == shadow.deal_view()
            assert view["you"]["hand"] == in_order(shadow.deal.hands[seat])
            assert view["you"]["legal_moves"] == shadow.compact_moves(seat)
            assert [player["hand_count"] for player in view["players"]] == list(map(len, shadow.deal.hands))
            assert [player["score"] for player in view["players"]] == totals
            assert view["results"] == self.results
            assert view["winners"] == winners
            assert view["status"] == ("finished" if self.is_over() else "playing")


def compare_match(client: Client, seed: int, preset: str | None = None) -> None:
    """Play the match of a seed and compare; a failure names the seed and the table."""
    random = Random(seed)
    seats = random.randint(2, 8)
    rules: dict[str, Any] = (
        {"preset": preset} if preset else random_options(random, seats, random.choice((0.1, 0.5, 1.0)))
    )
    rules["deals"] = random.randint(1, 2)
    comparison = Comparison(client, random, seats, rules)
    try:
        comparison.play()
    except AssertionError as error:
        position = comparison.shadow.deal.snapshot()
        raise AssertionError(f"seed {seed}, seats {seats}, rules {rules}, reference {position}: {error}") from error


@pytest.mark.parametrize("preset", PRESETS)
def test_matches_of_every_preset_go_as_the_reference_says(client: Client, preset: str) -> None:
    for seed in range(1 + (preset == "classic")):
        compare_match(client, seed, preset)


@pytest.mark.parametrize("seed", range(103, 106))
def test_matches_of_random_house_rules_go_as_the_reference_says(client: Client, seed: int) -> None:
    compare_match(client, seed)


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("part", range(10))
def test_many_matches_go_as_the_reference_says(client: Client, part: int) -> None:
    for seed in range(1000 + 20 * part, 1020 + 20 * part):
        compare_match(client, seed, Random(seed).choice([None, *PRESETS]))
