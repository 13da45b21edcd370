"""Matches as files: import and export of records and archives; spreadsheets; backups of a whole instance.

An application beside `matches`, without Flask: pages and the command line call it.
"""

from .backup import (
    Counted,
    NoBackup,
    Verified,
    back_up,
    count_there,
    is_file_backup,
    look_into,
    put_in_place,
    transfer,
    unpacked,
    verify,
)
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
