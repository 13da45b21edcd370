"""Players: the spellings under which somebody sat down at a table, and what the owner calls them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Players:
    """Which player each spelling stands for, where that is not the spelling itself.

    >>> players = Players().rename("Jan K.", "Jan").rename("Jan", "Janek")
    >>> [players.find(name) for name in ("Jan", "Jan K.", "Janek", "Ewa")]
    ['Janek', 'Janek', 'Janek', 'Ewa']
    >>> players.separate("Jan K.").find("Jan K.")
    'Jan K.'
    """

    names: Mapping[str, str] = field(default_factory=dict)

    def find(self, spelling: str) -> str:
        """The player who sat down under this spelling."""
        return self.names.get(spelling, spelling)

    def rename(self, player: str, name: str) -> "Players":
        """Call a player by another name; by that of another player the two are merged."""
        name = name if self.find(name) == player else self.find(name)
        renamed = [spelling for spelling, called in self.names.items() if called == player]
        return Players({**self.names, **dict.fromkeys((*renamed, player, name), name)})

    def separate(self, spelling: str) -> "Players":
        """Make a spelling a player of its own again."""
        return Players({**self.names, spelling: spelling})

    def list_spellings(self, player: str, seen: Iterable[str]) -> list[str]:
        """The spellings of a player among those that were seen, each once."""
        return [spelling for spelling in dict.fromkeys(seen) if self.find(spelling) == player]
