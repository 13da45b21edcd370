"""What phones with a store of their own ask: what has changed, and nothing twice."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class MatchVersion:
    """How far a match has come: the `length` of its log, and how often its `access` was changed.

    `side` and `has_pencil` are those of the browser's grant, where it joined the match (`is_joined`).
    """

    id: str
    length: int
    access: int
    changed_at: str
    put_away_at: str | None
    is_joined: bool = False
    side: str | None = None
    has_pencil: bool = False


class NewsStore(Protocol):
    """A store of matches that reports to phones what is new."""

    def list_versions(self, browser: str) -> list[MatchVersion]:
        """Every match that a browser began or joined, also put away, the one last written in first.

        None of those in the trash.
        """

    def list_keys(self, match_id: str, author: str, after: int) -> Mapping[int, str]:
        """The keys of the forms that an author sent, by the numbers of the events that they wrote.

        Of those that come `after` a number.
        """

    def list_ruling_places(self, owner: str) -> Sequence[tuple[str, str]]:
        """When each ruling that a browser saved was given, and its id, oldest first."""
