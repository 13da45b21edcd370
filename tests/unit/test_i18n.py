"""Languages outside a web request."""

import os
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import write_po

from companion import i18n
from companion.rules.message import CountMessage
from companion.translations.compiling import compile_catalogues


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    known = Catalog("pl")
    known.add("Sheet", "Arkusz")
    home = tmp_path / "pl" / "LC_MESSAGES"
    home.mkdir(parents=True)
    with (home / "messages.mo").open("wb") as file:
        write_mo(file, known)
    return tmp_path


def test_what_a_catalogue_lacks_stays_english(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A message is translated where it can be; a missing catalogue leaves all of them."""
    assert i18n.catalogue("xx", folder).gettext("Sheet") == "Sheet"
    known = i18n.catalogue("pl", folder)
    monkeypatch.setattr(i18n, "catalogue", lambda language: known)
    say = i18n.translator("pl")
    assert (say("Sheet"), say("Something else"), say("")) == ("Arkusz", "Something else", "")


def test_what_was_counted_is_told(tmp_path: Path) -> None:
    """Of every language, in per cent; what nobody has counted is taken to be whole."""
    (tmp_path / "progress.json").write_text('{"ru": 43, "xx": 5}')
    assert i18n.progress(tmp_path) == dict.fromkeys(i18n.LANGUAGES, 100) | {"ru": 43}


def test_catalogues_are_counted_when_they_are_compiled(tmp_path: Path) -> None:
    """What lacks a form is not translated; of one that did not change only the count is made again."""
    catalogue = Catalog("pl")
    catalogue.add("Sheet", "Arkusz")
    catalogue.add("Open", "", context="to look")
    catalogue.add(("%(num)s card", "%(num)s cards"), ("%(num)s karta", "", ""))
    home = tmp_path / "pl" / "LC_MESSAGES"
    home.mkdir(parents=True)
    with (home / "messages.po").open("wb") as file:
        write_po(file, catalogue)
    assert compile_catalogues(tmp_path) == {"pl": 33}
    assert i18n.catalogue("pl", tmp_path).gettext("Sheet") == "Arkusz"
    assert i18n.progress(tmp_path)["pl"] == 33
    counted = tmp_path / "progress.json"
    os.utime(counted, (1, 1))
    compile_catalogues(tmp_path)
    assert counted.stat().st_mtime == 1, "what did not change is not newer than what was made of it"


def test_a_number_has_its_form(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A sentence that counts has every form of a language; where there is none, English stands in."""
    catalogue = Catalog("uk")
    catalogue.add(("one card", "{count} cards"), ("{count} карту", "{count} карти", "{count} карт"))
    home = tmp_path / "uk" / "LC_MESSAGES"
    home.mkdir(parents=True)
    with (home / "messages.mo").open("wb") as file:
        write_mo(file, catalogue)
    known = i18n.catalogue("uk", tmp_path)
    monkeypatch.setattr(i18n, "catalogue", lambda language: known)
    say = i18n.translator("uk")
    counted = [CountMessage("one card", "{count} cards", count).render(say) for count in (1, 3, 5, 21)]
    assert counted == ["1 карту", "3 карти", "5 карт", "21 карту"]
    assert CountMessage("one seat", "{count} seats", 3).render(say) == "3 seats"
