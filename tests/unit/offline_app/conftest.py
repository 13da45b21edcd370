"""The app of Ewa's phone, at the table of `tests/unit/offline`."""

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.offline_app.application import Address, create_app, list_addresses
from companion.store.memory import MemoryStore
from tests.unit.offline.conftest import *  # noqa: F403  # its fixtures
from tests.unit.offline.table import EWA, Phone, known_browser


@pytest.fixture(scope="session")
def addresses(server_app: Flask) -> list[Address]:
    """Those of a server."""
    return list_addresses(server_app)


@pytest.fixture(scope="session")
def phone_app(addresses: list[Address]) -> Flask:
    app = create_app(MemoryStore(), "k" * 32, addresses, "1")
    app.config["WTF_CSRF_ENABLED"] = False  # what comes this way comes from the phone itself
    return app


@pytest.fixture
def screen(phone_app: Flask, ewa: Phone) -> FlaskClient:
    """The browser on Ewa's phone, without network."""
    phone_app.extensions["matches"] = ewa.matches
    return known_browser(phone_app, EWA)
