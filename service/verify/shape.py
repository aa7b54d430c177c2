"""The exact form of a proof: every member, and no other; and what must stand in the view of a match."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from marshmallow import EXCLUDE, Schema, ValidationError, fields
from marshmallow.validate import Length, OneOf, Range, Regexp

from ..engine.cards import CARD_NAMES, SUIT_NAMES
from ..engine.rules import MAX_SEATS, MIN_SEATS, OPTIONS, PRESETS
from .verdict import Fault, as_json

LONGEST_CLIENT_SEED: Final = 64
ABANDONED: Final = "abandoned"
"""The reason of a deal that was not played to its end, because its match was abandoned."""
_ENDS: Final = ("went_out", "stock_out")
_MOST_DEALS: Final = OPTIONS["deals"].maximum


class Whole(fields.Integer):
    """A whole number, and nothing that is only equal to one."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> int:
        if type(value) is not int:
            raise self.make_error("invalid", input=value)
        return value


def _is_unicode(value: str) -> None:
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise ValidationError("Must be Unicode; half of a surrogate pair is not.") from error


def _cards() -> fields.List[Any]:
    return fields.List(fields.String(validate=OneOf(CARD_NAMES, error="Must be a card.")), required=True)


def _hands() -> fields.List[Any]:
    return fields.List(_cards(), required=True)


_DIGEST: Final = Regexp(r"[0-9a-f]{64}\Z", error="Must be 64 hexadecimal digits in lower case.")


def _digest() -> fields.String:
    return fields.String(required=True, validate=_DIGEST)


def _number() -> Whole:
    return Whole(required=True, validate=Range(1, _MOST_DEALS))


def _seat() -> Whole:
    return Whole(required=True, validate=Range(0, MAX_SEATS - 1))


class Move(Schema):
    """A move; what it holds beside these depends on its type."""

    seat = _seat()
    by = fields.String(required=True, validate=OneOf(("player", "bot", "clock")))
    type = fields.String(required=True)


class Play(Move):
    """A card that is played."""

    card = fields.String(required=True, validate=OneOf(CARD_NAMES, error="Must be a card."))
    suit = fields.String(validate=OneOf(SUIT_NAMES))
    call = fields.String(validate=OneOf(("tek",)))


_MOVES: Final[dict[str, Schema]] = {"play": Play(), "draw": Move(), "pass": Move()}


