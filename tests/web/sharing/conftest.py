"""What every test of phones at a table begins with."""

import pytest
from flask import Flask


@pytest.fixture(autouse=True)
def forget_guesses(app: Flask) -> None:
    """No test is held for what another one guessed."""
    app.extensions["counts"].reset()
