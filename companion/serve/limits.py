"""How patient the server is with a connection, and with how many of them."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from companion.store import CannotStart


@dataclass(frozen=True, slots=True)
class Limits:
    """What one process of the server allows. Each is a setting: `COMPANION_REQUEST_SECONDS` and so on."""

    request_seconds: float = 30
    """How long a request may take to arrive."""
    idle_seconds: float = 30
    """How long a connection may say nothing, or leave its answer unread."""
    connections: float = 1000
    """How many may be open at once; fewer where the system allows fewer files."""

    @classmethod
    def read(cls, config: Mapping[str, Any]) -> "Limits":
        """The limits that the app's settings say.

        :raises CannotStart: when one is no number above 0.
        """
        chosen = {}
        for name in (field.name for field in fields(cls)):
            value = config.get(name.upper())
            if value is None:
                continue
            if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= 1_000_000:
                raise CannotStart(f"COMPANION_{name.upper()}: must be a number above 0, not {value}")
            chosen[name] = value
        return cls(**chosen)
