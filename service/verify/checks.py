"""The checks of one proof, in their order: each rests on those before it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import pairwise
from typing import Any, Final, NamedTuple

import orjson

from ..engine.cards import CARD_NAMES, card_names
from ..engine.errors import IllegalMove, RulesError
from ..engine.events import CardPlayed, Event
from ..engine.moves import Move, Play, as_move
from ..engine.play import deal_cards
from ..engine.replay import replay
from ..engine.rules import OPTIONS, ResolvedRules, Rules, resolve
from ..engine.shuffle import DERIVATION, Shuffler, chain_member
from ..engine.state import Deal
from .shape import ABANDONED, require_shape
from .verdict import Checks, Fault, Verdict, as_json, judge, require_same


class Known(NamedTuple):
    """What whoever checks knew before the match, from their own notes.

    Attributes:
        commitment: the match's commitment, in hexadecimal; None if it was not noted.
        client_seeds: client seeds by seat, as far as they are known.
    """

    commitment: str | None = None
    client_seeds: Mapping[int, str] = {}


class Subject:
    """A proof under examination, and what follows from it."""

    def __init__(self, document: Any, known: Known) -> None:
        self.document = document
        self.known = known
        self.played: list[tuple[Deal, list[Event]]] = []

    @cached_property
    def seed(self) -> bytes:
        """The deal's server seed."""
        return bytes.fromhex(self.document["seed"])

    @cached_property
    def shuffler(self) -> Shuffler:
        """The source of the deal's random choices."""
        return Shuffler(self.seed, self.document["match_id"], self.document["number"], self.client_seeds)

    @cached_property
    def client_seeds(self) -> tuple[str, ...]:
        """What the players added, in seat order."""
        return tuple(self.document["client_seeds"])

    @cached_property
    def resolved(self) -> ResolvedRules:
        """The options of the match.

        Raises:
            RulesError: they are not valid.
        """
        asked = {name: value for name, value in self.document["rules"].items() if name != "overridden"}
        return resolve(asked, self.document["seats"])

    @property
    def rules(self) -> Rules:
        """The options of the match; only once they are known to be valid."""
        return self.resolved.rules

    @cached_property
    def moves(self) -> list[tuple[int, Move]]:
        """The moves, each with the seat that made it."""
        return [(move["seat"], as_move(move)) for move in self.document["moves"]]

    @property
    def end(self) -> Deal:
        """The deal as it ended; only once the moves are known to be legal."""
        return self.played[-1][0]


def verify(document: Any, known: Known = Known()) -> Verdict:  # noqa: B008  # it is immutable
    """Check the proof of a finished deal: that its cards came as they were fixed before, and that it was played right.

    Args:
        document: the proof, as JSON is read.
        known: what was noted before the match, to be found again in the proof.

    Returns:
        What held, and the first thing that did not.
    """
    subject = Subject(document, known)
    checks = CHECKS if any(known) else {name: check for name, check in CHECKS.items() if check is not _notes}
    return judge(_title(document), checks, subject, _not_anchored(subject))


def _title(document: Any) -> str:
    members = document if isinstance(document, dict) else {}
    return f"deal {members.get('number', '?')} of match {members.get('match_id', '?')}"


def _not_anchored(subject: Subject) -> Iterator[str]:
    """Say what the proof alone cannot show; lazily, because only a proof that holds is spoken of."""
    known = subject.known
    if known.commitment is None:
        yield "The commitment was not compared with one that was noted before the match (--commitment)."
    if "first_dealer" in subject.document:
        yield "That the first dealer was fixed before anybody gave a client seed: the match's first event tells it."
    if not any(subject.client_seeds):
        yield "No player gave a client seed: the service may have chosen among many chains of seeds."
    elif not known.client_seeds:
        yield "No client seed was compared with one that its player knows (--client-seed)."


def _shape(subject: Subject) -> None:
    require_shape(subject.document)


def _derivation(subject: Subject) -> None:
    found = subject.document["derivation"]
    require_same("/derivation", DERIVATION, found, "This verifier does not know the version of the derivation.")


def _rules(subject: Subject) -> None:
    document = subject.document["rules"]
    try:
        resolved = subject.resolved
    except RulesError as error:
        option, detail = error.errors[0]
        raise Fault(f"/rules/{option}", detail, found=as_json(document[option])) from error
    options = {name: document[name] for name in OPTIONS}
    require_same("/rules", resolved.rules.options, options, "The option is not resolved.")
    detail = "These are not the options that differ from the preset."
    require_same("/rules/overridden", list(resolved.overridden), document["overridden"], detail)
    if subject.document["number"] > resolved.rules.deals:
        raise Fault("/number", "The match has fewer deals.", found=as_json(subject.document["number"]))


def _notes(subject: Subject) -> None:
    commitment, client_seeds = subject.known
    if commitment is not None:
        detail = "This is not the commitment that was noted before the match."
        require_same("/commitment", commitment, subject.document["commitment"], detail)
    for seat, client_seed in client_seeds.items():
        if seat >= len(subject.client_seeds):
            raise Fault("/client_seeds", f"There is no seat {seat}.")
        detail = "This is not the client seed that its player knows."
        require_same(f"/client_seeds/{seat}", client_seed, subject.client_seeds[seat], detail)


