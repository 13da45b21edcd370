"""Asking about a hand on a phone: three taps at most and the cards; by keyboard; without scripts."""

import re
from collections.abc import Iterator

import pytest
from browsing import Accessible
from pads import choose, key
from playwright.sync_api import Locator, Page, expect

AT = "/en/ask/durak/"

PASSING = "preset=perevodnoy-pass-card&rule-jokers=2&players=4"


@pytest.fixture(autouse=True)
def small(page: Page) -> Iterator[None]:
    """A small phone."""
    page.set_viewport_size({"width": 360, "height": 740})
    yield


def answer(page: Page) -> Locator:
    """Ask, and read the verdict."""
    page.get_by_role("button", name="Show the answer").tap()
    return page.locator(".verdict-line")


def test_does_it_beat(page: Page, accessible: Accessible) -> None:
    """Trumps, two cards, asked: the second pad opens by itself, and the first card is greyed on it."""
    page.goto(AT + "beat")
    accessible(page)
    choose(page, "trump", "H")
    key(page, "attack", "AS").tap()
    expect(key(page, "with", "AS").locator("input")).to_be_disabled()
    key(page, "with", "6H").tap()
    expect(answer(page)).to_contain_text("Yes, 6")
    accessible(page)


def test_a_joker_is_known_without_colours(page: Page, accessible: Accessible) -> None:
    """It has a name for whoever hears the page, and the suits that it beats for whoever sees no colours."""
    page.goto(AT + "beat?rule-jokers=2&trump=H")
    accessible(page)
    key(page, "attack", "AD").tap()
    page.get_by_role("radio", name="red joker").last.check(force=True)
    picked = page.locator('[data-pad="with"] summary .card')
    expect(picked).to_have_text("red joker")
    assert picked.locator("use").evaluate_all("signs => signs.map((sign) => sign.getAttribute('href'))") == [
        "#joker-R",
        "#suit-H",
        "#suit-D",
    ]
    box = picked.locator(".joker-name").bounding_box()
    assert box and box["width"] <= 1
    expect(answer(page).get_by_role("img", name="red joker")).to_be_visible()
    accessible(page)


def test_may_it_be_thrown_in(page: Page, accessible: Accessible) -> None:
    """An attack and what beat it without a tap between; who throws in, with which card."""
    page.goto(AT + "throw-in")
    choose(page, "by", "C")
    key(page, "table", "7S").tap()
    expect(page.locator('[name="next.table"][value="7S"]')).to_be_checked()
    key(page, "table", "10S").tap()
    expect(page.locator(".laid li .card")).to_have_text(["7", "10"])
    expect(page.locator('[name="next.table"]')).to_have_value("")
    accessible(page)
    page.locator('[data-pad="card"] summary').tap()
    expect(key(page, "card", "7S").locator("input")).to_be_disabled()
    key(page, "card", "7D").tap()
    expect(answer(page)).to_contain_text("Yes, Player C may throw in 7")
    accessible(page)


def test_a_bout_step_by_step(page: Page, accessible: Accessible) -> None:
    """Quick taps keep their order; the defender beats what waits; the last step can be taken back."""
    page.goto(AT + "bout")
    choose(page, "trump", "H")
    for code in ("7S", "10S"):
        key(page, "steps", code).tap()
    expect(page.locator(".steps li")).to_have_count(2)
    expect(page.locator(".steps li").nth(1)).to_contain_text("Player B")
    expect(key(page, "steps", "10S")).to_be_disabled()
    choose(page, "next.steps", "C")
    key(page, "steps", "10D").tap()
    expect(page.locator(".steps li").nth(2)).to_contain_text("Player C")
    page.get_by_role("button", name="Take back the last").tap()
    expect(page.locator(".steps li")).to_have_count(2)
    page.get_by_role("button", name="Player B picks up").tap()
    expect(page.get_by_text("Player B beats")).to_have_count(0)
    accessible(page)
    page.get_by_role("button", name="Take back the last").tap()
    expect(page.locator(".steps li")).to_have_count(2)
    expect(answer(page)).to_have_text("Yes, Player B has beaten off the attack.")
    accessible(page)


def test_a_step_tapped_twice_in_haste_is_played_once(page: Page) -> None:
    """Two taps on a key while the first is on its way are one card; other taps wait their turn."""
    page.goto(AT + "bout")
    page.evaluate(
        """() => { for (const code of ["7S", "7S", "10S", "7D"])
        document.querySelector(`button.cardkey[value="${code}"]`).click(); }"""
    )
    expect(page.locator(".steps li .card")).to_have_text(["7", "10", "7", "7"])


