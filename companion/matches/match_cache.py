"""A cache of the matches opened last, so that the next request starts from there."""

from collections import OrderedDict
from threading import Lock

from .match import Match

MAX_MATCHES = 200
"""Matches in the cache, those opened last."""
MAX_EVENTS = 30_000
"""Events of all cached matches together, some eighty megabytes."""


class MatchMemory:
    """The matches this process opened last.

    A log only grows, so a cached match can be old but never wrong: whoever opens it reads what has been added
    since.
    """

    def __init__(self) -> None:
        self._matches: OrderedDict[str, Match] = OrderedDict()
        self._events = 0
        self._lock = Lock()

    def recall(self, id: str) -> Match | None:
        """The cached match, if there is one."""
        with self._lock:
            match = self._matches.get(id)
            if match is not None:
                self._matches.move_to_end(id)
            return match

    def remember(self, match: Match) -> None:
        """Cache a match, unless a later state of it is there."""
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
        """Drop the match with this id from the cache."""
        with self._lock:
            match = self._matches.pop(id, None)
            self._events -= match.seq if match else 0
