"""What is typed and what else is done: the one never costs the other."""

import re

import pytest
from browsing import Accessible, begin, carried, open_match, write_deal
from device_storage import STORAGE, wait_for
from playwright.sync_api import Page, Route, expect
from typed import FIVE, choose, drafts, expect_taken_up, line, step, tap, typed, wait_until_saved, write


@pytest.fixture(autouse=True)
def _patient(page: Page) -> None:
    """What is not there in a few seconds will not come."""
    page.set_default_timeout(6000)


def test_a_new_match(page: Page) -> None:
    """Another game with its places, its house rules and what was begun on paper; started, it is gone."""
    page.goto("/en/new")
    with page.expect_response(lambda answer: answer.request.method == "POST"):
        choose(page, "game", "klaberjass-3")
    expect(page.locator("#name-C")).to_be_visible()
    for place, seat in enumerate("ABC"):
        page.fill(f"#name-{seat}", FIVE[place])
    page.locator("#house > summary").click()
    page.fill("#rule-target", "777")
    page.locator("#paper > summary").click()
    page.fill("[name=total-A]", "120")
    stands = wait_until_saved(page, "#new")
    for where in ("/en/new", "/pl/new", "/en/new"):
        page.goto(where)
        expect_taken_up(page, "#new", stands)
    expect(page.locator("#rule-target")).to_be_visible()
    expect(page.locator('[data-name-of="B"]').first).to_contain_text(FIVE[1])
    choose(page, "dealer", "B")
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page).to_have_url(re.compile(r"/m/[\w-]{22}$"))
    assert drafts(page) == []
    page.goto("/en/new")
    page.wait_for_timeout(300)
    expect(line(page)).to_have_count(0)


def test_names_that_are_asked_for_are_not_written_over(page: Page) -> None:
    """Who sits down as before gets those names; what was typed is offered."""
    match = open_match(page, "derda", FIVE)
    page.goto("/en/new")
    page.fill("#name-A", "Zosia")
    wait_until_saved(page, "#new")
    page.goto(f"/en/new?like={match.rsplit('/', 1)[1]}")
    expect(page.locator("#name-A")).to_have_value(FIVE[0])
    page.get_by_role("button", name="Restore it").click()
    expect(page.locator("#name-A")).to_have_value("Zosia")
    expect(line(page)).to_be_visible()


def test_saved_it_is_gone(page: Page) -> None:
    """A deal that was taken up is saved as it stands, once, and nothing of it is left."""
    match = begin(page)
    page.goto(f"{match}/deal?mode=totals&bid=A:H")
    page.fill("[name=total_A]", "90")
    page.fill("[name=total_B]", "72")
    wait_until_saved(page, "#deal")
    page.reload()
    expect(line(page)).to_be_visible()
    expect(page.locator("[name=total_A]")).to_have_value("90")
    page.locator(".numkeys .primary, .dock-buttons .primary").locator("visible=true").first.click()
    expect(page).to_have_url(match)
    expect(page.locator(".board .total").first).to_have_text("90")
    assert drafts(page) == []
    page.goto(f"{match}/deal")
    page.wait_for_timeout(300)
    expect(line(page)).to_have_count(0)
    page.go_back()
    page.go_forward()
    expect(line(page)).to_have_count(0)


def test_who_plays_is_the_latest_tap(page: Page) -> None:
    """A suit tapped on the board is newer than what was typed before, and all else is taken up."""
    match = begin(page)
    page.goto(f"{match}/deal?mode=totals&bid=A:H")
    page.fill("[name=total_A]", "90")
    wait_until_saved(page, "#deal")
    page.goto(f"{match}/deal?bid=B:S")
    expect(line(page)).to_be_visible()
    expect(page.locator('[name="bid"][value="B:S"]')).to_be_checked()
    expect(page.locator("[name=total_A]")).to_have_value("90")
    page.goto(f"{match}/deal")
    expect(line(page)).to_be_visible()
    expect(page.locator('[name="bid"][value="B:S"]')).to_be_checked()


def test_changed_back_it_is_no_draft(page: Page) -> None:
    """What the server made the form with is nothing typed; nor is a search, nor a button that takes back."""
    match = begin(page)
    page.goto(f"{match}/names")
    page.fill("[name=name-A]", "Ewka")
    wait_until_saved(page, "#names")
    page.fill("[name=name-A]", "Ewa")
    expect_nothing(page)
    page.goto("/en/rules")
    page.locator("[type=search]").first.fill("bela")
    page.goto(f"{match}/deal")
    choose(page, "bid", "B:H")
    wait_until_saved(page, "#deal")
    page.get_by_role("button", name="Save for later").click()
    expect(page).to_have_url(match)
    expect_nothing(page)


