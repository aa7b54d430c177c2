"""A match: a run of deals with one running score."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from .events import Event, MatchEnded, Result
from .moves import Move
from .play import apply, deal_cards
from .rules import Rules
from .scoring import lowest_totals
from .shuffle import Shuffler, chain_member
from .state import Deal

Happening: TypeAlias = tuple[int | None, Event]
"""An event and the number of its deal; None for what concerns the whole match."""


class Match(NamedTuple):
    """A match that has started.

    Attributes:
        match_id: its identity, which enters every shuffle.
        rules: its options, complete.
        last_seed: the secret end of its chain of seeds.
        client_seeds: what the players added to the shuffles, in seat order.
        deal: the deal being played, or the last one.
        results: how the finished deals ended, in order.
        winners: the winning seats once it is over, ascending; else none.
    """

    match_id: str
    rules: Rules
    last_seed: bytes
    client_seeds: tuple[str, ...]
    deal: Deal
    results: tuple[Result, ...]
    winners: tuple[int, ...]

    @property
    def totals(self) -> tuple[int, ...]:
        """The running score of each seat."""
        return totals(self.results, len(self.client_seeds))


def totals(results: tuple[Result, ...], seats: int) -> tuple[int, ...]:
    """Add up the points of finished deals, by seat."""
    return tuple(map(sum, zip(*[result.points for result in results], strict=True))) if results else (0,) * seats


def commitment(last_seed: bytes, rules: Rules) -> str:
    """Give what commits to every shuffle of a match (R22), in hexadecimal."""
    return chain_member(last_seed, rules.deals, 0).hex()


def start(
    match_id: str, rules: Rules, last_seed: bytes, client_seeds: tuple[str, ...], first_dealer: int | None = None
) -> tuple[Match, list[Happening]]:
    """Deal the first deal (R2).

    Args:
        match_id: the match's identity.
        rules: its options, with `decks` resolved.
        last_seed: 32 secret random bytes, the end of the chain of seeds.
        client_seeds: one text a seat, empty for those who gave none; their number is the number of seats.
        first_dealer: who deals in a rematch; None to let the shuffle draw the dealer.
    """
    shuffler = deal_shuffler(match_id, rules, last_seed, client_seeds, 1)
    dealer = shuffler.first_dealer() if first_dealer is None else first_dealer
    deal, events = deal_cards(rules, shuffler, 1, dealer)
    match = Match(match_id, rules, last_seed, client_seeds, deal, (), ())
    return match, [(1, event) for event in events]


def play(match: Match, seat: int, move: Move) -> tuple[Match, list[Happening]]:
    """Carry out a move; when it ends a deal, deal the next one or end the match.

    Raises:
        NotOnTurn: another seat is on turn, or the match is over (R21).
        IllegalMove: the rules forbid the move.
    """
    deal, events = apply(match.deal, seat, move)
    happenings: list[Happening] = [(deal.number, event) for event in events]
    match = match._replace(deal=deal)
    if deal.result is None:
        return match, happenings
    match = match._replace(results=(*match.results, deal.result))
    return _end(match, happenings) if _is_last(match) else _deal_next(match, happenings)


def _is_last(match: Match) -> bool:
    target = match.rules.target_score
    reached = target is not None and max(match.totals) >= target
    return reached or len(match.results) >= match.rules.deals


def _end(match: Match, happenings: list[Happening]) -> tuple[Match, list[Happening]]:
    match = match._replace(winners=lowest_totals(match.totals))
    return match, [*happenings, (None, MatchEnded(match.totals, match.winners))]


def _deal_next(match: Match, happenings: list[Happening]) -> tuple[Match, list[Happening]]:
    number = match.deal.number + 1
    dealer = (match.deal.dealer + 1) % len(match.client_seeds)
    shuffler = deal_shuffler(match.match_id, match.rules, match.last_seed, match.client_seeds, number)
    deal, events = deal_cards(match.rules, shuffler, number, dealer)
    return match._replace(deal=deal), [*happenings, *((number, event) for event in events)]


def deal_shuffler(
    match_id: str, rules: Rules, last_seed: bytes, client_seeds: tuple[str, ...], number: int
) -> Shuffler:
    """Give the source of the random choices of a deal."""
    return Shuffler(chain_member(last_seed, rules.deals, number), match_id, number, client_seeds)
