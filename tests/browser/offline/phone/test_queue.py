"""Several entries wait: each is written once, in its turn; what is refused is opened and changed."""

from collections.abc import Callable

import pytest
from browsing import carried, open_match, write_deal
from entries import HEARTS, record_of
from evenings import (
    begin,
    choose_bid,
    expect_all_sent,
    fill,
    record,
    save,
    say_online,
    send_waiting,
    stop_forms,
    totals,
    type_deal,
)
from line import Fate, Line
from phone import Phone, visit
from playwright.sync_api import Page, expect


def waiting_lines(page: Page, match: str) -> list[str]:
    """What the board says of each waiting entry."""
    visit(page, match)
    expect(page.locator("#waiting")).to_be_visible()
    return page.locator("#waiting li").all_inner_texts()


def test_entries_are_written_in_the_order_they_were_saved_in(phone: Phone, line: Line) -> None:
    """Three deals wait; each follows the one before it, though all were made from the same board."""
    page = phone.open()
    match = begin(page)
    stop_forms(line)
    for points in ("90", "91", "92"):
        record(page, match, "A", points)
    lines = waiting_lines(page, match)
    assert len(lines) == 3
    assert "90" in lines[0] and "92" in lines[2]
    assert totals(page, match) == []
    line.mend()
    send_waiting(page)
    assert totals(page, match) == [90, 91, 92]


def test_what_others_wrote_meanwhile_is_shown_with_what_was_typed(
    phone: Phone, line: Line, make_phone: Callable[..., Phone]
) -> None:
    """Two phones of one scorekeeper: the second's deals wait behind the one that the first overtook."""
    page = phone.open()
    match = begin(page)
    other = make_phone(base_url=line.address)
    other.context.add_cookies(phone.identity())
    second = other.open(match)
    stop_forms(line)
    record(second, match, "B", "50")
    record(second, match, "B", "51")
    direct = match.replace(line.address, phone.server.address)
    write_deal(page, direct, **HEARTS, total_A="92", total_B="70")
    line.mend()
    waiting_lines(second, match)
    second.get_by_role("button", name="Try now").click()
    refused = second.locator("#waiting li.refused")
    expect(refused).to_contain_text("not saved")
    assert totals(second, match) == [92]
    refused.get_by_role("link", name="Open").click()
    expect(second.locator("[role=alert]:visible")).to_contain_text("The match has moved on")
    expect(second.locator("[role=alert]:visible")).to_contain_text("92")
    expect(second.locator("#total_A")).to_have_value("50")
    fill(second, "55")
    save(second)
    visit(second, match)
    expect_all_sent(second)
    assert totals(second, match) == [92, 55, 51]


def test_both_phones_had_deals_waiting(
    phone: Phone, line: Line, other_line: Line, make_phone: Callable[..., Phone]
) -> None:
    """Whoever comes second is asked; nothing is lost, and nothing is written twice."""
    page = phone.open()
    match = begin(page)
    theirs = match.replace(line.address, other_line.address)
    other = make_phone(base_url=other_line.address)
    other.context.add_cookies(phone.identity())
    second = other.open(theirs)
    stop_forms(line)
    stop_forms(other_line)  # a line of its own: the second must not arrive before the first was written
    record(page, match, "A", "90")
    record(second, theirs, "B", "50")
    line.mend()
    visit(page, match)
    expect_all_sent(page)
    other_line.mend()
    visit(second, theirs)
    expect(second.locator("#waiting li.refused")).to_have_count(1)
    second.locator("#waiting").get_by_role("link", name="Open").click()
    expect(second.locator("[role=alert]:visible")).to_contain_text("The match has moved on")
    save(second)
    expect(second).to_have_url(theirs)
    expect_all_sent(second)
    assert totals(second, theirs) == [90, 50]


def test_what_breaks_a_rule_is_opened_with_the_reason(phone: Phone, line: Line) -> None:
    """A deal that was not complete: the queue stops at it, and it can be put right."""
    page = phone.open()
    match = begin(page)
    stop_forms(line)
    visit(page, f"{match}/deal?mode=totals")
    page.fill("#total_A", "300")
    choose_bid(page, "A:H")
    save(page)
    line.mend()
    visit(page, match)
    page.locator("#waiting").get_by_role("link", name="Open").click()
    expect(page.locator("#total_A")).to_have_value("300")
    expect(page.locator(".error:not(:empty)").first).to_be_visible()
    fill(page, "90")
    save(page)
    expect(page).to_have_url(match)
    assert totals(page, match) == [90]


