"""Players: the spellings of names at the table, and the owner's names for the players."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Players:
    """The player for each spelling, if that is not the spelling itself.

    >>> players = Players().rename("Jan K.", "Jan").rename("Jan", "Janek")
    >>> [players.find(name) for name in ("Jan", "Jan K.", "Janek", "Ewa")]
    ['Janek', 'Janek', 'Janek', 'Ewa']
    >>> players.separate("Jan K.").find("Jan K.")
    'Jan K.'
    """

    names: Mapping[str, str] = field(default_factory=dict)

    def find(self, spelling: str) -> str:
        """The player with this spelling."""
        return self.names.get(spelling, spelling)

    def rename(self, player: str, name: str) -> "Players":
        """Rename a player; renaming to another player's name merges the two."""
        name = name if self.find(name) == player else self.find(name)
        renamed = [spelling for spelling, called in self.names.items() if called == player]
        return Players({**self.names, **dict.fromkeys((*renamed, player, name), name)})

    def separate(self, spelling: str) -> "Players":
        """Make a spelling a player of its own again."""
        return Players({**self.names, spelling: spelling})

    def list_spellings(self, player: str, seen: Iterable[str]) -> list[str]:
        """List the spellings of a player among those seen, each once."""
        return [spelling for spelling in dict.fromkeys(seen) if self.find(spelling) == player]
