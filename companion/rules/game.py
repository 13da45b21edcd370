"""What the log needs from a family of games, and nothing more."""

from collections.abc import Mapping
from typing import Any, Protocol

from .ruling import Ruling


class Family(Protocol):
    """A game under one rule set, as the record sees it: five verbs, no score, no winner.

    `State` is the family's own; the record only hands it on.
    """

    def read(self, entry: Any, path: str) -> Any:
        """One entry from JSON. :raises Unreadable: if it has not the shape of an entry."""

    def start(self, head: Mapping[str, Any]) -> Any:
        """The state before the first entry. :raises Unreadable: if players or dealer do not fit."""

    def apply(self, state: Any, entry: Any) -> Any:
        """The state after one more entry. Never raises: what is wrong is in the state's problems."""

    def show(self, state: Any) -> dict[str, Any]:
        """The state as JSON values."""

    def rule(self, request: Mapping[str, Any]) -> Ruling:
        """The answer to one question. :raises Unreadable: if the question cannot be understood."""
