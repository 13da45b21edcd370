"""The core's sentences and cards on a page: translated, with players' names in place of seats."""

import re
import unicodedata
from collections.abc import Callable
from datetime import UTC, date, datetime
from typing import Any

from babel import Locale
from babel.dates import format_date, format_time
from babel.numbers import get_decimal_symbol
from flask import Flask, g, get_template_attribute
from flask_babel import gettext as _
from markupsafe import Markup, escape

from companion.library import Game, Seating
from companion.matches import Match
from companion.rules.conditions import json_word
from companion.rules.errors import Unreadable
from companion.rules.message import Message, Names, SeatName, SideName, Word
from companion.rules.rulebook import Rulebook
from companion.sheets.common import find_locale
from companion.sheets.lettering import find_unprintable
from companion.wording import show_signed

from .codes import is_known_here_only
from .language import current_language, page_catalogue
from .zone import move_to_phone_zone, name_server_zone, phone_zone

_SIGNS = {"♠": "S", "♥": "H", "♦": "D", "♣": "C"}


def init_app(app: Flask) -> None:
    """Give templates `say`, `name_of` and filters for texts, suits and times."""
    app.jinja_env.filters |= {
        "t": translate,
        "capital": capitalize,
        "render_message": render_message,
        "suits": draw_suits,
        "json_word": json_word,
        "signed": show_signed,
        "decimal": mark_decimals,
        "prefixed": lambda text, prefix: f"{prefix}{text}",
        "clock": clock,
        "day": day,
    }
    for function in (say, name_of, game_title, describe_seating, name_foreign_zone, find_unprintable):
        app.add_template_global(function)
    app.add_template_global(is_known_here_only)


def translate(text: object, several: str = "", count: int = 1, /) -> str:
    """Translate a text of a game's file into the page's language; it may be empty or hold a per cent sign.

    With the text for `several` too, it has the form that goes with `count`.
    """
    if several:
        return page_catalogue().ungettext(str(text), several, count)
    if isinstance(text, Message):
        return text.render(translate)
    return page_catalogue().ugettext(str(text)) if text else ""


def game_title(game: Game) -> str:
    """The title of a game, with its variety if it has several: `Deberts, Kharkov`."""
    return translate(", ".join(part for part in (game.book.title, game.variety) if part))


def describe_seating(seating: Seating) -> str:
    """A seating in short: the number of players, or team against team."""
    half = seating.players // 2
    return _("%(half)s v %(half)s", half=half) if seating.partnerships else str(seating.players)


def render_message(message: Message | str, show: Callable[[Any], str] | None = None) -> str:
    """Render a sentence of the core in the page's language; `show` replaces seats by names."""
    return message.render(translate, show) if isinstance(message, Message) else translate(message)


def mark_decimals(number: object) -> str:
    """A number with the decimal mark of the page's language."""
    return str(number).replace(".", get_decimal_symbol(find_locale(current_language())))


def requirement(fault: Unreadable, say: Callable[[Message], str] = render_message) -> str:
    """Say what an unreadable fact must be, as a sentence: `Must be true or false.`"""
    return f"{capitalize(without_stop(say(fault.requirement)))}."


def without_stop(text: str) -> str:
    """Words to be followed by a full stop, without one at their end or of a reason in parentheses."""
    return f"{text[:-2]})" if text.endswith(".)") else text.removesuffix(".")


def say(match: Match, message: Message | str) -> str:
    """A sentence of the core in the page's language, with the names of a match's players."""
    return render_message(message, lambda who: name_of(match, who))


def name_of(match: Match, who: object) -> str:
    """A seat or a side by name, to stand in the middle of a sentence."""
    if isinstance(who, SideName):
        return isolate_name(match.side_name(who.seat))
    letter = who.seat if isinstance(who, SeatName) else str(who)
    return isolate_name(match.names.get(letter, letter))


def isolate_name(name: str) -> str:
    """A player's name for the middle of a sentence; one written right to left is isolated."""
    if any(unicodedata.bidirectional(letter) in ("R", "AL", "RLE", "RLO", "RLI") for letter in name):
        return Names(f"\u2068{name}\u2069", isinstance(name, Names) and name.many)
    return name


def phrase(message: Message, book: Rulebook, show: Callable[[Any], str] | None = None, **more: object) -> str:
    """Render a sentence or a label in the page's language and the game's words, with a capital in front."""
    facts = {
        name: Word(book.words.get(fact.text, fact.text)) if isinstance(fact, Word) else fact
        for name, fact in (message.facts | more).items()
    }
    return capitalize(Message(message.template, **facts).render(translate, show))


def capitalize(text: str) -> str:
    """A text with a capital in front; all else stays as it is, for nouns in German keep their own."""
    return text[:1].upper() + text[1:]


def word(book: Rulebook, key: str) -> str:
    """A word of the game by its key, translated; the key itself if the game has no such word."""
    return translate(book.words.get(key, key))


def name_seats(names: Callable[[str], str]) -> Callable[[Any], str]:
    """A function that puts players' names for seats into the core's sentences."""
    return lambda who: isolate_name(names(who.seat if isinstance(who, SeatName) else str(who)))


def draw_suits(text: object) -> Markup:
    """A text with its suits and jokers drawn, as everywhere else on the page; no line ends inside a card."""
    return Markup(re.sub(r"(\w{0,2})([♠♥♦♣]|★[BR])\ufe0f?([.,:;?!)]?)", _draw_card, str(escape(text))))


def _draw_card(match: re.Match[str]) -> str:
    rank, sign, stop = match.groups()
    drawing = _draw_sign("joker", sign[1:]) if sign[1:] else _draw_sign("suit", _SIGNS[sign])
    return f'<span class="whole">{rank}{drawing}{stop}</span>' if rank or stop else drawing


def _draw_sign(macro: str, letter: str) -> str:
    return str(get_template_attribute("shell/suits.html", macro)(letter))


def clock(at: str, whole: bool = False) -> str:
    """A moment (ISO 8601) as people read it: the time alone if it is today, unless `whole`."""
    moment = _moment(at)
    if moment is None:
        return at
    where = find_locale(current_language())
    text = format_time(moment.time(), "short", locale=where)
    if whole or moment.date() != move_to_phone_zone(datetime.now(UTC)).date():
        text = str(where.datetime_formats["medium"]).format(text, _format_day(moment, where))
    return _mark_time(moment, at, text, "whole" if whole else "clock")


def day(at: str) -> str:
    """The day of a moment (ISO 8601)."""
    moment = _moment(at)
    if moment is None:
        return at
    return _mark_time(moment, at, _format_day(moment, find_locale(current_language())), "day")


def find_day(at: str) -> date | None:
    """The day of a moment by the phone's clock; None if the text is not a moment."""
    moment = _moment(at)
    return None if moment is None else moment.date()


def name_foreign_zone() -> str:
    """The zone of the times of this page; empty if it has no times, or the phone sent its own zone."""
    return "" if phone_zone() or "says_times" not in g else name_server_zone()


def _format_day(moment: datetime, where: Locale) -> str:
    return format_date(moment.date(), "medium", locale=where)


def _mark_time(moment: datetime, at: str, text: str, form: str) -> str:
    """A time that a script of the page can rewrite: after midnight, or in another zone (`times.js`)."""
    if moment.tzinfo is None:
        return text
    g.says_times = True
    return Markup('<time datetime="{}" data-form="{}">{}</time>').format(at, form, text)


def _moment(at: Any) -> datetime | None:
    try:
        return move_to_phone_zone(datetime.fromisoformat(at))
    except (TypeError, ValueError, OverflowError):
        return None
