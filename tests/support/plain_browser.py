"""A browser that runs no scripts: it follows links, fills in forms as the page has them, and sends them."""

from typing import Any
from urllib.parse import urlencode, urljoin

import cssselect2
import tinyhtml5
from flask.testing import FlaskClient

Element = Any
"""An element of a page, of cssselect2."""


class PlainBrowser:
    """One window: the page it shows, and what was typed there and not sent yet."""

    def __init__(self, client: FlaskClient) -> None:
        self.client, self.url = client, "/"

    def open(self, url: str, fields: list[tuple[str, str]] | None = None) -> None:
        """Show a page, or what answers a form that is sent; redirections are followed."""
        to = urljoin(self.url, url)
        if fields is None:
            answer = self.client.get(to, follow_redirects=True)
        else:
            answer = self.client.post(
                to,
                data=urlencode(fields),
                content_type="application/x-www-form-urlencoded",
                follow_redirects=True,
            )
        assert answer.status_code < 500, answer.text
        self.url = answer.request.full_path.removesuffix("?")
        self._root = cssselect2.ElementWrapper.from_html_root(tinyhtml5.parse(answer.text))
        self._typed: dict[str, list[str]] = {}

    def find(self, selector: str) -> list[Element]:
        """All elements of the page that a selector means."""
        return list(self._root.query_all(selector))

    def text(self, selector: str = "main") -> str:
        """What an element says, in one line."""
        [*found] = self.find(selector)
        assert found, f"nothing is {selector} at {self.url}"
        return " ".join("".join(found[0].etree_element.itertext()).replace("\xad", "").split())

    def value(self, name: str) -> str | None:
        found = self.find(f'[name="{name}"]')
        return dict(self._read(found[0])).get(name) if found else None

    def fill(self, **values: str) -> None:
        """Type into fields, or choose what they offer, by their names."""
        for name, value in values.items():
            fields = self.find(f'[name="{name}"]')
            assert fields, f"no field {name} at {self.url}"
            offered = [
                _get(field, "value") for field in fields if _get(field, "type") in {"radio", "checkbox"}
            ]
            assert not offered or value in offered, f"{name} offers {offered}"
            self._typed[name] = [value]

    def tap(self, selector: str, says: str = "") -> None:
        """Follow a link, or send the form of a button: the first of these that says so."""
        target = next(
            element
            for element in self.find(selector)
            if says
            in (_get(element, "aria-label") or " ".join("".join(element.etree_element.itertext()).split()))
        )
        if target.local_name == "a":
            return self.open(_get(target, "href"))
        form = self._form_of(target)
        fields = self._read(form)
        if _get(target, "name"):
            fields.append((_get(target, "name"), _get(target, "value") or ""))
        action = _get(target, "formaction") or _get(form, "action") or self.url
        if (_get(target, "formmethod") or _get(form, "method") or "get").lower() == "post":
            return self.open(action, fields)
        return self.open(f"{action.partition('?')[0].partition('#')[0]}?{urlencode(fields)}")

    def _form_of(self, element: Element) -> Element:
        if _get(element, "form"):
            return self.find(f"form#{_get(element, 'form')}")[0]
        return next(around for around in [element, *element.ancestors] if around.local_name == "form")

    def _read(self, element: Element) -> list[tuple[str, str]]:
        """What the form of an element would send, without its buttons."""
        form = self._form_of(element)
        fields, done = list[tuple[str, str]](), set[str]()
        for field in self.find("input[name], select[name], textarea[name]"):
            name, kind = _get(field, "name"), _get(field, "type") or "text"
            is_inside = (
                _get(field, "form") == _get(form, "id") if _get(field, "form") else self._is_in(field, form)
            )
            is_inert = _get(field, "disabled") is not None or kind in {"submit", "button", "file"}
            if not is_inside or is_inert or any(e.local_name == "template" for e in field.ancestors):
                continue
            if name in self._typed:
                if name not in done:
                    fields += [(name, value) for value in self._typed[name]]
                    done.add(name)
            elif field.local_name == "textarea":
                fields.append((name, "".join(field.etree_element.itertext())))
            elif field.local_name == "select":
                options = list(field.query_all("option"))
                chosen = [option for option in options if _get(option, "selected") is not None] or options[:1]
                fields += [(name, _get(option, "value") or "") for option in chosen]
            elif kind not in {"radio", "checkbox"} or _get(field, "checked") is not None:
                fields.append((name, _get(field, "value") or ""))
        return fields

    @staticmethod
    def _is_in(field: Element, form: Element) -> bool:
        return any(around.etree_element is form.etree_element for around in field.ancestors)


def _get(element: Element, attribute: str) -> Any:
    return element.etree_element.get(attribute)
