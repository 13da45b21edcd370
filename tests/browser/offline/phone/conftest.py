"""The phones of these tests hang on a line that can be cut."""

import pytest
from phone import Phone


@pytest.fixture
def phone(distant_phone: Phone) -> Phone:
    """A phone on a line, before a server that can be stopped."""
    return distant_phone
