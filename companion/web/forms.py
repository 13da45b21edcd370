"""What every form that writes has in common: a key of its own and the length of the log it was made from."""

import secrets

from flask_wtf import FlaskForm
from wtforms import HiddenField


def fresh_key() -> str:
    """A key for one form: sent twice, it is still one entry."""
    return secrets.token_urlsafe(12)


class WritingForm(FlaskForm):
    """A form that adds to a match.

    `form_key` makes a double tap one entry; `seq` is the log's length when the page was made, so that
    a page that has gone stale is told so instead of writing over somebody else's entry.
    """

    form_key = HiddenField(default=fresh_key)
    seq = HiddenField()

    @property
    def key(self) -> str:
        """The form's key; a fresh one where a bare request sent none."""
        return (self.form_key.data or "")[:64] or fresh_key()

    def seen(self, length: int) -> int:
        """The log's length the writer had seen; `length` (now) where the form does not say."""
        text = self.seq.data or ""
        return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else length
