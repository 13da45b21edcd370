"""Parts of pages that are the same for everybody, rendered once; the least recently used are dropped."""

import re
from collections.abc import Callable, Container, Hashable, Iterator

from flask import Flask, current_app, g, request
from jinja2.utils import LRUCache
from markupsafe import Markup, escape

from companion import library
from companion.i18n import SOURCE
from companion.library.glossary import find_beginning
from companion.rules.texts import Text

from .language import current_language, lang_attribute
from .text import translate

MAX_FRAGMENTS = 128


def init_app(app: Flask) -> None:
    """Give the app an empty cache, and templates the tooltips of words.

    The filter `glossed` is for a text of a game, `explained` for a text in the page's language;
    `list_tooltips` returns the tooltips that a page needs.
    """
    app.extensions["fragments"] = LRUCache(MAX_FRAGMENTS)
    app.add_template_filter(gloss, "glossed")
    app.add_template_filter(explain, "explained")
    app.add_template_global(list_tooltips)


def cached_fragment(key: tuple[Hashable, ...], render: Callable[[], str]) -> Markup:
    """The result of `render` with its tooltips, rendered once for each key, language and path of the app.

    It must depend on nothing else: not on who asks, and not on what they did.
    """
    whole = (*key, current_language(), request.script_root)
    fragments: LRUCache = current_app.extensions["fragments"]
    explained: dict[str, Markup] = g.setdefault("tooltips", {})
    found: tuple[str, dict[str, Markup]] | None = None if current_app.debug else fragments.get(whole)
    if found is None:
        before = set(explained)
        text = render()
        found = text, {word: text for word, text in explained.items() if word not in before}
        fragments[whole] = found
    explained.update(found[1])
    return Markup(found[0])


_GLOSS = Markup('<button type="button" class="gloss" popovertarget="gloss-{id}">{said}</button>')
_HELD = Markup('<span class="gloss-held">{before}{button}{after}</span>')
_OPENING = re.compile(r"[(\[„“«‚‘]+$")
_CLOSING = re.compile(r"[)\]”“»’.,;:!?…]+")
_MEANING = Markup(
    '<div popover id="gloss-{id}" class="gloss-text" role="note"{lang}><b>{word}</b> {meaning}</div>'
)


def gloss(text: Text, game: str) -> Markup:
    """Translate a text of a game; words that the page has not explained yet get tooltips.

    Each word is explained once on a page, at its first use. No script is needed (`popovertarget`).
    """
    shown = translate(text)
    return explain(shown, game, SOURCE if shown == str(text) else current_language())


def explain(shown: str, game: str, language: str = "") -> Markup:
    """Add tooltips to a text that is in the page's language already, or in another `language`."""
    language = language or current_language()
    explained: dict[str, Markup] = g.setdefault("tooltips", {})
    pieces, at = [], 0
    for start, end, word in _find_words(shown, game, language, explained):
        spoken, saying = word.said(current_language())
        id = f"{game}-{word.id}"
        opening, closing = _OPENING.search(shown[at:start]), _CLOSING.match(shown, end)
        before, after = opening.group() if opening else "", closing.group() if closing else ""
        button = _GLOSS.format(id=id, said=shown[start:end])
        if before or after:  # no line may end between a button and its bracket
            button = _HELD.format(before=before, button=button, after=after)
        pieces += [escape(shown[at : start - len(before)]), button]
        explained[id] = _MEANING.format(
            id=id, lang=lang_attribute(spoken), word=saying.word, meaning=saying.meaning
        )
        at = end + len(after)
    return Markup("").join([*pieces, escape(shown[at:])])


def list_tooltips() -> Markup:
    """The tooltips of the words that the page has explained, for the end of the page."""
    return Markup("").join(g.get("tooltips", {}).values())


def _find_words(
    text: str, game: str, language: str, explained: Container[str]
) -> Iterator[tuple[int, int, library.GlossaryWord]]:
    """The positions of words not explained yet, from the left; of two in one position the longer."""
    found = []
    words = (
        library.glossary(game).words if game in library.names() else ()
    )  # a saved ruling's game may be gone
    for word in words:
        if f"{game}-{word.id}" not in explained and language in word.sayings:
            place = find_beginning(word.sayings[language].beginnings, text)
            if place:
                found.append((place.start(), -place.end(), word))
    end = 0
    for start, minus_end, word in sorted(found, key=lambda place: place[:2]):
        if start >= end:
            end = -minus_end
            yield start, end, word
