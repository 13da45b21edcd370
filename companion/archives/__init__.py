"""Taking it with you: matches as records and archives, in and out; spreadsheets; copies of a whole instance.

An application beside `matches`, without Flask: pages and the command line call it.
"""

from .spreadsheet import COLUMNS, write_csv
from .taking import Found, Plan, Taken, look_through, take
from .writing import PrintSheet, Progress, format_json, name_match, write_archive, write_match

__all__ = [
    "COLUMNS",
    "Found",
    "Plan",
    "PrintSheet",
    "Progress",
    "Taken",
    "format_json",
    "look_through",
    "name_match",
    "take",
    "write_archive",
    "write_csv",
    "write_match",
]
