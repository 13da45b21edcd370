"""A hand followed on a phone: the rules' endgames tap by tap, every reader, both papers, no scripts."""

import re

import pytest
from browsing import PHONE, Accessible, Scheme
from endgames import FOUR, INDIVIDUAL, SIX, TEAMS_4, TEAMS_6, Bouts
from playwright.sync_api import Browser, Page, expect

pytestmark = pytest.mark.browser_context_args(**PHONE)

LONG = ("Ewa Łączyńska", "Янко <b>", "Aleksandra-Maria Kowalewska-Nowak", "Olek", "يعقوب", "Iga")


def follow(page: Page, names: tuple[str, ...], in_teams: bool = False) -> None:
    """A session begins, and its first hand is followed: the first player attacks."""
    page.set_default_timeout(8000)
    page.goto(f"/en/new?game=durak&table={'teams-' if in_teams else ''}{len(names)}")
    for seat, name in zip("ABCDEF", names, strict=False):
        page.fill(f"#name-{seat}", name)
    page.locator("label", has=page.locator('input[name="dealer"][value="A"]')).click()
    page.locator(".actions .primary").click()
    expect(page).to_have_url(re.compile(r"/m/[\w-]{22}$"))
    page.get_by_role("link", name="Follow").click()
    expect(page.locator("h1")).to_have_text("Who attacks first?")
    act(page, "first:A")


def act(page: Page, action: str, *out: str) -> None:
    """Say who went out, and tap a button; its answer is on the page then."""
    for seat in out:
        page.locator("label", has=page.locator(f'input[name="out"][value="{seat}"]')).click()
    before = page.locator('#follow input[name="form_key"]').input_value()
    page.locator(f'button[name="do"][value="{action}"]').first.click()
    expect(page.locator('#follow input[name="form_key"]')).not_to_have_value(before)


def now(page: Page) -> str:
    """The large sentence, without what only readers of the screen hear."""
    said: str = page.locator("h1").evaluate(
        "h1 => [...h1.childNodes].filter(el => el.nodeType === 3).map(el => el.data).join('').trim()"
    )
    return said


def play(page: Page, bouts: Bouts) -> None:
    """Bout after bout, each with those who go out in it; it is always said right who attacks whom."""
    if page.locator('button[value="talon:used-up"]').count():
        act(page, "talon:used-up")
    for due, result, out in bouts:
        attacker, defender = due.split(" attacks ")
        assert now(page) == due
        expect(page.locator(".ring .attacks .player")).to_have_text(attacker)
        expect(page.locator(".ring .defends .player")).to_have_text(defender)
        act(page, result, *out)


@pytest.mark.parametrize(
    ("names", "bouts", "ending", "button", "board"),
    [
        (FOUR, INDIVIDUAL, "East is the fool.", "lost:C", "East deals"),
        (FOUR, TEAMS_4, "North & South lost.", "lost:B:D", "South deals"),
        (SIX, TEAMS_6, "NW & E & S lost.", "lost:B:B", "NW deals"),
    ],
    ids=["individual", "teams-4", "teams-6"],
)
def test_an_endgame_is_followed(
    page: Page, names: tuple[str, ...], bouts: Bouts, ending: str, button: str, board: str
) -> None:
    """The rules' examples, from the first attack to the matchstick, each bout one or two taps."""
    follow(page, names, in_teams=":" in button.removeprefix("lost:"))
    play(page, bouts)
    assert now(page) == ending
    expect(page.locator(".bouts li")).to_have_count(len(bouts))
    page.locator(f'.dock button[value="{button}"]').click()
    expect(page).to_have_url(re.compile(r"/m/[\w-]{22}$"))
    expect(page.locator("main")).to_contain_text(board)


def test_a_hand_survives_a_closed_phone(page: Page, browser: Browser, base_url: str) -> None:
    """What was recorded is there on the board, and on the page opened again; the last bout is taken back."""
    follow(page, FOUR)
    act(page, "trump:H")
    act(page, "beaten-off")
    page.get_by_role("link", name="Scoreboard").click()
    page.get_by_role("link", name="Continue").click()
    assert now(page) == "North attacks East"
    expect(page.locator('button[value="trump:H"]')).to_have_attribute("aria-pressed", "true")
    act(page, "back:0")
    assert now(page) == "West attacks North"


@pytest.mark.parametrize("size", [(360, 740), (320, 640)])
def test_the_sentence_stays_in_view(page: Page, size: tuple[int, int]) -> None:
    """After the talon is used up, as after every bout; a suit stays where it was tapped."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    follow(page, LONG[:4])
    page.evaluate("scrollTo(0, 300)")
    act(page, "trump:S")
    assert page.evaluate("scrollY") > 0
    for action in ("talon:used-up", "beaten-off"):
        page.evaluate("scrollTo(0, 300)")
        act(page, action)
        expect(page.locator(".now h1")).to_be_in_viewport(ratio=1)
        assert page.evaluate("scrollY") == 0


@pytest.mark.parametrize("size", [(360, 740), (320, 640), (740, 360)])
def test_who_may_be_tapped_is_named_in_full_and_in_view(page: Page, size: tuple[int, int]) -> None:
    """Long names wrap; on its side the phone has the taps beside the hand."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    follow(page, LONG[:4])
    act(page, "talon:used-up")
    for _ in ("back to who attacks first", "the current bout"):
        taps = page.locator(".dock :is(.btn, .choice)")
        assert taps.count() >= 3
        for element in taps.all():
            expect(element).to_be_in_viewport(ratio=1)
        for name in page.locator(".dock .player, .dock .choice-text").all():
            assert name.evaluate(
                "it => it.scrollWidth <= it.clientWidth && it.scrollHeight <= it.clientHeight + 1"
            )
        act(page, "restart" if page.locator('button[value="restart"]').count() else "first:A")


