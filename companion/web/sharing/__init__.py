"""The phones around a table: links and who joined by them, one board on all, what they say of the entries."""

from .remarks import describe_remark, forms_of_remarks
