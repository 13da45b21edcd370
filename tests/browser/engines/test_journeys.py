"""An evening in Firefox and in WebKit: recorded, corrected, without a network."""

import time

import pytest
from offline_app import build
from phone import Server

from tests.browser.engines.driving import Phone

SAVE = ("Save", "Save deal")
BOTH = """[...document.querySelectorAll(".board .total")]
  .map((element) => element.textContent.trim()).join(" ")
  === arguments[0]"""
"""Whether a board has these totals."""
LEDGER = """return [...document.querySelectorAll(".ledger")].filter((element) => element.checkVisibility())
  .map((element) => {
    const parts = [...element.querySelectorAll(".choice")];
    const [name, left, right] = parts.map((part) => part.getBoundingClientRect());
    const isBetween = left.right <= name.left && name.right <= right.left;
    return [element.textContent.trim().slice(0, 20), isBetween, left.top < name.bottom, left.width > 80];
  })"""
"""Things that one of two has: whether their names are between the two, in one line, with room for a thumb."""
READY = 300
"""Seconds until the offline program is ready, on a machine that does much else."""


def begin(phone: Phone) -> str:
    """A match of two; its address below the server's."""
    phone.goto("/en/new?game=derda")
    phone.type("#name-A", "Ewa")
    phone.type("#name-B", "Jan")
    phone.choose("dealer", "A")
    phone.tap(".actions .primary")
    phone.wait_for(BOTH, "0 0")
    return str(phone.run("return location.pathname"))


def fill(phone: Phone, first: int, second: int) -> None:
    """A deal by its totals, up to the button."""
    phone.choose("bid", "A:H")
    phone.type("#total_A", str(first))
    phone.type("#total_B", str(second))
    phone.see("#comes-to", f"{first} to {second}")


def step(phone: Phone, action: str) -> None:
    """Tap a button that changes the form in place, and wait for the form that it asks for."""
    phone.run(
        """const { dataset } = document.documentElement;
        delete dataset.exchanged;
        document.addEventListener("deal:exchanged", () => { dataset.exchanged = ""; }, { once: true });"""
    )
    phone.tap(f'button[name="do"][value="{action}"]')
    phone.wait_for("document.documentElement.dataset.exchanged === ''")


def press(phone: Phone, keys: str) -> None:
    """Tap keys of the number pad; a space is its *Next*."""
    for key in keys:
        phone.tap(f'[data-numkeys] [data-key="{"next" if key == " " else key}"]')


def write(phone: Phone, match: str, first: int, second: int) -> None:
    """A deal that is saved while there is a server."""
    phone.goto(f"{match}/deal?mode=totals")
    fill(phone, first, second)
    phone.tap_button(*SAVE)


@pytest.fixture
def match(phone: Phone, server: Server) -> str:
    """A match with one deal."""
    server.start()
    match = begin(phone)
    write(phone, match, 82, 65)
    phone.wait_for(BOTH, "82 65")
    return match


def test_a_deal_is_recorded_corrected_and_undone(phone: Phone, match: str) -> None:
    phone.goto(f"{match}/entries/1?edit=1")
    phone.type("#total_A", "90")
    phone.type("#total_B", "72")
    phone.tap_button(*SAVE)
    phone.see(".came-to", "corrected")
    phone.goto(match)
    phone.wait_for(BOTH, "90 72")
    write(phone, match, 82, 65)
    phone.wait_for(BOTH, "172 137")
    phone.tap_button("Undo")
    phone.wait_for(BOTH, "90 72")
    phone.tap_button("Put back")
    phone.wait_for(BOTH, "172 137")


def test_things_stand_between_the_two_who_may_have_them(phone: Phone, match: str) -> None:
    """WebKit left the name above, and squeezed the choices into the name's column."""
    phone.goto(f"{match}/deal?mode=count")
    phone.choose("bid", "A:H")
    rows = phone.run(LEDGER)
    assert len(rows) >= 2
    assert [row for row in rows if row[1:] != [True, True, True]] == []


def test_two_totals_on_the_number_pad(phone: Phone, match: str) -> None:
    phone.goto(f"{match}/deal?mode=totals")
    phone.choose("bid", "B:H")
    press(phone, "82 65")
    phone.see("#comes-to", "Jan: bajt, 65 to 82")
    phone.tap_button(*SAVE)
    phone.wait_for(BOTH, "229 65")


def test_a_deal_with_a_run_and_belo_is_counted(phone: Phone, match: str) -> None:
    phone.goto(f"{match}/deal?mode=count")
    phone.choose("bid", "A:H")
    step(phone, "run:B:3")
    phone.choose("runs-0-top", "K")
    for name, value in (("bela", "A"), ("jass", "A"), ("nine", "B"), ("last", "A")):
        phone.choose(name, value)
    phone.type("#cards_A", "52")
    phone.type("#cards_B", "31")
    phone.see("#comes-to", "Ewa makes it, 102 to 65")
    phone.tap_button(*SAVE)
    phone.wait_for(BOTH, "184 130")


