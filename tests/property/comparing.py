"""Playing one random deal on the engine and the reference at once, comparing all that can be seen after each move."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

from service.engine.cards import CARD_NAMES, JACK, RANK, SUIT_NAMES, card_names, parse_card
from service.engine.errors import IllegalMove, NotOnTurn
from service.engine.legal import legal, legal_moves, nominable_suits
from service.engine.moves import Move, Pass, Play, format_move
from service.engine.notation import format_position, parse_position
from service.engine.play import apply
from service.engine.state import Deal
from service.record import Record, decode_record, encode_record
from tests.reference import ReferenceDeal
from tests.strategies import ALL_MOVES, random_deal, random_play
from tests.tables import playing


def reference_of(deal: Deal) -> ReferenceDeal:
    """Deal the same cards to the reference."""
    assert deal.rules.decks is not None

    def reshuffle(number: int, pile: list[str]) -> list[str]:
        return card_names(deal.shuffler.reshuffle(number, map(parse_card, pile)))

    pack = card_names(deal.shuffler.pack(deal.rules.decks))
    return ReferenceDeal(deal.rules.options, len(deal.hands), deal.dealer, pack, reshuffle)


def snapshot(deal: Deal) -> dict[str, Any]:
    """Tell an engine's deal in the words of the reference."""
    result = deal.result
    return {
        "turn": deal.turn,
        "phase": deal.phase,
        "suit": None if deal.suit is None else SUIT_NAMES[deal.suit],
        "penalty": deal.penalty,
        "drawn": deal.drawn,
        "barred": list(deal.barred),
        "direction": deal.direction,
        "hands": [sorted(card_names(hand)) for hand in deal.hands],
        "stock": card_names(deal.stock),
        "pile": card_names(deal.discards),
        "result": result
        and {
            "reason": result.reason,
            "winners": list(result.winners),
            "multiplier": result.multiplier,
            "points": list(result.points),
            "final_card": None if result.final_card is None else CARD_NAMES[result.final_card],
        },
    }


def assert_same(deal: Deal, reference: ReferenceDeal) -> None:
    """Compare the positions and the legal moves."""
    assert snapshot(deal) == reference.snapshot()
    assert {format_move(move) for move in legal_moves(deal)} == reference.moves()


def is_accepted(deal: Deal, seat: int, move: Move) -> bool:
    """Try a move; a refusal must name a clause, and read as a sentence."""
    try:
        apply(deal, seat, move)
    except IllegalMove as refusal:
        error = refusal
    else:
        return True
    assert error.clause.startswith("R")
    assert error.detail.endswith(".")
    assert "None" not in error.detail
    assert "{" not in error.detail
    return False


def assert_listed_exactly_when_accepted(deal: Deal) -> None:
    """Try every conceivable move of the seat on turn, and one of every other seat."""
    before = encode(deal)
    listed = set(legal_moves(deal))
    for seat in range(len(deal.hands)):
        if seat != deal.turn:
            try:
                apply(deal, seat, Pass())
            except NotOnTurn:
                continue
            raise AssertionError("a seat that is not on turn moved")
    for move in ALL_MOVES if deal.turn is not None else ():
        assert deal.turn is not None
        accepted = is_accepted(deal, deal.turn, move)
        if accepted and move not in listed:
            assert isinstance(move, Play)
            assert not nominable_suits(deal, move.card), f"{format_move(move)} was accepted"
            assert move._replace(suit=None) in listed, f"{format_move(move)} was accepted"
        assert accepted or move not in listed, f"{format_move(move)} was refused"
    assert encode(deal) == before, "a refused move changed the deal"


def written_down(deal: Deal) -> Record:
    """Write down a match whose deal this is."""
    record = playing(deal)
    assert record.match is not None
    results = () if deal.result is None else (deal.result,)
    return record._replace(match=record.match._replace(results=results))


def encode(deal: Deal) -> bytes:
    """Write a deal as it is stored."""
    return encode_record(written_down(deal))


