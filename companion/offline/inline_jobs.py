"""Heavy work in a phone: there is one who asks, and nobody else to do it."""

from collections.abc import Callable

from companion.jobs import HeavyTask

_LIMIT = 20
"""Answers that are kept."""


class InlineDispatcher:
    """Works everything out at once, where others have workers; asked again, it knows the last answers."""

    def __init__(self) -> None:
        self._answers: dict[str, bytes] = {}

    def ask(self, task: HeavyTask, browser: str) -> bytes:
        """The answer. :raises Exception: what the work raises."""
        if task.key not in self._answers:
            answer = task.function(*task.arguments)
            if len(self._answers) >= _LIMIT:
                del self._answers[next(iter(self._answers))]
            self._answers[task.key] = answer
        return self._answers[task.key]

    def prepare(self, function: Callable[[], bytes]) -> None:
        """Nothing is prepared: it would be in the way of the page."""
