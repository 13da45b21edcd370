"""A new match on a phone: one screen, few taps, nothing lost or out of sight, without a script too."""

from collections.abc import Callable

import pytest
from browsing import BOARD, PHONE, Accessible, choice
from playwright.sync_api import FloatRect, Locator, Page, expect

pytestmark = pytest.mark.browser_context_args(**PHONE)
SHORT = ("Ewa", "Jan", "Ala", "Olek", "Ola", "Tomek")
LONG = (
    "Wawrzyniec",
    "Konstantynopolitańczykiewiczówna",
    "Bartłomiej",
    "Małgorzata-Anna",
    "Świętosława",
    "Zdzisław",
)


def play(page: Page, asked: str, names: tuple[str, ...], lang: str = "en") -> None:
    """A match begun by typing; the first of them deals."""
    page.goto(f"/{lang}/new?{asked}")
    for field, name in zip(page.locator("input[data-seat]").all(), names, strict=False):
        field.fill(name)
    choice(page, "dealer", "A").tap()
    start(page).tap()
    expect(page).to_have_url(BOARD)


def start(page: Page) -> Locator:
    return page.locator(".actions .primary")


def box(element: Locator) -> FloatRect:
    found = element.bounding_box()
    assert found is not None
    return found


def in_sight(page: Page, element: Locator, below: float = 0) -> bool:
    """Whether all of it is on the screen, and not under what stays at the bottom."""
    screen = page.viewport_size
    assert screen is not None
    place = box(element)
    bottom = below if below else box(page.locator(".actions"))["y"]
    return place["y"] >= 0 and place["y"] + place["height"] <= min(bottom, screen["height"]) + 0.5


def follow(page: Page, act: Callable[[], None]) -> None:
    """Do something that exchanges the form."""
    with page.expect_response(lambda answer: answer.request.method == "POST"):
        act()


TABLES = [
    ("game=derda", 2),
    ("game=klaberjass&preset=zensa", 2),
    ("game=deberts&preset=one-deal-doubling", 2),
    ("game=klaberjass-3", 3),
    ("game=klaberjass-4", 4),
    ("game=darda", 4),
    ("game=durak&table=4", 4),
    ("game=durak&table=teams-6", 6),
]


@pytest.mark.parametrize("names", [SHORT, LONG], ids=["short", "long"])
@pytest.mark.parametrize(
    "lang",
    [
        pytest.param("en", marks=pytest.mark.browser_context_args(**PHONE, locale="en-GB")),
        pytest.param("pl", marks=pytest.mark.browser_context_args(**PHONE, locale="pl-PL")),
    ],
)
@pytest.mark.parametrize(("asked", "players"), TABLES)
def test_a_table_that_played_before_has_all_on_one_screen(
    page: Page, asked: str, players: int, lang: str, names: tuple[str, ...]
) -> None:
    """Game, variety, every name, who deals, and Start, without scrolling; two taps begin the match."""
    play(page, asked, names, lang)
    page.goto(f"/{lang}/new")
    assert page.evaluate("scrollY") == 0
    chosen = page.locator("#games > summary")
    assert in_sight(page, chosen)
    for element in page.locator('#house .presets [aria-pressed="true"]').all():
        expect(chosen).to_contain_text(element.text_content() or "?")  # the variety, by its name
    assert all(
        in_sight(page, element) for element in page.locator('input[type="radio"][name="table"]:checked').all()
    )
    fields = page.locator("input[data-seat]").all()
    assert [field.input_value() for field in fields] == list(names[:players])
    assert all(in_sight(page, field) for field in fields)
    dealers = page.locator('input[name="dealer"]').all()
    assert len(dealers) == players + 1
    assert all(in_sight(page, dealer) for dealer in dealers)
    assert in_sight(page, start(page), below=740)
    choice(page, "dealer", "B").tap()
    start(page).tap()
    expect(page).to_have_url(BOARD)


