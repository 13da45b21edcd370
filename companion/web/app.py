"""The application on a server: settings, database, limits, workers; its pages are in a plain list."""

import os
from pathlib import Path
from typing import Any

from flask import Flask

from companion import library
from companion.i18n import LANGUAGES
from companion.operate.settings import find_folder, read_settings
from companion.store.engine import find_problem, open_database
from companion.store.sql import SqlStore

from . import components, parts
from .api import page as public_api
from .api import views as api
from .archives import importing, job_files
from .offline import app_files as offline_files
from .offline import news
from .shell import jobs, monitoring
from .shell.security import limits, proxies, secret

SERVER_PAGES = (
    "api.page",
    "sharing.invitations",
    "sharing.join",
    "sharing.tokens",
    "offline.moving",
)
"""The modules with pages that only a server has, beside those of `parts`."""


def create_app(config: dict[str, Any] | None = None) -> Flask:
    """Create the app, with its database brought up to date.

    Settings come from `config`, then from the environment (`companion.operate.settings`); other keys of
    `config` are Flask's. `HOST_FILES` are the files of the host's games, by path, if another app or process
    has read the folder: all processes of a server have the same.

    :raises CannotStart: if a setting, the folder, the key or the database is unusable.
    """
    settings = read_settings(os.environ, config)
    instance = settings.pop("INSTANCE")
    faults: list[str] = []
    if "HOST_FILES" in settings:
        library.GAMES.take_host(settings["HOST_FILES"])
    else:
        faults = library.take_host_folder(settings["GAMES"])
    settings["HOST_FILES"] = library.GAMES.host
    app = parts.make_flask(settings, str(find_folder(instance, os.environ)))
    app.config["SECRET_KEY"] = secret.read_key(app)
    app.config["SECRET_KEY_FALLBACKS"] = secret.read_former_keys(app.config["SECRET_KEY_FALLBACKS"])
    for fault in faults:
        app.logger.warning("a file of the host’s games is left out: %s", fault)
    parts.guard(app)
    open_database(app)
    parts.serve_matches(app, SqlStore())
    jobs.init_app(app)
    api.init_app(app)
    public_api.init_app(app)
    job_files.init_app(app, Path(app.instance_path), create_app)
    offline_files.init_app(app)
    news.init_app(app)
    parts.mount(app, (*parts.PAGES, *SERVER_PAGES))
    app.extensions["csrf"].exempt(importing.send)  # it checks the token itself
    app.extensions["csrf"].exempt(importing.receive_shared)  # it reads nothing
    limits.init_app(app)
    proxies.init_app(app, LANGUAGES)
    monitoring.init_app(app)
    if app.debug:
        components.init_app(app, create_app)
    monitoring.answer_health(app, find_problem)
    return app
