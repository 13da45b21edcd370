"""The parts of every app with these pages, on a server or in a phone.

`app` creates the one of a server. What only a server has (a database, limits, worker processes, proxies)
comes from there.
"""

from collections.abc import Iterable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from flask import Flask

from companion.store import Store

from . import deals, hands
from .deals.ui import DealPages
from .hands.ui import HandPages
from .matches import activity, index, new
from .offline import answers, home_screen, static_files
from .sharing import joined_devices, live
from .shell import errors, fragments, game_ui, hosts, language, matches, printing, text
from .shell.hosts import Host
from .shell.security import browser, headers

PAGES = (
    "matches.index",
    "matches.new",
    "matches.scoreboard",
    "matches.people",
    "matches.history",
    "deals.views",
    "deals.audit",
    "deals.dealer",
    "deals.replay",
    "hands.views",
    "hands.follow",
    "matches.entries",
    "rulings.views",
    "rulings.saved",
    "rulebook.views",
    "matches.sheets",
    "matches.evenings",
    "matches.picture",
    "matches.share",
    "archives.giving",
    "figures.players",
    "figures.player",
    "figures.names",
    "sharing.remarks",
    "archives.exports",
    "archives.exporting",
    "archives.archived",
    "archives.importing",
    "offline.this_phone",
    "offline.home_screen",
    "offline.answers",
    "offline.offer",
    "sharing.live",
    "sharing.views",
)
"""The modules with pages that need no server; each has a blueprint `bp`, mounted under the language."""

GAME_UIS: Mapping[str, game_ui.GameUI] = {deals.FAMILY: DealPages(), hands.FAMILY: HandPages()}
"""The views of each family: the one table in which the pages tell the families apart."""

JINJA_OPTIONS: dict[str, Any] = {"trim_blocks": True, "lstrip_blocks": True}
"""Options of every template: lines of block tags alone leave no blank line in a page."""

_PACKAGE = Path(__file__).resolve().parent.parent


def make_flask(settings: Mapping[str, Any], instance: str | None, host: Host = Host.SERVER) -> Flask:
    """A bare app on this host, with its folders and Flask's settings."""
    app = Flask(
        "companion",
        root_path=str(_PACKAGE),
        template_folder=_folder("templates"),
        static_folder=_folder("static"),
        instance_path=instance,
        instance_relative_config=True,
    )
    app.config.from_mapping(
        MAX_CONTENT_LENGTH=headers.MAX_FORM,
        MAX_FORM_MEMORY_SIZE=headers.MAX_FORM,
        MAX_FORM_PARTS=headers.MAX_FIELDS,
        PERMANENT_SESSION_LIFETIME=browser.FOREVER,
        SEND_FILE_MAX_AGE_DEFAULT=browser.FOREVER,
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_NAME="companion",
        SESSION_COOKIE_SAMESITE="Lax",
        WTF_CSRF_TIME_LIMIT=None,  # a form may lie open for a whole evening
    )
    app.config.from_mapping(settings)
    app.jinja_options = {**JINJA_OPTIONS}
    hosts.init_app(app, host)
    return app


def guard(app: Flask) -> None:
    """Check requests, and add security headers to every answer."""
    headers.init_app(app)
    live.init_app(app)


def serve_matches(app: Flask, store: Store) -> None:
    """Serve the matches of a store, with all that pages share."""
    matches.init_app(app, store)
    game_ui.init_app(app, GAME_UIS)
    for part in (browser, language, text, fragments, activity, errors, printing):
        part.init_app(app)
    for part in (joined_devices, static_files, answers, home_screen):
        part.init_app(app)


def mount(app: Flask, pages: Iterable[str]) -> None:
    """Mount pages below the language."""
    for name in pages:
        app.register_blueprint(import_module(f"companion.web.{name}").bp, url_prefix=language.PREFIX)
    app.extensions["csrf"].exempt(new.start)  # it checks the token itself
    app.context_processor(index.paper_context)


def _folder(name: str) -> str:
    """A folder of ours: inside the installed package, or beside it in a checkout."""
    return str(next(base / name for base in (_PACKAGE, _PACKAGE.parent) if (base / name).is_dir()))
