"""Whatever is typed is there again: every kind of form."""

from dataclasses import dataclass

import pytest
from browsing import open_match, write_deal
from playwright.sync_api import Page, expect
from typed import (
    FIVE,
    Fill,
    bid,
    expect_taken_up,
    in_turn,
    line,
    press,
    step,
    tap,
    typed,
    wait_until_saved,
    write,
)


@pytest.fixture(autouse=True)
def _patient(page: Page) -> None:
    """What is not there in a few seconds will not come."""
    page.set_default_timeout(6000)


@dataclass(frozen=True)
class Kind:
    """A form: its game, its page after the match's address, where it is on it, how it is filled in."""

    game: str
    path: str
    form: str
    fill: Fill
    players: int = 2
    deals: int = 0


WORDS = in_turn(bid, step("run:A:3"), write('[name="cards_A"]', "30+4"))
TOTALS = in_turn(bid, step("counting:totals"), write("[name=total_A]", "82"))
CARDS = in_turn(bid, step("counting:cards", "card:AH", "card:7H"))
CORRECTION = in_turn(step("run:B:4"), write("#note", "looked again"))
PEOPLE = in_turn(write("[name=name-A]", FIVE[1]), write("[name=place]", "Café Ł"))
PADS = tap(("trump", "S"), ("hand", "8H"), ("hand", "AH"), ("card", "8H"))
HEAPS = in_turn(tap(("leader", "B")), press(("add.trick", "AH"), ("add.trick", "JH")))
KINDS = {
    "deal": Kind("derda", "/deal", "#deal", WORDS),
    "deal of three": Kind("klaberjass-3", "/deal", "#deal", WORDS, 3),
    "deal of four": Kind("darda", "/deal", "#deal", WORDS, 4),
    "deal in totals": Kind("derda", "/deal", "#deal", TOTALS),
    "deal in cards": Kind("derda", "/deal", "#deal", CARDS),
    "deal in calls": Kind("derda", "/deal", "#deal", step("way:calls", "call:pass")),
    "deal with a note": Kind(
        "derda", "/deal", "#deal", in_turn(tap(("bid", "A:S")), write("#note", "light\nwas bad"))
    ),
    "deal that is offered": Kind("derda", "/deal", "#deal", tap(("bid", "offer"), ("offer_chip", "10"))),
    "call": Kind("derda", "/enough", "#deal", tap(("caller", "A"), ("bid", "A:S"))),
    "corrected deal": Kind("derda", "/entries/1?edit=1", "#deal", CORRECTION, deals=1),
    "hand": Kind("durak", "/hand", "#hand", in_turn(write("#note", "so close"), tap(("trump", "D"))), 4),
    "adjusted total": Kind(
        "derda", "/more", "#entry-adjust", in_turn(write("#points-adjust", "-20"), tap(("side", "B")))
    ),
    "names": Kind("derda", "/names", "#names", PEOPLE),
    "question with pads": Kind("derda", "/ask/play", "#ask", PADS),
    "question with heaps": Kind("derda", "/ask/trick", "#ask", HEAPS),
}


def address_of(page: Page, kind: Kind) -> str:
    """A match for a form of this kind, and its page there."""
    match = open_match(page, kind.game, FIVE[: kind.players])
    for _deal in range(kind.deals):
        write_deal(page, match, way="outcome", bid="A:H", counting="totals", total_A="90", total_B="72")
    return match + kind.path


@pytest.mark.parametrize("name", KINDS)
def test_it_is_there_again(page: Page, name: str) -> None:
    """After reload, there and back, in the next tab, in another language; started afresh it is gone."""
    kind = KINDS[name]
    address = address_of(page, kind)
    page.goto(address)
    before = typed(page, kind.form)
    kind.fill(page)
    stands = wait_until_saved(page, kind.form)
    assert stands != before
    page.reload()
    expect_taken_up(page, kind.form, stands)
    page.goto("/en/")
    page.go_back()
    expect_taken_up(page, kind.form, stands)
    other = page.context.new_page()
    page.close()
    other.goto(address.replace("/en/", "/pl/"))
    expect(line(other)).to_contain_text("Przywrócono wpis z")
    assert typed(other, kind.form) == stands
    other.goto(address)
    expect_taken_up(other, kind.form, stands)
    other.get_by_role("button", name="Start from scratch").click()
    expect(line(other)).to_have_count(0)
    assert typed(other, kind.form) == before
    other.get_by_role("button", name="Put back").click()
    expect_taken_up(other, kind.form, stands)
