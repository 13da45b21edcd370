"""How the core's sentences and cards reach a page: translated, with players' names where seats stand."""

import unicodedata
from collections.abc import Callable
from typing import Any

from flask import Flask
from flask_babel import gettext

from companion.rules.message import Message
from companion.rules.rulebook import json_word


def init_app(app: Flask) -> None:
    """Give templates the filters `t` (a text of the game, translated) and `said` (a core sentence)."""
    app.add_template_filter(translate, "t")
    app.add_template_filter(said, "said")
    app.add_template_filter(json_word, "json_word")
    app.add_template_filter(lambda text, prefix: f"{prefix}{text}", "prefixed")


def translate(text: object) -> str:
    """A text that comes from a game's file, in the page's language; may be empty or hold a per cent sign."""
    return gettext(str(text)) if text else ""


def said(message: Message | str, show: Callable[[Any], str] | None = None) -> str:
    """A sentence of the core in the page's language; `show` puts names for seats (`match.show`)."""
    return message.render(translate, show) if isinstance(message, Message) else translate(message)


def isolated(name: str) -> str:
    """A player's name for the middle of a sentence: one written right to left keeps to itself."""
    if any(unicodedata.bidirectional(letter) in ("R", "AL", "RLE", "RLO", "RLI") for letter in name):
        return f"\u2068{name}\u2069"
    return name
