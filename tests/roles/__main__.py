"""Writes the table of roles anew: `python -m tests.roles`."""

from .table import FILE, make_table

FILE.parent.mkdir(exist_ok=True)
FILE.write_text(make_table(), encoding="utf-8")
print(f"written: {FILE}")
