"""What a reader sees of a match."""

from __future__ import annotations

from typing import Any

from service.engine import events as happened
from service.record import Record
from service.telling import EVENT_TYPES, event_data
from service.view import (
    lobby_entry,
    match_view,
    postable_moves,
    redacted,
    result_view,
    timestamp,
)
from tests.builders import cards, position
from tests.tables import NOW_MS, caller, playing, record

STRANGER = caller(None)


def view(match: Record, seat: int | None = None, is_host: bool = False) -> dict[str, Any]:
    return match_view(match, caller(seat, is_host), 60)


def test_times_are_rfc_3339_in_utc() -> None:
    assert timestamp(0) == "1970-01-01T00:00:00.000Z"
    assert timestamp(1_800_000_000_001) == "2027-01-15T08:00:00.001Z"


def test_a_waiting_match_shows_its_table_and_no_deal() -> None:
    shown = view(record(0, 2, seats=3, options={"preset": "oyunes", "deals": 2}))
    assert {name: shown[name] for name in ("id", "version", "status", "seats", "host_seat", "auto_start")} == {
        "id": "match",
        "version": 3,
        "status": "waiting",
        "seats": 3,
        "host_seat": 0,
        "auto_start": False,
    }
    assert (shown["deal"], shown["results"], shown["winners"], shown["you"]) == (None, [], [], None)
    assert shown["players"][1] == {
        "seat": 2,
        "name": "Player 2",
        "kind": "human",
        "level": None,
        "played_by": "player",
        "present": False,
        "hand_count": 0,
        "score": 0,
    }
    assert (shown["created_at"], shown["expires_at"]) == (timestamp(NOW_MS), timestamp(NOW_MS + 60_000))
    rules = shown["rules"]
    assert (rules["preset"], rules["overridden"], rules["ace"], rules["deals"]) == ("oyunes", ["deals"], "skip", 2)


def test_a_deal_shows_what_lies_open() -> None:
    deal = position(
        "hands 9D KC / 4C 5S 6S; pile 2C JS[H]; stock 3C 4D; turn 1; dealer 0; penalty 0; drawn 2; "
        "direction counterclockwise; barred 0",
        last_card_call="tek",
    )
    shown = view(playing(deal))["deal"]
    del shown["seed_commitment"]
    assert shown == {
        "number": 1,
        "dealer_seat": 0,
        "phase": "turn",
        "turn_seat": 1,
        "drawn": 2,
        "direction": "counterclockwise",
        "top_card": "JS",
        "suit_in_force": "H",
        "penalty": 0,
        "barred": [0],
        "stock_count": 2,
        "discard_count": 2,
        "deadline": None,
    }


def test_before_the_opening_card_there_is_neither_top_card_nor_suit() -> None:
    shown = view(playing())["deal"]
    assert (shown["phase"], shown["top_card"], shown["suit_in_force"], shown["discard_count"]) == (
        "opening",
        None,
        None,
        0,
    )


def test_a_player_sees_their_hand_sorted_and_their_moves_when_it_is_their_turn() -> None:
    match = playing(position("hands 6H JS 9D AC / KD 2S; pile 6S; stock 3C"))
    mine = view(match, 0, True)["you"]
    assert mine == {
        "seat": 0,
        "is_host": True,
        "client_seed": None,
        "hand": ["AC", "9D", "6H", "JS"],
        "legal_moves": [
            {"type": "play", "card": "6H"},
            {"type": "play", "card": "JS", "suits": ["C", "D", "H", "S"]},
            {"type": "draw", "count": 1},
        ],
    }
    assert view(match, 1)["you"] == {
        "seat": 1,
        "is_host": False,
        "client_seed": None,
        "hand": ["KD", "2S"],
        "legal_moves": [],
    }


def test_a_penalty_is_drawn_whole_even_from_a_short_stock() -> None:
    match = playing(position("hands 9D KC / 2S; pile 7S; stock 3C; penalty 6"))
    assert view(match, 0)["you"]["legal_moves"] == [{"type": "draw", "count": 6}]


def test_after_drawing_passing_is_listed_last() -> None:
    match = playing(position("hands 9D KC / 2S; pile 7S; stock 3C; drawn 1"))
    assert view(match, 0)["you"]["legal_moves"] == [{"type": "draw", "count": 1}, {"type": "pass"}]


def test_the_join_code_is_the_hosts_while_the_match_waits() -> None:
    waiting = record(0, 1)._replace(status="waiting", join_code="WXYZ2345")
    assert view(waiting, 0, is_host=True)["you"]["join_code"] == "WXYZ2345"
    assert "join_code" not in view(waiting, 1)["you"]
    assert view(waiting)["you"] is None
    assert "join_code" not in view(waiting._replace(status="playing"), 0, is_host=True)["you"]
    assert "join_code" not in view(waiting._replace(join_code=None), 0, is_host=True)["you"]


def test_a_host_without_a_seat_has_no_hand() -> None:
    assert view(playing(), None, True)["you"] == {
        "seat": None,
        "is_host": True,
        "client_seed": None,
        "hand": None,
        "legal_moves": [],
    }


