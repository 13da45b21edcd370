"""The pictures in the repository show the pages as they are; `REGENERATE=1` takes them instead."""

import json
import os
from pathlib import Path

import pytest
from PIL import Image, ImageDraw
from playwright.sync_api import Browser

from .comparing import STORED, compare, find_differences, store
from .taking import LANGUAGES, SIZES, describe_letters, take_all


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_pages_look_as_in_the_stored_pictures(
    browser: Browser, tmp_path: Path, size: str, language: str
) -> None:
    """Where letters look different, by other fonts or another browser, nothing can be compared."""
    here, pictures = describe_letters(browser), take_all(browser, tmp_path, size, language)
    if os.environ.get("REGENERATE"):
        store(pictures, size, language, here)
        return
    then = json.loads((STORED / "letters.json").read_text("utf-8"))
    if here["letters"] != then["letters"]:
        pytest.skip(
            "The stored pictures are not compared, for letters look different here: they were taken with"
            f" {then['browser']} and {then['fonts']}, this is {here['browser']} with {here['fonts']}."
        )
    differing, page = compare(pictures, size, language)
    since = (
        ""
        if here["browser"] == then["browser"]
        else f" (taken with {then['browser']}, this is {here['browser']})"
    )
    if differing:
        pytest.fail(
            f"{len(differing)} pictures differ{since}: look at {page}; where they are right,"
            " ./dev pictures --take stores them.",
            pytrace=False,
        )


def draw(x: int = 20, colour: str = "#1b4a93", noise: int = 0) -> Image.Image:
    """A page with a button."""
    picture = Image.new("RGB", (360, 740), (250 - noise, 246 - noise, 236 - noise))
    ImageDraw.Draw(picture).rectangle((x, 20, x + 120, 68), outline="#857f70", fill="#fffdf7")
    ImageDraw.Draw(picture).text((x + 30, 38), "Save deal", fill=colour)
    return picture


@pytest.mark.parametrize("after", [draw(x=24), draw(colour="#2b2e34"), draw().crop((0, 0, 360, 739))])
def test_a_change_is_seen(after: Image.Image) -> None:
    """A button that was moved by four pixels, a word in another colour, a page that is shorter."""
    assert find_differences(draw(), after) is not None


def test_what_nobody_sees_is_no_change() -> None:
    assert find_differences(draw(), draw(noise=6)) is None
