"""Languages outside a web request."""

from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo

from companion import i18n


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a Polish catalogue of one message."""
    known = Catalog("pl")
    known.add("Sheet", "Arkusz")
    home = tmp_path / "pl" / "LC_MESSAGES"
    home.mkdir(parents=True)
    with (home / "messages.mo").open("wb") as file:
        write_mo(file, known)
    return tmp_path


def test_the_source_language_is_always_there_and_first(
    folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Every catalogue is a language; English needs none."""
    assert i18n.languages(folder) == ("en", "pl")
    assert i18n.languages(tmp_path_factory.mktemp("none")) == ("en",)


def test_what_a_catalogue_lacks_stays_english(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A message is translated where it can be; a missing catalogue leaves all of them."""
    assert i18n.catalogue("xx", folder).gettext("Sheet") == "Sheet"
    known = i18n.catalogue("pl", folder)
    monkeypatch.setattr(i18n, "catalogue", lambda language: known)
    say = i18n.translator("pl")
    assert (say("Sheet"), say("Something else"), say("")) == ("Arkusz", "Something else", "")
