"""Writes the table of roles anew: `python -m tests.roles`."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "support"))
from .table import FILE, make_table  # where the line above leads

FILE.parent.mkdir(exist_ok=True)
FILE.write_text(make_table(), encoding="utf-8")
print(f"written: {FILE}")
