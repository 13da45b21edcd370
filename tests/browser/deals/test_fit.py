"""The page of a deal on every phone: nothing is cut off, and the thumb reaches what it needs."""

import pytest
from browsing import begin, choice, open_match, step, write_deal
from fitting import LONG, PHONE, SHORT, SIDEWAYS, SMALL, find_misfits, open_phone
from playwright.sync_api import Browser, Locator, ViewportSize, expect

PLAYERS = dict.fromkeys(("derda", "klaberjass", "bulka", "deberts", "bela-2"), 2)
PLAYERS |= dict.fromkeys(("klaberjass-4", "darda", "belote", "coinche", "bela", "clabber"), 4)
PLAYERS |= {"klaberjass-3": 3, "deberts-3": 3, "deberts-4": 4, "deberts-4-alone": 4}
WITH_RUNS = {"belote": "annonces"}
"""The preset in which runs are declared, where they are not in the usual one."""


def in_view(*parts: Locator) -> None:
    """All of these are on the screen, whole."""
    for part in parts:
        expect(part).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("size", [PHONE, SMALL, SIDEWAYS], ids=["360", "320", "sideways"])
@pytest.mark.parametrize("game", PLAYERS)
def test_field_pad_and_save_are_in_view_together(
    browser: Browser, live_app: str, game: str, size: ViewportSize
) -> None:
    """However the phone is held: the number that is typed, every key, Next and Save."""
    page = open_phone(browser, live_app, size)
    match = open_match(page, game, LONG[: PLAYERS[game]])
    page.goto(f"{match}/deal?mode=totals&bid=A:H")
    if game == "coinche":
        choice(page, "bid_points", "100").tap()
    trumps = page.locator(".trumps > .suit-H")
    aimed = page.locator(".aimed") if game != "coinche" else trumps  # where melds come before the count
    in_view(aimed, trumps, *page.locator(".numkeys button").all())
    page.locator('[data-key="1"]').tap()
    page.locator('[data-key="next"]').tap()
    expect(page.locator("#comes-to")).not_to_be_empty()
    in_view(page.locator(".aimed"), trumps, *page.locator(".numkeys button, .dock-buttons .btn").all())
    page.context.close()


@pytest.mark.parametrize("size", [PHONE, SMALL], ids=["360", "320"])
@pytest.mark.parametrize("game", PLAYERS)
def test_what_is_tapped_first_lies_at_the_thumb(
    browser: Browser, live_app: str, game: str, size: ViewportSize
) -> None:
    """The suits are at the foot of the screen, below the score; nothing moves once one is tapped."""
    page = open_phone(browser, live_app, size)
    match = open_match(page, game, SHORT[: PLAYERS[game]], preset=WITH_RUNS.get(game, ""))
    page.goto(f"{match}/deal?mode=count")
    bidding = page.locator(".bidding").bounding_box()
    assert bidding is not None
    assert size["height"] - 32 <= bidding["y"] + bidding["height"] <= size["height"]
    in_view(*page.locator(".plays .choice:visible, .plays > .ends .btn:visible").all())
    if PLAYERS[game] == 2:
        assert bidding["y"] > size["height"] * 0.5
        in_view(page.locator(".score .total").first)
    page.locator("label", has=page.locator('input[value="A:H"]')).tap()
    page.wait_for_timeout(300)
    before = page.evaluate("document.getElementById('head-declared').offsetTop")
    step(page, "run:A:3")
    expect(page.locator(".run")).to_have_count(1)
    assert page.evaluate("document.getElementById('head-declared').offsetTop") == before
    page.context.close()


def test_the_suits_on_the_board_are_in_the_lower_third(browser: Browser, live_app: str) -> None:
    """The log above, the buttons below."""
    page = open_phone(browser, live_app, PHONE)
    match = begin(page)
    write_deal(page, match, bid="A:H", counting="totals", total_A="82", total_B="65")
    page.goto(match)
    for suit in page.locator(".quick-row .btn").all():
        box = suit.bounding_box()
        assert box is not None
        assert box["y"] > PHONE["height"] * 0.6
        assert min(box["width"], box["height"]) >= 48
    log = page.locator(".entries").bounding_box()
    assert log is not None and log["y"] < PHONE["height"] * 0.6
    page.context.close()


