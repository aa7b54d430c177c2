"""A whole match in the terminal: `python -m service.demo` plays it against the running service.

Every player is an HTTP client of its own, which knows only what the contract tells it: its view, its legal moves and
the events. Nothing else of the service is used.
"""

from __future__ import annotations

import argparse
import http.client
import json
import math
import os
import sys
import time
import uuid
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, NoReturn
from urllib.parse import urlsplit

from service.demo_show import Show

NAMES: Final = ("Ayşe", "Bora", "Ceren", "Deniz", "Elif", "Ferit", "Gül", "Hakan", "İpek", "Jale")
DELAY_SECONDS: Final = 0.3

Json = dict[str, Any]


class Trouble(Exception):
    """The demonstration cannot go on; the text tells the reader why, in one line."""


class Api:
    """One connection to the service."""

    def __init__(self, url: str, app_key: str = "") -> None:
        """Prepare it; nothing is sent yet.

        Args:
            url: the root of the service.
            app_key: what goes into `X-API-Key`, if anything.

        Raises:
            Trouble: the address is not one of HTTP.
        """
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise Trouble(f"{url} is not the address of a service: give one such as http://127.0.0.1:8000")
        kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        self._url = url.rstrip("/")
        self._app_key = app_key
        self._prefix = parts.path.rstrip("/")
        self._connection = kind(parts.hostname, parts.port, timeout=30)

    def call(self, method: str, path: str, body: Json | None = None, token: str | None = None) -> Json:
        """Send a request and give the JSON of its answer.

        Raises:
            Trouble: the service does not answer, or refuses.
        """
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        if self._app_key:
            headers["X-API-Key"] = self._app_key
        if method != "GET":
            headers["Idempotency-Key"] = str(uuid.uuid4())
        data = None if body is None else json.dumps(body)
        if data is not None:
            headers["Content-Type"] = "application/json"
        try:
            self._connection.request(method, self._prefix + path, data, headers)
            with self._connection.getresponse() as response:
                answer: Any = json.loads(response.read())
        except (OSError, http.client.HTTPException, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
            raise Trouble(f"No Pis Yedili answers at {self._url} ({reason}). Start one with `make run`.") from error
        if not isinstance(answer, dict) or (response.status >= 400 and "detail" not in answer):
            raise Trouble(f"What answers at {self._url} is no Pis Yedili. Start one with `make run`.")
        if answer.get("code") == "not_found":
            raise Trouble(f"{self._url} is not the root of a Pis Yedili: give its address without a path.")
        if response.status >= 400:
            details = [str(error["detail"]) for error in answer.get("errors", [])]
            raise Trouble(f"The service refuses ({response.status}): {' '.join([str(answer['detail']), *details])}")
        taken: Json = answer
        return taken

    def close(self) -> None:
        """Let the connection go."""
        self._connection.close()


@dataclass
class Player:
    """One client at the table.

    Attributes:
        api: its connection.
        path: the path of the match.
        token: what it was given at creating or joining.
    """

    api: Api
    path: str
    token: str

    def view(self) -> Json:
        """Look at the match."""
        return self.api.call("GET", self.path, token=self.token)

    def events(self) -> list[Json]:
        """Read what has happened so far."""
        events: list[Json] = self.api.call("GET", f"{self.path}/events", token=self.token)["events"]
        return events

    def move(self) -> Json:
        """Look at the own cards, make the move that seems best, and give the answer: the new view and the events."""
        view = self.view()
        moves = self.api.call("GET", f"{self.path}/legal-moves", token=self.token)["moves"]
        return self.api.call("POST", f"{self.path}/moves", max(moves, key=lambda move: worth(move, view)), self.token)


def worth(move: Json, view: Json) -> tuple[float, ...]:
    """Judge a legal move from the own view; the one worth most is made.

    Any play beats a pass, and a pass beats another draw. Sevens and eights are for a neighbour who is nearly out,
    jacks for when nothing else fits; a jack nominates the suit of which the hand holds most.
    """
    if move["type"] != "play":
        return (1,) if move["type"] == "pass" else (0,)
    rest = Counter(card[-1] for card in view["you"]["hand"] if card != move["card"])
    rank, suit = move["card"][:-1], move.get("suit", move["card"][-1])
    others = [player["hand_count"] for player in view["players"] if player["seat"] != view["you"]["seat"]]
    attacks = min(others) <= 2 and rank in ("7", "8")
    value = {"A": 15, "K": 10, "Q": 10, "J": 1, "7": 3}.get(rank) or int(rank)
    return (2, attacks, value, rest[suit], "call" in move)


def seat_players(url: str, app_key: str, seats: int, rules: Json) -> list[Player]:
    """Create a match and let everybody sit down, each with a connection of their own; the last one starts it."""
    first = Api(url, app_key)
    order = {"seats": seats, "rules": rules, "name": "Demonstration", "creator": {"name": NAMES[0]}}
    made = first.call("POST", "/v1/matches", order)
    path = f"/v1/matches/{made['match']['id']}"
    players = [Player(first, path, made["token"])]
    for name in NAMES[1:seats]:
        api = Api(url)
        joined = api.call("POST", f"{path}/players", {"name": name, "join_code": made["join_code"]})
        players.append(Player(api, path, joined["token"]))
    return players


def play(players: Sequence[Player], show: Show, delay: float) -> None:
    """Play the match to its end, and show it."""
    view = players[0].view()
    show.begin(view, players[0].path)
    show.tell(players[0].events(), view)
    while view["status"] == "playing":
        time.sleep(delay)
        answer = players[view["deal"]["turn_seat"]].move()
        view = answer["match"]
        show.tell(answer["events"], view)


def _default_url() -> str:
    """Give the address at which `make run`, with the same variables in the environment, serves."""
    host = os.environ.get("HOST") or "127.0.0.1"
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104  # what listens everywhere is also here
    return f"http://{f'[{host}]' if ':' in host else host}:{os.environ.get('PORT') or '8000'}"


def _within(least: int, most: int, kind: Callable[[str], float] = int) -> Callable[[str], float]:
    """Give what reads a number between two others from the command line."""

    def read(word: str) -> float:
        try:
            number = kind(word)
        except ValueError:
            number = math.nan
        if not least <= number <= most:
            raise argparse.ArgumentTypeError(f"{word} is no number from {least} to {most}")
        return number

    return read


def _arguments(words: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m service.demo", description="Play a whole match against a running service, and show it."
    )
    parser.add_argument("--url", default=_default_url(), help="where the service is (%(default)s)")
    parser.add_argument("--seats", type=_within(2, 10), default=4, metavar="2-10", help="(%(default)s)")
    parser.add_argument("--preset", default="classic", help="the house rules (%(default)s)")
    parser.add_argument("--deals", type=_within(1, 20), default=4, metavar="1-20", help="(%(default)s)")
    parser.add_argument(
        "--delay",
        type=_within(0, 60, float),
        metavar="0-60",
        help=f"seconds between two moves ({DELAY_SECONDS} in a terminal, else none)",
    )
    parser.add_argument(
        "--api-key",
        default=os.environ.get("API_KEY", ""),
        help="what the service asks of those who create matches (API_KEY of the environment)",
    )
    return parser.parse_args(words)


def main(words: Sequence[str] | None = None) -> NoReturn:
    """Run the demonstration.

    Args:
        words: the arguments; those of the process if None.

    Raises:
        SystemExit: at the end; with status 1, after one line, if no service answers or it refuses.
    """
    arguments = _arguments(words)
    terminal = sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
    delay = arguments.delay if arguments.delay is not None else DELAY_SECONDS if terminal else 0
    show = Show(sys.stdout, colour=terminal and not os.environ.get("NO_COLOR"))
    players: list[Player] = []
    try:
        rules = {"preset": arguments.preset, "deals": arguments.deals}
        players = seat_players(arguments.url, arguments.api_key, arguments.seats, rules)
        play(players, show, delay)
    except Trouble as trouble:
        sys.exit(str(trouble))
    except KeyboardInterrupt:
        print("\nThe match stays where it is; it is forgotten after a while.")
        sys.exit(130)
    except BrokenPipeError:  # who watched through a pipe has seen enough; nothing more can be written
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    finally:
        for player in players:
            player.api.close()
    sys.exit(0)


if __name__ == "__main__":
    main()
