"""What the service refuses to do, and why.

A `Refusal` carries a stable code; `api.problems` alone knows which HTTP status belongs to which code.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias

Code: TypeAlias = Literal[
    "malformed_request",
    "malformed_json",
    "idempotency_key_invalid",
    "token_required",
    "token_invalid",
    "not_your_match",
    "not_your_seat",
    "host_only",
    "join_code_wrong",
    "app_key_required",
    "not_found",
    "match_not_found",
    "join_code_unknown",
    "deal_not_found",
    "position_not_found",
    "seat_not_found",
    "method_not_allowed",
    "not_acceptable",
    "bot_plays",
    "not_your_turn",
    "illegal_move",
    "version_mismatch",
    "match_not_started",
    "match_already_started",
    "match_finished",
    "seat_taken",
    "seats_free",
    "match_full",
    "conflict",
    "deal_unfinished",
    "match_unfinished",
    "body_too_large",
    "uri_too_long",
    "unsupported_media_type",
    "expectation_failed",
    "invalid_body",
    "invalid_query",
    "invalid_rules",
    "idempotency_key_reused",
    "rate_limited",
    "headers_too_large",
    "internal_error",
    "not_implemented",
    "store_unavailable",
    "too_many_streams",
    "stopping",
]


class Refusal(Exception):
    """A request that is not carried out and changes nothing.

    Attributes:
        code: the stable code of the reason.
        detail: the reason in words, for the developer or the player.
        rule: the clause of the game's rules that a move breaks.
        option: the house rule that a move breaks.
        errors: what is wrong where, for a bad body (`pointer`) or query (`parameter`), each with a `detail`.
    """

    def __init__(
        self,
        code: Code,
        detail: str,
        *,
        rule: str | None = None,
        option: str | None = None,
        errors: Sequence[Mapping[str, str]] = (),
    ) -> None:
        super().__init__(f"{code}: {detail}")
        self.code: Code = code
        self.detail = detail
        self.rule = rule
        self.option = option
        self.errors = errors


class RateLimited(Refusal):
    """A request of a client that has done the same too often.

    Attributes:
        policy: the name of the limit.
        quota: how often it may.
        window_seconds: in how many seconds.
        retry_seconds: after how many it may again.
    """

    def __init__(self, detail: str, *, policy: str, quota: int, window_seconds: int, retry_seconds: int) -> None:
        super().__init__("rate_limited", detail)
        self.policy = policy
        self.quota = quota
        self.window_seconds = window_seconds
        self.retry_seconds = retry_seconds


def no_match() -> Refusal:
    """Say that a match is not there."""
    return Refusal("match_not_found", "There is no match with this id, or it has expired.")


def key_reused() -> Refusal:
    """Say that an idempotency key belongs to another request."""
    return Refusal("idempotency_key_reused", "This key was used for a request with another body.")


class StoreUnavailable(Exception):
    """The store does not answer, or not in time; whether a write was carried out is not known."""


class UnknownFormat(Exception):
    """A stored state was written by a release whose format this one does not read."""
