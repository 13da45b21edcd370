"""Stored pictures and new ones: what differs, and a page that shows it."""

import json
import shutil
from collections.abc import Iterable
from pathlib import Path

from PIL import Image, ImageChops

STORED = Path(__file__).with_name("stored")
FOLDER = Path(__file__).resolve().parents[3] / ".pictures"
"""What the last comparison found; not in the repository."""
THRESHOLD = 24
"""How much a colour channel of a pixel, of 255, may differ."""
SHARE = 1 / 20_000
"""How many of a picture's pixels may differ by more."""


def find_differences(before: Image.Image, after: Image.Image) -> Image.Image | None:
    """The new picture in grey, and in red where it differs from the stored one; None where it hardly does."""
    if before.size != after.size:
        return after.convert("L").convert("RGB")
    channels = ImageChops.difference(before.convert("RGB"), after.convert("RGB")).split()
    most = ImageChops.lighter(ImageChops.lighter(channels[0], channels[1]), channels[2])
    mask = most.point(lambda value: 255 * (value > THRESHOLD))
    if mask.histogram()[255] <= SHARE * after.width * after.height:
        return None
    shown = after.convert("L").point(lambda value: 128 + value // 2).convert("RGB")
    shown.paste((176, 36, 28), mask=mask)
    return shown


def store(pictures: Iterable[tuple[str, Image.Image]], letters: dict[str, str]) -> None:
    """Let these be the stored pictures; `letters` is what drew the letters on them."""
    shutil.rmtree(STORED, ignore_errors=True)
    STORED.mkdir()
    for name, picture in pictures:
        picture.save(STORED / f"{name}.webp", lossless=True)
    (STORED / "letters.json").write_text(json.dumps(letters, indent=2) + "\n", "utf-8")


def compare(pictures: Iterable[tuple[str, Image.Image]]) -> list[str]:
    """The names of the pictures that differ, that were not stored, or are no longer taken.

    `FOLDER` has them afterwards, and a page that shows them beside the stored ones.
    """
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir()
    left = {path.stem for path in STORED.glob("*.webp")}
    differing = []
    for name, picture in pictures:
        path = STORED / f"{name}.webp"
        difference: Image.Image | None = picture
        if name in left:
            left.remove(name)
            with Image.open(path) as stored:
                difference = find_differences(stored, picture)
        if difference is not None:
            differing.append(name)
            picture.save(FOLDER / f"{name}.new.png")
            difference.save(FOLDER / f"{name}.difference.png")
    differing += sorted(left)
    shown = [f"<h2>{name}</h2><p>{''.join(map(_show, _list_files(name)))}" for name in differing]
    (FOLDER / "index.html").write_text(_HEAD + "".join(shown), "utf-8")
    return differing


_HEAD = """<!doctype html>
<meta charset="utf-8">
<title>Pictures</title>
<style>body { background: #bbb; font: 1rem sans-serif; } img { margin: 0 1rem; vertical-align: top; }</style>
<h1>Stored, new, difference</h1>
"""


def _show(path: Path) -> str:
    return f'<img src="{path.as_uri()}" alt="">' if path.exists() else ""


def _list_files(name: str) -> tuple[Path, ...]:
    return STORED / f"{name}.webp", FOLDER / f"{name}.new.png", FOLDER / f"{name}.difference.png"
