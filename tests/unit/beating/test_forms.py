"""What is asked of people in the games of beating, field by field, and what may stand there.

The file forms.txt beside this one has it in words: questions, entries, and what a game's file must say.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from companion import library
from companion.beating import entries, game_file, steps
from companion.beating.arbiter.registry import QUESTIONS
from companion.rules.errors import Unreadable
from companion.rules.schema import Field, Kind, fields_of

FORMS = Path(__file__).with_name("forms.txt")
TABLE = library.open_game("durak", None, {}, 4).family.ruleset.table
PROBES: list[Any] = [{}, [{}], [[{}]], {"A": {}}, ["AS"] * 99, {"A": ["AS"] * 99}]
"""Values that fit nowhere, so that a kind must say what would."""


def test_every_field_is_asked_for_as_it_is_written_down() -> None:
    """Labels, hints, what a field is read as where it is left out, and what may stand in it."""
    assert "\n".join(_everything()) == FORMS.read_text("utf-8")


def _everything() -> Iterator[str]:
    for name, question in QUESTIONS.items():
        yield f"== {name}: {question.asks}"
        yield from _fields(question.shape)
    shapes = (steps.BoutStep, entries.Hand, entries.Bout, entries.Touch, entries.Close)
    for shape in (*shapes, game_file.BeatingTableSection, game_file.BeatingCardsSection):
        yield f"== {shape.__name__}"
        yield from _fields(shape)
    yield "== Options"
    for name, option in game_file.OPTIONS.items():
        yield name
        yield from _requirements(option.kind)
    yield ""


def _fields(shape: Any) -> Iterator[str]:
    for place in fields_of(shape):
        yield "; ".join([place.key, *([str(place.label)] if place.label else []), *_hints(place)])
        yield from _requirements(place.kind)


def _hints(place: Field) -> Iterator[str]:
    """What a form does with the field, and what is read where it is left out."""
    yield from ["folded away"] if place.folded else []
    yield from ["in order"] if place.ordered else []
    yield from [f"cards of the {place.heap}"] if place.heap else []
    yield from ["most likely not beaten"] if place.waiting else []
    yield from [f"the same for all above {place.few}"] if place.few is not None else []
    yield from [f"only where {place.where}"] if place.where else []
    yield from [] if place.needed else [f"else {place.absent!r}"]


def _requirements(kind: Kind) -> Iterator[str]:
    """What the kind says must stand there; whether null may, and a text of several lines."""
    said = [_refusal(kind, value) for value in PROBES]
    yield from dict.fromkeys(f"    {text}" for text in said if text)
    yield from [] if _refusal(kind, None) else ["    or null"]
    yield from [] if _refusal(kind, "one line\nand another") else ["    with line breaks"]


def _refusal(kind: Kind, value: Any) -> str:
    try:
        kind.read(value, "", TABLE)
    except Unreadable as error:
        return f"{error.path} {error.requirement}".strip()
    return ""
