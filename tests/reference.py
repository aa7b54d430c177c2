"""A second, deliberately naive implementation of the rules, to compare the engine with.

It was written from the rules alone. Cards are names, a deal is one mutable object, and a move is legal when it stands
in the list of all legal moves. It is slow and explains nothing to players: its only purpose is to be different.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

VALUES = {"J": 25, "7": 20, "A": 15, "K": 10, "Q": 10} | {str(number): number for number in (2, 3, 4, 5, 6, 8, 9, 10)}
MOST_MOVES = 1000

Reshuffle = Callable[[int, list[str]], list[str]]


def rank(card: str) -> str:
    return card[:-1]


def suit(card: str) -> str:
    return card[-1]


def worth(hand: Sequence[str]) -> int:
    return sum(VALUES[rank(card)] for card in hand)


class ReferenceDeal:
    """One deal; `moves` lists what may be done, `do` does it."""

    def __init__(self, options: Mapping[str, Any], seats: int, dealer: int, pack: list[str], reshuffle: Reshuffle):
        self.options = dict(options)
        self.seats = seats
        self.reshuffle = reshuffle
        self.hands: list[list[str]] = [[] for _ in range(seats)]
        self.stock = list(pack)
        for _ in range(options["hand_size"]):
            for step in range(1, seats + 1):
                self.hands[(dealer + step) % seats].append(self.stock.pop(0))
        self.pile: list[str] = []
        self.suit: str | None = None
        self.turn: int | None = (dealer + 1) % seats
        self.unopened = seats if options["opening"] == "everyone" else 1
        self.way = 1
        self.owed = 0
        self.drawn = 0
        self.drew = False
        self.after_ace = False
        self.ace_card_taken = False
        self.bars: dict[int, str] = {}
        self.made = 0
        self.reshuffles = 0
        self.result: dict[str, Any] | None = None
        self.settle()

    @property
    def phase(self) -> str:
        if self.result:
            return "over"
        if self.unopened:
            return "opening"
        return "second_card" if self.after_ace else "turn"

    def mover(self) -> int:
        assert self.turn is not None
        return self.turn

    def next_seat(self, seat: int) -> int:
        return (seat + self.way) % self.seats

    def supply(self) -> int:
        discards = max(len(self.pile) - 1, 0) if self.options["stock_out"] == "reshuffle" else 0
        return len(self.stock) + discards

    def snapshot(self) -> dict[str, Any]:
        return {
            "turn": self.turn,
            "phase": self.phase,
            "suit": self.suit,
            "penalty": self.owed,
            "drawn": self.drawn,
            "barred": sorted(self.bars),
            "direction": self.way,
            "hands": [sorted(hand) for hand in self.hands],
            "stock": self.stock,
            "pile": self.pile,
            "result": self.result,
        }

    def fits(self, card: str) -> bool:
        seat = self.mover()
        if seat in self.bars and len(self.hands[seat]) == 1:
            return False
        if self.unopened:
            return suit(card) == "C"
        if self.owed:
            return rank(card) == "7" and self.options["seven_run"] != "single"
        top_is_jack = rank(self.pile[-1]) == "J"
        if rank(card) == "J":
            return not top_is_jack or bool(self.options["jack_on_jack"])
        if top_is_jack:
            return suit(card) == self.suit
        return rank(card) == rank(self.pile[-1]) or suit(card) == suit(self.pile[-1])

    def playable(self) -> set[str]:
        return {card for card in self.hands[self.mover()] if self.fits(card)}

    def plays(self) -> set[str]:
        cards_held = len(self.hands[self.mover()])
        texts = set()
        for card in self.playable():
            suits = [""]
            if rank(card) == "J" and not self.unopened and cards_held > 1:
                barred_suit = self.suit if self.options["jack_suit"] == "different" else None
                suits = [f"[{name}]" for name in "CDHS" if name != barred_suit]
            calls = ["", "!tek"] if self.options["last_card_call"] == "tek" and cards_held == 2 else [""]
            texts |= {card + suit_text + call for suit_text in suits for call in calls}
        return texts

    def moves(self) -> set[str]:
        if self.result:
            return set()
        plays = self.plays()
        draw = {"draw"} if self.supply() else set()
        if self.unopened:
            return plays or draw
        if self.owed:
            return plays | draw
        if self.after_ace:
            if self.options["ace"] == "again":
                return plays | {"pass"}
            if plays:
                return plays
            return draw if draw and not self.ace_card_taken else {"pass"}
        limit = self.options["draw_limit"]
        if limit is not None and self.drawn >= limit:
            draw = set()
        if self.options["draw_only_if_unable"] and plays:
            draw = set()
        may_pass = self.drew
        if plays and self.options["must_play_if_able"]:
            may_pass = False
        if self.options["pass"] == "only_if_stuck" and (plays or draw):
            may_pass = False
        return plays | draw | ({"pass"} if may_pass else set())

    def meant(self, text: str) -> str:
        """Drop a suit that is given with a jack that needs none."""
        head, _, call = text.partition("!")
        card, _, named = head.partition("[")
        if named and rank(card) == "J" and (self.unopened or len(self.hands[self.mover()]) == 1):
            return card + ("!" + call if call else "")
        return text

    def do(self, text: str) -> bool:
        """Make a move if it is legal, and say whether it was."""
        if self.result or self.meant(text) not in self.moves():
            return False
        self.made += 1
        if text in ("draw", "pass"):
            self.draw() if text == "draw" else self.end_turn(1)
        else:
            self.play(self.meant(text))
        self.settle()
        if self.options["stock_out"] == "reshuffle" and self.made >= MOST_MOVES:
            self.stop()
        return True

    def take(self, seat: int, count: int) -> bool:
        """Give cards to a seat; false when there were too few."""
        for _ in range(count):
            if not self.stock:
                if not self.supply():
                    return False
                self.reshuffles += 1
                self.stock = self.reshuffle(self.reshuffles, self.pile[:-1])
                self.pile = self.pile[-1:]
            self.hands[seat].append(self.stock.pop(0))
            if len(self.hands[seat]) >= 2:
                self.bars.pop(seat, None)
        return True

    def draw(self) -> None:
        seat = self.mover()
        if self.owed:
            enough = self.take(seat, self.owed)
            self.owed = 0
            if not enough:
                self.stop()
            elif self.options["after_penalty"] == "continue":
                self.drew = True
            else:
                self.end_turn(1)
            return
        self.take(seat, 1)
        if self.after_ace:
            self.ace_card_taken = True
        elif not self.unopened:
            self.drawn += 1
            self.drew = True

    def play(self, text: str) -> None:
        seat = self.mover()
        called = text.endswith("!tek")
        card, _, named = text.removesuffix("!tek").rstrip("]").partition("[")
        hand = self.hands[seat]
        hand.remove(card)
        self.pile.append(card)
        self.suit = named or suit(card)
        opening = self.unopened > 0
        if not hand:
            self.go_out(card, opening)
            return
        if len(hand) == 1 and self.options["last_card_call"] == "tek" and not called:
            self.bars[seat] = "new"
        if opening:
            self.unopened -= 1
            self.end_turn(1)
        elif rank(card) == "A":
            self.ace(seat)
        elif rank(card) == "7":
            self.raise_penalty()
            self.end_turn(1)
        elif rank(card) == "8" and self.options["eight"] == "skip":
            self.end_turn(2)
        elif rank(card) == "10":
            self.way = -self.way
            self.end_turn(2 if self.seats == 2 and self.options["ten_two_seats"] == "skip" else 1)
        else:
            self.end_turn(1)

    def raise_penalty(self) -> None:
        each = self.options["seven_draw"]
        self.owed = self.owed * 2 if self.options["seven_run"] == "double" and self.owed else self.owed + each

    def ace(self, seat: int) -> None:
        kind = self.options["ace"]
        if kind in ("again", "must_follow"):
            self.after_ace = True
            self.ace_card_taken = False
        elif kind == "everyone_draws":
            other = self.next_seat(seat)
            while other != seat:
                if not self.take(other, 1):
                    self.stop()
                    return
                other = self.next_seat(other)
            self.end_turn(0)
        elif kind == "next_draws" and not self.take(self.next_seat(seat), 1):
            self.stop()
        else:
            self.end_turn(2 if kind in ("next_draws", "skip") else 1)

    def end_turn(self, steps: int) -> None:
        seat = self.mover()
        if self.bars.pop(seat, "") == "new":
            self.bars[seat] = "old"
        for _ in range(steps):
            seat = self.next_seat(seat)
        self.turn = seat
        self.drawn = 0
        self.drew = False
        self.after_ace = False

    def settle(self) -> None:
        """Let a seat that can do nothing miss its turn, or end the deal."""
        while not self.result and not self.moves():
            if self.mover() in self.bars and not self.owed:
                self.bars.pop(self.mover())
                self.end_turn(1)
            else:
                self.stop()

    def go_out(self, card: str, opening: bool) -> None:
        winner = self.mover()
        if rank(card) == "7" and self.options["last_seven"] == "draws" and not opening:
            self.raise_penalty()
            self.take(self.next_seat(winner), self.owed)
        multiplier = {"7": 3, "J": 2}.get(rank(card), 1)
        points = [worth(hand) * multiplier for hand in self.hands]
        self.finish("went_out", [winner], multiplier, points, card)

    def stop(self) -> None:
        if self.result:
            return
        left = [worth(hand) for hand in self.hands]
        winners = [seat for seat in range(self.seats) if left[seat] == min(left)]
        if self.options["stock_out_score"] == "winner_zero":
            left = [0 if seat in winners else left[seat] for seat in range(self.seats)]
        self.finish("stock_out", winners, 1, left, None)

    def finish(self, reason: str, winners: list[int], multiplier: int, points: list[int], card: str | None) -> None:
        names = ("reason", "winners", "multiplier", "points", "final_card")
        self.result = dict(zip(names, (reason, winners, multiplier, points, card), strict=True))
        self.turn = None
        self.owed = self.drawn = 0
        self.bars = {}