def expect_nothing(page: Page) -> None:
    """Nothing is kept, now or in a moment."""
    wait_for(page, lambda: not drafts(page))
    page.wait_for_timeout(200)
    assert drafts(page) == []


def test_two_forms_on_one_page(page: Page) -> None:
    """Each keeps its own; when one is saved, the other is still there."""
    match = begin(page)
    page.goto(f"{match}/more")
    write("#points-adjust", "-20")(page)
    tap(("side", "B"))(page)
    write("#note-abandon", "too late")(page)
    first, second = wait_until_saved(page, "#entry-adjust"), wait_until_saved(page, "#entry-abandon")
    page.reload()
    expect(line(page)).to_have_count(2)
    expect_taken_up(page, "#entry-adjust", first)
    expect_taken_up(page, "#entry-abandon", second)
    page.locator("#entry-adjust").get_by_role("button", name="Write it down").click()  # a reason is missing
    expect(page.locator(".wrong, .error, .problems").locator("visible=true").first).to_be_visible()
    wait_until_saved(page, "#entry-adjust")
    expect(page.locator("#entry-abandon [name=note]")).to_have_value("too late")
    write("#entry-adjust [name=reason]", "a glass was spilt")(page)
    page.locator("#entry-adjust").get_by_role("button", name="Write it down").click()
    expect(page).to_have_url(match)
    assert [draft["key"].rsplit("/", 1)[1] for draft in drafts(page)] == ["abandon"]


def test_the_match_has_moved_on(page: Page) -> None:
    """It is as old as it was: saving it says what was written meanwhile, and keeps all."""
    match = begin(page)
    page.goto(f"{match}/deal?mode=totals&bid=A:H")
    page.fill("[name=total_A]", "90")
    page.fill("[name=total_B]", "72")
    wait_until_saved(page, "#deal")
    page.goto("/en/")
    write_deal(page, match, way="outcome", bid="B:S", counting="totals", total_A="70", total_B="92")
    page.goto(f"{match}/deal")
    expect(line(page)).to_be_visible()
    page.locator(".dock-buttons .primary, .numkeys .primary").locator("visible=true").first.click()
    expect(page.get_by_text("The match has moved on.")).to_be_visible()
    expect(page.locator("[name=total_A]")).to_have_value("90")
    page.reload()
    expect(page.locator("[name=total_A]")).to_have_value("90")


def test_a_deal_that_was_kept_later_is_shown(page: Page) -> None:
    """What was saved for later elsewhere, since it was typed, stands; what was typed is offered."""
    match = begin(page)
    page.goto(f"{match}/deal")
    choose(page, "bid", "B:H")
    wait_until_saved(page, "#deal")
    page.goto("/en/")
    sent: dict[str, str | float | bool] = {
        **{"do": "draft", "way": "outcome", "bid": "A:C", "counting": "count"},
        **carried(page.request.get(f"{match}/deal").text()),
    }
    answer = page.request.post(f"{match}/deal", form=sent, max_redirects=0)
    assert answer.status == 303
    page.goto(f"{match}/deal")
    expect(page.get_by_role("button", name="Restore it")).to_be_visible()
    expect(page.locator('[name="bid"][value="A:C"]')).to_be_checked()
    page.get_by_role("button", name="Restore it").click()
    expect(page.locator('[name="bid"][value="B:H"]')).to_be_checked()
    choose(page, "bid", "B:D")
    wait_until_saved(page, "#deal")
    page.reload()
    expect(line(page)).to_be_visible()
    expect(page.locator('[name="bid"][value="B:D"]')).to_be_checked()


def test_ticks_of_a_hand_that_is_followed(page: Page) -> None:
    """Who went out is there again while the bout lasts, through a tap of trumps too, and gone after it."""
    page.goto("/en/new?game=durak&table=3")
    for seat, name in zip("ABC", FIVE, strict=False):
        page.fill(f"#name-{seat}", name)
    choose(page, "dealer", "A")
    page.locator(".actions .primary").click()
    expect(page).to_have_url(re.compile(r"/m/[\w-]{22}$"))
    page.goto(f"{page.url}/hand/follow")

    def act(action: str) -> None:
        before = page.locator('#follow input[name="form_key"]').input_value()
        page.locator(f'button[name="do"][value="{action}"]').first.click()
        expect(page.locator('#follow input[name="form_key"]')).not_to_have_value(before)

    act("first:A")
    act("talon:used-up")
    choose(page, "out", "A")
    wait_until_saved(page, "#follow")
    page.reload()
    expect(page.locator('[name="out"][value="A"]')).to_be_checked()
    expect(line(page)).to_be_visible()
    act("trump:S")
    expect(page.locator('[name="out"][value="A"]')).to_be_checked()
    page.reload()
    expect(page.locator('[name="out"][value="A"]')).to_be_checked()
    act("beaten-off")
    expect_nothing(page)
    page.reload()
    page.wait_for_timeout(300)
    expect(line(page)).to_have_count(0)