class MoveField(fields.Field[Any]):
    """A move of any type."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        if not isinstance(value, dict):
            raise ValidationError("Must be an object.")
        kind = value.get("type")
        if not isinstance(kind, str) or kind not in _MOVES:
            raise ValidationError({"type": [f"Must be one of: {', '.join(_MOVES)}."]})
        return _MOVES[kind].load(value)


class Reshuffle(Schema):
    """A reshuffle."""

    pile = _cards()
    stock = _cards()


Rules: Final = Schema.from_dict(
    {
        "preset": fields.String(required=True, validate=OneOf(tuple(PRESETS))),
        "overridden": fields.List(fields.String(validate=OneOf(tuple(OPTIONS))), required=True),
        **{name: fields.Raw(required=True, allow_none=True) for name in OPTIONS},
    },
    name="Rules",
)
"""The options of a match; their values are judged by the rules of the game."""


class ResultShown(Schema):
    """How a deal ended: in its proof, and in the view of the match."""

    number = _number()
    reason = fields.String(required=True, validate=OneOf(_ENDS))
    winners = fields.List(_seat(), required=True)
    multiplier = Whole(required=True, validate=Range(1, 3))
    points = fields.List(Whole(validate=Range(0)), required=True)
    final_card = fields.String(required=True, allow_none=True, validate=OneOf(CARD_NAMES, error="Must be a card."))


class Proof(ResultShown):
    """The proof of one deal."""

    match_id = fields.String(required=True, validate=[Length(1, 100), _is_unicode])
    reason = fields.String(required=True, validate=OneOf((*_ENDS, ABANDONED)))
    seats = Whole(required=True, validate=Range(MIN_SEATS, MAX_SEATS))
    rules = fields.Nested(Rules, required=True)
    hands = _hands()
    derivation = fields.String(required=True)
    commitment = _digest()
    seed_commitment = _digest()
    seed = _digest()
    client_seeds = fields.List(
        fields.String(validate=[Length(0, LONGEST_CLIENT_SEED), _is_unicode]),
        required=True,
    )
    first_dealer = Whole(validate=Range(0, MAX_SEATS - 1))
    dealer_seat = _seat()
    pack = _cards()
    hands_dealt = _hands()
    moves = fields.List(MoveField(), required=True)
    reshuffles = fields.List(fields.Nested(Reshuffle), required=True)
    digest = _digest()


class SeatShown(Schema):
    """A seat in the view of a match."""

    seat = _seat()
    score = Whole(required=True)


class DealShown(Schema):
    """The last deal in the view of a match."""

    number = _number()
    seed_commitment = fields.String(required=True, allow_none=True, validate=_DIGEST)


class View(Schema):
    """What is checked of the view of a match; a newer service may show more."""

    id = fields.String(required=True)
    status = fields.String(required=True)
    seats = Whole(required=True)
    rules = fields.Nested(Rules, required=True, unknown=EXCLUDE)
    commitment = _digest()
    first_dealer = Whole()
    players = fields.List(fields.Nested(SeatShown, unknown=EXCLUDE), required=True)
    deal = fields.Nested(DealShown, required=True, allow_none=True, unknown=EXCLUDE)
    results = fields.List(
        fields.Nested(ResultShown, unknown=EXCLUDE),
        required=True,
        validate=Length(max=_MOST_DEALS),
    )
    winners = fields.List(_seat(), required=True)


_PROOF: Final = Proof()
_VIEW: Final = View(unknown=EXCLUDE)


def require_shape(document: Mapping[str, Any]) -> None:
    """Check the form of a proof.

    Raises:
        Fault: at the first member that is missing, unknown or of another form.
    """
    try:
        _PROOF.load(document)
    except ValidationError as error:
        pointer, detail = _first(error.messages)
        raise Fault(pointer, detail, found=_at(document, pointer)) from error
    seats, given = document["seats"], len(document["client_seeds"])
    if given != seats:
        raise Fault("/client_seeds", "There must be one client seed for each seat.", as_json(seats), as_json(given))
    first_dealer = document.get("first_dealer", 0)
    if first_dealer >= seats:
        raise Fault("/first_dealer", "The table has no such seat.", found=as_json(first_dealer))


def require_view(document: Mapping[str, Any]) -> dict[str, Any]:
    """Check the form of the view of a match, and give of it what is known here.

    Raises:
        Fault: at the first member that is missing or of another form.
    """
    try:
        view: dict[str, Any] = _VIEW.load(document)
    except ValidationError as error:
        pointer, detail = _first(error.messages)
        raise Fault(pointer, detail) from error
    return view


def _first(messages: Any) -> tuple[str, str]:
    """Give the pointer and the sentence of the first complaint of marshmallow."""
    pointer = ""
    while isinstance(messages, dict):
        name, messages = next(iter(messages.items()))
        if name != "_schema":
            pointer += "/" + str(name).replace("~", "~0").replace("/", "~1")
    return pointer, str(messages[0] if isinstance(messages, list) else messages)


def _at(document: Any, pointer: str) -> str | None:
    """Give the JSON of the place that a pointer names; None for the whole, or if nothing stands there."""
    if not pointer:
        return None
    for step in pointer.split("/")[1:]:
        if isinstance(document, list):
            document = document[int(step)]
        elif isinstance(document, dict) and (name := step.replace("~1", "/").replace("~0", "~")) in document:
            document = document[name]
        else:
            return None
    return as_json(document)
