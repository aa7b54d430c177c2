"""What is stored of a match is read as it was written, or not at all."""

from __future__ import annotations

from random import Random
from typing import Any

import orjson
import pytest

from service import changes, leaving
from service.engine.codec import encode_match
from service.engine.legal import legal_moves
from service.engine.match import commitment, deal_shuffler
from service.engine.rules import resolve
from service.engine.state import Deal
from service.errors import UnknownFormat
from service.record import FORMAT, Player, Record, decode_record, encode_record
from tests.builders import position
from tests.tables import LAST_SEED, NOW_MS, caller, playing, record


def read_again(stored: Record) -> Record:
    return decode_record(stored.match_id, stored.version, encode_record(stored))


@pytest.mark.parametrize(
    "stored",
    [
        record(),
        record(0),
        record(0, 2, seats=3, visibility="private", join_code="ABCD2345", name="Masa 1 · 🂡"),
        record(seats=2, host_seat=None, status="abandoned", host_token_hash=""),
        record(*range(10), seats=10, options={"preset": "iskambilci", "deals": 20, "target_score": 50}),
        playing(),
        playing(options={"preset": "wikipedia-tr"}),
        record(0)._replace(app="shop"),
        leaving.left(record(0), 0, caller(0), NOW_MS).record,
    ],
    ids=[
        "empty",
        "waiting",
        "private",
        "abandoned",
        "ten seats",
        "playing",
        "house rules",
        "of an application",
        "left",
    ],
)
def test_a_match_is_read_as_it_was_written(stored: Record) -> None:
    assert read_again(stored) == stored


@pytest.mark.parametrize(
    "text",
    [
        "hands AC / KD; pile 2C; stock 3C 4C; penalty 6; drawn 0",
        "hands AC / KD 2D; pile 3H JS[H]; direction counterclockwise; drawn 2; barred 0",
    ],
)
def test_any_position_is_read_as_it_was_written(text: str) -> None:
    stored = playing(position(text))
    assert stored.match is not None
    read = read_again(stored)
    assert read.match is not None
    assert read.match.deal._replace(shuffler=stored.match.deal.shuffler) == stored.match.deal


def test_a_whole_match_is_read_as_it_was_written_after_every_move() -> None:
    random = Random(7)
    stored = playing(options={"deals": 2})
    seen = set()
    while stored.status == "playing":
        assert stored.match is not None
        deal = stored.match.deal
        assert deal.turn is not None
        change = changes.moved(stored, deal.turn, random.choice(legal_moves(deal)), None, NOW_MS)
        stored = change.record._replace(version=change.journal.version)
        assert read_again(stored) == stored
        seen.add((stored.status, len(stored.deal_ends)))
    assert seen == {("playing", 0), ("playing", 1), ("finished", 2)}


@pytest.mark.parametrize(
    "state",
    [
        pytest.param(orjson.dumps({"format": FORMAT + 1, "status": "waiting"}), id="a later format"),
        pytest.param(orjson.dumps({"format": 0}), id="an earlier format"),
        pytest.param(orjson.dumps({"format": str(FORMAT)}), id="a number in words"),
        pytest.param(orjson.dumps({}), id="no format"),
        pytest.param(orjson.dumps({"format": True}), id="no number"),
        pytest.param(orjson.dumps({"format": FORMAT}), id="nothing else"),
        pytest.param(orjson.dumps({"format": FORMAT, "record": [{}, "00", None] + [None] * 40}), id="more fields"),
        pytest.param(orjson.dumps([FORMAT]), id="a list"),
        pytest.param(b"1", id="a number"),
        pytest.param(b"", id="nothing"),
        pytest.param(b"\x28\xb5\x2f\xfd compressed", id="not JSON"),
    ],
)
def test_a_state_in_another_format_is_refused_by_name_and_never_misread(state: bytes) -> None:
    with pytest.raises(UnknownFormat, match=rf"^Match abc was stored in format .*reads formats 1 to {FORMAT}"):
        decode_record("abc", 1, state)


def by_names(stored: Record, number: int) -> dict[str, Any]:
    """Write a match as format 2 did."""
    plain = {name: value for name, value in stored._asdict().items() if name not in ("match_id", "version", "present")}
    return {
        **plain,
        "format": number,
        "players": [list(player) for player in stored.players],
        "rules": stored.rules.unusual,
        "last_seed": stored.last_seed.hex(),
        "match": stored.match and encode_match(stored.match),
    }


