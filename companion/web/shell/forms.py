"""What every writing form has: a key of its own and the length of the log it was made from."""

import json
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from flask import request
from flask_babel import lazy_gettext as _l
from flask_wtf import FlaskForm
from wtforms import HiddenField, TextAreaField
from wtforms.validators import Length

from companion.rules.errors import Missing
from companion.rules.message import Message
from companion.rules.seats import Ring

_HIDDEN = ("csrf_token", "form_key", "seq")
"""What differs between two copies of a form although the same was sent."""

NOTE_LENGTH = Length(max=500, message=_l("At most 500 characters; the rest would be lost."))


def fresh_key() -> str:
    """A key for a form: a form that is sent twice writes once."""
    return secrets.token_urlsafe(12)


class WritingForm(FlaskForm):
    """A form that adds to a match.

    `form_key` makes a double tap one entry; `seq` is the log's length when the page was made, so that
    a page that has gone stale is refused instead of writing over somebody else's entry.
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
        """The log's length the writer had seen.

        :raises MissingSeq: where the form does not say.
        """
        text = self.seq.data or ""
        if not (text.isascii() and text.isdigit() and len(text) < 10):
            raise MissingSeq
        return int(text)


class MissingSeq(Missing):
    """A form lacks the length of the log it was made from."""

    def __init__(self) -> None:
        reason = Message(
            "this form does not say how the match stood when it was opened; check the match, then save again"
        )
        super().__init__("seq", reason)


class EntryForm(WritingForm):
    """The form of one entry that needs no page of its own; its fields are called as the entry's keys are.

    A form with other fields says in `entry_content` and `field_data` how they become an entry, and back.
    """

    of_seats = False
    """Whether `by` is one player; else it is a side."""

    note = TextAreaField(_l("Note"), [NOTE_LENGTH])

    def entry_content(self, ring: Ring) -> dict[str, Any]:
        """The entry of a match with these seats, but for its note."""
        raise NotImplementedError  # abstract; forms have a metaclass of their own, so no ABC

    def to_entry(self, ring: Ring) -> dict[str, Any]:
        """The entry that the form comes to, as JSON."""
        note = (self.note.data or "").strip()
        return {**self.entry_content(ring), **({"note": note} if note else {})}

    @classmethod
    def field_data(cls, entry: Mapping[str, Any]) -> dict[str, Any]:
        """The data of the fields for an entry that is to be corrected: the inverse of `to_entry`."""
        return {key: str(fact) for key, fact in entry.items() if key != "type" and hasattr(cls, key)}
