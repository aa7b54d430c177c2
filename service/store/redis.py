"""The store on Redis or Valkey. Only this package imports `redis`.

========================  ===========================================================================
key                       holds
========================  ===========================================================================
``py:{id}``               hash: `version` and `state` of a match, and `here`, who follows it (see here.lua)
``py:{id}:log``           stream: its events, one entry a commit; the id of an entry is `LAST-0`, where
                          LAST is the number of its last event
``py:{id}:key:SCOPE``     string: the receipt of a write with an idempotency key
``py:{id}:ticket:HASH``   string: the holder of a stream ticket, with `+` once it has been used
``py:{clock}:due``        sorted set: the matches that go on by themselves, as `MATCH:TIME:NOTED`, by that time;
                          those that a server has claimed, by the end of its claim
``py:{clock}:unattended`` the same for the matches that no human plays
``py:{clock}:beat``       string: when a server last claimed, in Unix milliseconds
``py:{clock}:outages``    sorted set: the times without a claim, as `BEGIN-END`, by their ends
``py:{webhooks}:…``        what is to be told to webhooks: see `outbox`
``py:{here}:workers``     sorted set: the workers, by the second until which they are taken to run
``py:salt``               string: the secret that tokens are derived with
========================  ===========================================================================

The keys of one match share a hash tag, so that its commit is one script on one node of a cluster. What is due,
or to be told, is written before the commit: an entry for which there is no commit is dropped by whoever comes across
it. The keys that lead to matches stand in `finding`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib.resources import files
from typing import Final, cast

from ..counting import UNCOUNTED, Counting
from ..idempotency import KEPT_MS
from ..outages import SILENCE_MS, Outage
from .base import Claim, Commit, Due, Entry, Found, Note, Stored
from .finding import Finding
from .link import Link
from .outbox import adding
from .roll import RedisRoll
from .wakes import RedisWakes, channel, read_here

_COMMIT: Final = files(__package__).joinpath("commit.lua").read_text("utf-8")
_CLAIM: Final = files(__package__).joinpath("claim.lua").read_text("utf-8")
_SALT: Final = "py:salt"
_DUE: Final = "py:{clock}:due"
_UNATTENDED: Final = "py:{clock}:unattended"
_BEAT: Final = "py:{clock}:beat"
_OUTAGES: Final = "py:{clock}:outages"
_OUTAGE_KEPT_MS: Final = 3 * 24 * 60 * 60 * 1000
"""Longer than the longest turn."""
_USED: Final = b"+"


def _match_key(match_id: str) -> str:
    return f"py:{{{match_id}}}"


def _log_key(match_id: str) -> str:
    return f"py:{{{match_id}}}:log"


def _receipt_key(match_id: str, scope: str) -> str:
    return f"py:{{{match_id}}}:key:{scope}"


def _ticket_key(match_id: str, hashed: str) -> str:
    return f"py:{{{match_id}}}:ticket:{hashed}"


class RedisStore(Finding):
    """Keeps matches on a Redis server."""

    def __init__(
        self,
        url: str,
        *,
        ttl_seconds: int,
        timeout_seconds: float,
        link: Callable[[str, float], Link] | None = None,
        counting: Counting = UNCOUNTED,
    ) -> None:
        """Prepare the connections; none is made yet.

        Args:
            url: `redis://`, `rediss://` or `unix://`, or one of those in `address`.
            ttl_seconds: after how long without a commit a match expires.
            timeout_seconds: how long a command may take, with all its waits.
            link: how commands are carried; by default as fits the address.
            counting: is told of failures.
        """
        super().__init__(url, timeout_seconds, link, counting)
        self._ttl_ms = ttl_seconds * 1000

    def load(self, match_id: str, scope: str | None = None) -> Found:
        """Read a match, and the receipt for an idempotency key, in one round trip."""
        match = ("HMGET", _match_key(match_id), "version", "state", "here")
        if scope is None:
            values, receipt = self._ask(*match), None
        else:
            receipt_read = ("GET", _receipt_key(match_id, scope))
            values, receipt = self._ask_all(match, receipt_read, atomic=True)  # else it could be newer than the match
        *stored, here = values
        return Found(_stored(stored), receipt, here and read_here(here))

    def load_many(self, match_ids: Sequence[str]) -> list[Stored | None]:
        """Read several matches in one round trip."""
        found = self._ask_all(*(("HMGET", _match_key(match_id), "version", "state") for match_id in match_ids))
        return [_stored(values) for values in found]

    def version(self, match_id: str) -> int:
        """Read the version of a match alone; 0 if there is none."""
        return int(self._ask("HGET", _match_key(match_id), "version") or 0)

    def commit(self, match_id: str, commit: Commit) -> bytes | bool:
        """Replace a match's state, append to its log and renew its expiry, all or nothing."""
        keys = [_match_key(match_id), _log_key(match_id)]
        if commit.scope is not None:
            keys.append(_receipt_key(match_id, commit.scope))
        done = self._run(
            _COMMIT,
            len(keys),
            *keys,
            commit.expected,
            commit.stored.version,
            commit.stored.state,
            commit.entry,
            self._ttl_ms,
            commit.identity,
            channel(match_id),
            commit.receipt,
            KEPT_MS,
        )
        return done if isinstance(done, bytes) else bool(done)

    def entries(self, match_id: str, after: int, count: int) -> list[Entry]:
        """Read the log from the first entry with an event beyond number `after`, at most `count` entries."""
        found = self._ask("XRANGE", _log_key(match_id), f"{after + 1}-0", "+", "COUNT", count)
        return [Entry(int(entry_id.partition(b"-")[0]), events) for entry_id, (_, _, _, events) in found]

    def commit_after(self, match_id: str, version: int) -> str | None:
        """Give the identity of the commit that followed a version of a match; None if there is none, or no longer."""
        found = self._ask("XRANGE", _log_key(match_id), f"{version + 1}-0", "+", "COUNT", 1)
        return None if not found else str(found[0][1][1].decode())

    def wakes(self) -> RedisWakes:
        """Open a connection that hears of commits, and of who follows."""
        return RedisWakes(self._link.connection())

    def roll(self) -> RedisRoll:
        """Give the roll of the workers."""
        return RedisRoll(self._run_all, _match_key)

    def salt(self, proposal: bytes) -> bytes:
        """Give the secret that tokens are derived with, for all servers of this store; the proposal if it is new."""
        kept = self._ask("GET", _SALT)  # first: a store that takes no writes can still serve readers
        return cast(bytes, kept or self._ask("SET", _SALT, proposal, "NX", "GET") or proposal)

    def keep_ticket(self, match_id: str, hashed: str, holder: str, seconds: int) -> bool:
        """Keep a stream ticket of a player for so long, until it is used first, and tell whether it is new."""
        return self._ask("SET", _ticket_key(match_id, hashed), holder, "NX", "EX", seconds) is not None

    def use_ticket(self, match_id: str, hashed: str, seconds: int) -> str | None:
        """Give the holder of a ticket, which from its first use on is good for so long; None if it is not known."""
        key = _ticket_key(match_id, hashed)
        kept: bytes | None = self._ask("GET", key)
        if kept is not None and not kept.endswith(_USED):
            self._ask("SET", key, kept + _USED, "EX", seconds, "XX")
        return None if kept is None else kept.removesuffix(_USED).decode()

    def schedule(self, due: Due) -> None:
        """Let a match be looked at."""
        self._ask("ZADD", _due_key(due), due.due_ms, _due_member(due))

    def claim(self, now_ms: int, lease_ms: int, count: int, spare: int = 0) -> Claim:
        """Claim what is due, and tell that a server runs."""
        keys = (_DUE, _BEAT, _OUTAGES, _UNATTENDED)
        limits = (now_ms + lease_ms, count, spare, SILENCE_MS, now_ms - _OUTAGE_KEPT_MS)
        attended, unattended, outages = self._run(_CLAIM, len(keys), *keys, now_ms, *limits)
        due = [_due(member, True) for member in attended] + [_due(member, False) for member in unattended]
        return Claim(due, [_outage(member) for member in outages])

    def drop(self, due: Due) -> None:
        """Take a match from what is to be looked at."""
        self._ask("ZREM", _due_key(due), _due_member(due))

    def announce(self, note: Note) -> None:
        """Let a webhook be told of a commit."""
        self._ask(*adding(note))

    def ping(self) -> None:
        """Ask for a sign of life."""
        self._ask("PING")


def _due_key(due: Due) -> str:
    return _DUE if due.attended else _UNATTENDED


def _due_member(due: Due) -> str:
    return f"{due.match_id}:{due.due_ms}:{due.noted_ms}"


def _due(member: bytes, attended: bool) -> Due:
    match_id, due_ms, noted_ms = member.decode().split(":")
    return Due(match_id, int(due_ms), int(noted_ms), attended)


def _outage(member: bytes) -> Outage:
    begin, _, end = member.partition(b"-")
    return int(begin), int(end)


def _stored(values: Sequence[bytes | None]) -> Stored | None:
    version, state = values
    if version is None:
        return None
    is_whole = state is not None and version.isdigit()
    return Stored(int(version), cast(bytes, state)) if is_whole else Stored(0, b"")  # which is no state