def test_a_hand_taken_up_again_opens_at_its_bout(page: Page) -> None:
    """The bout that comes now stands at the top."""
    follow(page, FOUR)
    act(page, "beaten-off")
    page.get_by_role("link", name="Scoreboard").click()
    page.get_by_role("link", name="Continue").click()
    expect(page.locator(".now h1")).to_be_in_viewport(ratio=1)
    assert now(page) == "North attacks East"


def test_five_on_their_own(page: Page, accessible: Accessible) -> None:
    """Only the neighbours throw in, and only who played can have gone out."""
    follow(page, LONG[:5])
    act(page, "talon:used-up")
    expect(page.locator('input[name="out"]')).to_have_count(3)
    accessible(page)
    act(page, "beaten-off", "B")
    assert "out" in page.locator('.ring [data-seat="B"]').inner_text()
    assert "Янко" not in now(page)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("names", "in_teams"), [(LONG[:2], False), (LONG[:4], True), (LONG, True)])
def test_every_reader_on_both_papers(
    page: Page, accessible: Accessible, names: tuple[str, ...], in_teams: bool, scheme: Scheme
) -> None:
    """Nothing for axe to complain of: who begins, a bout, players out, the folds open, the end."""
    page.emulate_media(color_scheme=scheme)
    follow(page, names, in_teams)
    if page.locator('button[value="talon:used-up"]').count():
        act(page, "talon:used-up")
    act(page, "picked-up")
    act(page, "beaten-off")
    for fold in page.locator("details.fold summary").all():
        fold.click()
    accessible(page)
    while page.locator('.dock button[value="beaten-off"]').count():
        seats = page.locator('.dock input[name="out"]').evaluate_all("all => all.map(el => el.value)")
        act(page, "beaten-off", *seats)
    accessible(page)


@pytest.mark.parametrize("size", ["100%", "200%"])
@pytest.mark.parametrize(("names", "in_teams"), [(LONG[:2], False), (LONG[:5], False), (LONG, True)])
def test_no_page_is_wider_than_the_screen(
    page: Page, names: tuple[str, ...], in_teams: bool, size: str
) -> None:
    """At 320 pixels, with long names and with text twice as large."""
    follow(page, names, in_teams)
    page.set_viewport_size({"width": 320, "height": 640})
    page.evaluate("size => { document.documentElement.style.fontSize = size }", size)
    fits = "document.documentElement.scrollWidth <= 320"
    assert page.evaluate(fits)
    if page.locator('button[value="talon:used-up"]').count():
        act(page, "talon:used-up")
    act(page, "beaten-off")
    for fold in page.locator("details.fold summary").all():
        fold.click()
    assert page.evaluate(fits)


def test_targets_are_large_enough(page: Page) -> None:
    """Every button of the page has room for a thumb, and whose turn it is stands above the fold with them."""
    follow(page, FOUR)
    act(page, "talon:used-up")
    for element in page.locator("#follow button:visible, .dock label").all():
        box = element.bounding_box()
        assert box
        if element.get_attribute("class") != "unseen":
            assert box["height"] >= 48
            assert box["width"] >= 48
    page.evaluate("scrollTo(0, 0)")
    expect(page.locator("h1")).to_be_in_viewport()
    expect(page.locator(".ring")).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("button", name="Beaten off")).to_be_in_viewport(ratio=1)


def test_the_keyboard_alone(page: Page) -> None:
    """Taps by keys: the focus stays on the button tapped, players out are toggled with the space bar."""
    follow(page, FOUR)
    page.locator('button[value="talon:used-up"]').focus()
    page.keyboard.press("Enter")
    expect(page.locator('input[name="out"]')).to_have_count(4)
    page.locator('input[name="out"][value="B"]').focus()
    page.keyboard.press("Space")
    expect(page.locator('input[name="out"][value="B"]')).to_be_checked()
    page.locator('button[value="beaten-off"]').focus()
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_contain_text("East attacks South")
    expect(page.locator('button[value="beaten-off"]')).to_be_focused()
    expect(page.locator("#heard")).to_contain_text("East attacks South")


def test_two_quick_taps_are_one_bout(page: Page) -> None:
    """A double tap tells one bout, with the script and with the answer still on its way."""
    follow(page, FOUR)
    before = page.locator('#follow input[name="form_key"]').input_value()
    page.locator('button[value="beaten-off"]').dblclick()
    expect(page.locator('#follow input[name="form_key"]')).not_to_have_value(before)
    page.reload()
    expect(page.locator(".bouts li")).to_have_count(1)


def test_no_connection(page: Page) -> None:
    """A tap without a connection loses nothing: it waits where it was tapped, and is said afterwards."""
    follow(page, FOUR)
    address = page.url
    page.context.set_offline(True)
    page.locator('button[value="beaten-off"]').click()
    expect(page.get_by_role("button", name="Try again")).to_be_visible()
    assert now(page) == "West attacks North"
    page.context.set_offline(False)
    expect(page.locator("h1")).to_contain_text("North attacks East")
    page.goto(address)
    assert now(page) == "North attacks East"
