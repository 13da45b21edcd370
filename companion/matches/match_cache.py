"""Matches remembered as they were last opened, so that the next look at one starts from there."""

from collections import OrderedDict
from threading import Lock

from .match import Match

MAX_MATCHES = 200
"""Matches that are remembered at once, the ones looked at last."""
MAX_EVENTS = 30_000
"""Events that all remembered matches may have together, some eighty megabytes."""


class MatchMemory:
    """The matches this process opened last.

    A log only grows, so what is remembered can be old but never wrong: whoever opens a match reads what has
    been added since. Nothing is lost by forgetting.
    """

    def __init__(self) -> None:
        self._matches: OrderedDict[str, Match] = OrderedDict()
        self._events = 0
        self._lock = Lock()

    def recall(self, id: str) -> Match | None:
        """The match as it was remembered, if it is."""
        with self._lock:
            match = self._matches.get(id)
            if match is not None:
                self._matches.move_to_end(id)
            return match

    def remember(self, match: Match) -> None:
        """Keep a match in mind, unless a later state of it is."""
        with self._lock:
            earlier = self._matches.get(match.id)
            if earlier is not None:
                if earlier.seq > match.seq:
                    return
                self._events -= earlier.seq
            self._matches[match.id] = match
            self._matches.move_to_end(match.id)
            self._events += match.seq
            while len(self._matches) > 1 and (len(self._matches) > MAX_MATCHES or self._events > MAX_EVENTS):
                _id, forgotten = self._matches.popitem(last=False)
                self._events -= forgotten.seq

    def forget(self, id: str) -> None:
        """Have no match with this id in mind."""
        with self._lock:
            match = self._matches.pop(id, None)
            self._events -= match.seq if match else 0
