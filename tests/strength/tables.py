"""Bots at a table: each is shown what the service shows a player at its seat, nothing else."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, TypeAlias

from service.engine.events import Event, Result
from service.engine.moves import Move
from service.engine.notation import DIRECTION_NAMES
from service.engine.play import apply, deal_cards
from service.engine.rules import Rules
from service.engine.shuffle import SEED_BYTES, Shuffler
from service.engine.state import Deal
from service.identity import Caller
from service.view import Data, event_data, match_view, redacted
from tests.moves import move_of
from tests.tables import playing

Choose: TypeAlias = Callable[[Data, Sequence[Data], Random], dict[str, Any]]
"""A player: from its view and the log that it could follow to the body of its move."""
