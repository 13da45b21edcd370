"""The language of a page: the first part of its address; short addresses without one lead to it.

A link that somebody sends shows its page in its own language, and leaves the phone's as it is.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

from babel.support import NullTranslations
from flask import Blueprint, Flask, Response, current_app, g, redirect, request, url_for
from flask_babel import Babel, force_locale, get_translations
from markupsafe import Markup
from werkzeug.exceptions import HTTPException

from companion.i18n import LANGUAGES, progress

from .security import browser
from .security.headers import is_background

PREFIX = f"/<any({', '.join(LANGUAGES)}):lang>"

short_addresses = Blueprint("short_addresses", __name__)


def init_app(app: Flask) -> None:
    """Read the language from the address, add it to every address built, remember the last choice."""
    app.config.setdefault("BABEL_TRANSLATION_DIRECTORIES", f"{app.root_path}/translations")
    Babel(app, locale_selector=current_language)
    # Like Flask-Babel, but the catalogue is looked up once for a page, not for each sentence.
    app.jinja_env.install_gettext_callables(  # type: ignore[attr-defined]  # of the extension `i18n`
        lambda text: page_catalogue().ugettext(text),
        lambda text, several, count: page_catalogue().ungettext(text, several, count),
        newstyle=True,
        pgettext=lambda context, text: page_catalogue().upgettext(context, text),
        npgettext=lambda context, text, several, count: page_catalogue().unpgettext(
            context, text, several, count
        ),
    )
    app.jinja_env.globals.update(_=_translate_markup, gettext=_translate_markup)
    app.register_blueprint(short_addresses)
    app.url_value_preprocessor(_take_language)
    app.url_defaults(_add_language)
    app.after_request(_remember_language)
    app.context_processor(
        lambda: {
            "lang": current_language(),
            "languages": LANGUAGES,
            "languages_done": progress(),
            "address_before_in_language": address_before_in_language,
            "lang_attribute": lang_attribute,
            "home": url_for("index.index", lang=phone_language()),
        }
    )


def current_language() -> str:
    """The language of this page; if its address leads nowhere, that of its beginning or the preferred one."""
    if "lang" in g:
        return str(g.lang)
    first = request.path.split("/")[1] if request else ""
    return first if first in LANGUAGES else preferred_language()


def _translate_markup(text: str, **values: object) -> Markup:
    """Translate a sentence of a template in one call, as Jinja's `gettext` does on a page that escapes."""
    translated = page_catalogue().ugettext(text)
    return Markup(translated) % values if values or "%" in translated else Markup(translated)


def page_catalogue() -> NullTranslations:
    """The catalogue of messages in the language of this page."""
    if "catalogue" not in g:
        g.catalogue = get_translations()
    found: NullTranslations = g.catalogue
    return found


@contextmanager
def in_language(language: str) -> Iterator[None]:
    """Translate into another language than the page's within this context."""
    own = g.pop("catalogue", None)
    with force_locale(language):
        try:
            yield
        finally:
            g.catalogue = own
            if own is None:
                del g.catalogue


def lang_attribute(language: str) -> Markup:
    """The attribute `lang` of an element in another language; empty in the page's own."""
    return Markup(' lang="{}"').format(language) if language != current_language() else Markup("")


def preferred_language(otherwise: str = next(iter(LANGUAGES))) -> str:
    """The language that was chosen on this phone, or that its browser asks for."""
    chosen = browser.read_cookie("lang")
    if chosen in LANGUAGES:
        return chosen
    return str(request.accept_languages.best_match(list(LANGUAGES)) or otherwise)


def phone_language() -> str:
    """The language of the link home: the phone's, even on a page sent in another one."""
    return current_language() if _is_chosen() else preferred_language(current_language())


def _is_chosen() -> bool:
    """True if the reader chose this page's language: on the front page, or by the switch of another page.

    False if a phone fetches the page in the background.
    """
    if "lang" not in g or is_background() or request.blueprint == "public_api":
        return False
    if request.endpoint == "index.index":
        return True
    return _language_before() not in ("", g.lang)


def _language_before() -> str:
    """The language of the page of ours that led here; empty without one."""
    with suppress(ValueError):
        before = urlsplit(request.referrer or "")
        language = before.path.removeprefix(request.script_root).split("/")[1:2]
        if before.netloc == request.host and language and language[0] in LANGUAGES:
            return language[0]
    return ""


def address_before_in_language(lang: str) -> str:
    """The address of the page of ours that led here, in another language; without one, of This phone."""
    language = _language_before()
    if not language:
        return url_for("browsers.look", lang=lang)
    before = urlsplit(request.referrer or "")
    path = before.path.removeprefix(request.script_root)
    return address_of_ours(f"/{lang}{path.removeprefix(f'/{language}')}?{before.query}")


def address_of_ours(address: str) -> str:
    """The address, rebuilt from the page it leads to; the front page if it leads nowhere."""
    path, _mark, query = address.partition("#")[0].partition("?")
    if path.startswith(f"{request.script_root}/"):
        path = path[len(request.script_root) :]
    try:
        endpoint, values = current_app.url_map.bind("").match(path, "GET")
    except HTTPException:
        return url_for("index.index")
    return build_address(endpoint, values, parse_qsl(query))


def build_address(endpoint: str, values: Mapping[str, Any], query: Iterable[tuple[str, str]]) -> str:
    """The address of a page with a query, in which `_scheme` and `endpoint` are names like any other."""
    address, text = url_for(endpoint, **values), urlencode([*query])
    return f"{address}?{text}" if text else address


def _take_language(endpoint: str | None, values: dict[str, Any] | None) -> None:
    if values and "lang" in values:
        g.lang = values.pop("lang")


def _add_language(endpoint: str, values: dict[str, Any]) -> None:
    exists = endpoint in current_app.view_functions
    if "lang" not in values and exists and current_app.url_map.is_endpoint_expecting(endpoint, "lang"):
        values["lang"] = current_language()


def _remember_language(response: Response) -> Response:
    if _is_chosen() and g.lang != preferred_language():
        browser.send_cookie(response, "lang", g.lang)
    return response


_SHORT_ADDRESSES = {
    "front_page": ("/", "index.index"),
    "match": ("/m/<id>", "scoreboard.scoreboard"),  # as printed on sheets
    "ruling": ("/r/<id>", "saved_rulings.look"),
    "join": ("/join/<secret>", "join.ask"),  # a link, or its code, that invites to a match
    "api": ("/api", "api_page.page"),  # named in problem documents
    "move": ("/move/<secret>", "moving.offer"),  # a code that gives a phone the identity of another
}
"""Each short address without a language, and the page that it leads to in the reader's language."""


def _lead_to(page: str) -> Callable[..., Any]:
    def lead(**values: Any) -> Any:
        return redirect(url_for(page, **values))

    return lead


for _name, (_address, _page) in _SHORT_ADDRESSES.items():
    short_addresses.add_url_rule(_address, _name, _lead_to(_page))