def assert_survives_storing(deal: Deal) -> None:
    """Write a deal as it is stored and read it again."""
    record = written_down(deal)
    read = decode_record(record.match_id, record.version, encode(deal)).match
    assert read is not None
    assert read.deal._replace(shuffler=deal.shuffler) == deal


def assert_survives_notation(deal: Deal) -> None:
    """Write a deal as a line of text and read it again; the text leaves out what only the turn so far tells."""
    if deal.turn is None:
        return
    read = parse_position(format_position(deal), deal.rules.options)
    untold: dict[str, Any] = {
        name: getattr(deal, name)
        for name in ("shuffler", "number", "has_drawn", "ace_drawn", "bar_is_new", "moves", "reshuffles")
    }
    assert read._replace(**untold) == deal


def assert_conserved(deal: Deal) -> None:
    """Count the cards: each is there once a pack."""
    everywhere = Counter([*deal.stock, *deal.discards, *(card for hand in deal.hands for card in hand)])
    assert len(everywhere) == 52
    assert set(everywhere.values()) == {deal.rules.decks}


def assert_sound(deal: Deal) -> None:
    """Check what holds in every position."""
    assert_conserved(deal)
    assert all(list(hand) == sorted(hand) for hand in deal.hands)
    assert (deal.turn is None) == (deal.phase == "over") == (deal.result is not None)
    assert bool(legal(deal)) == bool(legal_moves(deal)) == (deal.turn is not None)
    assert len(set(legal_moves(deal))) == len(legal_moves(deal))
    assert all(len(deal.hands[seat]) == 1 for seat in deal.barred)
    if deal.result is not None:
        assert_scores_add_up(deal)


def assert_scores_add_up(deal: Deal) -> None:
    """Check a result against the hands that it counts."""
    result = deal.result
    assert result is not None
    assert len(result.points) == len(deal.hands)
    assert sum(result.points) <= 508 * 3 * (deal.rules.decks or 0)
    lowest = min(result.points)
    assert all(result.points[seat] == lowest for seat in result.winners)
    if result.reason == "went_out":
        assert [seat for seat, hand in enumerate(deal.hands) if not hand] == list(result.winners)
        assert deal.discards[-1] == result.final_card
    else:
        assert all(deal.hands)
        assert result.final_card is None
        assert result.multiplier == 1


def compare_deal(seed: int) -> Counter[str]:
    """Play the deal of a seed on both sides; a failure names the seed, the options and the position.

    Returns:
        What was seen: the reason of the end, the moves, and what rarely happens.
    """
    random = Random(seed)
    deal = random_deal(random)
    options = deal.rules.options
    reference = reference_of(deal)
    seen: Counter[str] = Counter()
    try:
        assert_same(deal, reference)
        assert_sound(deal)
        for _, move, following in random_play(deal, random):
            deal = following
            assert reference.do(format_move(move)), f"the reference refuses {format_move(move)}"
            assert_same(deal, reference)
            assert_sound(deal)
            seen["moves"] += 1
            seen["barred"] += bool(deal.barred)
            seen["everyone opens"] += deal.openings > 1
            seen["jack on jack"] += [RANK[card] for card in deal.discards[-2:]] == [JACK, JACK]
            if random.random() < 0.03:
                assert_listed_exactly_when_accepted(deal)
                assert_survives_storing(deal)
                assert_survives_notation(deal)
    except Exception as error:
        position = format_position(deal) if deal.turn is not None else snapshot(deal)
        raise AssertionError(f"seed {seed}, options {options}, position {position}: {error!r}") from error
    assert_survives_storing(deal)
    assert deal.result is not None
    seen[deal.result.reason] += 1
    seen["reshuffled"] += bool(deal.reshuffles)
    seen["by the move limit"] += deal.moves >= 1000
    seen["by the last seven"] += deal.result.multiplier == 3
    return seen
