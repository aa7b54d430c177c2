"""How the demonstration looks in a terminal: a line a turn, a table after each deal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, TextIO

SYMBOLS: Final = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
SUIT_WORDS: Final = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
ARROWS: Final = {"clockwise": "↻", "counterclockwise": "↺"}
PLAYER_COLOURS: Final = (36, 33, 35, 32, 34, 96, 93, 95, 92, 94)
WIDTH: Final = 78
INDENT: Final = 13
HAND_COLUMN: Final = 46
CARD_WIDTH: Final = 4
BOLD, DIM, RED = "1", "2", "1;31"

Json = dict[str, Any]


class Show:
    """Writes what happens, in colour where that is welcome."""

    def __init__(self, out: TextIO, *, colour: bool) -> None:
        """Take where to write, and whether in colour."""
        self._out = out
        self._colour = colour
        self._names: list[str] = []
        self._totals: list[int] = []
        self._deals = 0
        self._arrow = ""
        self._turn: int | None = None
        self._column = 0
        self._drawing = False
        self._given: int | None = None
        self._comma = False
        self._hand: list[str] = []

    def begin(self, view: Json, path: str) -> None:
        """Introduce a match that has started."""
        self._names = [player["name"] for player in view["players"]]
        self._totals = [0] * len(self._names)
        self._deals = view["rules"]["deals"]
        self._line()
        self._line(f"  {self._paint('PIS YEDİLİ', BOLD)}   {self._paint(path, DIM)}")
        self._line(f"  {self._count(self._deals, 'deal')}, rules: {view['rules']['preset']}")
        self._line("  " + "  ".join(self._name(seat) for seat in range(len(self._names))))

    def tell(self, events: Sequence[Json], view: Json) -> None:
        """Show events in their order.

        Args:
            events: what happened, as the seat that moved may see it.
            view: the match afterwards, as that seat sees it.
        """
        self._hand = view["you"]["hand"]
        for event in events:
            if event["type"] != "cards_drawn":
                self._given = None
            show = getattr(self, f"_{event['type']}", None)
            if show is not None:
                show(event)

    def _deal_started(self, event: Json) -> None:
        self._arrow = ARROWS["clockwise"]
        title = f" Deal {event['deal']} of {self._deals} "
        self._line()
        self._line(self._paint(f"──{title}{'─' * (WIDTH - 2 - len(title))}", BOLD))
        self._line(
            f"  {self._name(event['dealer_seat'])} deals, {self._count(event['stock_count'], 'card')} in the stock"
        )
        self._line()

    def _turn_started(self, event: Json) -> None:
        self._end_turn(self._hand)
        self._turn = event["seat"]
        width = max(map(len, self._names))
        name = self._names[event["seat"]]
        self._add(f"  {self._arrow} {self._name(event['seat'])}{' ' * (width - len(name))}  ", 6 + width)
        if event["phase"] == "opening":
            self._say("opens:")
        if event["penalty"]:
            self._say(f"owes {event['penalty']}:", RED)

    def _card_played(self, event: Json) -> None:
        self._act("plays")
        self._cards([event["card"]])
        if event["suit"]:
            self._say(f"asks for {SUIT_WORDS[event['suit']]}", BOLD)
        if event["call"]:
            self._say(f"“{event['call'].capitalize()}!”", BOLD)

    def _cards_drawn(self, event: Json) -> None:
        if event["seat"] != self._turn:
            name = self._names[event["seat"]]
            self._say(name if event["count"] == self._given else f"· {self._count(event['count'], 'card')} to {name}")
            self._given = event["count"]
            return
        if not self._drawing:
            self._act("draws")
        self._drawing = True
        if event["count"] > 3 or "cards" not in event:
            self._say(self._count(event["count"], "card"))
        else:
            self._cards(event["cards"])

    def _turn_passed(self, _event: Json) -> None:
        self._act("passes")

    def _turn_skipped(self, event: Json) -> None:
        self._say(f"· {self._names[event['seat']]} is skipped")

    def _direction_reversed(self, event: Json) -> None:
        self._arrow = ARROWS[event["direction"]]
        self._say(f"· play turns {self._arrow}")

    def _penalty_raised(self, event: Json) -> None:
        self._say(f"· penalty {event['penalty']}", RED)

    def _stock_reshuffled(self, event: Json) -> None:
        self._say(f"· {self._count(event['stock_count'], 'card')} reshuffled")

    def _deal_ended(self, event: Json) -> None:
        self._end_turn([] if self._turn is None else event["hands"][self._turn])
        winners = " and ".join(self._name(seat) for seat in event["winners"])
        self._line()
        if event["final_card"]:
            times = f", all points times {event['multiplier']}" if event["multiplier"] > 1 else ""
            self._line(f"  {winners} goes out with {self.card(event['final_card'])}{times}")
        else:
            self._line(f"  The stock has run out: {winners} with the lowest hand")
        self._table(event)

    def _table(self, event: Json) -> None:
        self._totals = [total + points for total, points in zip(self._totals, event["points"], strict=True)]
        width = max(map(len, self._names))
        self._line()
        self._line(self._paint(f"    {'':{width}}  points   total   left in the hand", DIM))
        for seat, name in enumerate(self._names):
            star = self._paint("★", "1;33") if seat in event["winners"] else " "
            numbers = f"{event['points'][seat]:6}  {self._totals[seat]:6}"
            hand = self._rows(event["hands"][seat], width + 23)
            self._line(f"  {star} {self._name(seat)}{' ' * (width - len(name))}  {numbers}   {hand}")

    def _match_ended(self, event: Json) -> None:
        order = sorted(range(len(self._names)), key=lambda seat: event["totals"][seat])
        width = max(map(len, self._names))
        self._line()
        self._line(self._paint("═" * WIDTH, BOLD))
        for seat in order:
            star = self._paint("★", "1;33") if seat in event["winners"] else " "
            gap = " " * (width - len(self._names[seat]))
            self._line(f"  {star} {self._name(seat)}{gap}  {event['totals'][seat]:6}")
        winners = " and ".join(self._names[seat] for seat in event["winners"])
        self._line()
        verb = "wins" if len(event["winners"]) == 1 else "win"
        self._line(f"  {self._paint(f'{winners} {verb} the match!', BOLD)}")
        self._line()

    def card(self, card: str) -> str:
        """Show a card with the symbol of its suit, the red ones in red."""
        return self._paint(card[:-1] + SYMBOLS[card[-1]], RED if card[-1] in "DH" else BOLD)

    def cards(self, cards: Sequence[str]) -> str:
        """Show cards in a row."""
        return " ".join(map(self.card, cards))

    def _rows(self, cards: Sequence[str], column: int) -> str:
        """Show cards from a column on, in as many lines as it takes."""
        each = (WIDTH + 1 - column) // CARD_WIDTH
        rows = (self.cards(cards[first : first + each]) for first in range(0, len(cards), each))
        return ("\n" + " " * column).join(rows)

    def _name(self, seat: int) -> str:
        return self._paint(self._names[seat], f"1;{PLAYER_COLOURS[seat]}")

    def _count(self, number: int, what: str) -> str:
        return f"{number} {what}{'' if number == 1 else 's'}"

    def _paint(self, text: str, code: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self._colour else text

    def _act(self, verb: str) -> None:
        """Begin another action of the same turn."""
        self._say(f"· {verb}" if self._comma else verb)
        self._comma, self._drawing = True, False

    def _cards(self, cards: Sequence[str]) -> None:
        self._add(self.cards(cards) + " ", len(" ".join(cards)) + 1)

    def _say(self, text: str, code: str = "") -> None:
        self._add((self._paint(text, code) if code else text) + " ", len(text) + 1)

    def _add(self, text: str, width: int) -> None:
        """Add a text of so many columns to the turn, on a line of its own where it does not fit any more."""
        if self._column + width > WIDTH:
            self._line()
            self._column = 0
            self._add(" " * INDENT, INDENT)
        print(text, end="", file=self._out, flush=True)
        self._column += width

    def _end_turn(self, hand: Sequence[str]) -> None:
        """End the line of the turn with what is left in the hand."""
        if self._turn is None:
            return
        if self._column > HAND_COLUMN:
            self._line()
            self._column = 0
        count = self._paint(f"{len(hand):2} left", DIM)
        self._line(f"{' ' * (HAND_COLUMN - self._column)}{count}  {self._rows(hand, HAND_COLUMN + 9)}")
        self._turn, self._column, self._comma, self._drawing = None, 0, False, False

    def _line(self, text: str = "") -> None:
        print(text.rstrip(), file=self._out, flush=True)