def test_a_waiting_entry_is_changed(phone: Phone, line: Line) -> None:
    """It opens as it was typed, stays in its place, and is written as it was changed."""
    page = phone.open()
    match = begin(page)
    stop_forms(line)
    record(page, match, "A", "90")
    record(page, match, "A", "91")
    waiting_lines(page, match)
    page.locator("#waiting li").first.get_by_role("link", name="Open").click()
    expect(page.locator("#total_A")).to_have_value("90")
    fill(page, "95")
    save(page)
    lines = waiting_lines(page, match)
    assert len(lines) == 2 and "95" in lines[0] and "91" in lines[1]
    line.mend()
    send_waiting(page)
    assert totals(page, match) == [95, 91]


def test_a_waiting_entry_is_thrown_away_after_a_question(phone: Phone, line: Line) -> None:
    """Only when one says so; the others are written."""
    page = phone.open()
    match = begin(page)
    stop_forms(line)
    record(page, match, "A", "90")
    record(page, match, "A", "91")
    waiting_lines(page, match)
    first = page.locator("#waiting li").first
    first.get_by_role("button", name="Throw away").click()
    first.get_by_role("button", name="No, keep it").click()
    expect(page.locator("#waiting li")).to_have_count(2)
    first.get_by_role("button", name="Throw away").click()
    first.get_by_role("button", name="Yes, throw away").click()
    expect(page.locator("#waiting li")).to_have_count(1)
    line.mend()
    send_waiting(page)
    assert totals(page, match) == [91]


def test_what_is_typed_on_top_of_a_waiting_entry_follows_it(phone: Phone, line: Line) -> None:
    """The first deal arrives while the second is being typed: that is no conflict."""
    page = phone.open()
    match = begin(page)
    stop_forms(line)
    record(page, match, "A", "90")
    visit(page, f"{match}/deal?mode=totals")
    expect(page.locator("#waiting")).to_be_visible()
    choose_bid(page, "B:S")
    fill(page, "40")
    line.mend()
    send_waiting(page)
    save(page)
    expect(page).to_have_url(match)
    assert totals(page, match) == [90, 40]


def test_a_draft_on_top_of_a_waiting_entry_follows_it(phone: Phone, line: Line) -> None:
    """The same, with a reload between typing and saving."""
    page = phone.open()
    match = begin(page)
    stop_forms(line)
    record(page, match, "A", "90")
    visit(page, f"{match}/deal?mode=totals")
    choose_bid(page, "B:S")
    fill(page, "40")
    line.mend()
    send_waiting(page)
    visit(page, f"{match}/deal")
    expect(page.locator("#total_A")).to_have_value("40")
    save(page)
    expect(page).to_have_url(match)
    assert totals(page, match) == [90, 40]


def test_two_tabs_of_one_phone_are_two_writers(phone: Phone, line: Line) -> None:
    """A page that was there before the other tab's deal was saved knows nothing of it, and is told."""
    page = phone.open()
    match = begin(page)
    type_deal(page, match, "A", "90")
    stop_forms(line)
    tab = phone.open(match)
    visit(tab, f"{match}/more?open=adjust")
    form = tab.locator('form[action$="/more/adjust"]')
    form.locator("label", has=tab.locator('input[name=side][value="A"]')).click()
    form.locator("[name=points]").fill("20")
    form.locator("[name=reason]").fill("agreed")
    form.get_by_role("button", name="Write it down").click()
    line.mend()
    visit(tab, match)
    expect_all_sent(tab)
    save(page)
    expect(page.locator("[role=alert]:visible")).to_contain_text("The match has moved on")
    expect(page.locator("#total_A")).to_have_value("90")


