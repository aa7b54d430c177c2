"""All that is stored of a match, and its versioned format."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple, TypeAlias

import orjson

from .bots.choosing import Level
from .clocks import Clock, Timing
from .engine.codec import decode_match, encode_match
from .engine.match import Match, commitment
from .engine.rules import Rules, from_options
from .errors import UnknownFormat
from .webhooks.hook import Webhook

Status: TypeAlias = Literal["waiting", "playing", "finished", "abandoned"]
Visibility: TypeAlias = Literal["private", "public"]
Spectators: TypeAlias = Literal["after_deal", "hidden", "none"]
Kind: TypeAlias = Literal["human", "bot"]
PlayedBy: TypeAlias = Literal["player", "bot"]

NOBODY: Final[frozenset[int]] = frozenset()
"""Nobody is here, or it does not matter who is."""

FORMAT: Final = 3
"""The number of the format below; a change of the format takes the next number and reads the older ones.

What an older format does not know has the value that is the default of its field. Defaults at the end are not written.
"""
_FIRST_WITHOUT_NAMES: Final = 3


AWAITED_MS: Final = 60_000
"""How long a rematch waits for the players of the match before, from its creation on."""


class Player(NamedTuple):
    """Who sits at a seat.

    Attributes:
        seat: their seat.
        name: their name.
        token_hash: the hash of their token, which itself is not kept.
        client_seed: what they add to the shuffles; None if they gave nothing.
        kind: a human, or a bot from the beginning.
        level: how well a bot plays; None for a human.
        played_by: who moves for the seat: the human who sits there, or a bot, in their place if there is one.
        timed_out: how many turns in a row have run out for the seat.
        metadata: what the app that seats them notes beside them.
    """

    seat: int
    name: str
    token_hash: str
    client_seed: str | None = None
    kind: Kind = "human"
    level: Level | None = None
    played_by: PlayedBy = "player"
    timed_out: int = 0
    metadata: Mapping[str, str] = {}

    @property
    def is_absent(self) -> bool:
        """Whether this is a human who has not come yet: they have no token."""
        return self.kind == "human" and not self.token_hash

    def as_awaited(self) -> Player:
        """Give this human as a rematch awaits them."""
        return self._replace(token_hash="", client_seed=None, played_by="bot", timed_out=0)


class Record(NamedTuple):
    """A match as it is stored.

    The fields from `status` on are stored in this order, so that a new one comes last, and has a default.

    Attributes:
        match_id: its identity.
        version: the number of its last event.
        present: the seats whose players follow it just now, as `presence` tells; no part of its state.
        rules: its rules, complete.
        last_seed: the secret end of its chain of seeds.
        match: the game, once it has started.
        status: waiting for players, playing, finished or abandoned.
        name: what its creator calls it.
        visibility: whether the lobby shows it.
        seats: the number of seats.
        auto_start: whether it starts by itself when the last seat is taken.
        host_seat: where the host sits; None for one who does not play.
        host_token_hash: the hash of the host's token.
        join_code: what a private match asks of those who join; else None.
        created_ms: when it was created, in milliseconds of Unix time.
        active_ms: when it last changed, likewise.
        preset: the name of the preset of its rules.
        overridden: the options that differ from the preset.
        players: who sits, by seat.
        started: the number of the event that started it; 0 before, and where format 1 left it untold.
        deal_ends: for each deal whose cards are open, the number of the event that ended or abandoned it.
        spectators: what those without a seat may see: finished deals, those once the match is over, or nothing.
        clock: how long turns last; None without a clock.
        timing: the time of the turn that is played; None without a clock, and while the match is not played.
        due_ms: when the match goes on by itself, because a bot moves or a turn has run out; None if it does not.
        searched_ms: how long bots have searched for moves since a human last did something.
        app: the name of the application that created it, for the operator alone; None if no app key was asked for.
        metadata: what the app that created it notes beside it.
        first_dealer: in a rematch, who deals first; None where the shuffle draws it.
        rematch: after the end, the match that was offered to go on with; None if none was.
        awaited: in a rematch, the players of the match before who have not come yet, each as a bot would stand in.
        webhook: where its creator is told what happens, never shown; None for nowhere.
    """

    match_id: str
    version: int
    present: frozenset[int]
    rules: Rules
    last_seed: bytes
    match: Match | None
    status: Status
    name: str
    visibility: Visibility
    seats: int
    auto_start: bool
    host_seat: int | None
    host_token_hash: str
    join_code: str | None
    created_ms: int
    active_ms: int
    preset: str
    overridden: tuple[str, ...]
    players: tuple[Player, ...]
    started: int
    deal_ends: tuple[int, ...]
    spectators: Spectators = "after_deal"
    clock: Clock | None = None
    timing: Timing | None = None
    due_ms: int | None = None
    searched_ms: int = 0
    app: str | None = None
    metadata: Mapping[str, str] = {}
    first_dealer: int | None = None
    rematch: str | None = None
    awaited: tuple[Player, ...] = ()
    webhook: Webhook | None = None

    @property
    def commitment(self) -> str:
        """What commits the service to every shuffle of the match, in hexadecimal."""
        return commitment(self.last_seed, self.rules)

    @property
    def client_seeds(self) -> tuple[str, ...]:
        """What each seat adds to the shuffles; empty where nobody sits or gave anything."""
        return _client_seeds(self.players, self.seats)

    @property
    def is_over(self) -> bool:
        """Whether nothing happens in it any more."""
        return self.status in ("finished", "abandoned")

    @property
    def is_attended(self) -> bool:
        """Whether a human plays."""
        return any(player.played_by == "player" for player in self.players)

    @property
    def bot_on_turn(self) -> Player | None:
        """The seat on turn, if a bot moves for it."""
        if self.status != "playing" or self.match is None or self.match.deal.turn is None:
            return None
        player = self.player(self.match.deal.turn)
        return player if player.played_by == "bot" else None

    @property
    def awaited_until_ms(self) -> int | None:
        """Until when players of the match before are awaited; None if nobody is."""
        return self.created_ms + AWAITED_MS if self.awaited else None

    @property
    def is_full(self) -> bool:
        """Whether somebody sits at every seat."""
        return len(self.players) == self.seats

    def sits(self, seat: int) -> bool:
        """Tell whether somebody sits at a seat."""
        return any(player.seat == seat for player in self.players)

    def player(self, seat: int) -> Player:
        """Give who sits at a seat that is taken."""
        for player in self.players:
            if player.seat == seat:
                return player
        raise LookupError(f"Nobody sits at seat {seat}.")

    def with_player(self, changed: Player) -> Record:
        """Put somebody in the place of who sat at their seat."""
        others = (player for player in self.players if player.seat != changed.seat)
        return self._replace(players=tuple(sorted((*others, changed))))

    @property
    def free_seats(self) -> tuple[int, ...]:
        """The seats that anybody may take, ascending: nobody sits there, and nobody is awaited."""
        taken = {player.seat for player in (*self.players, *self.awaited)}
        return tuple(seat for seat in range(self.seats) if seat not in taken)


def _client_seeds(players: Iterable[Player], seats: int) -> tuple[str, ...]:
    given = {player.seat: player.client_seed for player in players}
    return tuple([given.get(seat) or "" for seat in range(seats)])


def _written_player(player: Player) -> tuple[Any, ...]:
    if player[_SAID_OF_PLAYERS:] == _USUAL_PLAYER:
        return player[:_SAID_OF_PLAYERS]
    return player[:] if player.metadata else player[:-1]


def _written_players(players: Sequence[Player]) -> Sequence[Any]:
    return players and [_written_player(player) for player in players]


def _read_players(data: Sequence[Any]) -> tuple[Player, ...]:
    return tuple([Player(*player) for player in data])


def _read_timing(data: Sequence[Any] | None) -> Timing | None:
    if data is None:
        return None
    deadline_ms, counted_ms, banks_ms = data
    return Timing(deadline_ms, counted_ms, tuple(banks_ms))


_PLAIN: Final = Record._fields[Record._fields.index("status") :]
_SEATS: Final = _PLAIN.index("seats")
_PLAYERS: Final = _PLAIN.index("players")
_USUAL: Final[dict[str, Any]] = {"started": 0, **Record._field_defaults}
_BESIDE: Final = len(("rules", "last_seed", "match"))
_LEAST: Final = len(_PLAIN) - len(Record._field_defaults)
_SAID_OF_PLAYERS: Final = len(Player._fields) - len(Player._field_defaults)
_USUAL_PLAYER: Final = tuple(Player._field_defaults.values())

_WRITTEN: Final[dict[int, Callable[[Any], Any]]] = {
    _PLAYERS: _written_players,
    _PLAIN.index("awaited"): _written_players,
    _PLAIN.index("clock"): lambda clock: clock and tuple(clock),
    _PLAIN.index("timing"): lambda timing: timing and tuple(timing),
    _PLAIN.index("webhook"): lambda webhook: webhook and tuple(webhook),
}
"""How values that JSON does not know are written, by their places among the stored fields."""
_READ: Final[dict[int, Callable[[Any], Any]]] = {
    _PLAIN.index("overridden"): tuple,
    _PLAYERS: _read_players,
    _PLAIN.index("awaited"): _read_players,
    _PLAIN.index("deal_ends"): tuple,
    _PLAIN.index("clock"): lambda clock: clock and Clock(*clock),
    _PLAIN.index("timing"): _read_timing,
    _PLAIN.index("webhook"): lambda webhook: webhook and Webhook(webhook[0], webhook[1], tuple(webhook[2])),
}


def encode_record(record: Record) -> bytes:
    """Write a record, but for its identity, its version and who is here, which the store keeps beside it."""
    _, _, _, rules, last_seed, match, *plain = record
    for place, written in _WRITTEN.items():
        plain[place] = written(plain[place])
    while len(plain) > _LEAST and plain[-1] == _USUAL[_PLAIN[len(plain) - 1]]:
        plain.pop()
    stored = [rules.unusual, last_seed.hex(), None if match is None else encode_match(match), *plain]
    return orjson.dumps({"format": FORMAT, "record": stored})


def decode_record(match_id: str, version: int, state: bytes, present: frozenset[int] = NOBODY) -> Record:
    """Read what `encode_record` wrote, and put what the store keeps beside it.

    Raises:
        UnknownFormat: a release with another format wrote it.
    """
    data = _json_object(state)
    number: Any = data.get("format")
    told = _fields_of(data, number) if type(number) is int and 1 <= number <= FORMAT else ()
    if not _BESIDE + _LEAST <= len(told) <= _BESIDE + len(_PLAIN):
        raise UnknownFormat(
            f"Match {match_id} was stored in format {number}; this release reads formats 1 to {FORMAT}."
        )
    options, seed, game, *plain = told
    plain += [_USUAL[name] for name in _PLAIN[len(plain) :]]
    for place, read in _READ.items():
        plain[place] = read(plain[place])
    rules, last_seed, match = from_options(options), bytes.fromhex(seed), None
    if game is not None:
        match = decode_match(game, match_id, rules, last_seed, _client_seeds(plain[_PLAYERS], plain[_SEATS]))
    return Record(match_id, version, present, rules, last_seed, match, *plain)


def _fields_of(data: dict[str, Any], number: int) -> Sequence[Any]:
    """Give the stored fields in their order; older formats name them."""
    if number >= _FIRST_WITHOUT_NAMES:
        fields: Sequence[Any] = data.get("record", ())
        return fields
    told = _USUAL | data
    return [data["rules"], data["last_seed"], data["match"], *(told[name] for name in _PLAIN)]


def _json_object(state: bytes) -> dict[str, Any]:
    """Read a state; another release may write something else than a JSON object, which then says no format."""
    try:
        data = orjson.loads(state)
    except orjson.JSONDecodeError:
        return {}
    return data if isinstance(data, dict) else {}
