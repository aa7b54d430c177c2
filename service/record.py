"""All that is stored of a match, and its versioned format."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import GenericAlias
from typing import Any, Final, Literal, TypeAlias, get_type_hints

import msgspec

from .bots.choosing import Level
from .clocks import Clock, Timing
from .engine.events import Result
from .engine.match import Match, commitment, deal_shuffler
from .engine.rules import Rules, Value, from_pairs
from .engine.state import OWN, Deal
from .errors import UnknownFormat
from .formats import in_order
from .named import Named
from .webhooks.hook import Webhook

Status: TypeAlias = Literal["waiting", "playing", "finished", "abandoned"]
Visibility: TypeAlias = Literal["private", "public"]
Spectators: TypeAlias = Literal["after_deal", "hidden", "none"]
Kind: TypeAlias = Literal["human", "bot"]
PlayedBy: TypeAlias = Literal["player", "bot"]

NOBODY: Final[frozenset[int]] = frozenset()
"""Nobody is here, or it does not matter who is."""

FORMAT: Final = 4
"""The number of the format below; a change of the format takes the next number, and `formats` reads the older ones.

A field that is new, with a default, is no change: what was stored without it has its default.
"""

AWAITED_MS: Final = 60_000
"""How long a rematch waits for the players of the match before, from its creation on."""


class Player(Named, order=True, array_like=True, forbid_unknown_fields=True):
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


class Record(Named):
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


def _client_seeds(players: tuple[Player, ...], seats: int) -> tuple[str, ...]:
    if len(players) == seats:
        return tuple([player.client_seed or "" for player in players])
    given = [""] * seats
    for player in players:
        given[player.seat] = player.client_seed or ""
    return tuple(given)


_STATUS: Final = Record.__struct_fields__.index("status")
_PLAIN: Final = msgspec.structs.fields(Record)[_STATUS:]
"""The fields that are stored as they are."""
_NAMES: Final = [field.name for field in _PLAIN]
_USUAL: Final[Mapping[str, Any]] = {
    field.name: {} if field.default_factory is dict else field.default for field in _PLAIN if not field.required
}
_PHASE: Final = Deal._fields[OWN].index("phase")
_DEAL_TYPES: Final = get_type_hints(Deal)
_Deal: Any = GenericAlias(tuple, tuple(_DEAL_TYPES[name] for name in Deal._fields[OWN]))
_Game: Any = GenericAlias(tuple, (_Deal, msgspec.Raw, tuple[int, ...]))
_Stored: Any = msgspec.defstruct(
    "_Stored",
    [
        ("rules", tuple[tuple[str, Value], ...]),
        ("last_seed", bytes),
        ("match", _Game | None),
        *((field.name, field.type, _USUAL.get(field.name, msgspec.NODEFAULT)) for field in _PLAIN),
    ],
    tag_field="format",
    tag=FORMAT,
    array_like=True,
    forbid_unknown_fields=True,
)
"""What is written: an array of the format and these, in MessagePack."""
_WRITER: Final = msgspec.msgpack.Encoder()
_READER: Final = msgspec.msgpack.Decoder(_Stored)
_RESULTS: Final = msgspec.msgpack.Decoder(tuple[Result, ...])


def encode_record(record: Record) -> bytes:
    """Write a record, but for its identity, its version and who is here, which the store keeps beside it."""
    match = record.match
    game = match and (match.deal[OWN], match.results, match.winners)
    plain = msgspec.structs.astuple(record)[_STATUS:]
    return _WRITER.encode(_Stored(record.rules.unusual, record.last_seed, game, *plain))


def decode_record(match_id: str, version: int, state: bytes, present: frozenset[int] = NOBODY) -> Record:
    """Read what `encode_record` wrote, and put what the store keeps beside it.

    Raises:
        UnknownFormat: a release with another format wrote it, or it is damaged.
    """
    try:
        stored = _READER.decode(state)
    except msgspec.DecodeError:
        stored = _read_older(match_id, state)
    try:
        return _record(match_id, version, stored, present)
    except (LookupError, TypeError, ValueError, msgspec.DecodeError) as misfit:
        raise UnknownFormat(f"What is stored of match {match_id} is damaged.") from misfit


def _record(match_id: str, version: int, stored: Any, present: frozenset[int]) -> Record:
    options, last_seed, game, *plain = msgspec.structs.astuple(stored)
    rules, match = from_pairs(options), None
    if game is not None:
        deal, packed, winners = game
        results = _results(bytes(packed))
        client_seeds = _client_seeds(stored.players, stored.seats)
        shuffler = deal_shuffler(match_id, rules, last_seed, client_seeds, deal[0])
        deal = Deal._make((rules, shuffler, *deal, results[-1] if deal[_PHASE] == "over" else None))
        match = Match(match_id, rules, last_seed, client_seeds, deal, results, winners)
    return Record(match_id, version, present, rules, last_seed, match, *plain)


@lru_cache(maxsize=4096)
def _results(packed: bytes) -> tuple[Result, ...]:
    """Read the results so far, which stay the same for many moves."""
    return _RESULTS.decode(packed)


def _read_older(match_id: str, state: bytes) -> Any:
    number, fields = in_order(state, _NAMES, {"started": 0, **_USUAL})
    try:
        return _READER.decode(_WRITER.encode([FORMAT, *fields]))
    except (msgspec.DecodeError, OverflowError) as misfit:
        raise UnknownFormat(
            f"Match {match_id} was stored in format {number}; this release reads formats 1 to {FORMAT}."
        ) from misfit
