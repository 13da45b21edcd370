"""Figures of a player over any number of matches: pure, from folded states.

`match` counts one match for a player's figures, `counting` adds up, `spans` chooses the matches, `shares` has
the uncertainty of shares, `words` the names of all figures.
"""

from .counting import CountedFigure, PlayerFigures, Source, count_figures
from .match import CountedMatch, clean_name, is_packed, pack, show_match, summarize
from .shares import find_interval
from .spans import Span
from .words import FigureFact, FigureSection, describe_figures

__all__ = [
    "CountedFigure",
    "CountedMatch",
    "FigureFact",
    "FigureSection",
    "PlayerFigures",
    "Source",
    "Span",
    "clean_name",
    "count_figures",
    "describe_figures",
    "find_interval",
    "is_packed",
    "pack",
    "show_match",
    "summarize",
]
