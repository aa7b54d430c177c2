"""The run of deals (R2, R20, R21, R30), and how a match is committed to (R22)."""

from __future__ import annotations

from random import Random

import pytest

from service.engine import match as matches
from service.engine.errors import NotOnTurn
from service.engine.events import DealEnded, DealStarted, MatchEnded, Result, TurnStarted
from service.engine.legal import legal_moves
from service.engine.match import Happening, Match
from service.engine.moves import Draw
from service.engine.shuffle import chain_member
from tests.builders import position, rules

SEED = bytes(range(32))


def start(seats: int = 3, **options: object) -> Match:
    return matches.start("m", rules(seats, **options), SEED, ("",) * seats)[0]


def play_on(match: Match, random: Random, until: int | None = None) -> tuple[Match, list[Happening]]:
    """Play to the end, or until so many deals are over; give the last move's happenings too."""
    happenings: list[Happening] = []
    while match.deal.turn is not None and len(match.results) != until:
        listed = legal_moves(match.deal)
        match, happenings = matches.play(match, match.deal.turn, random.choice(listed[:3]))
    return match, happenings


def with_hands(match: Match, text: str, **options: object) -> Match:
    """Put a position in place of the deal being played."""
    deal = position(text, **options)
    return match._replace(deal=deal._replace(rules=match.rules, shuffler=match.deal.shuffler, number=match.deal.number))


def test_r2_the_first_dealer_is_drawn_by_the_first_deals_shuffle() -> None:
    match = start(5)
    assert match.deal.dealer == match.deal.shuffler.first_dealer()
    dealers = {matches.start(f"m{number}", rules(5), SEED, ("",) * 5)[0].deal.dealer for number in range(60)}
    assert dealers == {0, 1, 2, 3, 4}


def test_r2_in_a_rematch_the_first_dealer_is_the_one_that_was_fixed() -> None:
    match, _ = matches.start("m", rules(3), SEED, ("",) * 3, 2)
    assert (match.deal.dealer, match.deal.turn) == (2, 0)


@pytest.mark.parametrize("seats", [2, 3, 10])
def test_r2_the_deal_moves_one_seat_clockwise_after_each_deal(seats: int) -> None:
    match, random = start(seats, deals=4), Random(1)
    first = match.deal.dealer
    for finished in range(1, 4):
        match, _ = play_on(match, random, finished)
        assert match.deal.dealer == (first + finished) % seats
        assert match.deal.turn == (first + finished + 1) % seats


def test_r3_the_next_deal_starts_anew_and_clockwise() -> None:
    match, happenings = play_on(start(), Random(2), 1)
    deal = match.deal
    assert (deal.number, deal.direction, deal.penalty, deal.suit, deal.barred, deal.moves) == (2, 1, 0, None, (), 0)
    assert [len(hand) for hand in deal.hands] == [7, 7, 7]
    assert [(number, type(event)) for number, event in happenings[-3:]] == [
        (1, DealEnded),
        (2, DealStarted),
        (2, TurnStarted),
    ]


@pytest.mark.parametrize("deals", [1, 4, 20])
def test_r20_a_match_has_as_many_deals_as_the_option_says(deals: int) -> None:
    match, happenings = play_on(start(2, deals=deals), Random(3))
    assert len(match.results) == match.deal.number == deals
    assert happenings[-1] == (None, MatchEnded(match.totals, match.winners))
    assert match.totals == tuple(sum(result.points[seat] for result in match.results) for seat in range(2))


def test_r20_the_lowest_total_wins_and_equal_lowest_totals_all_win() -> None:
    past = Result("went_out", (0,), 1, (20, 0, 5), None)
    match = start(3, deals=2)._replace(results=(past,))
    match = with_hands(match, "hands 9D / 10C 10D / KC 5D; pile 9S; stock 2D", deals=2)
    match, _ = matches.play(match, 0, legal_moves(match.deal)[0])
    assert (match.totals, match.winners) == ((20, 20, 20), (0, 1, 2))


def test_r20_there_are_no_winners_before_the_end() -> None:
    match, _ = play_on(start(), Random(4), 3)
    assert match.winners == ()


def test_r21_a_finished_match_accepts_no_move() -> None:
    match, _ = play_on(start(2, deals=1), Random(5))
    for seat in range(2):
        with pytest.raises(NotOnTurn) as refusal:
            matches.play(match, seat, Draw())
        assert refusal.value.clause == "R21"


@pytest.mark.parametrize("target,ends", [(50, True), (51, False)])
def test_r30_the_match_ends_when_a_total_reaches_the_target(target: int, ends: bool) -> None:
    past = Result("went_out", (0,), 1, (0, 40), None)
    match = start(2, target_score=target, deals=9)._replace(results=(past,))
    match = with_hands(match, "hands 9D / KC; pile 9S; stock 2D")
    match, _ = matches.play(match, 0, legal_moves(match.deal)[0])
    assert (match.totals, match.winners) == ((0, 50), (0,) if ends else ())
    assert match.deal.number == (1 if ends else 2)


def test_r30_the_deals_end_the_match_when_the_target_is_not_reached() -> None:
    match, _ = play_on(start(2, target_score=10000, deals=2), Random(6))
    assert len(match.results) == 2
    assert match.winners


@pytest.mark.parametrize("deals", [1, 4, 20])
def test_r22_the_commitment_is_the_seed_that_the_first_deals_seed_hashes_to(deals: int) -> None:
    match, happenings = matches.start("m", rules(3, deals=deals), SEED, ("",) * 3)
    started = happenings[0][1]
    assert isinstance(started, DealStarted)
    assert started.seed_commitment == matches.commitment(SEED, match.rules)
    assert match.deal.shuffler.server_seed == chain_member(SEED, deals, 1)


def test_r22_each_deals_seed_hashes_to_the_one_before() -> None:
    match, happenings = matches.start("m", rules(2), SEED, ("", "salt"))
    told, random = list(happenings), Random(7)
    while match.deal.turn is not None:
        match, happenings = matches.play(match, match.deal.turn, random.choice(legal_moves(match.deal)))
        told += happenings
    commitments = [event.seed_commitment for _, event in told if isinstance(event, DealStarted)]
    seeds = [event.seed for _, event in told if isinstance(event, DealEnded)]
    assert commitments == [matches.commitment(SEED, match.rules), *seeds[:-1]]
    assert seeds[-1] == SEED.hex()
