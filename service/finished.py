"""Deals that are over: their part of the log, and every position in them."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from .dealings import Visit
from .engine.cards import card_names
from .engine.match import deal_shuffler
from .engine.moves import as_move
from .engine.replay import replay
from .errors import Refusal, no_match
from .proof import moves_of
from .record import Record
from .store.base import Store
from .streaming import read_log
from .view import Data, deal_view, veils_deals


def deal_log(store: Store, visit: Visit, number: int) -> list[Data]:
    """Read the events of a finished deal, complete, from `deal_started` to `deal_ended` or `match_abandoned`.

    Raises:
        Refusal: `deal_not_found`, `token_required`, `deal_unfinished`, or `match_not_found` when the match expires
            meanwhile.
    """
    record, match = visit.record, visit.record.match
    if match is None or not 1 <= number <= match.deal.number:
        raise Refusal("deal_not_found", "This match has had no deal with this number.")
    if veils_deals(record, visit.caller):
        raise Refusal("token_required", "Those without a token see the deals of this match when it is over.")
    if number > len(record.deal_ends):
        raise Refusal("deal_unfinished", "This deal is still being played.")
    before = record.deal_ends[number - 2] if number > 1 else record.started
    end = record.deal_ends[number - 1]
    log = read_log(store, record.match_id, before, end - before)
    if not log or log[-1]["seq"] != end:
        raise no_match()
    return [event for event in log if event["deal"] == number]


def position_view(record: Record, number: int, log: Sequence[Data], made: int) -> Data:
    """Show a finished deal as it was after some of its moves, all cards open.

    Args:
        record: the match.
        number: which of its finished deals, from 1.
        log: the events of this deal, as `deal_log` gives them.
        made: after how many moves; 0 for the deal as it was dealt.

    Raises:
        Refusal: `position_not_found`, when the deal had fewer moves.
    """
    match = record.match
    assert match is not None
    moves = moves_of(log, match.rules)
    if made > len(moves):
        raise Refusal("position_not_found", f"This deal had {len(moves)} moves.")
    shuffler = deal_shuffler(match.match_id, match.rules, match.last_seed, match.client_seeds, number)
    made_moves = [(move["seat"], as_move(move)) for move in moves[:made]]
    positions = replay(match.rules, shuffler, number, log[0]["dealer_seat"], made_moves)
    deal, _ = deque(positions, maxlen=1).pop()
    return {
        "move": made,
        "moves": len(moves),
        "last_move": moves[made - 1] if made else None,
        **deal_view(deal),
        "hands": [card_names(hand) for hand in deal.hands],
        "stock": card_names(deal.stock),
        "discards": card_names(deal.discards),
    }
