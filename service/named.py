"""Values with named fields, of which every request makes dozens."""

from __future__ import annotations

from typing import Any, Self, dataclass_transform

import msgspec


@dataclass_transform(frozen_default=True)
class Named(msgspec.Struct, frozen=True):
    """An immutable value, as a `NamedTuple` is one; to make it, to read a field and to replace some costs far less."""

    def _replace(self, **changes: Any) -> Self:
        """Give a copy with other values in some fields."""
        return msgspec.structs.replace(self, **changes)
