"""Stored pictures and new ones: what differs, and a page that shows it."""

import json
import shutil
from collections.abc import Iterable
from pathlib import Path

from PIL import Image, ImageChops

STORED = Path(__file__).with_name("stored")
FOLDER = Path(__file__).resolve().parents[3] / ".pictures"
"""The findings of the last comparisons, a folder for each; not in the repository."""
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


Pictures = Iterable[tuple[str, Image.Image]]
"""Pictures of a size and a language, with their names."""


def store(pictures: Pictures, size: str, language: str, letters: dict[str, str]) -> None:
    """Let these be the stored pictures; `letters` is what drew the letters on them."""
    for path in list_stored(size, language):
        path.unlink()
    for name, picture in pictures:
        picture.save(STORED / f"{name}.webp", lossless=True)
    (STORED / "letters.json").write_text(json.dumps(letters, indent=2) + "\n", "utf-8")


def list_stored(size: str, language: str) -> list[Path]:
    """The stored pictures of a size and a language."""
    return [*STORED.glob(f"*-{size}-*{language}.webp")]


def compare(pictures: Pictures, size: str, language: str) -> tuple[list[str], Path]:
    """The names of the pictures that differ, that were not stored, or are no longer taken.

    The page beside them shows these beside the stored ones.
    """
    folder = FOLDER / f"{size}-{language}"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    left = {path.stem for path in list_stored(size, language)}
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
            picture.save(folder / f"{name}.new.png")
            difference.save(folder / f"{name}.difference.png")
    differing += sorted(left)
    page = folder / "index.html"
    page.write_text(_HEAD + "".join(_show(name, folder) for name in differing), "utf-8")
    return differing, page


_HEAD = """<!doctype html>
<meta charset="utf-8">
<title>Pictures</title>
<style>body { background: #bbb; font: 1rem sans-serif; } img { margin: 0 1rem; vertical-align: top; }</style>
<h1>Stored, new, difference</h1>
"""


def _show(name: str, folder: Path) -> str:
    paths = (STORED / f"{name}.webp", folder / f"{name}.new.png", folder / f"{name}.difference.png")
    shown = "".join(f'<img src="{path.as_uri()}" alt="">' for path in paths if path.exists())
    return f"<h2>{name}</h2><p>{shown}</p>"
