"""What people read for the words that programs use: verdicts and answers of rulings, in sentences.

Pages and the command line say the same; whoever shows a sentence translates it, and puts names for seats.
"""

from .answers import DescribedIrregularity, RulingWords, describe_irregularities, show_signed
from .replays import list_findings
