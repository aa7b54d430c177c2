"""What the use cases ask of a store. `store.redis` is the implementation."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple, Protocol

from ..named import Named
from ..outages import Outage


class Stored(Named):
    """A match as the store keeps it: its version and its encoded state."""

    version: int
    state: bytes


class Found(Named):
    """What one read of a match brings.

    Attributes:
        stored: the match; None if there is none, or no longer.
        receipt: what is kept for an idempotency key.
        here: who follows it; None if nobody has yet.
    """

    stored: Stored | None
    receipt: bytes | None
    here: Here | None = None


class Here(NamedTuple):
    """Which players follow a match, and through which workers, as the workers have noted it.

    Attributes:
        number: counts the changes.
        noted: the worker and the seat of each.
    """

    number: int
    noted: tuple[tuple[str, int], ...]


class Attendance(NamedTuple):
    """The seats whose players follow a match through one worker."""

    match_id: str
    seats: tuple[int, ...]


class Entry(NamedTuple):
    """What one commit added to a match's log.

    Attributes:
        last: the number of its last event.
        data: its events, encoded.
    """

    last: int
    data: bytes


class Commit(Named):
    """One change of a match, to be made as a whole.

    Attributes:
        identity: random; the same commit sent twice counts once.
        expected: the version that the match must still have; 0 if it must not exist.
        stored: the new version, which is the number of its last event, and the new state.
        entry: the new events, encoded.
        scope: what an idempotency key is kept under; None without one.
        receipt: what is kept for it.
    """

    identity: str
    expected: int
    stored: Stored
    entry: bytes
    scope: str | None
    receipt: bytes


class Place(NamedTuple):
    """Where a match stands in the lobby, which is ordered by creation time, newest first."""

    created_ms: int
    match_id: str


class GuessLimits(NamedTuple):
    """How often join codes may be guessed wrongly.

    Attributes:
        client: how many wrong guesses a client has.
        everybody: how many all clients make together before each of them has fewer.
        pressed: how many a client has then.
        window_ms: how long they count, in milliseconds.
    """

    client: int
    everybody: int
    pressed: int
    window_ms: int


class Verdict(NamedTuple):
    """What is said to a client that guesses a join code.

    Attributes:
        quota: how many wrong guesses it has by now.
        retry_ms: after how many milliseconds it may guess again; 0 if it may now.
    """

    quota: int
    retry_ms: int


class Due(NamedTuple):
    """A match that is to be looked at, because it goes on by itself.

    Attributes:
        match_id: the match.
        due_ms: when, in Unix milliseconds.
        noted_ms: when this was written down, likewise.
        attended: whether a human plays it.
    """

    match_id: str
    due_ms: int
    noted_ms: int
    attended: bool = True


class Note(NamedTuple):
    """What a commit is to tell a webhook.

    Attributes:
        match_id: the match.
        after: its version before the commit.
        commit: the identity of the commit.
        data: the messages, encoded.
    """

    match_id: str
    after: int
    commit: str
    data: bytes


class Claim(NamedTuple):
    """What a server claimed.

    Attributes:
        due: the matches that this server is to look at.
        outages: when no server ran, or the store was down: the first and the last moment of each, in Unix milliseconds.
    """

    due: list[Due]
    outages: list[Outage]


class Wakes(Protocol):
    """The calls that wake those who wait for matches: one connection, whatever their number."""

    def listen(self, match_id: str) -> None:
        """Begin to hear of a match."""

    def ignore(self, match_id: str) -> None:
        """Stop hearing of a match."""

    def next(self, seconds: float) -> tuple[str, Entry | Here | None] | None:
        """Wait so long for the next commit of a match that is listened to, or for who follows it by now.

        Returns:
            The match and the commit's entry, or who follows it, or None when it is heard of from now on; only None if
            the time is over.

        Raises:
            StoreUnavailable: the connection is lost, and with it maybe a call; the next `next` makes a new one.
        """

    def close(self) -> None:
        """Let the connection go."""


class Roll(Protocol):
    """Knows which workers run, and which players follow matches through them.

    Both methods raise `StoreUnavailable` when the store does not answer in time.
    """

    def beat(self, worker: str, seconds: int) -> frozenset[str]:
        """Tell that a worker runs, and give those that do.

        Args:
            worker: its name, of letters and digits.
            seconds: after how long without another beat it is taken for dead; 0 if it ends.
        """

    def attend(self, worker: str, attendances: Sequence[Attendance], running: Collection[str]) -> list[Here | None]:
        """Note which players follow matches through a worker, and tell it to those who listen if it is news.

        Args:
            worker: the worker.
            attendances: all its players at each of these matches.
            running: the workers that run; what others have noted is forgotten.

        Returns:
            What is noted at each match by now; None where there is no match.
        """


class Store(Protocol):
    """Keeps matches, their logs and the lobby.

    Every method raises `StoreUnavailable` when the store does not answer in time.
    """

    def load(self, match_id: str, scope: str | None = None) -> Found:
        """Read a match, and the receipt for an idempotency key, in one round trip."""

    def load_many(self, match_ids: Sequence[str]) -> list[Stored | None]:
        """Read several matches in one round trip."""

    def version(self, match_id: str) -> int:
        """Read the version of a match alone; 0 if there is none."""

    def commit(self, match_id: str, commit: Commit) -> bytes | bool:
        """Replace a match's state, append to its log and renew its expiry, all or nothing.

        Returns:
            True when it is done, also when it had been done before; False, with nothing changed, if the match has
            another version; the receipt of an earlier request with the same idempotency key, with nothing changed.
        """

    def entries(self, match_id: str, after: int, count: int) -> list[Entry]:
        """Read the log from the first entry with an event beyond number `after`, at most `count` entries."""

    def commit_after(self, match_id: str, version: int) -> str | None:
        """Give the identity of the commit that followed a version of a match; None if there is none, or no longer."""

    def wakes(self) -> Wakes:
        """Open a connection that hears of commits, and of who follows."""

    def roll(self) -> Roll:
        """Give the roll of the workers."""

    def salt(self, proposal: bytes) -> bytes:
        """Give the secret that tokens are derived with, for all servers of this store; the proposal if it is new."""

    def keep_ticket(self, match_id: str, hashed: str, holder: str, seconds: int) -> bool:
        """Keep a stream ticket of a player for so long, until it is used first, and tell whether it is new."""

    def use_ticket(self, match_id: str, hashed: str, seconds: int) -> str | None:
        """Give the holder of a ticket, which from its first use on is good for so long; None if it is not known."""

    def publish(self, place: Place, status: str, fit: str | None = None) -> None:
        """Put a match into the lobby, or move it there to another status.

        Args:
            place: the match.
            status: its status.
            fit: if it waits, offer it to those who ask for this fit, else do not offer it any more; None for no offer.
        """

    def unpublish(self, match_id: str) -> None:
        """Take a match out of the lobby."""

    def published(self, status: str | None, beyond: Place | None, count: int) -> list[Place]:
        """List the lobby.

        Args:
            status: the status that the matches were published with; None for any.
            beyond: the place after which to begin; None for the newest.
            count: how many places at most.
        """

    def some_published(self, count: int) -> list[str]:
        """Pick so many matches of the lobby at random."""

    def offered(self, fit: str, count: int) -> list[str]:
        """List the matches that are offered to those who ask for a fit, the oldest first, at most `count`."""

    def withdraw(self, fit: str, match_ids: Sequence[str]) -> None:
        """Do not offer matches any more; at least one."""

    def lock(self, name: str, holder: str, milliseconds: int) -> bool:
        """Take a lock for so long, unless somebody has it, and tell whether it was taken.

        Whoever asks again soon is let in before those who come later.
        """

    def unlock(self, name: str, holder: str) -> None:
        """Give a lock back; nothing happens if its time was over."""

    def keep_request(self, scope: str, fingerprint: str) -> str:
        """Keep what was asked for with an idempotency key, if it is new, and give what was first asked for."""

    def keep_choice(self, scope: str, match_id: str) -> None:
        """Keep which match was chosen for an idempotency key. It is written before the commit."""

    def choice(self, scope: str) -> str | None:
        """Give the match that was chosen for an idempotency key; None if none was."""

    def keep_code(self, code: str, match_id: str) -> bool:
        """Keep a join code as long as its match, and tell whether it is this match's. It is written before the commit.

        Returns:
            False, if another match has the code.
        """

    def code_holder(self, code: str) -> str | None:
        """Give the match that has a join code, though it may be over; None if none has."""

    def judge_guess(self, client: str, limits: GuessLimits, *, is_wrong: bool) -> Verdict:
        """Tell whether a client may guess a join code, and count the guess if it may and is wrong, in one step."""

    def schedule(self, due: Due) -> None:
        """Let a match be looked at. It is written before the commit that makes it due, so that none is forgotten."""

    def claim(self, now_ms: int, lease_ms: int, count: int, spare: int = 0) -> Claim:
        """Claim what is due, and tell that a server runs.

        Args:
            now_ms: the time.
            lease_ms: for how long nobody else gets what is claimed; what is not dropped by then can be claimed anew.
            count: how much at most.
            spare: how much of that is kept for matches that humans play, which come first.
        """

    def drop(self, due: Due) -> None:
        """Take a match from what is to be looked at."""

    def announce(self, note: Note) -> None:
        """Let a webhook be told of a commit. It is written before the commit, so that none is forgotten."""

    def ping(self) -> None:
        """Ask for a sign of life."""
