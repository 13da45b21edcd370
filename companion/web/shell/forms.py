"""The base of all writing forms: each has a key of its own and the length of the log it was built from."""

import json
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Any, ClassVar, Self

from flask import request
from flask_babel import lazy_gettext as _l
from flask_wtf import FlaskForm
from wtforms import HiddenField, TextAreaField
from wtforms.validators import Length

from companion.rules.errors import Missing
from companion.rules.message import Message
from companion.rules.schema import fields_of
from companion.web.forms.table import FieldLine, FieldTable, keep_unchanged

_HIDDEN = ("csrf_token", "form_key", "seq")
"""The fields that differ between two copies of a form even if the same was sent."""

NOTE_LENGTH = Length(max=500, message=_l("At most 500 characters; the rest would be lost."))


def fresh_key() -> str:
    """A new key for a form: a form that is sent twice writes once."""
    return secrets.token_urlsafe(12)


class WritingForm(FlaskForm):
    """A form that adds to a match.

    `form_key` makes a double tap one entry; `seq` is the log's length when the page was built, so that a
    stale page is refused instead of writing over somebody else's entry.
    """

    form_key = HiddenField(default=fresh_key)
    seq = HiddenField()

    @property
    def key(self) -> str:
        """The form's own key, with its content and address: equal only for the same form sent again.

        Going back and typing something else makes another form. A request without a key gets a fresh one.
        """
        if not self.form_key.data:
            return fresh_key()
        sent = [pair for pair in request.form.items(multi=True) if pair[0] not in _HIDDEN]
        content = json.dumps([self.form_key.data, request.full_path, sent]).encode()
        return urlsafe_b64encode(sha256(content).digest()[:24]).decode()

    @property
    def seen_seq(self) -> int:
        """The length of the log that the writer had seen.

        :raises MissingSeq: if the form does not say.
        """
        text = self.seq.data or ""
        if not (text.isascii() and text.isdigit() and len(text) < 10):
            raise MissingSeq
        return int(text)


class MissingSeq(Missing):
    """A form lacks the length of the log it was built from."""

    def __init__(self) -> None:
        reason = Message(
            "this form does not say how the match stood when it was opened; check the match, then save again"
        )
        super().__init__("seq", reason)


class EntryForm(WritingForm):
    """The form of one entry of the `shape`; its fields have the names of the entry's keys.

    `lines` lists the fields with other names, each with its path in the entry.
    """

    shape: ClassVar[type]
    lines: ClassVar[tuple[tuple[str, str] | FieldLine, ...]] = ()
    _table: ClassVar[FieldTable]
    of_seats = False
    """True if `by` is one player, False if it is a side."""

    note = TextAreaField(_l("Note"), [NOTE_LENGTH])

    @classmethod
    def table(cls) -> FieldTable:
        """The fields, each with its path in the entry."""
        if "_table" not in vars(cls):
            listed = {line.path if isinstance(line, FieldLine) else line[1] for line in cls.lines}
            keys = [place.key for place in fields_of(cls.shape) if place.key not in listed]
            same = ((key, key) for key in keys if hasattr(getattr(cls, key, None), "field_class"))
            cls._table = FieldTable(cls.shape, (*cls.lines, *same))
        return cls._table

    @classmethod
    def fill(cls, entry: Mapping[str, Any]) -> dict[str, Any]:
        """The data of the fields for an entry."""
        return cls.table().fill(entry)

    @classmethod
    def show(cls, entry: Mapping[str, Any]) -> Self:
        """Build the form, filled from an entry."""
        return cls(formdata=None, data=cls.fill(entry))

    def read(self, paths: Iterable[str] | None = None) -> dict[str, Any]:
        """Read the fields as an entry in JSON; only at these paths, if any are given."""
        return self.table().read(self, paths)

    def to_entry(self, earlier: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Read the entry as JSON; in a correction, whatever was not changed stays as written."""
        entry = self.read()
        return keep_unchanged(entry, self.show(earlier).read(), earlier) if earlier else entry