@pytest.mark.parametrize("size", [(360, 740), (320, 640)])
@pytest.mark.parametrize("lang", ["en", "pl", "uk", "de"])
def test_games_stand_in_two_columns_of_one_height(page: Page, lang: str, size: tuple[int, int]) -> None:
    """A new browser sees six, how to find others, and the first names, in no more room than eight took."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto(f"/{lang}/new")
    assert box(page.locator("#games"))["height"] <= 312
    places = [box(element) for element in page.locator(".game-grid .choice:visible").all()]
    assert len(places) == 6
    page.locator("#more-games > summary").tap()
    places = [box(element) for element in page.locator(".game-grid .choice").all()]
    page.locator("#more-games > summary").tap()
    assert len({place["x"] for place in places}) == 2
    assert all(47.5 <= place["height"] <= 49 for place in places)
    for element in page.locator(".game-grid .choice-text:visible").all():
        assert box(element)["height"] < 40, element.inner_text()  # two lines at most
    assert in_sight(page, page.locator("#name-B"))
    expect(page.locator("#about dl")).to_be_hidden()
    page.locator("#about > summary").tap()
    expect(page.locator("#about dd")).to_have_count(len(places))
    expect(page.locator("#about dd").first).to_be_visible()


def test_a_game_is_found_by_typing(page: Page, accessible: Accessible) -> None:
    """By a name in any language, without accents; Enter chooses it, the arrows go through what is found."""
    page.goto("/en/new")
    shown = page.locator(".game-grid .choice-text:visible")
    page.locator("#find-game").fill("dureN")
    expect(shown).to_have_text(["Derda", "Durak"])  # the chosen one stays
    page.locator("#find-game").fill("klab")
    expect(shown).to_have_text(["Derda", "Klaberjass", "Klaberjass for three", "Klaberjass for four"])
    expect(page.get_by_role("status").first).to_have_text(
        "Klaberjass, Klaberjass for three, Klaberjass for four"
    )
    accessible(page)
    page.keyboard.press("Tab")
    for _each in range(2):
        follow(page, lambda: page.keyboard.press("ArrowDown"))
    expect(page.get_by_role("radio", name="Klaberjass for three")).to_be_focused()
    expect(page.locator("#find-game")).to_have_value("klab")
    page.locator("#find-game").fill("belote a deux")
    expect(page.get_by_role("status").first).to_contain_text("Most tables that play Belote with two")
    expect(page.get_by_role("status").first).to_be_visible()
    page.locator("#find-game").fill("bejle")
    follow(page, lambda: page.keyboard.press("Enter"))
    expect(page.locator("#games > summary")).to_contain_text("Bulka")
    expect(page.locator("#games > summary")).to_be_focused()
    expect(page.locator("#find-game")).to_be_hidden()


def test_a_usual_table_is_chosen_where_it_stands(page: Page) -> None:
    """The page stays as it was under the finger; the line below says what was chosen."""
    page.goto("/en/new?game=deberts")
    page.locator("#house > summary").tap()
    page.evaluate("scrollTo(0, 60)")
    table = page.get_by_role("button", name="In one blow")
    before = box(table)["y"]
    follow(page, lambda: table.tap())
    expect(page.locator("#variant")).to_contain_text("One deal is the game")
    assert abs(box(table)["y"] - before) < 2
    page.locator("#house-end-of-the-game > summary").tap()
    expect(page.locator("#rule-bait_stake")).to_be_visible()
    expect(page.locator("#rule-target")).to_be_hidden()
    expect(table).to_have_attribute("aria-pressed", "true")


def test_folds_count_what_differs_while_it_is_chosen(page: Page) -> None:
    """At once, and down to none by one tap; a house rule that another one hides no longer counts."""
    page.goto("/en/new?game=deberts")
    folds = page.locator("#house summary")
    folds.first.tap()
    for fold in ("bidding-and-play", "end-of-the-game"):
        page.locator(f"#house-{fold} > summary").tap()
    choice(page, "rule-party", "one-deal").tap()
    choice(page, "rule-bait_stake", "1").tap()
    choice(page, "rule-seven_until", "first-lead").tap()
    expect(folds).to_have_text(
        ["House rules 3 differ", "Bidding and play 1 differs", "Melds", "Scoring", "End of the game 2 differ"]
    )
    choice(page, "rule-party", "target").tap()
    expect(folds.first).to_have_text("House rules 1 differs")
    follow(page, lambda: page.get_by_role("button", name="All as usual").tap())
    expect(folds.first).to_have_text("House rules as usual")


def test_an_error_in_a_fold_opens_it(page: Page) -> None:
    """A house rule that cannot be is shown where it stands, although its fold was closed again."""
    page.goto("/en/new")
    page.fill("#name-A", "Ewa")
    page.fill("#name-B", "Jan")
    choice(page, "dealer", "A").tap()
    page.locator("#house > summary").tap()
    page.locator("#house-end-of-the-game > summary").tap()
    page.fill("#rule-target", "7")
    page.locator("#house > summary").tap()
    start(page).tap()
    expect(page.get_by_role("alert")).to_contain_text("Target: A whole number from 10 to 9999.")
    expect(page.locator("#rule-target")).to_be_focused()
    assert in_sight(page, page.locator("#rule-target"))


def test_start_stays_in_view_above_the_keyboard(page: Page) -> None:
    """The keyboard makes the page lower, or lies over it: the button is above it, and covers no field."""
    play(page, "game=darda", LONG)
    page.goto("/en/new")
    assert "interactive-widget=resizes-content" in str(
        page.locator("meta[name=viewport]").get_attribute("content")
    )
    page.locator("#name-D").tap()
    page.set_viewport_size({"width": 360, "height": 400})
    page.locator("#name-D").scroll_into_view_if_needed()
    page.locator("#name-D").press_sequentially("x")
    assert in_sight(page, start(page), below=400)
    assert in_sight(page, page.locator("#name-D"))
    page.set_viewport_size({"width": 360, "height": 740})
    resting = box(start(page))["y"]
    page.evaluate(
        """() => {
            Object.defineProperty(visualViewport, "height", { value: 440, configurable: true });
            visualViewport.dispatchEvent(new Event("resize"));
        }"""
    )
    assert box(start(page))["y"] == pytest.approx(resting - 300, abs=1)
    page.evaluate("() => { delete visualViewport.height; visualViewport.dispatchEvent(new Event('resize')) }")
    assert box(start(page))["y"] == pytest.approx(resting, abs=1)


@pytest.mark.parametrize(("width", "height"), [(320, 640), (360, 740), (740, 360), (1280, 800)])
@pytest.mark.parametrize("size", ["100%", "200%"])
def test_start_is_always_in_view(page: Page, width: int, height: int, size: str) -> None:
    """At every size, at the top of the page and at its foot, with all that folds open; a field is too."""
    page.set_viewport_size({"width": width, "height": height})
    page.goto("/en/new?game=deberts")
    page.evaluate("() => { for (const fold of document.querySelectorAll('.new details')) fold.open = true }")
    page.evaluate("size => { document.documentElement.style.fontSize = size }", size)
    assert page.evaluate("document.documentElement.scrollHeight") > height + 900
    for place in (0, 400, 900):
        page.evaluate("place => scrollTo(0, place)", place)
        assert in_sight(page, start(page), below=height), place
    page.locator("#name-B").focus()
    assert in_sight(page, page.locator("#name-B"))


@pytest.mark.parametrize("size", ["100%", "200%"])
def test_a_form_full_of_names_is_not_pushed_sideways(page: Page, accessible: Accessible, size: str) -> None:
    """Remembered names and companies wrap at 320 pixels, and no target shrinks."""
    long = tuple(f"{letter}{'W' * 38}" for letter in "ABCD")
    play(page, "game=darda", long)
    play(page, "game=darda", LONG)
    page.set_viewport_size({"width": 320, "height": 640})
    page.goto("/en/new")
    page.evaluate("size => { document.documentElement.style.fontSize = size }", size)
    assert page.locator(".companies a").count() == 1
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    page.locator("#games > summary").tap()
    page.locator("#about > summary").tap()
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    for element in page.locator(
        ".new .choice:visible, .new .chip:visible, .new summary:visible, .new input[data-seat]"
    ).all():
        assert box(element)["height"] >= 47.5
    accessible(page)
