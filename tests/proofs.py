"""Proofs of finished deals, made from the engine alone as the contract describes them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from random import Random
from typing import Any

from service.engine import match as game
from service.engine.cards import CARD_NAMES, SUIT_NAMES, card_names, parse_card
from service.engine.events import CardPlayed, Result, StockReshuffled
from service.engine.match import Match
from service.engine.moves import Move, Play, parse_move
from service.engine.replay import replay
from service.engine.rules import resolve
from service.engine.shuffle import DERIVATION, chain_member
from service.engine.state import Deal
from tests.golden.record import FOLDER, TABLES, choose, moves_of

Json = dict[str, Any]


@cache
def golden_proofs(name: str) -> list[str]:
    """Give the proofs of the deals of a recorded match, each as JSON."""
    client_seeds, asked = TABLES[name]
    moves = map(parse_move, moves_of((FOLDER / f"{name}.txt").read_text("utf-8")))
    seed = hashlib.sha256(name.encode()).digest()
    return [json.dumps(proof) for proof in proofs(asked, client_seeds, name, seed, lambda _: next(moves))]


def golden_proof(name: str, number: int = 1) -> Json:
    """Give the proof of a deal of a recorded match, to be changed at will."""
    proof: Json = json.loads(golden_proofs(name)[number - 1])
    return proof


def random_proofs(
    random: Random, asked: Mapping[str, Any], client_seeds: list[str], first_dealer: int | None = None
) -> Iterator[Json]:
    """Play a match at random and give the proofs of its deals."""
    match_id, seed = f"random-{random.randrange(10**9)}", random.randbytes(32)
    return proofs(asked, client_seeds, match_id, seed, lambda match: parse_move(choose(match, random)), first_dealer)


def proofs(
    asked: Mapping[str, Any],
    client_seeds: list[str],
    match_id: str,
    seed: bytes,
    mover: Callable[[Match], Move],
    first_dealer: int | None = None,
) -> Iterator[Json]:
    """Play a match and give the proofs of its deals."""
    resolved = resolve(asked, len(client_seeds))
    rules = {"preset": resolved.preset, "overridden": list(resolved.overridden), **resolved.rules.options}
    match, _ = game.start(match_id, resolved.rules, seed, tuple(client_seeds), first_dealer)
    fixed = {} if first_dealer is None else {"first_dealer": first_dealer}
    while match.deal.turn is not None:
        dealt, moves = match.deal, list[tuple[int, Move]]()
        while match.deal.number == dealt.number and match.deal.turn is not None:
            seat, move = match.deal.turn, mover(match)
            match, happenings = game.play(match, seat, move)
            played = happenings[0][1]
            if isinstance(move, Play) and isinstance(played, CardPlayed):
                move = move._replace(suit=played.suit)
            moves.append((seat, move))
        yield sealed({"match_id": match_id, "rules": rules, **fixed, **_told(dealt, moves, match.results[-1])})


def _told(dealt: Deal, moves: list[tuple[int, Move]], result: Result) -> Json:
    """Tell a deal that was played."""
    shuffler = dealt.shuffler
    played = list(replay(dealt.rules, shuffler, dealt.number, dealt.dealer, moves))
    discards: list[str] = []
    reshuffles: list[Json] = []
    for _, events in played:
        for event in events:
            if isinstance(event, CardPlayed):
                discards.append(CARD_NAMES[event.card])
            elif isinstance(event, StockReshuffled):
                *pile, top = discards
                discards = [top]
                stock = shuffler.reshuffle(len(reshuffles) + 1, map(parse_card, pile))
                reshuffles.append({"pile": pile, "stock": card_names(stock)})
    assert dealt.rules.decks is not None
    return {
        "number": dealt.number,
        "seats": len(dealt.hands),
        **result._asdict(),
        "winners": list(result.winners),
        "points": list(result.points),
        "final_card": None if result.final_card is None else CARD_NAMES[result.final_card],
        "hands": [card_names(hand) for hand in played[-1][0].hands],
        "derivation": DERIVATION,
        "commitment": chain_member(shuffler.server_seed, dealt.number, 0).hex(),
        "seed_commitment": shuffler.commitment,
        "seed": shuffler.server_seed.hex(),
        "client_seeds": list(shuffler.client_seeds),
        "dealer_seat": dealt.dealer,
        "pack": card_names(shuffler.pack(dealt.rules.decks)),
        "hands_dealt": [card_names(hand) for hand in dealt.hands],
        "moves": [_move(seat, move) for seat, move in moves],
        "reshuffles": reshuffles,
    }


def _move(seat: int, move: Move) -> Json:
    told: Json = {"seat": seat, "by": "player", "type": type(move).__name__.lower()}
    if isinstance(move, Play):
        told["card"] = CARD_NAMES[move.card]
        told |= {} if move.suit is None else {"suit": SUIT_NAMES[move.suit]}
        told |= {} if move.call is None else {"call": move.call}
    return told


def sealed(document: Json) -> Json:
    """Give a proof the digest of its other members."""
    members = {name: value for name, value in document.items() if name != "digest"}
    canonical = json.dumps(members, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return {**members, "digest": hashlib.sha256(canonical.encode()).hexdigest()}
