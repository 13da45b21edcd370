"""The settings: parsed and checked once, before anything starts.

Each is an environment variable that starts with `COMPANION_`, or a key of the mapping from which an app is
created. Unknown names and invalid values are refused rather than ignored.
"""

import json
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from companion.rules.message import Message
from companion.store.interface import CannotStart

LEAD = "COMPANION_"


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting: its name without prefix, its parser (`ValueError`: what it must be), its default.

    `former` is its earlier name, which still works. An empty text counts as unset, unless a setting
    `heeds_empty` ones, to refuse them.
    """

    name: str
    read: Callable[[Any], Any]
    default: Any = None
    former: str = ""
    heeds_empty: bool = False


def _read_as_is(value: Any) -> Any:
    """Return the value unchanged for the code that uses it: a key, an address."""
    if isinstance(value, str) and value[:1] == value[-1:] == '"':
        with suppress(ValueError):
            return json.loads(value)  # as it was allowed to be written before
    return value


def _read_list(value: Any) -> Any:
    """Parse texts separated by spaces or commas, or a list."""
    if isinstance(value, str) and value.lstrip().startswith("["):
        with suppress(ValueError):
            value = json.loads(value)
    return re.findall(r"[^\s,]+", value) if isinstance(value, str) else value


def _read_whole(least: int, most: int) -> Callable[[Any], int]:
    def read(value: Any) -> int:
        number = _parse(value, int)
        if number is None or not least <= number <= most:
            raise ValueError(
                Message(
                    "must be a whole number from {least} to {most}, not {value}",
                    least=least,
                    most=most,
                    value=value,
                )
            )
        return int(number)

    return read


def _parse(value: Any, kind: type[int] | type[float]) -> float | None:
    """Parse a number given as text or as a number; None if it is not of that kind."""
    if isinstance(value, str) and value.isascii() and "_" not in value:
        with suppress(ValueError):
            return kind(value)
    is_number = isinstance(value, int | kind) and not isinstance(value, bool | str)
    return kind(value) if is_number else None


def _read_switch(value: Any) -> bool:
    known = {"1": True, "yes": True, "on": True, "true": True, "0": False, "no": False, "off": False}
    known["false"] = False
    if str(value).lower() not in known:
        raise ValueError(Message("must be 1 or 0, not {value}", value=value))
    return known[str(value).lower()]


def _read_factor(value: Any) -> Any:
    """Parse a number; other values are left to the rate limiter."""
    number = _parse(value, float)
    return value if number is None else int(number) if number.is_integer() else number


def _read_choice(*choices: str) -> Callable[[Any], str]:
    def read(value: Any) -> str:
        if value not in choices:
            raise ValueError(
                Message("must be one of {values}, not {value}", values=list(choices), value=value)
            )
        return str(value)

    return read


def _read_hosts(value: Any) -> list[str]:
    names = _read_list(value)
    for name in names:
        if not re.fullmatch(r"(\.?[\w.-]+|\[[0-9A-Fa-f:.]+\])(:\d+)?", str(name)):
            raise ValueError(
                Message(
                    "must be names such as club.example, with spaces between them, without https://,"
                    " not {name}",
                    name=name,
                )
            )
    return [str(name) for name in names]


def read_prefix(value: Any) -> str:
    """Parse a path below which the app is served, such as /cards: without a trailing slash, may be empty.

    :raises ValueError: if it is not a path.
    """
    prefix = str(value).rstrip("/")
    if prefix and not re.fullmatch(r"(/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)+", prefix):
        raise ValueError(Message("must be a path such as /cards, not {value}", value=value))
    return prefix


def read_folder(value: Any) -> str:
    """Check an existing folder. :raises ValueError: if it does not exist."""
    if not Path(str(value)).is_dir():
        raise ValueError(Message("must be a folder, not {value}", value=value))
    return str(value)


SETTINGS = (
    Setting("INSTANCE", _read_as_is),
    Setting("DATABASE", _read_as_is),
    Setting("SECRET_KEY", _read_as_is, heeds_empty=True),
    Setting("SECRET_KEY_FALLBACKS", _read_list),
    Setting("PROXIES", _read_whole(0, 10), 0),
    Setting("HOSTS", _read_hosts, former="TRUSTED_HOSTS"),
    Setting("PREFIX", read_prefix, ""),
    Setting("HTTPS", _read_switch, False),
    Setting("LOG", _read_choice("text", "json"), "text"),
    Setting("METRICS_PORT", _read_whole(1, 65535)),
    Setting("PROCESSES", _read_whole(1, 64), 2),
    Setting("LIMITS", _read_factor, "on"),
    Setting("WORKERS", _read_whole(1, 64), 2),
    Setting("GAMES", read_folder),
)
"""All settings, in the order of docs/hosting/settings.md."""


def find_folder(named: str | None, environment: Mapping[str, str]) -> Path:
    """Find the folder of an instance: the one named by its setting, else `instance/` beside a source tree.

    A wheel has its own among the user’s data, for its environment may be deleted (`uvx`), or in that
    environment if an earlier version made it there.
    """
    from flask import Flask

    if named:
        return Path(named).resolve()
    package = Path(__file__).resolve().parents[1]
    beside = Path(Flask("companion", root_path=str(package)).instance_path)
    if beside.is_dir() or beside == package.parent / "instance":
        return beside
    return Path(environment.get("XDG_DATA_HOME") or Path.home() / ".local/share") / "companion"


def read_settings(environment: Mapping[str, str], given: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Read the settings by their names without prefix: those that are `given`, then the environment's.

    Other given keys are passed on to the framework.

    :raises CannotStart: if a variable is not a setting, or a value is invalid.
    """
    rest = dict(given or {})
    named = {key.removeprefix(LEAD): value for key, value in environment.items() if key.startswith(LEAD)}
    known = {name for setting in SETTINGS for name in (setting.name, setting.former) if name}
    for name in sorted(named.keys() - known):
        near = get_close_matches(name, sorted(known), 1)
        if near:
            unknown = Message("{name}: not a setting; did you mean {other}?", other=f"{LEAD}{near[0]}")
        else:
            unknown = Message("{name}: not a setting; docs/hosting/settings.md lists all of them")
        raise CannotStart(Message(unknown.template, name=f"{LEAD}{name}", **unknown.facts))
    found = {}
    for setting in SETTINGS:
        values = [
            source.pop(name)
            for source in (rest, named)
            for name in (setting.name, setting.former)
            if name in source
        ]
        values = [value for value in values if value is not None and (value != "" or setting.heeds_empty)]
        found[setting.name] = _read(setting, values[0]) if values else setting.default
    return rest | found


def _read(setting: Setting, value: Any) -> Any:
    try:
        return setting.read(value)
    except ValueError as error:
        facts = {"place": f"{LEAD}{setting.name}", "requirement": error.args[0]}
        raise CannotStart(Message("{place}: {requirement}", **facts)) from None
