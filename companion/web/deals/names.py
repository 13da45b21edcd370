"""Players' names on buttons and heads of columns: whole, or initials if they do not fit."""

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping
from functools import cached_property

from companion.matches import Match
from companion.rules.seats import Seat, Side
from companion.web.shell.text import name_of

Choice = tuple[str, str, str]
"""A choice: its value, its label, and the whole name behind the label."""

_LINES = 2
_WIDTHS = {3: 10}
_WIDTH = 16
"""Letters that fit on a line of a choice, with three beside each other and with two."""
_SHORT = 6
"""Letters of a name that leaves room for more on its line."""
_HEADS = {2: 13, 3: 11, 4: 8}
"""Letters of a name that fit above a column of the board, by the number of columns."""

COLUMN_WIDTH = 10
"""Letters that fit above a column of points."""


class TableNames:
    """The names of a table as templates show them; a line fits `width` letters."""

    def __init__(self, match: Match, width: int | None = None) -> None:
        self.match, self.ring = match, match.state.ring
        self._width = width or _WIDTHS.get(len(self.ring.sides), _WIDTH)

    @cached_property
    def seat_labels(self) -> dict[Seat, str]:
        """The seats by name, or by initials where the name does not fit a choice."""
        return short_names(self.match, self._width)

    @cached_property
    def first(self) -> dict[Seat, str]:
        """The seats by name, by a long one's first name: for a line that says more than the name."""
        return first_names(self.match)

    @cached_property
    def side_labels(self) -> dict[Side, str]:
        """The sides by the names of their players, or by initials where those do not fit a choice."""
        return {side: self._label_side(side) for side in self.ring.sides}

    @property
    def has_long_names(self) -> bool:
        """True if names need lines of their own."""
        return any(len(name) > _SHORT for name in self.match.names.values())

    @cached_property
    def initials(self) -> dict[Seat, str]:
        """The initials used as labels on the page, by seat; the whole names stand beside them."""
        labels = [*self.seat_labels.values(), *self.side_labels.values()]
        said = {part for label in labels for part in label.split(" & ")}
        return {seat: short for seat, short in self._all_initials.items() if short in said}

    def seat_choices(self, nobody: str | None) -> list[Choice]:
        """The seats as choices by name; one labelled `nobody`, unless None, between two or after more."""
        names = self.match.names
        return _with_nobody([(seat, label, names[seat]) for seat, label in self.seat_labels.items()], nobody)

    def side_choices(self, nobody: str | None) -> list[Choice]:
        """The sides as choices by name; one labelled `nobody`, unless None, between two or after more."""
        name = self.match.side_name
        return _with_nobody([(side, label, name(side)) for side, label in self.side_labels.items()], nobody)

    def partner(self, seat: Seat) -> str:
        """The names of a seat's partners."""
        ring = self.ring
        others = (other for other in ring.seats if other != seat and ring.side(other) == ring.side(seat))
        return " & ".join(name_of(self.match, other) for other in others)

    @cached_property
    def _all_initials(self) -> dict[Seat, str]:
        return unique_initials(self.match.names)

    def _label_side(self, side: Side) -> str:
        names = self.match.names
        seats = [seat for seat in self.ring.seats if self.ring.side(seat) == side]
        if len(seats) == 1:
            return self.seat_labels[seats[0]]
        whole = " & ".join(names[seat] for seat in seats)
        if _fits(whole, self._width):
            return whole
        return " & ".join(
            names[seat] if len(names[seat]) <= _SHORT else self._all_initials[seat] for seat in seats
        )


def _with_nobody(choices: list[Choice], nobody: str | None) -> list[Choice]:
    """The choices, plus one for nobody if it has a label: between two, or after more."""
    if nobody is None:
        return choices
    middle = 1 if len(choices) == 2 else len(choices)
    return [*choices[:middle], ("", nobody, nobody), *choices[middle:]]


def short_names(match: Match, width: int) -> dict[Seat, str]:
    """Each seat's name, or its initials if the name does not fit two lines of so many letters."""
    initials = unique_initials(match.names)
    return {seat: name if _fits(name, width) else initials[seat] for seat, name in match.names.items()}


def first_names(match: Match) -> dict[Seat, str]:
    """Each seat's name above its column: whole, or where that is too long a first name of nobody else."""
    width = _HEADS[len(match.state.ring.sides)]
    first = {seat: name.split()[0] for seat, name in match.names.items()}
    shared = Counter(map(str.casefold, first.values()))
    return {
        seat: first[seat] if len(name) > width and shared[first[seat].casefold()] == 1 else name
        for seat, name in match.names.items()
    }


def _fits(text: str, width: int) -> bool:
    """True if a text fits a choice with no word broken."""
    lines, room = 0, 0
    for word in re.split(r"(?<=-)|\s+", text):
        if len(word) > width:
            return False
        if len(word) > room:
            lines, room = lines + 1, width
        room -= len(word) + 1
    return lines <= _LINES


_JOINER = "\u200d"


def unique_initials(names: Mapping[str, str]) -> dict[str, str]:
    """The shortest initials of each name that no other name has, by the same keys.

    Names of several words are shortened to each word's first letter; if that is not enough, to as much of the
    name's beginning as it takes.

    >>> unique_initials({"A": "Maria Magdalena", "B": "Wawrzyniec", "C": "Jan", "D": "Jakub"})
    {'A': 'MM', 'B': 'W.', 'C': 'Jan', 'D': 'Jak.'}
    """
    return {
        key: _initials(name, [other for seat, other in names.items() if seat != key])
        for key, name in names.items()
    }


def _initials(name: str, others: list[str]) -> str:
    short = _first_letters(name)
    taken = {text.casefold() for other in others for text in (other, _first_letters(other))}
    if len(_words(name)) > 1 and short.casefold() not in taken:
        return short
    letters = _letters(name)
    for length in range(1, len(letters)):
        start = "".join(letters[:length])
        if not any(other.casefold().startswith(start.casefold()) for other in others):
            return f"{start.strip()}."
    return name


def _first_letters(name: str) -> str:
    return "".join(_letters(word)[0] for word in _words(name)[:3])


def _words(name: str) -> list[str]:
    return [word for word in re.split(r"[\s-]+", name) if word] or [name]


def _letters(text: str) -> list[str]:
    """The letters of a text, each with its combining marks."""
    letters: list[str] = []
    for sign in text:
        belongs = unicodedata.category(sign).startswith("M") or sign == _JOINER
        if letters and (belongs or letters[-1].endswith(_JOINER)):
            letters[-1] += sign
        else:
            letters.append(sign)
    return letters or [""]