def test_may_it_be_transferred(page: Page, accessible: Accessible) -> None:
    """Four taps: the card that attacks, the pad of the other, that card, asked. Who and how many is known."""
    page.goto(AT + "transfer?preset=perevodnoy")
    expect(page.locator("#field-trump, #field-shown, #field-first_bout")).to_have_count(0)
    accessible(page)
    key(page, "table", "7S").tap()
    expect(page.locator(".laid li .card")).to_have_text(["7"])
    page.locator('[data-pad="card"] summary').tap()
    expect(key(page, "card", "7S").locator("input")).to_be_disabled()
    key(page, "card", "7D").tap()
    expect(answer(page)).to_contain_text("transfers the attack: Player C defends.")
    expect(page.locator(".facts").first.locator("dd")).to_have_text(["Player B", "Player C", "2"])
    other_rulings = page.locator(".custom.decides", has_text="Transferring the attack")
    expect(other_rulings).to_contain_text("Then: No, Player B may not transfer with 7")
    accessible(page)


def test_a_trump_is_shown_and_not_laid(page: Page, accessible: Accessible) -> None:
    """Whether it was shown before is asked for once the card is only shown."""
    page.goto(AT + "transfer?preset=perevodnoy-pass-card&trump=H&defender=B&table=7S&card=7H&next_cards=1")
    before = page.get_by_label("Shown by the same player in this hand already")
    expect(before).to_be_hidden()
    page.get_by_text("The card is only shown").tap()
    expect(before).to_be_visible()
    accessible(page)
    expect(answer(page)).to_contain_text("transfers the attack: Player C defends.")
    page.goto(AT + "transfer?preset=perevodnoy-pass-card&trump=H&defender=B&table=7S&card=7H&next_cards=1")
    page.get_by_text("The card is only shown").tap()
    page.get_by_text("Shown by the same player in this hand already").tap()
    expect(answer(page)).to_contain_text("No, Player B may not transfer with 7")


def test_a_bout_that_is_transferred_and_beaten_by_a_joker(page: Page, accessible: Accessible) -> None:
    """Laid, shown, beaten by a joker: the next defender is known after each tap."""
    page.goto(f"{AT}bout?{PASSING}")
    choose(page, "trump", "H")
    key(page, "steps", "7S").tap()
    expect(page.locator(".steps li")).to_have_count(1)
    choose(page, "next.steps", "defender transfer")
    key(page, "steps", "7D").tap()
    expect(page.locator(".steps li").nth(1)).to_contain_text("Player B transfers")
    page.get_by_role("button", name="Player C shows 7").tap()
    expect(page.locator(".steps li").nth(2)).to_contain_text("Player C shows")
    expect(key(page, "steps", "7H")).to_be_enabled()
    expect(page.get_by_role("button", name="Player D picks up")).to_be_visible()
    accessible(page)
    key(page, "steps", "*B").tap()
    expect(page.locator(".steps li").nth(3)).to_contain_text("black joker")
    expect(key(page, "steps", "*B")).to_be_disabled()
    key(page, "steps", "*R").tap()
    expect(page.locator(".steps li")).to_have_count(5)
    accessible(page)
    expect(answer(page)).to_have_text("Yes, Player D has beaten off the attack.")
    draws = page.locator(".facts").first
    expect(draws).to_contain_text("Player A: 1, Player B: 1, Player D: 2")
    accessible(page)


def test_transfers_of_a_turn_are_taps(page: Page, accessible: Accessible) -> None:
    """One row opens after another, without another page; who follows is known when the roles change."""
    page.goto(AT + "turn?preset=perevodnoy")
    rows = page.locator(".passed li")
    page.get_by_role("button", name="Player B transfers").tap()
    expect(rows).to_have_count(1)
    page.get_by_role("button", name="Player C transfers").tap()
    expect(rows).to_have_count(2)
    accessible(page)
    page.get_by_role("button", name="Take back the last").tap()
    expect(rows).to_have_count(1)
    page.get_by_role("button", name="Take back the last").tap()
    expect(rows).to_have_count(0)
    choose(page, "attacker", "B")
    choose(page, "defender", "C")
    expect(page.get_by_role("button", name="Player C transfers")).to_be_visible()
    page.get_by_role("button", name="Player C transfers").tap()
    expect(rows).to_have_text([re.compile("Player C transfers")])
    choose(page, "result", "beaten-off")
    expect(answer(page)).to_have_text("Player D attacks Player A.")


def test_the_lot_is_asked_for_after_the_lowest_trump(page: Page) -> None:
    """Only where nobody holds a trump, and only of a first hand."""
    page.goto(AT + "next-hand?rule-no_trump_start=lot")
    lot = page.locator("#field-lot")
    expect(lot).to_be_hidden()
    choose(page, "result", "first")
    expect(lot).to_be_hidden()
    choose(page, "lowest_trump", "none")
    expect(lot).to_be_visible()
    choose(page, "lot", "D")
    expect(answer(page)).to_have_text("Player A deals, and Player D attacks Player A.")
    page.goto(AT + "next-hand?rule-no_trump_start=lot&result=first&lowest_trump=none")
    expect(lot).to_be_visible()
    choose(page, "result", "loss")
    expect(lot).to_be_hidden()


def test_whose_turn_it_is(page: Page, accessible: Accessible) -> None:
    """Six in teams sit down by one tap; the bout was picked up."""
    page.goto(AT + "turn")
    page.get_by_role("button", name="3 v 3").tap()
    expect(page.locator('button[name="players"][aria-pressed="true"]')).to_have_text("3 v 3")
    choose(page, "result", "picked-up")
    expect(answer(page)).to_have_text("Player C attacks Player D.")
    accessible(page)


