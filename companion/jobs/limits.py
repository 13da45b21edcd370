"""Limits on how many jobs there may be at once, and on the resources they may use."""

from dataclasses import dataclass, field

PAGE_TIMEOUT = 2.0
"""Seconds that a page waits for a job before it shows that it is under way."""


@dataclass(frozen=True, slots=True)
class WorkerLimits:
    """The limits of one process of the server."""

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
    """How many all unknown browsers at one address may have together."""
    in_all: int = 60
    """How many all browsers together may have."""
    grown: float = 250
    """A worker whose peak memory exceeded this many megabytes is replaced after its job."""
    max_jobs: int = 200
    """A worker is replaced after this many jobs."""
    idle_seconds: float = 300
    """A worker is stopped after this many idle seconds."""

    @property
    def long_jobs(self) -> int:
        """How many long jobs run at once: of several workers, one is left for short jobs."""
        return max(1, self.workers - 1)
