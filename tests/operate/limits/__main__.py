"""Writes the page of limits anew: `python -m tests.operate.limits`."""

from .page import FILE, make_page

FILE.write_text(make_page(), encoding="utf-8")
print(f"written: {FILE}")