def test_may_the_six_be_swapped(page: Page, accessible: Accessible) -> None:
    """The last round is asked about once the talon is used up, and not before."""
    page.goto(AT + "six")
    choose(page, "got", "drawn")
    key(page, "turn_up", "KH").tap()
    expect(page.get_by_label("Drawn in the round that emptied the talon")).to_be_hidden()
    choose(page, "talon", "0")
    expect(page.get_by_label("Drawn in the round that emptied the talon")).to_be_visible()
    accessible(page)
    expect(answer(page)).to_have_text("No, the lowest trump may not be swapped.")
    accessible(page)


def test_who_deals(page: Page, accessible: Accessible) -> None:
    """Who lost; after a draw who dealt; in a first hand who holds the lowest trump."""
    page.goto(AT + "next-hand")
    expect(page.locator("#field-dealer")).to_be_hidden()
    choose(page, "result", "first")
    expect(page.locator("#field-loser")).to_be_hidden()
    expect(page.locator("#field-lowest_trump")).to_be_visible()
    accessible(page)
    choose(page, "result", "loss")
    choose(page, "loser", "C")
    expect(answer(page)).to_have_text("Player C deals, and Player D attacks Player A.")
    accessible(page)


@pytest.mark.parametrize("jokers", [0, 2])
@pytest.mark.parametrize(("deck", "width"), [("36", 360), ("52", 360), ("52", 320), ("24", 360)])
def test_the_pad_is_whole_on_the_screen(page: Page, deck: str, width: int, jokers: int) -> None:
    """The pack in use without scrolling, every key at least 24 px either way."""
    page.set_viewport_size({"width": width, "height": 740})
    page.goto(f"{AT}beat?rule-deck={deck}&rule-jokers={jokers}")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    pad = page.locator('[data-pad="attack"] .cardpad')
    pad.locator(".cardpad-row").last.scroll_into_view_if_needed()
    box, bar, top = (
        pad.bounding_box(),
        page.locator(".actions").bounding_box(),
        page.locator("header").bounding_box(),
    )
    assert box and bar and top and box["height"] <= bar["y"] - top["height"]
    sizes = pad.locator(".cardkey").evaluate_all(
        "keys => keys.map((key) => [key.offsetWidth, key.offsetHeight])"
    )
    assert len(sizes) == int(deck) + jokers
    assert all(side >= 24 for size in sizes for side in size)


def test_by_keyboard_alone(page: Page) -> None:
    """Tab, space and enter tell a bout; the key that follows keeps the place."""

    def reach(selector: str) -> None:
        for _step in range(150):
            page.keyboard.press("Tab")
            if page.evaluate("selector => document.activeElement.matches(selector)", selector):
                return
        raise AssertionError(f"no tab leads to {selector}")

    page.goto(AT + "bout")
    reach('input[name="trump"]')
    page.keyboard.press("Space")
    reach('button.cardkey[value="7D"]')
    page.keyboard.press("Enter")
    expect(page.locator(".steps li")).to_have_count(1)
    assert page.evaluate("document.activeElement.matches('.cardkey')")
    reach('button.cardkey[value="10D"]')
    page.keyboard.press("Enter")
    expect(page.locator(".steps li")).to_have_count(2)
    reach('button[name="asked"]')
    page.keyboard.press("Enter")
    expect(page.locator(".verdict-line")).to_have_text("Yes, Player B has beaten off the attack.")


def test_names_of_any_length_stay_on_the_screen(page: Page, accessible: Accessible) -> None:
    """In steps, moves and transfers; the smallest phone is not scrolled sideways."""
    page.set_viewport_size({"width": 320, "height": 640})
    page.goto("/en/new?game=durak&table=4&preset=perevodnoy-pass-card")
    long = ("Wawrzyniec", "Konstantynopolitańczykiewiczówna", "Bartłomiej Jan Maria", "Ala")
    for seat, name in zip("ABCD", long, strict=True):
        page.fill(f"#name-{seat}", name)
    page.locator("label", has=page.locator('input[name="dealer"][value="A"]')).click()
    page.locator(".actions .primary").click()
    expect(page).to_have_url(re.compile(r"/m/[\w-]{22}$"))
    match = page.url
    for question, facts in (
        ("bout", "attacker=A&defender=B&trump=H&steps=A+7S&steps=B+7H+show"),
        ("turn", "attacker=A&defender=B&transfers.0.by=B"),
        ("transfer", "defender=B&table=7S&card=7H&trump=H&shown=yes&next_cards=4&asked=1"),
    ):
        page.goto(f"{match}/ask/{question}?{facts}")
        if question == "bout":
            page.locator('[data-pad="steps"] summary').tap()
            expect(page.locator(".steps li")).to_have_count(2)
        assert page.evaluate("document.documentElement.scrollWidth") <= 320
        accessible(page)
