"""A hand followed on a phone: long names, every reader, both papers, the keyboard, quick taps."""

import pytest
from browsing import PHONE, Accessible, Scheme, open_match, tap_followed
from endgames import FOUR
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser_context_args(**PHONE)

LONG = ("Ewa Łączyńska", "Янко <b>", "Aleksandra-Maria Kowalewska-Nowak", "Olek", "يعقوب", "Iga")


def follow(page: Page, names: tuple[str, ...], in_teams: bool = False) -> None:
    """A session begins, and its first hand is followed: the first player attacks."""
    page.set_default_timeout(8000)
    table = f"{'teams-' if in_teams else ''}{len(names)}"
    page.goto(open_match(page, "durak", names, table=table))
    page.get_by_role("link", name="Follow the hand").click()
    expect(page.locator("h1")).to_have_text("Who attacks first?")
    tap_followed(page, "first:A")


@pytest.mark.parametrize("size", [(360, 740), (320, 640), (740, 360)])
def test_who_may_be_tapped_is_named_in_full_and_in_view(page: Page, size: tuple[int, int]) -> None:
    """Long names wrap; on its side the phone has the taps beside the hand."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    follow(page, LONG[:4])
    tap_followed(page, "talon:used-up")
    for _ in ("back to who attacks first", "the current bout"):
        taps = page.locator(".dock :is(.btn, .choice), .ring button")
        assert taps.count() >= 3
        for element in taps.all():
            expect(element).to_be_in_viewport(ratio=1)
            box = element.bounding_box()
            assert box and box["height"] >= 48 and box["width"] >= 48
        said = [tap.get_attribute("aria-label") for tap in page.locator(".ring button").all()]
        assert said in ([], [f"{name} attacks" for name in LONG[:4]]), "a place card cuts a long name"
        for name in page.locator(".dock .player, .dock .choice-text").all():
            assert name.evaluate(
                "it => it.scrollWidth <= it.clientWidth && it.scrollHeight <= it.clientHeight + 1"
            )
        tap_followed(page, "restart" if page.locator('button[value="restart"]').count() else "first:A")


@pytest.mark.parametrize(("scheme", "size"), [("light", "100%"), ("dark", "200%")])
@pytest.mark.parametrize(("names", "in_teams"), [(LONG[:2], False), (LONG[:5], False), (LONG, True)])
def test_long_names_on_both_papers(
    page: Page, accessible: Accessible, names: tuple[str, ...], in_teams: bool, scheme: Scheme, size: str
) -> None:
    """Nothing for axe to complain of, and nothing wider than 320 pixels: a bout, the folds open, the end."""
    page.emulate_media(color_scheme=scheme)
    follow(page, names, in_teams)
    page.set_viewport_size({"width": 320, "height": 640})

    def check() -> None:
        page.evaluate("size => { document.documentElement.style.fontSize = size }", size)
        assert page.evaluate("document.documentElement.scrollWidth") <= 320
        accessible(page)

    check()
    if page.locator('button[value="talon:used-up"]').count():
        tap_followed(page, "talon:used-up")
    tap_followed(page, "picked-up")
    tap_followed(page, "beaten-off")
    for fold in page.locator("details.fold summary").all():
        fold.click()
    check()
    while page.locator('.dock button[value="beaten-off"]').count():
        seats = page.locator('.dock input[name="out"]').evaluate_all("all => all.map(el => el.value)")
        tap_followed(page, "beaten-off", *seats)
    check()


def test_two_quick_taps_are_one_bout(page: Page) -> None:
    """A double tap tells one bout, with the script and with the answer still on its way."""
    follow(page, FOUR)
    before = page.locator('#follow input[name="form_key"]').input_value()
    page.locator('button[value="beaten-off"]').dblclick()
    expect(page.locator('#follow input[name="form_key"]')).not_to_have_value(before)
    page.reload()
    expect(page.locator(".bouts li")).to_have_count(1)
