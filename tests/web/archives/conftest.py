"""What tests of files begin with."""

import pytest

from companion.web.archives import exporting, importing


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Requests wait until what is done aside is done, however busy the machine is."""
    for module in (exporting, importing):
        monkeypatch.setattr(module, "PATIENCE", 60)
