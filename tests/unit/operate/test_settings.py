"""The settings are read in one place: each is listed, none is taken and ignored, a wrong one is refused."""

import re
from pathlib import Path
from typing import Any

import pytest

from companion.operate.settings import SETTINGS, find_folder, read_settings
from companion.store import CannotStart

LIST = Path(__file__).resolve().parents[3] / "docs/hosting/settings.md"


def test_the_list_has_every_setting() -> None:
    """What can be set is written down, with what it is when nothing is set, and nothing else is."""
    text = LIST.read_text(encoding="utf-8")
    rows = re.findall(r"^\| `COMPANION_(\w+)` \| ([^|]*) \| ([^|]*) \|$", text, re.MULTILINE)
    assert [name for name, _default, _about in rows] == [setting.name for setting in SETTINGS]
    for setting, (_name, default, about) in zip(SETTINGS, rows, strict=True):
        assert len(about) > 20
        if setting.default and not isinstance(setting.default, bool):
            assert str(setting.default) in default.replace(",", "")


def test_what_is_not_set_is_as_usual() -> None:
    found = read_settings({}, {})
    assert found == {setting.name: setting.default for setting in SETTINGS}
    assert (found["PROXIES"], found["HTTPS"], found["LOG"], found["METRICS_PORT"]) == (0, False, "text", None)
    assert read_settings({"COMPANION_PROXIES": "", "COMPANION_HOSTS": ""}) == found
    assert read_settings({"COMPANION_SECRET_KEY": ""})["SECRET_KEY"] == "", "which is refused"


def test_the_folder_lies_in_a_source_tree_unless_another_is_named(tmp_path: Path) -> None:
    data = {"XDG_DATA_HOME": str(tmp_path)}
    assert find_folder(None, data) == find_folder("", data) == LIST.parents[2] / "instance"
    assert find_folder(str(tmp_path / "here" / ".."), {}) == tmp_path


@pytest.mark.parametrize(
    ("name", "value", "read"),
    [
        ("PROXIES", "2", 2),
        ("HOSTS", "skat.example, .club.example", ["skat.example", ".club.example"]),
        ("HOSTS", '["skat.example:8080", "[::1]:5000"]', ["skat.example:8080", "[::1]:5000"]),
        ("TRUSTED_HOSTS", "skat.example", ["skat.example"]),
        ("PREFIX", "/cards/", "/cards"),
        ("PREFIX", "/", ""),
        ("HTTPS", "1", True),
        ("HTTPS", "off", False),
        ("SECRET_KEY", '"quoted, as one could write it"', "quoted, as one could write it"),
        ("SECRET_KEY", "12345678901234567890", "12345678901234567890"),
        ("LIMITS", "5", 5),
        ("LIMITS", "off", "off"),
        ("WORKERS", "4", 4),
    ],
)
def test_a_value_is_read(name: str, value: str, read: Any) -> None:
    found = read_settings({f"COMPANION_{name}": value, "ELSE": "x"})
    assert found["HOSTS" if name == "TRUSTED_HOSTS" else name] == read


@pytest.mark.parametrize(
    ("name", "value", "reported"),
    [
        ("PROXIES", "yes", "must be a whole number from 0 to 10, not yes"),
        ("PROXIES", "1.5", "must be a whole number from 0 to 10, not 1.5"),
        ("PROXIES", -1, "must be a whole number from 0 to 10, not -1"),
        ("PROXIES", True, "must be a whole number from 0 to 10, not True"),
        ("HOSTS", "https://club.example", "must be names such as club.example"),
        ("HOSTS", "club.example/cards", "must be names such as club.example"),
        ("PREFIX", "cards", "must be a path such as /cards, not cards"),
        ("PREFIX", "//data.example", "must be a path such as /cards"),
        ("PREFIX", "/a/../b", "must be a path such as /cards"),
        ("HTTPS", "maybe", "must be 1 or 0, not maybe"),
        ("LOG", "JSON", "must be one of text, json, not JSON"),
        ("METRICS_PORT", "99999", "must be a whole number from 1 to 65535"),
        ("PROCESSES", "0", "must be a whole number from 1 to 64"),
        ("WORKERS", "0", "must be a whole number from 1 to 64"),
        ("PROCESSES", "٣", "must be a whole number from 1 to 64, not ٣"),
        ("PROCESSES", "1_0", "must be a whole number from 1 to 64, not 1_0"),
        ("WORKERS", 1.5, "must be a whole number from 1 to 64, not 1.5"),
    ],
)
def test_a_wrong_value_is_refused(name: str, value: Any, reported: str) -> None:
    with pytest.raises(CannotStart, match=re.escape(f"COMPANION_{name}: {reported}")):
        read_settings({}, {name: value})
    if isinstance(value, str):
        with pytest.raises(CannotStart, match=re.escape(reported)):
            read_settings({f"COMPANION_{name}": value})


@pytest.mark.parametrize(
    ("name", "reported"),
    [
        ("PROXY", "did you mean COMPANION_PROXIES?"),
        ("TRUSTED_HOST", "did you mean COMPANION_TRUSTED_HOSTS?"),
        ("HOST", "did you mean COMPANION_HOSTS?"),
        ("DEBUG", "docs/hosting/settings.md lists all of them"),
        ("https", "docs/hosting/settings.md lists all of them"),
    ],
)
def test_an_unknown_setting_is_told_of(name: str, reported: str) -> None:
    """It would do nothing, and whoever wrote it thinks it does."""
    with pytest.raises(CannotStart, match=re.escape(f"COMPANION_{name}: not a setting; {reported}")):
        read_settings({f"COMPANION_{name}": "1"})


def test_what_an_app_is_made_with_comes_first() -> None:
    """Before the environment; what is the framework's is left alone."""
    found = read_settings({"COMPANION_PROXIES": "1"}, {"PROXIES": "2", "TESTING": True, "LOG": None})
    assert (found["PROXIES"], found["TESTING"], found["LOG"]) == (2, True, "text")
