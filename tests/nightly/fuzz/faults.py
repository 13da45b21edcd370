"""What went wrong, and how it is noticed."""

import logging
from dataclasses import dataclass


@dataclass
class Failure:
    """A request that was answered by a 5xx, or did what its browser has no right to."""

    status: int
    request: str
    fault: str


class FaultHandler(logging.Handler):
    """Keeps what the app logs of its own faults."""

    def __init__(self, faults: list[str]) -> None:
        super().__init__()
        self._faults = faults

    def emit(self, record: logging.LogRecord) -> None:
        """Keep the line and where it broke."""
        self._faults.append(logging.Formatter().format(record))
