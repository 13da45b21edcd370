"""The form in which a session of Durak begins: what a browser sends, what a page shows as chosen."""

import re
from html import unescape

NAMES = ("Ewa", "Jan", "Ala", "Olek", "Ola", "Tomek")


def form_fields(table: str, players: int, **changes: str) -> dict[str, str]:
    """What a browser sends for a table of so many, as the page shows it."""
    names = {f"name-{seat}": name for seat, name in zip("ABCDEF"[:players], NAMES, strict=False)}
    shown = {"shown-game": "durak", "shown-preset": "standard", "shown-table": table}
    fields = {"game": "durak", "preset": "standard", "table": table, "dealer": "A", **shown, **names}
    return fields | {key.replace("_", "-", 1): change for key, change in changes.items()}


def picked(page: str) -> dict[str, str]:
    """The radio buttons that are pressed on a page, by name, and the preset."""
    tags = re.findall(r'<input (?:type="radio"[^>]* checked|type="hidden" name="preset")[^>]*>', page)
    stored = [dict(re.findall(r'([\w-]+)="([^"]*)"', tag)) for tag in tags]
    return {item["name"]: unescape(item["value"]) for item in stored}
