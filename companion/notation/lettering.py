"""Words in a drawing: how much room they take in any font, and how they are fitted into it."""

from __future__ import annotations

import unicodedata

_NARROW, _BROAD = frozenset("ijltfrI.,:;'!|()[]· іїј"), frozenset("mwMWQ@%&ЖМШЩЮЫФжмшщюыф—…")
_SMALLEST = 0.72
"""The smallest scale of words before they are cut."""


def measure(text: str, size: float, bold: bool = False) -> float:
    """Estimate the greatest width of words in any sans serif font."""
    return sum(map(_measure_letter, text)) * size * (1.1 if bold else 1.0)


def _measure_letter(letter: str) -> float:
    """The width of a letter, in heights of the type."""
    if unicodedata.combining(letter):
        return 0.0
    if unicodedata.east_asian_width(letter) in "WF":
        return 1.05
    if letter in _NARROW:
        return 0.4
    if letter in _BROAD:
        return 0.95
    return 0.72 if letter.isupper() else 0.62


def fit(text: str, size: float, room: float, bold: bool = False) -> tuple[str, float]:
    """Fit words into so much room, with their size: smaller ones, and then cut with an ellipsis.

    >>> fit("Ewa", 18, 100)
    ('Ewa', 18)
    >>> fit("Konstancja Brzęczyszczykiewicz", 25, 125)
    ('Konstancja…', 18.0)
    """
    wide = measure(text, size, bold)
    if wide <= room:
        return text, size
    size *= max(_SMALLEST, room / wide)
    if wide * _SMALLEST <= room:
        return text, size
    length = len(text)
    while length and measure(f"{text[:length]}…", size, bold) > room:
        length -= 1
    return f"{text[:length].rstrip()}…", size
