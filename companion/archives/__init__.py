"""Matches as files: import and export of records and archives; spreadsheets.

An application beside `matches`, without Flask: pages and the command line call it. Backups of a whole
instance are in `backup`, which is imported by itself: it needs a database, and a phone has none.
"""

from .giving import unpack, write_fragment
from .importer import Found, Imported, Plan, What, import_found, look_through
from .writing import (
    COLUMNS,
    PrintSheet,
    Progress,
    format_json,
    name_match,
    write_archive,
    write_csv,
    write_match,
)
