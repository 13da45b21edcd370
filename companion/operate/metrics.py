"""The metrics for Prometheus: how much is requested and done, and how long it takes. No label names anybody.

Where a server has several processes each counts in files of its own (`PROMETHEUS_MULTIPROC_DIR`, which has to
be set before the first `Metrics` is made), and whoever is asked adds them up.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FOLDER = "PROMETHEUS_MULTIPROC_DIR"
_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)


@dataclass(frozen=True, slots=True)
class _Figure:
    """A gauge that another object keeps, and how it is read."""

    gauge: Any
    read: Callable[[], float]


class Metrics:
    """The metrics of one app."""

    def __init__(self) -> None:
        # Imported lazily: it reads the environment when it is loaded, and is not needed without metrics.
        from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

        self.registry = CollectorRegistry()
        self._make_gauge = Gauge
        self._figures: list[_Figure] = []
        self._requests = Counter(
            "companion_requests",
            "Requests, by page, method and status.",
            ["endpoint", "method", "status"],
            registry=self.registry,
        )
        self._seconds = Histogram(
            "companion_request_seconds",
            "How long requests took, by page.",
            ["endpoint"],
            buckets=_SECONDS,
            registry=self.registry,
        )
        self._events = Counter(
            "companion_events", "What was written in matches, by kind.", ["kind"], registry=self.registry
        )
        self._actions = {
            name: Counter(f"companion_{name}", about, registry=self.registry)
            for name, about in (
                ("matches", "Matches begun."),
                ("rulings", "Answers to disputes."),
                ("prints", "Sheets handed out as PDF."),
                ("stale_writes", "Entries refused because somebody else had written meanwhile."),
                ("refusals", "Requests refused for now, because somebody asked too much or all were busy."),
            )
        }

    def count_request(self, endpoint: str, method: str, status: int, seconds: float) -> None:
        """Count a request that was answered."""
        self._requests.labels(endpoint, method, str(status)).inc()
        self._seconds.labels(endpoint).observe(seconds)

    def count_event(self, kind: str) -> None:
        """Count an event written in a match."""
        self._events.labels(kind).inc()

    def count(self, action: str) -> None:
        """Count one more of "matches", "rulings", "prints", "stale_writes" or "refusals"."""
        self._actions[action].inc()

    def add_gauge(self, name: str, about: str, read: Callable[[], float], of_all: str = "sum") -> None:
        """Add a gauge; the sum over all processes is shown, or another figure of them `of_all`: "max", "min".

        `read` is called about once a second, by the process it belongs to.
        """
        mode: Any = f"live{of_all}"
        gauge = self._make_gauge(f"companion_{name}", about, registry=self.registry, multiprocess_mode=mode)
        self._figures.append(_Figure(gauge, read))

    def refresh(self) -> None:
        """Read all gauges that other objects keep."""
        for figure in self._figures:
            figure.gauge.set(figure.read())

    def show(self) -> str:
        """All metrics in the format of Prometheus; for an app with one process."""
        from prometheus_client import generate_latest

        self.refresh()
        return generate_latest(self.registry).decode()


def forget_process(pid: int) -> None:
    """Remove the gauges of an ended process from the sums."""
    from prometheus_client.multiprocess import mark_process_dead

    mark_process_dead(pid)  # type: ignore[no-untyped-call]  # the library has half its types


def make_summary(folder: Path) -> Any:
    """The registry that adds up what all processes have written in the folder."""
    from prometheus_client import CollectorRegistry
    from prometheus_client.multiprocess import MultiProcessCollector

    registry = CollectorRegistry()
    MultiProcessCollector(registry, str(folder))  # type: ignore[no-untyped-call]  # the same
    return registry
