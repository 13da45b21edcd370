"""The phones around a table: links and who joined by them, one board on all, what they say of the entries."""

from .remarks import forms_of_remarks
from .wording import describe_remark

__all__ = ["describe_remark", "forms_of_remarks"]
