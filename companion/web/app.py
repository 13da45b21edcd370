"""The application: settings, pages found in a plain list, language, safety of forms and browsers."""

import os
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from flask import Flask

from companion.settings import read_settings
from companion.store.engine import open_database
from companion.store.readiness import find_fault
from companion.store.sql import SqlStore

from . import deals, hands, heavy
from .api import views as api
from .archives import aside, importing
from .deals.ui import DealPages
from .hands.ui import HandPages
from .matches import activity, index, new
from .phone import answers, files, installed, kept
from .security import browser, cookies, headers, hosts, limits, proxies, secret, sizes, tokens
from .support import authors, entry_names, errors, game_ui, language, matches, text, times
from .table import live
from .upkeep import health, requests

PAGES = (
    "matches.index",
    "matches.new",
    "matches.scoreboard",
    "matches.people",
    "matches.history",
    "deals.views",
    "deals.audit",
    "hands.views",
    "hands.follow",
    "matches.entries",
    "rulings.views",
    "rulings.saved",
    "rulebook.views",
    "matches.sheets",
    "archives.exports",
    "archives.exporting",
    "archives.importing",
    "archives.shelf",
    "table.phones",
    "table.join",
    "table.remarks",
    "phone.browsers",
    "phone.kept",
    "phone.moving",
    "phone.installed",
    "table.live",
    "table.views",
)
"""Every module that brings pages; each has a blueprint called `bp`, mounted under the language."""

GAME_UIS: Mapping[str, game_ui.GameUI] = {deals.FAMILY: DealPages(), hands.FAMILY: HandPages()}
"""How each family is shown: the one place where the pages know the families apart."""

_PACKAGE = Path(__file__).resolve().parent.parent


def create_app(config: dict[str, Any] | None = None) -> Flask:
    """The app with its database brought up to date.

    Settings come from `config`, then from the environment (`companion.settings`); what else `config` says is
    Flask's.

    :raises CannotStart: when a setting, the folder, the key or the database is of no use.
    """
    settings = read_settings(os.environ, config)
    instance = settings.pop("INSTANCE")
    app = Flask(
        "companion",
        root_path=str(_PACKAGE),
        template_folder=_folder("templates"),
        static_folder=_folder("static"),
        instance_path=str(Path(instance).resolve()) if instance else None,
        instance_relative_config=True,
    )
    app.config.from_mapping(
        MAX_CONTENT_LENGTH=sizes.MOST_FORM,
        MAX_FORM_MEMORY_SIZE=sizes.MOST_FORM,
        MAX_FORM_PARTS=sizes.MOST_FIELDS,
        PERMANENT_SESSION_LIFETIME=cookies.FOREVER,
        SEND_FILE_MAX_AGE_DEFAULT=cookies.FOREVER,
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_NAME="companion",
        SESSION_COOKIE_SAMESITE="Lax",
        WTF_CSRF_TIME_LIMIT=None,  # a form may lie open for a whole evening
    )
    app.config.from_mapping(settings)
    app.jinja_options = {"trim_blocks": True, "lstrip_blocks": True}
    app.config["SECRET_KEY"] = secret.read_key(app)
    app.config["SECRET_KEY_FALLBACKS"] = secret.read_former_keys(app.config["SECRET_KEY_FALLBACKS"])
    hosts.init_app(app)
    sizes.init_app(app)
    headers.init_app(app)
    live.init_app(app)
    tokens.init_app(app)
    open_database(app)
    matches.init_app(app, SqlStore())
    game_ui.init_app(app, GAME_UIS)
    for part in (browser, language, text, times, authors, entry_names, activity, errors, heavy, api):
        part.init_app(app)
    for part in (files, answers, kept, installed):
        part.init_app(app)
    aside.init_app(app, create_app)
    for name in PAGES:
        app.register_blueprint(import_module(f"companion.web.{name}").bp, url_prefix=language.PREFIX)
    for view in (new.start, importing.send):  # they look at the token themselves
        app.extensions["csrf"].exempt(view)
    app.extensions["csrf"].exempt(importing.receive_shared)  # which reads nothing
    limits.init_app(app)
    app.context_processor(index.paper_context)
    proxies.init_app(app, language.LANGUAGES)
    requests.init_app(app)
    health.init_app(app, find_fault)
    return app


def _folder(name: str) -> str:
    """A folder of ours: inside the installed package, or beside it in a checkout."""
    return str(next(base / name for base in (_PACKAGE, _PACKAGE.parent) if (base / name).is_dir()))
