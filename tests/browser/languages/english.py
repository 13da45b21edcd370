"""What a page or a printed sheet says in English, though its language has other words for it."""

import re
from collections.abc import Iterable, Iterator
from typing import TypedDict

from playwright.sync_api import Page, expect

from tests.translations.checks import read_catalogue
from tests.translations.findings import FORMS, PLACE, Entry, read_entries

CYRILLIC = ("ru", "uk")
LATIN = {"companion", "pdf", "letter", "javascript"}
"""Words in Latin letters that stand on pages in Cyrillic ones: this app, formats, papers, a technique."""

_SIGNS = re.compile(r"§ [a-z0-9.\u2011-]+|\b[a-z0-9]{4} [a-z0-9]{4}\b|\b[a-z0-9-]+(\.[a-z0-9-]+)+\b")
"""Check codes of sheets, and signs of rules, which are the same in every language."""

_SAID = """() => {
  const found = { runs: [], blocks: [] };
  const heads = "h1, h2, h3, th, dt, legend, .switch-name, summary, caption, label";
  const blocks = `${heads}, p, li, td, dd, button, a, output, small`;
  const foreign = (element) => element.closest("[lang]")?.lang !== document.documentElement.lang
    || element.closest("script, style, noscript, .rule-id, bdi");
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode())
    if (text.data.trim() && !foreign(text.parentElement)) found.runs.push(text.data);
  for (const element of document.body.querySelectorAll("*")) {
    if (foreign(element)) continue;
    for (const name of ["aria-label", "placeholder", "title", "alt", "data-offline", "data-entry"])
      if (element.getAttribute(name)) found.runs.push(element.getAttribute(name));
    if (element.matches(blocks) && !element.querySelector(`[lang], ${blocks}`))
      found.blocks.push(element.textContent);
  }
  found.runs.push(...document.title.split(" · "));
  return found;
}"""


class _Said(TypedDict):
    runs: list[str]
    blocks: list[str]


class English:
    """The messages that a language has other words for, to be looked for in what was said in it."""

    def __init__(self, lang: str) -> None:
        self.lang = lang
        entries = read_entries(read_catalogue(lang)) if lang != "en" else []
        self._own = {_plain(form) for entry in entries for form in entry.forms}
        whole = {text for entry in entries for text in map(_plain, entry.english)} - self._own
        self._whole = {text for text in whole if re.search(r"[^\W\d]", text)}  # figures have other meanings
        self._parts = sorted({part for entry in entries for part in _long_parts(entry)})
        said = " ".join(sorted(self._own))
        self._parts = [part for part in self._parts if part not in said]

    def look(self, page: Page, *names: str) -> list[str]:
        """What is wrong with the language of a page: its mark, English, a place that nothing filled."""
        expect(page.locator("html")).to_have_attribute("lang", self.lang)
        said: _Said = page.evaluate(_SAID)
        found = self.find(said["runs"], said["blocks"], names)
        return [f"{page.url}: {item}" for item in found]

    def find(self, runs: Iterable[str], blocks: Iterable[str], names: Iterable[str] = ()) -> list[str]:
        """English among runs of text, or in what they make together; names may be anything."""
        allowed = {_plain(word) for name in names for word in (name, *name.split())}
        found = []
        for run in {_plain(run) for run in runs} - allowed:
            if run in self._whole:
                found.append(f"English: {run}")
            found += self._find_in(run, allowed)
        for block in {_plain(block) for block in blocks} - allowed:
            found += self._find_in(block, allowed)
        return sorted(set(found))

    def _find_in(self, text: str, allowed: set[str]) -> Iterator[str]:
        if PLACE.search(text) or FORMS.search(text):
            yield f"a place that nothing filled: {text}"
        for part in self._parts:
            if part in text:
                yield f"English: {part}"
        if self.lang in CYRILLIC:
            for word in re.findall(r"[a-z]{3,}", _SIGNS.sub("", text)):
                if word not in LATIN and not any(word in name for name in allowed):
                    yield f"Latin letters: {word} in {text}"


def _plain(text: str) -> str:
    """Text as it is compared: without case, soft hyphens, and differences of space."""
    return " ".join(text.replace("\xad", "").casefold().split())


def _long_parts(entry: Entry) -> Iterator[str]:
    """What stands between the places of a message, where it is three words or more."""
    for text in entry.english:
        for part in PLACE.split(FORMS.sub("{}", text)):
            if len(part.split()) >= 3:
                yield _plain(part)