def _commitment(subject: Subject) -> None:
    document, seed = subject.document, subject.seed
    own = hashlib.sha256(seed).hexdigest()
    require_same("/seed_commitment", own, document["seed_commitment"], "This is not the SHA-256 of the seed.")
    chain = chain_member(seed, document["number"], 0).hex()
    detail = "The seed, hashed as often as the deal's number says, does not give this."
    require_same("/commitment", chain, document["commitment"], detail)


def _first_dealer(subject: Subject) -> None:
    number = subject.document["number"]
    first, how = subject.document.get("first_dealer"), "fixed"
    if first is None:
        first_seed = chain_member(subject.seed, number, 1)
        first, how = Shuffler(first_seed, subject.document["match_id"], 1, subject.client_seeds).first_dealer(), "drawn"
    dealer = (first + number - 1) % len(subject.client_seeds)
    detail = f"Seat {first} was {how} to deal first, and the deal goes round (R2)."
    require_same("/dealer_seat", dealer, subject.document["dealer_seat"], detail)


def _pack(subject: Subject) -> None:
    assert subject.rules.decks is not None
    pack = card_names(subject.shuffler.pack(subject.rules.decks))
    require_same("/pack", pack, subject.document["pack"], "The seeds give another card in this place.")


def _hands_dealt(subject: Subject) -> None:
    document = subject.document
    deal, _ = deal_cards(subject.rules, subject.shuffler, document["number"], document["dealer_seat"])
    hands = [card_names(hand) for hand in deal.hands]
    require_same("/hands_dealt", hands, document["hands_dealt"], "Dealing the pack gives another card here (R3).")


def _moves(subject: Subject) -> None:
    document = subject.document
    positions = replay(subject.rules, subject.shuffler, document["number"], document["dealer_seat"], subject.moves)
    subject.played = [next(positions)]
    for place, (seat, move) in enumerate(subject.moves):
        where = f"Move {place + 1}, by seat {seat}"
        try:
            deal, events = next(positions)
        except IllegalMove as refusal:
            detail = f"{where}, is against the rules: {refusal.detail} ({refusal.clause})"
            raise Fault(f"/moves/{place}", detail, found=as_json(document["moves"][place])) from refusal
        played = events[0]
        if isinstance(played, CardPlayed) and isinstance(move, Play) and move.suit != played.suit:
            raise Fault(f"/moves/{place}/suit", f"{where}, names a suit where none is nominated. (R9)")
        subject.played.append((deal, events))
    if subject.end.turn is not None and document["reason"] != ABANDONED:
        raise Fault("/moves", f"The deal is not over after its last move: seat {subject.end.turn} is on turn.")


def _reshuffles(subject: Subject) -> None:
    made = []
    for ((before, _), (after, _)), (_, move) in zip(pairwise(subject.played), subject.moves, strict=True):
        if after.reshuffles > before.reshuffles:
            laid = (move.card,) if isinstance(move, Play) else ()
            pile = (*before.discards, *laid)[:-1]
            stock = subject.shuffler.reshuffle(after.reshuffles, pile)
            made.append({"pile": card_names(pile), "stock": card_names(stock)})
    require_same("/reshuffles", made, subject.document["reshuffles"], "The moves and seeds give another reshuffle.")


def _hands(subject: Subject) -> None:
    hands = [card_names(hand) for hand in subject.end.hands]
    require_same("/hands", hands, subject.document["hands"], "The moves leave other cards in this hand.")


def _result(subject: Subject) -> None:
    for name, value in _result_members(subject).items():
        require_same(f"/{name}", value, subject.document[name], "The deal ended otherwise (R14 to R18).")


def _result_members(subject: Subject) -> dict[str, Any]:
    result = subject.end.result
    if result is None:
        points = [0] * subject.document["seats"]
        return {"reason": ABANDONED, "winners": [], "multiplier": 1, "points": points, "final_card": None}
    return {
        "reason": result.reason,
        "winners": list(result.winners),
        "multiplier": result.multiplier,
        "points": list(result.points),
        "final_card": None if result.final_card is None else CARD_NAMES[result.final_card],
    }


def _digest(subject: Subject) -> None:
    detail = "This is not the SHA-256 of the other members."
    require_same("/digest", digest(subject.document), subject.document["digest"], detail)


def digest(document: Mapping[str, Any]) -> str:
    """Give the SHA-256, in hexadecimal, of the canonical JSON (RFC 8785) of a proof without its digest.

    Names are ASCII and numbers whole, so that sorting the names is all that canonical JSON asks beside orjson's form.
    """
    members = {name: value for name, value in document.items() if name != "digest"}
    return hashlib.sha256(orjson.dumps(members, option=orjson.OPT_SORT_KEYS)).hexdigest()


CHECKS: Final[Checks[Subject]] = {
    "shape": _shape,
    "derivation": _derivation,
    "rules": _rules,
    "notes": _notes,
    "commitment": _commitment,
    "first dealer": _first_dealer,
    "pack": _pack,
    "hands dealt": _hands_dealt,
    "moves": _moves,
    "reshuffles": _reshuffles,
    "hands": _hands,
    "result": _result,
    "digest": _digest,
}
"""Every check by its name, in the order in which they are made."""
