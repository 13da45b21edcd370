"""The choice of matches over which figures are counted."""

from collections.abc import Sequence
from dataclasses import dataclass

from .match import CountedMatch


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """Matches with a certain opponent or partner, of a game or of one of its presets, between two dates.

    None matches any. `first` and `last` are dates as `2026-11-20`, inclusive, by the clock of the table; a
    match without a date is never between dates.
    """

    opponent: str | None = None
    partner: str | None = None
    game: str | None = None
    preset: str | None = None
    first: str | None = None
    last: str | None = None

    def select(self, player: str, matches: Sequence[CountedMatch]) -> list[CountedMatch | None]:
        """Select the matches of this player, with None instead of every other one."""
        return [match if self.fits(match) and self._holds(player, match) else None for match in matches]

    def fits(self, match: CountedMatch) -> bool:
        """True if it is of the game, the preset and the days, whoever played."""
        day = (match.started or "")[:10]
        return (
            self.game in (None, match.game)
            and self.preset in (None, match.shown["preset"])
            and (self.first is None or self.first <= day)
            and (self.last is None or "" < day <= self.last)
        )

    def _holds(self, player: str, match: CountedMatch) -> bool:
        seat = match.find_seat(player)
        if seat is None:
            return False
        for other, beside in ((self.opponent, False), (self.partner, True)):
            its = None if other is None else match.find_seat(other)
            if other is not None and (
                its is None or (match.ring.side(its) == match.ring.side(seat)) != beside
            ):
                return False
        return True
