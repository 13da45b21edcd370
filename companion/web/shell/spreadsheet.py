"""Tables for the spreadsheet of whoever reads them."""

import csv
from collections.abc import Iterable, Sequence
from io import StringIO
from re import compile

from flask_babel import get_locale

MARK = "\ufeff"
"""The beginning of a file without which spreadsheets do not take it for UTF-8."""
_DECIMAL = compile(r"^(-?[0-9]+)\.([0-9]+)$")
"""A number with a decimal point, and nothing else."""


def find_separator() -> str:
    """Find what separates cells: spreadsheets expect semicolons where decimals begin with a comma."""
    return ";" if _find_decimal_sign() == "," else ","


def write_table(rows: Iterable[Sequence[object]]) -> str:
    """Write rows as CSV; decimal numbers have the sign of the language of the page."""
    text, sign = StringIO(), _find_decimal_sign()
    table = csv.writer(text, delimiter=find_separator())
    for row in rows:
        table.writerow([_DECIMAL.sub(rf"\1{sign}\2", str(cell)) for cell in row])
    return MARK + text.getvalue()


def _find_decimal_sign() -> str:
    locale = get_locale()
    symbols = locale.number_symbols if locale is not None else {}
    sign: str = symbols.get("latn", symbols).get("decimal", ".")
    return sign