def test_a_deal_is_recorded_call_by_call_and_card_by_card(phone: Phone, match: str) -> None:
    phone.goto(f"{match}/deal")
    for action in ("way:calls", "turn:9H", "call:play", "counting:cards"):
        step(phone, action)
    for card in (
        "JH",
        "7H",
        "AH",
        "8H",
        "10H",
        "9S",
        "KH",
        "10S",
        "QH",
        "KS",
        "AS",
        "7S",
        "AD",
        "7D",
        "KD",
        "8D",
        "AC",
        "7C",
    ):
        step(phone, f"card:{card}")
    phone.see("#comes-to", "makes it")
    phone.tap_button(*SAVE)
    phone.wait_for("document.querySelectorAll('.entries tbody tr').length === 2")


def test_an_evening_of_durak(phone: Phone, server: Server) -> None:
    """A hand by its fool, and one that is followed bout by bout."""
    server.start()
    phone.goto("/en/new?game=durak&table=2")
    phone.type("#name-A", "Ewa")
    phone.type("#name-B", "Jan")
    phone.choose("dealer", "A")
    phone.tap(".actions .primary")
    phone.see("[data-live]")
    path = phone.run("return location.pathname")
    phone.goto(f"{path}/hand")
    phone.tap('button[name="result"][value="B"]')
    phone.wait_for("document.querySelectorAll('.entries tbody tr').length === 1")
    phone.goto(f"{path}/hand/follow")
    for action in ("talon:used-up", "beaten-off", "picked-up"):
        key = phone.run("return document.querySelector('#follow [name=form_key]').value")
        phone.tap(f'button[name="do"][value="{action}"]')
        phone.wait_for("document.querySelector('#follow [name=form_key]').value !== arguments[0]", key)
    phone.see(".bouts li:nth-child(2)")


def test_a_second_phone_sees_an_entry_and_agrees(
    phone: Phone, match: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    phone.goto(f"{match}/phones")
    phone.tap('button[value="opponent:B"]')
    link = phone.wait_for("document.getElementById('address').value")
    other = type(phone)(tmp_path_factory.mktemp("other"), phone.server)
    try:
        other.goto(link)
        other.tap(".actions .primary")
        other.see(".part", "This phone speaks for Jan")
        write(phone, match, 90, 72)
        other.wait_for(BOTH, "172 137")  # by itself
        other.tap_button("Agree")
        other.see(".entries", "Jan agreed")
        phone.see(".entries", "Jan agreed")
        assert other.errors() == []
    finally:
        other.close()


def test_a_sheet_is_printed(phone: Phone, match: str) -> None:
    phone.goto(f"{match}/sheet")
    phone.run(
        """fetch(document.querySelector('.papers .primary').href).then(async (answer) => {
          const beginning = new Uint8Array(await answer.arrayBuffer()).slice(0, 5);
          window.printed = `${answer.status} ${String.fromCharCode(...beginning)}`;
        })"""
    )
    assert phone.wait_for("window.printed") == "200 %PDF-"


def test_what_is_typed_is_there_after_a_reload(phone: Phone, match: str) -> None:
    phone.goto(f"{match}/deal?mode=totals")
    phone.choose("bid", "A:H")
    phone.type("#total_A", "77")
    time.sleep(1)
    phone.goto(f"{match}/deal?mode=totals")
    phone.wait_for("document.getElementById('total_A').value === '77'")


def test_an_entry_waits_for_the_server_and_is_sent_once(phone: Phone, server: Server, match: str) -> None:
    phone.wait_for("navigator.serviceWorker.controller !== null")
    phone.goto(match)
    phone.goto(f"{match}/deal?mode=totals")
    fill(phone, 90, 72)
    server.stop()
    phone.tap_button(*SAVE)
    phone.see("#waiting", "Waiting on this phone: 1")
    phone.goto("/en/")  # a stored page
    phone.see("#kept", "no network")
    server.start()
    phone.goto(match)
    phone.wait_for(BOTH, "172 137")
    phone.wait_for("document.getElementById('waiting').hidden")


def test_the_program_is_downloaded_and_answers_without_a_server(phone: Phone, server: Server) -> None:
    """No permission is waited for. The times are printed: they are what differs most between engines."""
    server.start()
    assert build() == ""
    begin(phone)
    since = time.monotonic()
    phone.goto("/en/pocket")
    phone.tap("button[data-does=fetch]")
    phone.see("div[data-in=ready]", seconds=READY)
    ready = time.monotonic() - since
    server.stop()
    since = time.monotonic()
    phone.goto("/en/rules")
    phone.wait_for("document.documentElement.dataset.pocket !== undefined")
    first = time.monotonic() - since
    print(f"{type(phone).__name__}: ready after {ready:.0f} s, a page without server after {first:.1f} s")
    match = begin(phone)
    write(phone, match, 82, 65)
    phone.wait_for(BOTH, "82 65")
    server.start()
    phone.wait_for("document.documentElement.dataset.pocket === undefined", seconds=READY)
    phone.goto(match)
    phone.wait_for(BOTH, "82 65")