def test_what_can_be_posted_spells_every_move_out() -> None:
    match = playing(position("hands 6H JS / KD 2S; pile 6S; stock 3C; drawn 1", last_card_call="tek"))
    jacks = [{"type": "play", "card": "JS", "suit": suit} for suit in "CDHS"]
    calls: list[dict[str, str]] = [{}, {"call": "tek"}]
    assert postable_moves(match, caller(0)) == [
        {"type": "play", "card": "6H"},
        {"type": "play", "card": "6H", "call": "tek"},
        *(jack | call for jack in jacks for call in calls),
        {"type": "draw"},
        {"type": "pass"},
    ]
    assert postable_moves(match, caller(1)) == []
    assert postable_moves(record(0, 1), caller(0)) == []


def test_nothing_can_be_posted_once_the_match_is_over() -> None:
    over = playing(position("hands 6H / KD; pile 6S"))
    assert over.match is not None
    over = over._replace(match=over.match._replace(deal=over.match.deal._replace(turn=None, phase="over")))
    assert postable_moves(over, caller(None, True)) == []
    assert postable_moves(over, caller(0)) == []


def test_scores_add_up_over_the_results() -> None:
    results = (happened.Result("went_out", (0,), 3, (0, 30), 6), happened.Result("stock_out", (1,), 1, (9, 0), None))
    match = playing()
    assert match.match is not None
    shown = view(match._replace(match=match.match._replace(results=results, winners=(0,))))
    assert [player["score"] for player in shown["players"]] == [9, 30]
    assert shown["winners"] == [0]
    assert shown["results"] == [
        {
            "number": 1,
            "reason": "went_out",
            "winners": [0],
            "multiplier": 3,
            "points": [0, 30],
            "final_card": "7C",
        },
        result_view(2, results[1]),
    ]
    assert result_view(2, results[1])["final_card"] is None


def test_a_lobby_entry_tells_who_sits_and_which_seats_are_free() -> None:
    entry = lobby_entry(record(1, seats=3), 60)
    assert entry["players"] == [{"seat": 1, "name": "Player 1"}]
    assert entry["free_seats"] == [0, 2]


def test_a_lobby_entry_of_a_closed_match_does_not_tell_when_somebody_moves() -> None:
    closed = lobby_entry(record(1, seats=3)._replace(spectators="none"), 60)
    assert (closed["expires_at"], closed["players"]) == (None, [])


def test_every_event_of_the_engine_has_a_type_in_the_contract() -> None:
    assert set(EVENT_TYPES) == set(happened.Event.__args__)


def test_a_draw_tells_its_cards_to_who_drew_alone() -> None:
    event = event_data(happened.CardsDrawn(1, cards("AC 10H"), "penalty"))
    assert redacted(event, caller(1)) == {
        "type": "cards_drawn",
        "seat": 1,
        "count": 2,
        "reason": "penalty",
        "by": "player",
        "cards": ["AC", "10H"],
    }
    for other in (caller(0), STRANGER, caller(None, True)):
        assert "cards" not in redacted(event, other)
        assert redacted(event, other)["count"] == 2
    assert event["cards"] == ["AC", "10H"], "the event itself stays complete"


def test_a_deal_tells_everybody_their_own_hand() -> None:
    event = event_data(happened.DealStarted(1, "00", 40, (cards("AC 2C"), cards("3C 4C"))))
    assert redacted(event, caller(1)) == {
        "type": "deal_started",
        "dealer_seat": 1,
        "seed_commitment": "00",
        "stock_count": 40,
        "hand": ["3C", "4C"],
    }
    for other in (STRANGER, caller(None, True)):
        assert redacted(event, other).keys() == {"type", "dealer_seat", "seed_commitment", "stock_count"}


def test_r22_a_client_seed_is_told_to_everybody_at_once_so_that_nobody_can_put_in_another() -> None:
    match = record(0, 1)
    match = match._replace(players=(match.players[0]._replace(client_seed="tuz"), match.players[1]))
    assert view(match, 0)["you"]["client_seed"] == "tuz"
    event = {"type": "client_seed_set", "seat": 0, "client_seed": "tuz"}
    for reader in (caller(0), caller(1), STRANGER, caller(None, True)):
        assert redacted(event, reader) == event


def test_what_lies_open_is_told_to_everybody_alike() -> None:
    ended = happened.DealEnded(happened.Result("went_out", (0,), 1, (0, 9), 10), ((), cards("9C")), "5eed")
    for event, members in (
        (happened.CardPlayed(0, 10, 2, None), {"seat": 0, "card": "JC", "suit": "H", "call": None, "by": "player"}),
        (
            happened.CardPlayed(0, 1, None, "tek"),
            {"seat": 0, "card": "2C", "suit": None, "call": "tek", "by": "player"},
        ),
        (happened.TurnPassed(1), {"seat": 1, "by": "player"}),
        (happened.TurnSkipped(1, "eight"), {"seat": 1, "reason": "eight"}),
        (happened.TurnStarted(1, "turn", 3), {"seat": 1, "phase": "turn", "penalty": 3, "deadline": None}),
        (happened.DirectionReversed(-1), {"direction": "counterclockwise"}),
        (happened.PenaltyRaised(6), {"penalty": 6}),
        (happened.StockReshuffled(20), {"stock_count": 20}),
        (happened.MatchEnded((0, 9), (0,)), {"totals": (0, 9), "winners": (0,)}),
        (
            ended,
            {
                "reason": "went_out",
                "winners": [0],
                "multiplier": 1,
                "points": [0, 9],
                "final_card": "JC",
                "hands": [[], ["9C"]],
                "seed": "5eed",
            },
        ),
    ):
        for reader in (caller(0), caller(1), STRANGER):
            assert redacted(event_data(event), reader) == {"type": EVENT_TYPES[type(event)], **members}
