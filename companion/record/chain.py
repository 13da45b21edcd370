"""Records that follow each other: each is folded with the first dealer that the one before leaves to it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic

from companion.rules.game import GameState
from companion.rules.seats import Seat

from .record import OpenedT, Record, fold_record, read_record, with_first_dealer

OpenGame = Callable[[str, str | None, Mapping[str, object], int], OpenedT]
"""Opens a game by name, preset, conventions and number of players, as the library does."""


@dataclass(frozen=True)
class FoldedRecord(Generic[OpenedT]):
    """A record whose first dealer is known, its game, and what it came to."""

    record: Record
    game: OpenedT
    state: GameState


class RecordChain(Generic[OpenedT]):
    """Folds records, and remembers what each came to for the record that follows it.

    `documents` are records as JSON, among which the one before another is looked up by its id.
    """

    def __init__(self, open_game: OpenGame[OpenedT], documents: Sequence[object] = ()) -> None:
        self._open_game = open_game
        self._unread = {
            document["id"]: document
            for document in documents
            if isinstance(document, dict) and isinstance(document.get("id"), str)
        }
        self._next_dealers: dict[str, Seat | None] = {}

    def fold(self, document: object) -> FoldedRecord[OpenedT]:
        """What a record comes to.

        :raises Unreadable: when it is no record, or follows one that is not there.
        """
        record, game = read_record(document, self._open_game)
        followed = None if "first_dealer" in record.head else record.head.get("follows")
        record = with_first_dealer(record, self._find_next_dealer(followed))
        state = fold_record(record, game.family)
        if "id" in record.head:
            self._next_dealers[record.head["id"]] = state.next_dealer
        return FoldedRecord(record, game, state)

    def _find_next_dealer(self, name: str | None) -> Seat | None:
        """Who deals after the game with this id, where that is known."""
        if name is None:
            return None
        if name not in self._next_dealers and name in self._unread:
            self.fold(self._unread.pop(name))  # popped first, so that a circle of records ends
        return self._next_dealers.get(name)


def list_in_order(folded: Sequence[FoldedRecord[OpenedT]]) -> list[FoldedRecord[OpenedT]]:
    """The records as they were given, but each after the one that it follows."""
    waiting, ordered = list(folded), list[FoldedRecord[OpenedT]]()
    while waiting:
        ids = {record.record.head["id"] for record in waiting if "id" in record.record.head}
        free = (record for record in waiting if record.record.head.get("follows") not in ids)
        following = next(free, waiting[0])  # of records that follow each other in a circle none is first
        waiting.remove(following)
        ordered.append(following)
    return ordered