@pytest.mark.profile
def test_it_waits_through_an_empty_battery(phone: Phone, line: Line) -> None:
    """The phone is dead at once after the save; switched on again it sends what waits."""
    page = phone.open()
    match = begin(page)
    stop_forms(line)
    record(page, match, "A", "90")
    record(page, match, "A", "91")
    phone.kill()
    page = phone.restart(match)
    expect(page.locator("#waiting li")).to_have_count(2)
    line.mend()
    send_waiting(page)
    assert totals(page, match) == [90, 91]


def test_it_belongs_to_the_identity_that_filled_it(phone: Phone, line: Line) -> None:
    """Another identity in the same browser neither sees nor sends it; the first one does, when it is back."""
    page = phone.open()
    match = begin(page)
    stop_forms(line)
    record(page, match, "A", "90")
    line.mend()
    mine = phone.identity()
    phone.context.clear_cookies(name="companion-browser")
    visit(page, "/en/new")
    for address in ("/en/", match):
        visit(page, address)
        expect(page.locator("#waiting")).to_be_hidden(timeout=20_000)
    phone.context.add_cookies(mine)
    visit(page, match)
    expect_all_sent(page)
    assert totals(page, match) == [90]


def test_the_token_of_an_earlier_session_is_renewed(phone: Phone, line: Line) -> None:
    """A browser forgets its session, not who it is: what waits is sent with a new token."""
    page = phone.open()
    match = begin(page)
    stop_forms(line)
    record(page, match, "A", "90")
    phone.context.clear_cookies(name="companion")
    line.mend()
    visit(page, match)
    expect_all_sent(page)
    assert totals(page, match) == [90]


HASTE = (
    "{ const real = AbortSignal.timeout; AbortSignal.timeout = (time) => real.call(AbortSignal, time / 10); }"
)
"""Whatever a page waits for, it waits a tenth of the time."""


@pytest.mark.parametrize("fate", ["is answered by a café", "is too much", "hangs"])
def test_what_is_no_answer_of_ours_is_none(phone: Phone, line: Line, fate: Fate) -> None:
    """A café that wants to be greeted first, a server that is busy, a line that says nothing."""
    page = phone.open()
    page.add_init_script(HASTE)
    match = begin(page)
    line.fate = lambda method, path: fate if method == "POST" else "arrives"
    record(page, match, "A", "90")
    expect(page.locator("#waiting li")).to_have_count(1, timeout=20_000)
    line.mend()
    visit(page, match)
    expect_all_sent(page)
    assert totals(page, match) == [90]


def test_a_hasty_thumb_saves_once(phone: Phone, line: Line) -> None:
    """Save tapped three times while there is no answer is one deal."""
    page = phone.open()
    match = begin(page)
    stop_forms(line)
    type_deal(page, match, "A", "90")
    save(page, taps=3)
    assert len(waiting_lines(page, match)) == 1
    line.mend()
    send_waiting(page)
    assert totals(page, match) == [90]


def test_two_tabs_send_what_waits_once(phone: Phone, line: Line) -> None:
    """Both are told of the network at the same moment."""
    page = phone.open()
    match = begin(page)
    stop_forms(line)
    for points in ("90", "91"):
        record(page, match, "A", points)
    tab = phone.open(match)
    visit(page, match)
    line.mend()
    for item in (page, tab):
        say_online(item)
    for tab_or_page in (page, tab):
        expect_all_sent(tab_or_page)
    assert totals(page, match) == [90, 91]


def test_a_form_of_before_is_told_from_a_new_one(phone: Phone, line: Line) -> None:
    """Two hands that end alike are two hands, though both came from one page that was kept."""
    page = phone.open()
    match = open_match(page, "durak", ("Ewa", "Jan", "Ala"), table="3")
    stop_forms(line)
    for _hand in range(2):
        visit(page, f"{match}/hand")
        page.get_by_role("button", name="Jan is the fool").click()
        expect(page.locator("#waiting li").last).to_contain_text("Jan is the fool")
    line.mend()
    visit(page, match)
    expect_all_sent(page)
    record, _changes = record_of(page, match)
    assert isinstance(record, dict)
    assert [entry["loser"] for entry in record["entries"]] == ["B", "B"]
    assert carried(page.request.get(f"{match}/hand").text())["seq"] == "2"
