"""What a player's matches come to, over any number of them: pure, from states that were folded.

`match` reads off a match what it adds to a player's figures, `counting` adds up, `spans` chooses the matches,
`shares` says how sure a share is, `words` what all of it is called.
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
