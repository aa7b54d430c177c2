"""What the examples of the contract are told in: requests, and moves that are not shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

Move: TypeAlias = dict[str, Any]


class Legal(NamedTuple):
    """One of the moves that are legal now.

    Attributes:
        choose: picks it.
    """

    choose: Callable[[Sequence[Move]], Move]


class Step(NamedTuple):
    """One request.

    Attributes:
        operation: its operation.
        name: the name of the example.
        summary: what it shows, in a few words.
        status: the status of the answer.
        path: the parameters of the path.
        body: the body; None for none, a text for one that is no JSON.
        who: what the token was remembered as, or a token.
        query: the query, with its question mark.
        headers: more header fields.
        remember: what to keep of the answer, by the path to it.
        after: the match to look at afterwards.
        app: the application that is asked.
    """

    operation: str
    name: str
    summary: str
    status: int
    path: Mapping[str, str] = {}
    body: Any = None
    who: str | None = None
    query: str = ""
    headers: Mapping[str, str] = {}
    remember: Mapping[str, Sequence[Any]] = {}
    after: str | None = None
    app: str = "plain"


class PlayOn(NamedTuple):
    """Legal moves that are not shown.

    Attributes:
        match: the match.
        until: tells from its public view and the legal moves whether to stop.
    """

    match: str
    until: Callable[[Any, Sequence[Move]], bool]
