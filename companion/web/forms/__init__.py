"""From a schema to the fields of a form and back: which field stands for which place of an entry."""

from .table import FieldLine, FieldTable, keep_unchanged
from .values import ABSENT, Absence, Fact, parse_number, read_value, spell

__all__ = [
    "ABSENT",
    "Absence",
    "Fact",
    "FieldLine",
    "FieldTable",
    "keep_unchanged",
    "parse_number",
    "read_value",
    "spell",
]
