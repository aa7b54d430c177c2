"""What is stored of a match is read as it was written, or not at all."""

from __future__ import annotations

from random import Random
from typing import Any

import orjson
import pytest
from msgspec import msgpack

from service import changes, leaving
from service.engine.legal import legal_moves
from service.engine.match import commitment
from service.engine.rules import PRESETS
from service.errors import UnknownFormat
from service.record import FORMAT, Player, Record, decode_record, encode_record
from service.webhooks.hook import Webhook
from tests.builders import after, dealt, position
from tests.tables import LAST_SEED, NOW_MS, caller, playing, record

PLAIN = Record.__struct_fields__[Record.__struct_fields__.index("status") :]


def read_again(stored: Record) -> Record:
    return decode_record(stored.match_id, stored.version, encode_record(stored))


def members(stored: Record) -> list[Any]:
    """Give what is written of a match, to be changed."""
    data: list[Any] = msgpack.decode(encode_record(stored))
    return data


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


def test_a_bar_of_this_turn_is_read_as_it_was_written() -> None:
    deal = after(position("hands AS 5S / 2C 3C; pile 9S; stock 2D", last_card_call="tek"), "AS")
    assert deal.bar_is_new
    read = read_again(playing(deal)).match
    assert read is not None
    assert read.deal._replace(shuffler=deal.shuffler) == deal


@pytest.mark.parametrize("preset", PRESETS)
def test_a_whole_match_is_read_as_it_was_written_after_every_move(preset: str) -> None:
    random = Random(preset)
    waiting = record(0, 1, 2, seats=3, options={"preset": preset, "deals": 2})
    stored = changes.started(changes.client_seed_set(waiting, 1, "salt", NOW_MS).record, NOW_MS).record
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


def test_a_match_of_four_takes_less_than_a_kilobyte() -> None:
    assert len(encode_record(playing(dealt(4)))) < 1000


STORED = members(record(0))


@pytest.mark.parametrize(
    "state",
    [
        pytest.param(msgpack.encode([FORMAT + 1, *STORED[1:]]), id="a later format"),
        pytest.param(msgpack.encode([0, *STORED[1:]]), id="an earlier format"),
        pytest.param(msgpack.encode([str(FORMAT), *STORED[1:]]), id="a number in words"),
        pytest.param(msgpack.encode([True, *STORED[1:]]), id="no number"),
        pytest.param(msgpack.encode(STORED[1:]), id="no format"),
        pytest.param(msgpack.encode([]), id="an empty list"),
        pytest.param(msgpack.encode([FORMAT]), id="nothing else"),
        pytest.param(msgpack.encode(STORED[:10]), id="less fields"),
        pytest.param(msgpack.encode(STORED + [None] * 40), id="more fields"),
        pytest.param(msgpack.encode([*STORED[:2], "00", *STORED[3:]]), id="a field of another type"),
        pytest.param(msgpack.encode([*STORED[:4], "dealt", *STORED[5:]]), id="a word that is none of the field's"),
        pytest.param(msgpack.encode({"format": FORMAT}), id="an object"),
        pytest.param(msgpack.encode(1), id="a number"),
        pytest.param(msgpack.encode(STORED)[:-1], id="half of it"),
        pytest.param(orjson.dumps({"format": FORMAT + 1, "status": "waiting"}), id="JSON of a later format"),
        pytest.param(orjson.dumps({"format": 0}), id="JSON of an earlier format"),
        pytest.param(orjson.dumps({"format": "3"}), id="JSON, a number in words"),
        pytest.param(orjson.dumps({}), id="JSON, no format"),
        pytest.param(orjson.dumps({"format": True}), id="JSON, no number"),
        *(pytest.param(orjson.dumps({"format": n}), id=f"JSON of format {n}, nothing else") for n in (1, 2, 3)),
        pytest.param(orjson.dumps({"format": 3, "record": [{}, "00", None] + [None] * 40}), id="JSON, more fields"),
        pytest.param(orjson.dumps({"format": 3, "record": [1, 2, 3]}), id="JSON, other types"),
        pytest.param(orjson.dumps([FORMAT]), id="a JSON list"),
        pytest.param(b"1", id="a JSON number"),
        pytest.param(b"", id="nothing"),
        pytest.param(b"\x28\xb5\x2f\xfd compressed", id="something else"),
        pytest.param(b"{", id="half of an object"),
        pytest.param(b'{"a":' * 5000, id="an object without a bottom"),
    ],
)
def test_a_state_in_another_format_is_refused_by_name_and_never_misread(state: bytes) -> None:
    with pytest.raises(UnknownFormat, match=rf"^Match abc was stored in format .*reads formats 1 to {FORMAT}"):
        decode_record("abc", 1, state)


@pytest.mark.parametrize(
    "name,damaged",
    [("seats", 1), ("seats", -1), ("rules", [["deals", "many"]]), ("rules", [["deals", 4, 5]])],
)
def test_a_damaged_state_is_told_from_a_fault_of_the_service(name: str, damaged: object) -> None:
    state = members(playing(dealt(4)))
    state[1 + ["rules", "last_seed", "match", *PLAIN].index(name)] = damaged
    with pytest.raises(UnknownFormat):
        decode_record("abc", 1, msgpack.encode(state))


@pytest.mark.parametrize("state", [msgpack.encode([FORMAT + 1, "of tomorrow"]), orjson.dumps({"format": FORMAT + 1})])
def test_the_number_of_another_format_is_told(state: bytes) -> None:
    with pytest.raises(UnknownFormat, match=rf"^Match abc was stored in format {FORMAT + 1};"):
        decode_record("abc", 1, state)


def test_what_was_stored_before_a_field_existed_has_its_default() -> None:
    stored = record(0, 1)._replace(webhook=Webhook("https://example.org", "whsec_"))
    before = msgpack.encode(members(stored)[:-1])
    assert decode_record(stored.match_id, stored.version, before) == stored._replace(webhook=None)


def test_the_order_of_what_is_stored_stays_what_it_was() -> None:
    usual = "status name visibility seats auto_start host_seat host_token_hash join_code created_ms active_ms preset"
    usual += " overridden players started deal_ends spectators clock timing due_ms searched_ms"
    assert " ".join(PLAIN).startswith(usual)
    assert Player.__struct_fields__[:8] == (
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
