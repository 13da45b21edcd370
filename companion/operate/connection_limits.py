"""How patient the server is with a connection, and with how many of them."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any


@dataclass(frozen=True, slots=True)
class Limits:
    """What one process of the server allows. Each is a setting: `COMPANION_REQUEST_SECONDS` and so on."""

    request_seconds: float
    """How long a request may take to arrive."""
    idle_seconds: float
    """How long a connection may say nothing, or leave its answer unread."""
    connections: float
    """How many may be open at once; fewer where the system allows fewer files."""

    @classmethod
    def read(cls, config: Mapping[str, Any]) -> "Limits":
        """The limits that the app's settings say."""
        return cls(**{field.name: config[field.name.upper()] for field in fields(cls)})
