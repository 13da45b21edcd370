"""Jobs in a phone: there is one browser, and nobody else to do them."""

from collections.abc import Callable

from companion.jobs import Job

_MAX_RESULTS = 20


class InlineDispatcher:
    """Does every job at once, and remembers the last results."""

    def __init__(self) -> None:
        self._results: dict[str, bytes] = {}

    def ask(self, job: Job, browser: str) -> bytes:
        """The result. :raises Exception: what the job raises."""
        if job.key not in self._results:
            result = job.function(*job.arguments)
            if len(self._results) >= _MAX_RESULTS:
                del self._results[next(iter(self._results))]
            self._results[job.key] = result
        return self._results[job.key]

    def prepare(self, function: Callable[[], bytes]) -> None:
        """Nothing is prepared: it would be in the way of the page."""
