"""The phones around a table: links and joined phones, one board on all, remarks on the entries."""

from .remarks import describe_remark, forms_of_remarks
