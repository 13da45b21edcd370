"""Facts made of facts: an object within the request, one for each side, a growing list."""

import re
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from flask_babel import gettext as _
from wtforms import FieldList, FormField
from wtforms.fields.core import UnboundField
from wtforms.form import BaseForm
from wtforms.utils import unset_value

from .base import ABSENT, Absence, Address, Fact, FactField, MacroWidget, Piece
from .choices import PersonField


class FactForm(BaseForm):
    """The form of facts that stand in one object; its fields are those that are handed in."""

    def __init__(
        self,
        fields: Mapping[str, UnboundField],
        formdata: Address,
        obj: None = None,
        prefix: str = "",
        meta: None = None,
    ) -> None:
        super().__init__(fields, prefix=prefix)
        self.process(formdata)


class GroupField(FactField, FormField):
    """Facts that belong together.

    :param fields: the fields of the object, unbound, by key.
    """

    widget = MacroWidget("group")

    def __init__(self, *args: Any, fields: Mapping[str, UnboundField], **kwargs: Any) -> None:
        super().__init__(*args, form_class=partial(FactForm, fields), separator=".", **kwargs)

    @property
    def fields(self) -> list[FactField]:
        """The fields within, in order."""
        return list(self.form)

    def find_field(self, key: str) -> FactField | None:
        """The field of one key."""
        return next((field for field in self.fields if field.key == key), None)

    @property
    def data(self) -> Fact | Absence:
        """The object, its blank fields left out."""
        values = {field.key: field.data for field in self.fields}
        facts = {key: value for key, value in values.items() if value is not ABSENT}
        return facts or ABSENT

    def missing_fields(self) -> list[FactField]:
        """The fields within that have to be filled in yet."""
        if self.is_blank and not self.needed:
            return []
        return [missing for field in self.fields for missing in field.missing_fields()]

    def iter_fields(self) -> Iterator[FactField]:
        """This field and all fields in it."""
        yield self
        for field in self.fields:
            yield from field.iter_fields()

    def describe(self) -> list[Piece]:
        """The fields that say anything, one a line, each with its label."""
        pieces: list[Piece] = []
        for field in self.fields:
            inner: list[Piece] = [
                ("comma", "") if kind == "line" else (kind, value) for kind, value in field.describe()
            ]
            if inner:
                pieces += [("line", "")] if pieces else []
                pieces += [("label", field.label.text), *inner]
        return pieces


class ByNameField(GroupField):
    """The same fact for each side, or each seat."""

    widget = MacroWidget("by_name")

    @property
    def is_counted(self) -> bool:
        """Whether what stands for each of them is a number, as far as the first says."""
        return self.fields[0].widget.macro == "number"


class RowField(GroupField):
    """One of a list of things of the same shape.

    :param in_turn: whether the players take turns at owning what is new; else who did it is part of it.
    """

    widget = MacroWidget("row")
    index = 0
    """Its place in the list as it is shown."""

    def __init__(self, *args: Any, in_turn: bool = True, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.in_turn = in_turn

    def process(self, formdata: Address, *args: Any, **kwargs: Any) -> None:
        """Take what stands in the address; what is new is the next player's, if it goes by turns."""
        super().process(formdata, *args, **kwargs)
        self.title = self.label.text = _("No. %(number)s", number=self.index + 1)
        seats = self.context.ring.seats
        for field in self.fields:
            if self.in_turn and isinstance(field, PersonField) and field.name not in formdata:
                field.assume(seats[self.index % len(seats)])

    @property
    def is_blank(self) -> bool:
        """Whether nothing stands in it; whose it would be says nothing yet, if it goes by turns."""
        return all(
            field.is_blank for field in self.fields if not (self.in_turn and isinstance(field, PersonField))
        )


class RowsField(FactField, FieldList):
    """A list of things of the same shape, as many as are wanted.

    :param row: the unbound field of one of them.
    :param most: how many there can be.
    """

    widget = MacroWidget("rows")

    def __init__(self, *args: Any, row: UnboundField, least: int, most: int, **kwargs: Any) -> None:
        self.least, self.most = least, most
        super().__init__(*args, unbound_field=row, separator=".", **kwargs)

    def process(self, formdata: Address, data: object = unset_value, extra_filters: None = None) -> None:
        """Make as many rows as the address fills, or as are wanted."""
        places = (re.match(rf"{re.escape(self.name)}\.(\d{{1,2}})\.", key) for key in formdata)
        filled = max((int(place[1]) + 1 for place in places if place), default=0)
        wanted = formdata.get(f"rows.{self.name}", "")
        shown = int(wanted) if re.fullmatch(r"\d{1,2}", wanted) else self.context.ring.size
        self.entries: list[RowField] = []
        self.last_index = -1
        for _n in range(min(max(filled, shown, 1), self.most)):
            self._add_entry(formdata)

    @property
    def has_room(self) -> bool:
        """Whether there may be one more."""
        return len(self.entries) < self.most

    @property
    def filled_rows(self) -> list[RowField]:
        """The rows in which something stands, in order: the list of the request."""
        return [row for row in self.entries if not row.is_blank]

    def find_field(self, key: str) -> FactField | None:
        """The row of one place in the request's list."""
        rows = self.filled_rows
        return next((row for place, row in enumerate(rows) if str(place) == key), None)

    @property
    def data(self) -> Fact | Absence:
        """The list of what stands in the rows."""
        facts: list[Fact] = [row.data for row in self.filled_rows if row.data is not ABSENT]
        return facts if facts or (self.needed and not self.least) else ABSENT

    def missing_fields(self) -> list[FactField]:
        """The fields of filled rows that have to be filled in yet."""
        return [field for row in self.filled_rows for field in row.missing_fields()]

    def iter_fields(self) -> Iterator[FactField]:
        """This field and all fields in it."""
        yield self
        for row in self.entries:
            yield from row.iter_fields()

    def describe(self) -> list[Piece]:
        """The filled rows, one a line."""
        pieces: list[Piece] = []
        for row in self.filled_rows:
            pieces += [("line", "")] if pieces else []
            for field in row.fields:
                if field.lead_in and not field.is_blank:
                    pieces += [("text", field.lead_in)]
                pieces += field.describe()
        return pieces