def test_a_match_of_format_1_is_read_with_what_was_not_known_then() -> None:
    for stored in (record(0, 2, seats=3), playing(options={"deals": 2})):
        data = by_names(stored, 1)
        del data["started"], data["spectators"], data["clock"], data["timing"], data["due_ms"], data["searched_ms"]
        data["players"] = [player[:3] for player in data["players"]]
        assert decode_record(stored.match_id, stored.version, orjson.dumps(data)) == stored._replace(started=0)


def test_a_match_of_format_2_is_read_by_the_names_of_its_members() -> None:
    for stored in (record(0, 2, seats=3), playing()):
        data = orjson.dumps(by_names(stored, 2))
        assert decode_record(stored.match_id, stored.version, data) == stored


def test_the_order_of_what_is_stored_stays_what_it_was() -> None:
    usual = "status name visibility seats auto_start host_seat host_token_hash join_code created_ms active_ms preset"
    usual += " overridden players started deal_ends spectators clock timing due_ms searched_ms"
    assert " ".join(Record._fields[Record._fields.index("status") :]).startswith(usual)
    assert Player._fields[:8] == (
        "seat",
        "name",
        "token_hash",
        "client_seed",
        "kind",
        "level",
        "played_by",
        "timed_out",
    )


def test_client_seeds_come_back_in_seat_order_and_enter_the_shuffle() -> None:
    waiting = record(0, 1, seats=3)
    waiting = changes.client_seed_set(waiting, 1, "çay", NOW_MS).record
    assert read_again(waiting) == waiting
    assert waiting.client_seeds == ("", "çay", "")
    started = changes.started(waiting._replace(seats=2), NOW_MS).record
    assert read_again(started) == started
    assert started.match is not None
    assert started.match.deal.shuffler.client_seeds == ("", "çay")


def test_the_commitment_is_to_the_longest_run_of_deals() -> None:
    assert record().commitment == commitment(LAST_SEED, record().rules)
    assert record(options={"deals": 3}).commitment != record().commitment


def test_free_seats_ascend() -> None:
    assert record(1, 3, seats=5).free_seats == (0, 2, 4)
    assert record(0, 1).free_seats == ()


FIRST_RELEASE = b"""{
"status":"playing","name":"Table","visibility":"public","seats":2,"auto_start":false,"host_seat":0,
"host_token_hash":"aa","join_code":null,"created_ms":1800000000000,"active_ms":1800000000000,"preset":"classic",
"overridden":[],"players":[[0,"Player 0","aa"],[1,"Player 1","bb"]],"deal_ends":[106],"format":1,
"rules":{"decks":1,"hand_size":7,"opening":"starter","draw_limit":null,"draw_only_if_unable":false,
"must_play_if_able":false,"pass":"after_draw","jack_suit":"any","jack_on_jack":false,"eight":"skip",
"ten_two_seats":"none","seven_draw":3,"seven_run":"add","after_penalty":"end_turn","last_seven":"free","ace":"again",
"last_card_call":"none","stock_out":"deal_ends","stock_out_score":"winner_zero","deals":4,"target_score":null},
"last_seed":"000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
"match":{"deal":{"number":2,"dealer":1,"turn":0,"phase":"turn","openings":0,"direction":-1,"suit":2,"penalty":6,
"drawn":3,"has_drawn":true,"ace_drawn":false,"bar_is_new":true,"moves":9,"reshuffles":4,"hands":["ABa","CDz"],
"stock":"ubK","discards":"CkM","barred":[1]},"results":[["stock_out",[0],1,[0,61],null]],"winners":[]}}"""


def test_what_the_first_release_stored_is_read() -> None:
    read = decode_record("abc", 120, FIRST_RELEASE)
    rules = resolve({}, 2).rules
    assert read.rules == rules
    assert read.match is not None
    deal = read.match.deal
    assert deal == Deal(
        rules=rules,
        shuffler=deal_shuffler("abc", rules, bytes(range(32)), ("", ""), 2),
        number=2,
        dealer=1,
        hands=((0, 1, 26), (2, 3, 51)),
        stock=(46, 27, 10),
        discards=(2, 36, 12),
        turn=0,
        phase="turn",
        openings=0,
        direction=-1,
        suit=2,
        penalty=6,
        drawn=3,
        has_drawn=True,
        ace_drawn=False,
        barred=(1,),
        bar_is_new=True,
        moves=9,
        reshuffles=4,
        result=None,
    )
    assert decode_record("abc", 120, encode_record(read)) == read
