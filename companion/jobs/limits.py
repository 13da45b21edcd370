"""How many jobs there may be at once, and how much of the machine they may take."""

from dataclasses import dataclass, field

PAGE_TIMEOUT = 2.0
"""How many seconds a page waits for a job before it says that it is under way."""


@dataclass(frozen=True, slots=True)
class WorkerLimits:
    """What one process of the server allows."""

    workers: int = 2
    """How many jobs are done at once; this is a setting."""
    worker_seconds: float = 120
    """How long a job may take."""
    long_seconds: float = 3600
    """How long a job on files may take."""
    worker_memory: float = 1500
    """How many megabytes (of addresses) a worker may have."""
    page_timeout: float = field(default_factory=lambda: PAGE_TIMEOUT)

    waiting: int = 3
    """How many pages may wait at once; all other threads are for pages that need no job."""
    per_browser: int = 4
    """How many unfinished jobs one browser may have."""
    per_group: int = 16
    """How many all browsers together that have one address and are not known yet."""
    in_all: int = 60
    """How many all of them may have."""
    grown: float = 250
    """A worker that ever held more megabytes than this is replaced after its job."""
    max_jobs: int = 200
    """A worker that has done so many jobs is replaced."""
    idle_seconds: float = 300
    """A worker that had nothing to do for so long is stopped."""

    @property
    def long_jobs(self) -> int:
        """How many long jobs are done at once: of several workers, one is left for the others."""
        return max(1, self.workers - 1)
