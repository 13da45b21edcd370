"""What a page would send: its forms as they are filled in, and where its links lead."""

from tests.nightly.fuzz.pages import PageReader, Pairs, SentForm


class FilledPage(PageReader):
    """The forms and links of a page, with what is chosen in lists and typed in long fields."""

    def __init__(self, address: str, text: str) -> None:
        self._field: tuple[SentForm, str] | None = None
        self._said: str | None = None
        super().__init__(address, text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        super().handle_starttag(tag, attrs)
        given = {name: value or "" for name, value in attrs}
        form = self.forms.get(given.get("form", self._open))
        if tag in ("select", "textarea") and form is not None and not self._inert:
            self._field, self._said = (form, given.get("name", "")), None
            form.form.pop()  # it was put there empty
        if tag == "textarea":
            self._said = ""
        if tag == "option" and (self._said is None or "selected" in given):
            self._said = given.get("value", "")

    def handle_data(self, data: str) -> None:
        if self.lasttag == "textarea" and self._field is not None and self._said is not None:
            self._said += data

    def handle_endtag(self, tag: str) -> None:
        super().handle_endtag(tag)
        if tag in ("select", "textarea") and self._field is not None:
            form, name = self._field
            form.form.append((name, (self._said or "").removeprefix("\n")))
            self._field = None

    def find(self, path: str, button: str = "") -> SentForm | None:
        """The form that posts to this path, and has a button that sends this value, where one is named."""
        for form in self.forms.values():
            has_button = not button or button in [value for _name, value in form.buttons]
            if form.method == "POST" and form.path == path and has_button:
                return form
        return None


def fill(form: SentForm, **typed: str) -> Pairs:
    return [pair for pair in form.form if pair[0] not in typed] + list(typed.items())
