"""Everything that leaves the service, byte by byte: no token, no secret, and no card for other eyes."""

from __future__ import annotations

import http.client
import random
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from service.engine.cards import CARD_NAMES

from .players import Client, Table
from .processes import Service
from .streams import Stream

CARDS = {name.encode() for name in CARD_NAMES}
SEED = re.compile(rb"[0-9a-f]{64}")


@dataclass
class Outcome:
    """The figures of a search."""

    answers: int = 0
    bytes: int = 0
    tokens: int = 0
    foreign_cards: int = 0
    log_bytes: int = 0
    log_secrets: int = 0

    def is_kept(self) -> bool:
        """Tell whether the promise is kept."""
        return self.answers > 0 and self.tokens == self.foreign_cards == self.log_secrets == 0

    def __str__(self) -> str:
        """Give the figures."""
        return (
            f"answers {self.answers} ({self.bytes} bytes): tokens in them {self.tokens}, cards for other eyes "
            f"{self.foreign_cards}; log {self.log_bytes} bytes: secrets in it {self.log_secrets}"
        )


def run(folder: Path, *, matches: int, deals: int = 2, seed: int = 1) -> Outcome:
    """Play matches, let everybody read everything after each move, and search it."""
    outcome = Outcome()
    rnd = random.Random(seed)
    secrets: list[str] = []
    with Service(folder / "leaks") as service:
        for _ in range(matches):
            table = Table(Client(service.port), rnd)
            table.seat_players(rnd.randint(2, 5), deals=deals)
            secrets += table.tokens
            _play_and_search(service, table, outcome)
            _look_at_figures(service, table, outcome)
            table.client.close()
    log = service.log_path.read_bytes()
    outcome.log_bytes = len(log)
    outcome.log_secrets = sum(token.encode() in log for token in secrets) + len(SEED.findall(log))
    return outcome


def _play_and_search(service: Service, table: Table, outcome: Outcome) -> None:
    readers: list[str | None] = [None, *table.tokens]
    hands: dict[str | None, list[str]] = {}
    while not table.is_over:
        hands = {token: table.get("", token)["you"]["hand"] for token in table.tokens}
        for token in readers:
            for what in ("", f"/events?after={table.view['version'] - 5}"):
                text = _bytes(service.port, table.path + what, token)
                _search(outcome, table, token, text)
                _look_for_cards(outcome, table, token, hands, text, what)
        table.move()
    for token in readers:
        stream = Stream(service.port, table.path, token or "", 0) if token else None
        if stream:
            while event := stream.next(5):
                outcome.foreign_cards += _is_foreign(event, table, token)
                if event["type"] == "match_ended":
                    break
            stream.close()


def _look_at_figures(service: Service, table: Table, outcome: Outcome) -> None:
    """The figures hold no token, and no word of them is the name of a card."""
    text = _bytes(service.port, "/metrics", None)
    _search(outcome, table, None, text)
    outcome.foreign_cards += len(CARDS & set(re.findall(rb"\w+", text)))


def _bytes(port: int, path: str, token: str | None) -> bytes:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    connection.request("GET", path, headers={"Authorization": f"Bearer {token}"} if token else {})
    response = connection.getresponse()
    text = str(response.headers).encode() + response.read()
    connection.close()
    return text


def _search(outcome: Outcome, table: Table, token: str | None, text: bytes) -> None:
    outcome.answers += 1
    outcome.bytes += len(text)
    outcome.tokens += sum(other.encode() in text for other in table.tokens)


def _look_for_cards(
    outcome: Outcome, table: Table, token: str | None, hands: dict[str | None, list[str]], text: bytes, what: str
) -> None:
    """In a view, which shows one deal, a card of another's hand may stand nowhere if the reader cannot see its like."""
    if what:
        return
    head, _, you = text.partition(b'"you":')
    own = set(hands.get(token, []))
    open_part = re.sub(rb'"(top_card|final_card)":"[^"]*"', b"", head)
    for other, hand in hands.items():
        if other != token:
            outcome.foreign_cards += sum(
                f'"{card}"'.encode() in open_part or (card not in own and f'"{card}"'.encode() in you) for card in hand
            )


def _is_foreign(event: Any, table: Table, token: str | None) -> bool:
    seat = table.tokens.index(token) if token else None
    return (event["type"] == "cards_drawn" and event["seat"] != seat and "cards" in event) or (
        event["type"] == "deal_started" and "hands" in event
    )