def test_a_question_is_done_when_it_is_answered(page: Page) -> None:
    """Who goes back finds the facts again; who asks the next one begins anew."""
    page.goto("/en/ask/derda/play")
    tap(("trump", "S"), ("hand", "8H"), ("hand", "AH"), ("card", "8H"))(page)
    stands = wait_until_saved(page, "#ask")
    page.get_by_role("button", name="Show the answer").click()
    expect(page.locator(".verdict-line")).to_be_visible()
    page.go_back()
    expect_taken_up(page, "#ask", stands)
    page.goto("/en/")
    page.goto("/en/ask/derda/play")
    page.wait_for_timeout(300)
    expect(line(page)).to_have_count(0)
    assert drafts(page) == []


def test_a_question_put_together_by_steps(page: Page) -> None:
    """The course of a bout, card by card: it goes on where it stood."""
    page.goto("/en/ask/durak/beat")
    form = page.locator("#ask")
    expect(form).to_be_visible()
    page.locator("#ask input[type=checkbox]:visible, #ask .cardkey:visible").first.click()
    stands = wait_until_saved(page, "#ask")
    page.reload()
    expect_taken_up(page, "#ask", stands)


def test_all_works_on_after_it_was_taken_up(page: Page, accessible: Accessible) -> None:
    """Pad, preview, taps that build the deal up: they do what they always do."""
    page.set_viewport_size({"width": 360, "height": 740})
    match = open_match(page, "klaberjass-4", FIVE[:4])
    page.goto(f"{match}/deal?mode=totals")
    choose(page, "bid", "A:H")
    wait_until_saved(page, "#deal")
    page.reload()
    expect(line(page)).to_be_visible()
    accessible(page)
    page.locator("[name=total_A]").tap()
    for key in "90":
        page.locator(f'[data-key="{key}"]').tap()
    expect(page.locator("[name=total_B]")).to_have_value("72")
    wait_until_saved(page, "#deal")
    page.reload()
    expect(page.locator("[name=total_A]")).to_have_value("90")
    expect(page.locator("[name=total_B]")).to_have_value("72")  # follows, and was not typed
    assert "total_B,72" not in typed(page, "#deal")
    step("run:A:3")(page)
    wait_until_saved(page, "#deal")
    page.reload()
    expect(page.locator(".run")).to_have_count(1)


def test_what_is_typed_while_it_is_taken_up_is_newer(page: Page) -> None:
    """A slow server: the field that was typed in meanwhile has what was typed, the others what was kept."""
    match = begin(page)
    page.goto(f"{match}/deal?mode=totals&bid=A:H")
    page.fill("[name=total_A]", "90")
    page.locator("#note").evaluate("note => { note.closest('details').open = true }")
    page.fill("#note", "one")
    wait_until_saved(page, "#deal")

    def answer_slowly(route: Route) -> None:
        if route.request.method == "POST":
            page.wait_for_timeout(1500)
        route.continue_()

    page.route("**/deal", answer_slowly)
    page.reload()
    page.locator("#note").evaluate("note => { note.closest('details').open = true }")
    page.fill("#note", "two")
    expect(line(page)).to_be_visible()
    expect(page.locator("#note")).to_have_value("two")
    expect(page.locator("[name=total_A]")).to_have_value("90")
    wait_until_saved(page, "#deal")


def test_what_is_old_says_since_when(page: Page) -> None:
    """The time alone when it is today; else the day with it, in the page's language."""
    match = begin(page)
    page.goto(f"{match}/names")
    page.fill("[name=place]", "Café")
    wait_until_saved(page, "#names")
    [stored] = drafts(page)
    old = {**stored, "at": "2026-01-05T18:42:00.000Z"}
    page.evaluate(f"async (draft) => (await {STORAGE}).keep('drafts', draft)", old)
    page.reload()
    expect(line(page)).to_contain_text("Restored from 5 Jan 2026, 19:42")
    page.goto(f"{match.replace('/en/', '/pl/')}/names")
    expect(line(page)).to_contain_text("Przywrócono wpis z 5 sty 2026, 19:42")
