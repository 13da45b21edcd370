"""Reading pages for what can be sent from them: every form with its fields and buttons, every link."""

from dataclasses import dataclass, field
from html.parser import HTMLParser
from urllib.parse import parse_qsl, urlsplit

Pairs = list[tuple[str, str]]


@dataclass
class SentForm:
    """A request as a browser would send it: a form with one of its buttons, or a link."""

    method: str
    path: str
    query: Pairs = field(default_factory=list)
    form: Pairs = field(default_factory=list)
    buttons: Pairs = field(default_factory=list)
    choices: Pairs = field(default_factory=list)
    """Radio buttons and boxes that were left alone."""


class PageReader(HTMLParser):
    def __init__(self, address: str, text: str) -> None:
        super().__init__()
        self.links: list[SentForm] = []
        self.forms: dict[str, SentForm] = {}
        self._address, self._open, self._area = address, "", ""
        self._inert = 0
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "template":  # nothing in one is sent
            self._inert += 1
        if self._inert:
            return
        given = {name: value or "" for name, value in attrs}
        name, value = given.get("name", ""), given.get("value", "")
        form = self.forms.get(given.get("form", self._open))
        match tag:
            case "a":
                parts = urlsplit(given.get("href", ""))
                if not parts.netloc and parts.path:
                    self.links.append(SentForm("GET", parts.path, parse_qsl(parts.query)))
            case "form":
                self._open = given.get("id") or f"form {len(self.forms)}"
                parts = urlsplit(given.get("action") or self._address)
                method = given.get("method", "get").upper()
                self.forms[self._open] = SentForm(method, parts.path, parse_qsl(parts.query))
            case "input" | "button" if form is not None and name:
                kind = given.get("type", "submit" if tag == "button" else "text")
                if kind == "submit":
                    form.buttons.append((name, value))
                elif kind in ("radio", "checkbox") and "checked" not in given:
                    form.choices.append((name, value or "on"))
                else:
                    form.form.append((name, value))
            case "textarea" | "select" if form is not None:
                form.form.append((name, ""))

    def handle_endtag(self, tag: str) -> None:
        if tag == "template":
            self._inert -= 1
        if tag == "form" and not self._inert:
            self._open = ""
