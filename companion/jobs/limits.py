"""How much heavy work there may be at once, and how much of the machine it may take: the one place for it."""

from dataclasses import dataclass, field

PAGE_TIMEOUT = 2.0
"""How many seconds a page waits for heavy work before it says that it is under way."""


@dataclass(frozen=True, slots=True)
class WorkerLimits:
    """What one process of the server allows; how many workers it has is a setting."""

    workers: int = 2
    """How many worker processes work at once."""
    worker_seconds: float = 120
    """How long one may be at a piece of work."""
    worker_memory: float = 1500
    """How many megabytes (of addresses) one may have."""
    worker_patience: float = field(default_factory=lambda: PAGE_TIMEOUT)

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
