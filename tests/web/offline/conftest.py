"""A new phone."""

import pytest
from flask import Flask
from flask.testing import FlaskClient


@pytest.fixture
def phone(app: Flask) -> FlaskClient:
    """A new phone, which has never been here."""
    return app.test_client()
