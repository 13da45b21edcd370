"""How much heavy work there may be at once, and how much of the machine it may take: the one place for it."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any


@dataclass(frozen=True, slots=True)
class WorkerLimits:
    """What one process of the server allows. The first four are settings: `COMPANION_WORKERS` and so on."""

    workers: int = 2
    """How many worker processes work at once."""
    worker_seconds: float = 120
    """How long one may be at a piece of work."""
    worker_memory: float = 1500
    """How many megabytes (of addresses) one may have."""
    worker_patience: float = 2
    """How many seconds a page waits for heavy work before it says that it is under way."""

    waiting: int = 3
    """How many pages wait so at once; the threads of all others are for whoever asks nothing heavy."""
    per_browser: int = 4
    """How much one browser may have asked that is not answered yet."""
    per_crowd: int = 16
    """How much those may who cannot be told apart: all browsers of one address that are not known yet."""
    in_all: int = 60
    """How much all of them may."""
    grown: float = 250
    """A worker that ever held more megabytes than that is replaced when it has answered."""
    most_tasks: int = 200
    """One that has answered so often is replaced."""
    idle_seconds: float = 300
    """One that was asked nothing for so long is let go."""

    @classmethod
    def read(cls, config: Mapping[str, Any]) -> "WorkerLimits":
        """The limits that the app's settings say.

        :raises ValueError: with a sentence, when one is none that can be kept.
        """
        chosen: dict[str, Any] = {}
        for name, (least, most) in _SETTINGS.items():
            value = config.get(name.upper())
            if value is None:
                continue
            whole = name == "workers"
            is_number = isinstance(value, int if whole else int | float) and not isinstance(value, bool)
            if not is_number or not least <= value <= most:
                right = f"{'a whole number' if whole else 'a number'} from {least} to {most}"
                raise ValueError(f"COMPANION_{name.upper()}: must be {right}, not {value}")
            chosen[name] = value
        return cls(**chosen)


_SETTINGS = {
    "workers": (1, 64),
    "worker_seconds": (1, 3600),
    "worker_memory": (400, 1_000_000),
    "worker_patience": (0, 50),
}
"""The settings, each with the least and the most it may be."""
assert {field.name for field in fields(WorkerLimits)} >= _SETTINGS.keys()
