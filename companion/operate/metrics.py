"""The metrics for Prometheus: numbers of requests and actions, and their duration. No label names anybody.

With several processes each counts in files of its own (`PROMETHEUS_MULTIPROC_DIR`, which must be set before
the first `Metrics` is created), and the process that answers adds them up.
"""

import os
import shutil
import signal
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

_FOLDER = "PROMETHEUS_MULTIPROC_DIR"
_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)


class Metrics:
    """The metrics of one app."""

    def __init__(self) -> None:
        # Imported lazily: it reads the environment when it is loaded, and is not needed without metrics.
        from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

        self.registry = CollectorRegistry()
        self._make_gauge = Gauge
        self._gauges: list[tuple[Any, Callable[[], float]]] = []
        """Gauges of other objects, each with the function that reads it."""
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
        """Add a gauge; the sum over all processes is shown, or another aggregate `of_all`: "max", "min".

        `read` is called about once a second, by the process it belongs to.
        """
        mode: Any = f"live{of_all}"
        gauge = self._make_gauge(f"companion_{name}", about, registry=self.registry, multiprocess_mode=mode)
        self._gauges.append((gauge, read))

    def refresh(self) -> None:
        """Read all gauges of other objects."""
        for gauge, read in self._gauges:
            gauge.set(read())

    def show(self) -> str:
        """All metrics in the format of Prometheus; for an app with one process."""
        from prometheus_client import generate_latest

        self.refresh()
        return generate_latest(self.registry).decode()


def forget_process(pid: int) -> None:
    """Remove the gauges of an ended process from the sums."""
    from prometheus_client.multiprocess import mark_process_dead

    mark_process_dead(pid)  # type: ignore[no-untyped-call]  # the library has half its types


def share_metrics() -> Path:
    """Have all processes count in one new folder from now on; `serve_metrics` deletes it at its end."""
    folder = Path(tempfile.mkdtemp(prefix="companion-metrics-"))
    os.environ[_FOLDER] = str(folder)
    return folder


def serve_metrics(folder: Path, host: str, port: int) -> None:
    """Start a process that adds up the metrics in a folder, and serves them at `/metrics` on this port.

    It ends with this process.
    """
    parent = os.getpid()
    if os.fork():
        return
    for stop in (signal.SIGINT, signal.SIGTERM):  # sent to all at once; finished ones count too
        signal.signal(stop, signal.SIG_IGN)
    try:
        from prometheus_client import CollectorRegistry, start_http_server
        from prometheus_client.multiprocess import MultiProcessCollector

        registry = CollectorRegistry()
        MultiProcessCollector(registry, str(folder))  # type: ignore[no-untyped-call]  # the same
        server, _thread = start_http_server(port, host, registry)
        while os.getppid() == parent:
            time.sleep(0.2)
        server.shutdown()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os._exit(0)
