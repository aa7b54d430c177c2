"""A deal played on the naive reference beside the service, as far as its cards are known."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.reference import ReferenceDeal, rank, suit

UNKNOWN = "?"
DIRECTIONS = {1: "clockwise", -1: "counterclockwise"}
RANKS = ("A", *map(str, range(2, 11)), "J", "Q", "K")


def in_order(hand: list[str]) -> list[str]:
    return sorted(hand, key=lambda card: ("CDHS".index(suit(card)), RANKS.index(rank(card))))


def text_of(move: dict[str, Any]) -> str:
    """Write a posted move as the reference does."""
    if move["type"] != "play":
        return str(move["type"])
    nominated = f"[{move['suit']}]" if "suit" in move else ""
    return str(move["card"]) + nominated + ("!tek" if "call" in move else "")


class Shadow:
    """One deal on the reference, which learns the cards of the stock as players draw them."""

    def __init__(self, rules: dict[str, Any], number: int, dealer: int, hands: list[list[str]]) -> None:
        self.number = number
        self.dealer = dealer
        self.drawn: list[str] = []
        seats = len(hands)
        places = [
            (place, (dealer + step) % seats) for place in range(rules["hand_size"]) for step in range(1, seats + 1)
        ]
        pack = [hands[seat][place] for place, seat in places]
        stock = [UNKNOWN] * (52 * rules["decks"] - len(pack))
        self.deal = ReferenceDeal(rules, seats, dealer, pack + stock, self._reshuffled)

    def _reshuffled(self, number: int, pile: list[str]) -> list[str]:
        known, self.drawn = self.drawn[: len(pile)], self.drawn[len(pile) :]
        assert all(known.count(card) <= pile.count(card) for card in known), "a reshuffle brought new cards"
        return known + [UNKNOWN] * (len(pile) - len(known))

    def do(self, move: dict[str, Any], drawn: list[str]) -> None:
        """Make a move that drew these cards."""
        at_once = min(len(drawn), len(self.deal.stock))
        self.deal.stock[:at_once] = drawn[:at_once]
        self.drawn = drawn[at_once:]
        assert self.deal.do(text_of(move)), f"the reference refuses {move}"
        assert not self.drawn, "more cards were drawn than the reference draws"

    @property
    def result(self) -> dict[str, Any] | None:
        return self.deal.result and {"number": self.number, **self.deal.result}

    def deal_view(self) -> dict[str, Any]:
        deal = self.deal
        return {
            "number": self.number,
            "dealer_seat": self.dealer,
            "phase": deal.phase,
            "turn_seat": deal.turn,
            "drawn": deal.drawn,
            "direction": DIRECTIONS[deal.way],
            "top_card": deal.pile[-1] if deal.pile else None,
            "suit_in_force": deal.suit,
            "penalty": deal.owed,
            "barred": sorted(deal.bars),
            "stock_count": len(deal.stock),
            "discard_count": len(deal.pile),
        }

    def compact_moves(self, seat: int) -> list[dict[str, Any]]:
        if self.deal.turn != seat:
            return []
        texts = self.deal.moves()
        moves: list[dict[str, Any]] = []
        for card in in_order(list(set(self.deal.hands[seat]))):
            suits = [name for name in "CDHS" if f"{card}[{name}]" in texts]
            if suits:
                moves.append({"type": "play", "card": card, "suits": suits})
            elif card in texts:
                moves.append({"type": "play", "card": card})
        if "draw" in texts:
            moves.append({"type": "draw", "count": self.deal.owed or 1})
        return moves + ([{"type": "pass"}] if "pass" in texts else [])


def replayed(proof: dict[str, Any]) -> Iterator[tuple[Shadow, dict[str, Any]]]:
    """Play a proved deal again on the reference; give each move with the deal before it, and compare the end."""
    rules, seats = proof["rules"], proof["seats"]
    shadow = Shadow(rules, proof["number"], proof["dealer_seat"], [["?"] * rules["hand_size"]] * seats)
    stocks = [reshuffle["stock"] for reshuffle in proof["reshuffles"]]
    shadow.deal = ReferenceDeal(
        rules, seats, proof["dealer_seat"], list(proof["pack"]), lambda number, pile: list(stocks[number - 1])
    )
    for move in proof["moves"]:
        assert shadow.deal.mover() == move["seat"]
        assert text_of(move) in shadow.deal.moves(), f"not legal: {move}"
        yield shadow, move
        assert shadow.deal.do(text_of(move))
    assert shadow.result == {name: proof[name] for name in shadow.result or {}}
    assert proof["hands"] == [in_order(hand) for hand in shadow.deal.hands]
