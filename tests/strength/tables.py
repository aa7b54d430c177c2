"""Bots at a table: each is shown what the service shows a player at its seat, nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import NamedTuple, TypeAlias

from service.engine.events import Event
from service.engine.legal import legal_moves
from service.engine.play import apply, deal_cards
from service.engine.rules import Rules
from service.engine.shuffle import SEED_BYTES, Shuffler
from service.engine.state import Deal
from service.identity import Caller
from service.telling import event_data
from service.view import Data, match_view, postable_moves, redacted
from tests.tables import playing

Player: TypeAlias = Callable[[Data, Sequence[Data], Random], Data]
"""A player: from its view and the log that it could follow to the body of its move."""


class Moment(NamedTuple):
    """A seat is on turn: the deal as it is, and what the seat is shown."""

    deal: Deal
    view: Data
    log: Sequence[Data]


def deal_of(rules: Rules, seats: int, random: Random) -> tuple[Deal, list[Event]]:
    """Deal at random."""
    shuffler = Shuffler(random.randbytes(SEED_BYTES), "strength", 1, ("",) * seats)
    return deal_cards(rules, shuffler, 1, random.randrange(seats))


def play_deal(dealt: tuple[Deal, list[Event]], players: Sequence[Player], random: Random) -> Iterator[Moment]:
    """Play a deal to its end; give every moment of it, and the last one once more when it is over."""
    deal, events = dealt
    callers = [Caller(seat, is_host=False) for seat in range(len(players))]
    logs: list[list[Data]] = [[] for _ in players]
    record = playing(deal, rules=deal.rules)
    assert record.match
    while True:
        for event in map(event_data, events):
            for log, caller in zip(logs, callers, strict=True):
                log.append(redacted(event, caller))
        seat = deal.turn or 0
        record = record._replace(match=record.match._replace(deal=deal))
        moment = Moment(deal, match_view(record, callers[seat], ttl_seconds=60), logs[seat])
        yield moment
        if deal.turn is None:
            return
        body = players[seat](moment.view, moment.log, random)
        move = legal_moves(deal)[postable_moves(record, callers[seat]).index(body)]
        deal, events = apply(deal, seat, move)