def test_no_label_runs_under_a_tile(browser: Browser, live_app: str) -> None:
    """Where nobody's tile stands beside what is asked, even of sides with long names, all of it is read."""
    page = open_phone(browser, live_app, SMALL)
    page.goto(f"{open_match(page, 'deberts-4', LONG, lang='de')}/deal?mode=count&bid=A:H")
    page.locator("details.more > summary").tap()
    for asked in page.locator(".more .switch:has(.nobody):visible").all():
        covered = asked.evaluate("""asked => {
          const words = document.createRange();
          words.selectNodeContents(asked.querySelector(".switch-name"));
          const label = words.getBoundingClientRect();
          const tile = asked.querySelector(".nobody").getBoundingClientRect();
          return label.right > tile.left && label.bottom > tile.top;
        }""")
        assert not covered, asked.inner_text()
    page.context.close()


@pytest.mark.parametrize("size", [PHONE, SMALL], ids=["360", "320"])
def test_the_columns_of_three_are_even(browser: Browser, live_app: str, size: ViewportSize) -> None:
    """On the board and in the count the same things stand on the same lines, in columns of one width."""
    for names in (SHORT, LONG):
        page = open_phone(browser, live_app, size)
        match = open_match(page, "klaberjass-3", names[:3])
        page.goto(match)
        lines = (".strokes",) if size["height"] > 640 else ()  # which go first where there is little room
        for part in (".names", ".total", *lines, ".roles"):
            boxes = [element.bounding_box() for element in page.locator(f".board {part}").all()]
            assert len({round(box["y"]) for box in boxes if box}) == 1
            widths = [box["width"] for box in boxes if box]
            assert len(widths) == 3
            assert max(widths) - min(widths) <= 1
        page.goto(f"{match}/deal?mode=count&bid=A:H")
        for side in "ABC":
            places = {
                round(box["x"])
                for name in ("jass", "nine", "last")
                if (box := page.locator(f'label:has([name="{name}"][value="{side}"])').bounding_box())
            }
            assert len(places) == 1
        page.context.close()


@pytest.mark.parametrize("lang", ["en", "pl"])
def test_a_flagged_deal_can_be_read(browser: Browser, live_app: str, lang: str) -> None:
    """What is wrong with it has the whole width of the phone, however long the names are."""
    page = open_phone(browser, live_app, PHONE)
    match = open_match(page, "derda", LONG[:2], lang)
    for _deal in range(2):
        write_deal(page, match, bid="A:H", counting="totals", total_A="30", total_B="25", dealer="A")
    page.goto(f"{match}/entries/1?edit=1")
    page.fill("#total_A", "20")
    expect(page.locator("#comes-to .comes-wrong")).to_be_in_viewport(ratio=0.25)
    expect(page.locator(".aimed")).to_be_in_viewport(ratio=1)
    dock, field = page.locator(".dock").bounding_box(), page.locator(".aimed").bounding_box()
    assert dock is not None and field is not None and field["y"] + field["height"] <= dock["y"]
    page.locator('button[value="save"]:visible').tap()
    expect(page).to_have_url(f"{match}/entries/1")
    assert find_misfits(page) == []
    page.goto(match)
    problems = page.locator(".entries .problems").bounding_box()
    assert problems is not None and problems["width"] > 300
    assert find_misfits(page) == []
    page.context.close()


def test_what_was_tapped_moves_nothing(browser: Browser, live_app: str) -> None:
    """The side that is picked stands out in bold; where that takes a second line, its row is no higher."""
    page = open_phone(browser, live_app, PHONE)
    page.goto(f"{open_match(page, 'klaberjass-4', ('Ewa', 'Jan', 'Ala', 'Piotr'))}/deal?bid=A:H&mode=count")
    sides = page.locator("label", has=page.locator('[name="last"]'))
    heights = sides.evaluate_all("all => all.map(it => it.offsetHeight)")
    for side in "AB":
        choice(page, "last", side).tap()
        expect(page.locator(f'[name="last"][value="{side}"]')).to_be_checked()
        assert sides.evaluate_all("all => all.map(it => it.offsetHeight)") == heights
    page.context.close()


def test_next_and_save_are_large_and_no_key_is_under_48_pixels(browser: Browser, live_app: str) -> None:
    """Next takes two rows of the pad, and so does Save."""
    page = open_phone(browser, live_app, PHONE)
    page.goto(f"{begin(page)}/deal?mode=totals&bid=A:H")
    for keys, width, height in ((".numkeys button", 48, 48), (".numkeys .tall", 72, 96)):
        for key in page.locator(keys).all():
            box = key.bounding_box()
            assert box is not None and box["height"] >= height and box["width"] >= width
    page.context.close()
