"""Every page at 360 pixels, compared box by box with Chromium: nothing differs but where lines break."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from fitting import PHONE, open_phone
from playwright.sync_api import Browser

from tests.browser.engines.driving import ENGINES
from tests.browser.languages import walk
from tests.browser.languages.serving import Served

BOXES = (Path(__file__).parent / "boxes.js").read_text("utf-8")
TOLERANCE = 8.0
"""Pixels by which letters of the same text differ in width, and what stands beside them with it."""
UNDER_WAY = ".under-way"
"""On a page that reloads until its answer is there."""
RELOADS = "/fault/under-way"
"""Such a page, to which no answer comes; the last, for it would leave another that is being opened."""
STORED = ("/browser", "/pocket")
"""Pages that say what a browser has stored, or can store."""


class Box(NamedTuple):
    """A box in a page, in pixels; `gap` is the room between it and the box before it, or its parent's top."""

    left: float
    right: float
    gap: float
    height: float
    """Of the text in it, where there is nothing else."""
    lines: int
    line_height: float
    flows: bool
    """It may stand on another line than in another engine, as a word may."""

    def find_difference(self, other: "Box") -> str:
        """In what another engine's box differs by more than lines that break elsewhere."""
        if not (self.flows or other.flows):
            if max(abs(self.left - other.left), abs(self.right - other.right)) > TOLERANCE:
                return "elsewhere"
            if abs(self.gap - other.gap) > TOLERANCE:
                return "higher or lower"
        broken = abs(self.lines - other.lines) * max(self.line_height, other.line_height)
        rounded = min(self.lines, other.lines)  # WebKit cuts the height of a line to whole pixels
        allowed = broken + rounded + TOLERANCE
        return "of another height" if abs(self.height - other.height) > allowed else ""


def measure(found: list[list[Any]]) -> dict[str, Box]:
    """The boxes by where they stand in the tree."""
    return {path: Box(*figures) for path, *figures in found}


def find_differences(ours: dict[str, Box], theirs: dict[str, Box]) -> Iterator[str]:
    """What is laid out in another way: missing, elsewhere from left to right, of another height."""
    yield from (f"only in Chromium: {path}" for path in ours.keys() - theirs.keys())
    yield from (f"not in Chromium: {path}" for path in theirs.keys() - ours.keys())
    for path in ours.keys() & theirs.keys():
        if seen := ours[path].find_difference(theirs[path]):
            yield f"{seen}: {path}: {ours[path]}, {theirs[path]}"


@pytest.mark.parametrize("engine", list(ENGINES))
def test_pages_look_alike(
    engine: str,
    browser: Browser,
    served: Served,
    tmp_path: Path,
) -> None:
    wrong = list[str]()
    with open_phone(browser, served.address, PHONE).context as context:
        context.add_cookies(served.cookies("owner"))
        page = context.pages[0]
        paths = [path for path, roles in walk.list_by_role(served.world.places) if "owner" in roles]
        paths = [path for path in paths if path not in (*STORED, RELOADS)] + [RELOADS]
        paths = [path for path in paths if walk.PRINTED not in path]  # Firefox stays in its dialogue
        phone = ENGINES[engine](tmp_path / engine, served.address)
        try:
            phone.goto("/en/")
            for cookie in context.cookies():  # also those by which a way of counting is found again
                phone.add_cookie(cookie["name"], cookie["value"])
            for path in paths:
                page.goto(f"/en{path}")
                phone.goto(f"/en{path}")
                if path != RELOADS:
                    page.locator(UNDER_WAY).wait_for(state="detached")
                    phone.wait_for("document.querySelector(arguments[0]) === null", UNDER_WAY)
                ours, theirs = page.evaluate(f"() => {{ {BOXES} }}"), phone.run(BOXES)
                wrong += [f"{path}: {it}" for it in find_differences(measure(ours), measure(theirs))]
            assert phone.errors() == []
        finally:
            phone.close()
    assert wrong == [], "\n".join(wrong)
