"""What older releases stored is read as what it was."""

from __future__ import annotations

import string
from collections.abc import Callable, Iterable
from typing import Any

import msgspec
import orjson
import pytest

from service.clocks import Clock, Timing
from service.engine.match import Match, deal_shuffler
from service.engine.rules import resolve
from service.engine.state import Deal
from service.named import Named
from service.record import Player, Record, decode_record, encode_record
from service.webhooks.hook import Webhook
from tests.tables import LAST_SEED, NOW_MS, playing, record

PLAIN = Record.__struct_fields__[Record.__struct_fields__.index("status") :]


def letters(cards: Iterable[int]) -> str:
    """Write cards as releases before format 4 did."""
    return "".join((string.ascii_uppercase + string.ascii_lowercase)[card] for card in cards)


def match_before(match: Match | None) -> Any:
    """Write a match as releases before format 4 did."""
    if match is None:
        return None
    _rules, _shuffler, number, dealer, hands, stock, discards, *plain, _result = match.deal
    deal = [number, dealer, [letters(hand) for hand in hands], letters(stock), letters(discards), *plain]
    return {"deal": deal, "results": [list(result) for result in match.results], "winners": match.winners}


def beside(stored: Record) -> dict[str, Any]:
    """Give what every format keeps beside the plain members."""
    return {
        "rules": dict(stored.rules.unusual),
        "last_seed": stored.last_seed.hex(),
        "match": match_before(stored.match),
    }


def plainly(value: Any) -> Any:
    """Write values that have names as those that have none."""
    plain = msgspec.structs.astuple(value) if isinstance(value, Named) else value
    return [plainly(part) for part in plain] if isinstance(plain, tuple) else plain


def format_1(stored: Record) -> dict[str, Any]:
    """Write a match as format 1 did, which knew the members up to `deal_ends`, but for `started`."""
    known = [name for name in PLAIN[: PLAIN.index("spectators")] if name != "started"]
    players = [[player.seat, player.name, player.token_hash] for player in stored.players]
    return {**{name: getattr(stored, name) for name in known}, **beside(stored), "format": 1, "players": players}


def format_2(stored: Record) -> dict[str, Any]:
    """Write a match as format 2 did."""
    return {**{name: plainly(getattr(stored, name)) for name in PLAIN}, **beside(stored), "format": 2}


def format_3(stored: Record) -> dict[str, Any]:
    """Write a match as format 3 did, but for what it left off."""
    return {"format": 3, "record": [*beside(stored).values(), *(plainly(getattr(stored, name)) for name in PLAIN)]}


@pytest.mark.parametrize("stored", [record(), record(0, 2, seats=3), playing(options={"deals": 2})])
@pytest.mark.parametrize("written", [format_1, format_2, format_3])
def test_a_match_of_an_older_format_is_read(written: Callable[[Record], Any], stored: Record) -> None:
    known = stored._replace(started=0) if written is format_1 else stored
    assert decode_record(stored.match_id, stored.version, orjson.dumps(written(stored))) == known


THIRD_FORMAT = b"""{"format":3,"record":[{"decks":1,"ace":"skip","deals":2},
"000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",{"deal":[1,0,["DSVXdiq","Mbcjms"],
"awhuzlePOnYtvrCyTJKAERUQxFLpfHGWNgZIo","Bk",1,"turn",0,1,3,0,0,false,false,[],false,3,0],"results":[],
"winners":[]},"playing","Table","public",2,false,0,
"3c650db6932a4cb6327ef6ae7d5563002b938a7ecbd9eb67738a2f45d15ed3d5",null,1800000000000,1800000000000,"classic",
["ace","deals"],[[0,"Player 0","3c650db6932a4cb6327ef6ae7d5563002b938a7ecbd9eb67738a2f45d15ed3d5","tuz","human",
null,"player",0,{"elo":"1200"}],[1,"Bot","",null,"bot","hard","bot",0]],4,[],"after_deal",[30,60,8],
[1800000092000,1800000002000,[60000,60000]],null,0,"shop",{"k":"v"},null,null,[],["https://example.org/told",
"whsec_AAAA",["match_started","your_turn","deal_ended","match_ended"]]]}"""


def test_what_was_stored_in_format_3_is_read() -> None:
    rules = resolve({"ace": "skip", "deals": 2}, 2).rules
    deal = Deal(
        rules=rules,
        shuffler=deal_shuffler("match", rules, LAST_SEED, ("tuz", ""), 1),
        number=1,
        dealer=0,
        hands=((3, 18, 21, 23, 29, 34, 42), (12, 27, 28, 35, 38, 44)),
        stock=(
            *(26, 48, 33, 46, 51, 37, 30, 15, 14, 39, 24, 45, 47, 43, 2, 50, 19, 9, 10, 0, 4, 17, 20, 16, 49, 5, 11),
            *(41, 31, 7, 6, 22, 13, 32, 25, 8, 40),
        ),
        discards=(1, 36),
        turn=1,
        phase="turn",
        openings=0,
        direction=1,
        suit=3,
        penalty=0,
        drawn=0,
        has_drawn=False,
        ace_drawn=False,
        barred=(),
        bar_is_new=False,
        moves=3,
        reshuffles=0,
        result=None,
    )
    human = record(0).players[0]._replace(client_seed="tuz", metadata={"elo": "1200"})
    bot = Player(1, "Bot", "", kind="bot", level="hard", played_by="bot")
    stored = record(
        0,
        options={"ace": "skip", "deals": 2},
        status="playing",
        match=Match("match", rules, LAST_SEED, ("tuz", ""), deal, (), ()),
        players=(human, bot),
        started=4,
        clock=Clock(30, 60, 8),
        timing=Timing(NOW_MS + 92_000, NOW_MS + 2_000, (60_000, 60_000)),
        app="shop",
        metadata={"k": "v"},
        webhook=Webhook("https://example.org/told", "whsec_AAAA"),
    )
    assert decode_record("match", 3, THIRD_FORMAT) == stored


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
