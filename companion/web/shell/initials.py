"""Initials that stand for long names where there is little room; no two at one table are the same."""

import re
import unicodedata
from collections.abc import Mapping

_JOINER = "\u200d"


def unique_initials(names: Mapping[str, str]) -> dict[str, str]:
    """The shortest initials of each name, by the same keys, that no other name has.

    Names of several words are told by each word's first letter; where that is not enough, by as much of
    the name's beginning as it takes.

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
    """The letters of a text, each with the marks that belong to it."""
    letters: list[str] = []
    for sign in text:
        belongs = unicodedata.category(sign).startswith("M") or sign == _JOINER
        if letters and (belongs or letters[-1].endswith(_JOINER)):
            letters[-1] += sign
        else:
            letters.append(sign)
    return letters or [""]
