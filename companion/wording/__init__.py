"""Sentences for the words that programs use: verdicts and answers of rulings.

Pages and the command line use the same ones, and translate them and put names for seats.
"""

from .answers import DescribedIrregularity, RulingWords, describe_irregularities, show_signed
from .replays import list_findings
