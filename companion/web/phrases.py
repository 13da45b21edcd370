"""Phrases of the arbiter: the words of the game put where the core only names them."""

import re
from collections.abc import Callable
from typing import Any

from flask import Flask
from markupsafe import Markup, escape

from companion.rules.message import Message, SeatName, Word
from companion.rules.rulebook import Rulebook

from .speech import isolated, translate

_SIGNS = {"♠": "S", "♥": "H", "♦": "D", "♣": "C"}


def init_app(app: Flask) -> None:
    """Give templates the filter `suits`."""
    app.add_template_filter(suits, "suits")


def phrase(message: Message, book: Rulebook, show: Callable[[Any], str] | None = None, **more: object) -> str:
    """A sentence or a label in the page's language, in the game's words, with a capital in front."""
    facts = {
        name: Word(book.words.get(fact.text, fact.text)) if isinstance(fact, Word) else fact
        for name, fact in (message.facts | more).items()
    }
    text = Message(message.template, **facts).render(translate, show)
    return text[:1].upper() + text[1:]


def word(book: Rulebook, key: str) -> str:
    """A word of the game by its key; the key itself where the game has none for it."""
    return translate(book.words.get(key, key))


def shown(names: Callable[[str], str]) -> Callable[[Any], str]:
    """What puts players' names for seats into the core's sentences."""
    return lambda who: isolated(names(who.seat if isinstance(who, SeatName) else str(who)))


def suits(text: object) -> Markup:
    """A text with its suit signs drawn, as everywhere else on the page; no line ends inside a card."""
    return Markup(re.sub(r"(\w{0,2})([♠♥♦♣])\ufe0f?([.,:;?!)]?)", _card, str(escape(text))))


def _card(found: re.Match[str]) -> str:
    rank, sign, stop = found.groups()
    drawn = _drawn(_SIGNS[sign])
    return f'<span class="whole">{rank}{drawn}{stop}</span>' if rank or stop else drawn


def _drawn(letter: str) -> str:
    from flask import get_template_attribute

    return str(get_template_attribute("macros/suits.html", "suit")(letter))
