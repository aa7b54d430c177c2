"""Every operation of the contract, in its order."""

from __future__ import annotations

from typing import Final

from . import docs, export, finding, health, matches, play, players, rematch, rules, stream
from .contract import Operation

OPERATIONS: Final[list[Operation]] = [
    *matches.operations.members,
    *finding.operations.members,
    *players.operations.members,
    *rematch.operations.members,
    *play.operations.members,
    *stream.operations.members,
    *export.operations.members,
    *rules.operations.members,
    *health.operations.members,
    *docs.operations.members,
]
