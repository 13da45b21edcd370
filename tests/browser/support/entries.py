"""Every kind of entry as a player writes it: where, with which fields, by which button."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from browsing import carried, open_match, write_deal
from playwright.sync_api import Locator, Page

FOUR = ("Ewa", "Jan", "Ala", "Olek")
HEARTS = {"bid": "A:H", "counting": "totals"}
SAVE = "Save|Save deal"  # on the number pad, or below the form


@dataclass(frozen=True)
class EntryKind:
    """One kind of entry, in a match of so many players, after so many deals or hands, on the page at `path`.

    `fields` are chosen and typed, then the button called `button` is tapped. The form is sent to `action`, or
    to the page's own path.
    """

    name: str
    game: str
    path: str
    button: str
    fields: Mapping[str, str] = field(default_factory=dict)
    players: int = 2
    before: int = 0
    action: str = ""


KINDS = (
    EntryKind("a deal", "derda", "/deal?mode=totals", SAVE, {"bid": "A:H", "total_A": "90", "total_B": "72"}),
    EntryKind("a deal for later", "derda", "/deal?mode=count", "Save for later", {"bid": "B:D"}),
    EntryKind(
        "a call",
        "derda",
        "/enough?mode=count",
        "Enough!|Save",
        {"caller": "B", "after_trick": "6", "bid": "B:H", "cards_B": "61"},
    ),
    EntryKind(
        "a correction", "derda", "/entries/1?edit=1", SAVE, {"total_A": "92", "total_B": "70"}, before=1
    ),
    EntryKind("a withdrawal", "derda", "/entries/1", "Withdraw", before=2),
    EntryKind(
        "an adjustment",
        "derda",
        "/more?open=adjust",
        "Write it down",
        {"side": "B", "points": "-20", "reason": "a revoke"},
        before=1,
        action="/more/adjust",
    ),
    EntryKind("names", "derda", "/names", "Save", {"name-A": "Ewelina", "place": "Kraków"}, before=1),
    EntryKind("an undo", "derda", "", "Undo", before=2, action="/undo"),
    EntryKind("a fool", "durak", "/hand", "Jan is the fool", players=3),
    EntryKind("another fool", "durak", "/entries/1?edit=1", "Save", {"result": "C"}, players=3, before=1),
)
"""An entry of every form."""


def prepare(page: Page, kind: EntryKind) -> str:
    """A match in which such an entry can be written; its address."""
    match = open_match(page, kind.game, FOUR[: kind.players], table=str(kind.players))
    for number in range(kind.before):
        if kind.game == "durak":
            write_hand(page, match, "AB"[number % 2])
        else:
            write_deal(page, match, **HEARTS, total_A=str(90 + number), total_B=str(72 - number))
    return match


def write_hand(page: Page, match: str, fool: str) -> None:
    """Write a hand as its form would."""
    sent: dict[str, str | float | bool] = {
        "result": fool,
        **carried(page.request.get(f"{match}/hand").text()),
    }
    answer = page.request.post(f"{match}/hand", form=sent, max_redirects=0)
    assert answer.status == 303, answer.text()


def fill_in(page: Page, kind: EntryKind, match: str) -> Locator:
    """Open the page, fill in the form, and give the button that sends it."""
    page.goto(f"{match}{kind.path}")
    action = f"{match}{kind.action or kind.path.partition('?')[0]}"
    form = page.locator(f'form[action$="{action[action.index("/m/") :]}"], form:not([action])').last
    for name, value in kind.fields.items():
        choice = page.locator(f'input[type=radio][name="{name}"][value="{value}"]')
        if form.locator(choice).count():
            form.locator("label", has=choice).click()
        else:
            form.locator(f'[name="{name}"]').fill(value)
    words = re.compile(f"^({kind.button})$")
    return page.get_by_role("button", name=words).locator("visible=true").last


def record_of(page: Page, match: str) -> tuple[object, str]:
    """What stands in the record of a match, and how long its log is."""
    record = json.loads(page.request.get(f"{match}/record.json").text())
    names = page.request.get(f"{match}/names").text()
    return {key: record.get(key) for key in ("players", "place", "entries")}, carried(names)["seq"]
