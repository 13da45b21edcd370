"""Sentences for the words that programs use: verdicts and answers of rulings.

Pages and the command line use the same ones, and translate them and put names for seats.
"""

from .replays import list_findings
from .rulings import RulingWords
