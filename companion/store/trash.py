"""Matches in lists, and those out of sight: put away by their owner, or deleted and in the trash."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol


@dataclass(frozen=True, slots=True)
class ListPlace:
    """A place in a list: that of the match with this `id`, as it stood when it was last written in `at`."""

    at: str
    id: str


@dataclass(frozen=True, slots=True)
class ListedMatch:
    """A match in a browser's list: its head, when it was last written in, the summary if that still holds.

    `side` and `has_pencil` are those of the browser's grant, where it did not begin the match itself. By its
    `place` the list is read on. In a list of what is out of sight `hidden_at` is when it was put away or
    deleted.
    """

    id: str
    head: Mapping[str, Any]
    created_at: str
    changed_at: str
    summary: Mapping[str, Any] | None
    owner: str = ""
    side: str | None = None
    has_pencil: bool = False
    place: ListPlace = ListPlace("", "")
    hidden_at: str | None = None


class TrashStore(Protocol):
    """A place that stores matches out of sight. Hiding one counts as a change of its access."""

    def put_away(self, match_id: str, at: str | None) -> None:
        """Archive a match, out of its owner's list, or with None put it back."""

    def delete_match(self, match_id: str, at: str) -> None:
        """Put a match into the trash: nobody can see it any more, but nothing of it is lost yet.

        One that is there already keeps its date.
        """

    def bring_back(self, match_id: str) -> None:
        """Take a match out of the trash again, and back into its owner's list."""

    def list_put_away(self, owner: str) -> list[ListedMatch]:
        """The matches that this owner put away, the one last written in first."""

    def list_deleted(self, owner: str) -> list[ListedMatch]:
        """The owner's matches in the trash, the one last deleted first."""

    def erase_deleted(self, before: str, owner: str | None = None) -> int:
        """Erase what was deleted before that time, of one owner or of all; how many matches these were.

        Their logs, links and grants go with them; saved rulings stay.
        """

    def erase_match(self, match_id: str) -> None:
        """Erase a match that is in the trash; of any other, nothing."""

    def list_ids(self, owner: str | None = None) -> Sequence[str]:
        """The ids of an owner's matches, or of all there are, oldest first, also of those put away.

        None of those in the trash.
        """
