"""How long a search may go on."""

from dataclasses import dataclass


class SearchLimit(Exception):
    """A search was broken off: nothing is found, and nothing is ruled out."""


@dataclass(slots=True)
class Effort:
    """How many steps may still be tried; several searches can share one."""

    left: int

    def spend(self, steps: int = 1) -> None:
        """So many more are tried. :raises SearchLimit: where they may not be."""
        self.left -= steps
        if self.left < 0:
            raise SearchLimit
