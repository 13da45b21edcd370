"""One thing, one name: words that were replaced by standard ones do not come back."""

import ast
import re
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from companion.wording.rulings import HEADLINES, VERDICTS

ROOT = Path(__file__).resolve().parents[2]
SOURCES = sorted([*(ROOT / "companion").rglob("*.py"), *(ROOT / "tests").rglob("*.py")])

REPLACED = {
    "told": "described, reported, announced; HistoryEvent",
    "tell": "describe, report, explain, notify",
    "tray": "job_files",
    "deed": "job, action",
    "elsewhere": "run_in_subprocess, other tables",
    "desk": "dispatcher",
    "shelf": "result_cache, catalogue, archived",
    "crew": "WorkerPool",
    "upkeep": "monitoring",
    "glosses": "tooltips",
    "apart": "conflicts",
    "aside": "in_background, archived",
    "laid": "rebase, played",
    "laying": "rebase",
    "anew": "again, re…",
    "overtaken": "LostRace, stale",
    "outlook": "OptionScope",
    "opinions": "reviews",
    "fewest": "MIN_…",
    "utmost": "max_…",
    "repose": "RETRY_DELAY",
    "lull": "…_INTERVAL",
    "pocket": "offline_app",
    "kept": "cached, stored, saved",
}
"""Words that no name of ours has, each with what is said instead."""

ALLOWED = {"anew", "companion_browser_kept", "shelf", "tell"}
"""Names of addresses, of cookies, of data and of files in Python that stay."""

Place = tuple[str, int, str]


@cache
def identifiers() -> tuple[Place, ...]:
    found: list[Place] = []
    for path in SOURCES:
        name = str(path.relative_to(ROOT))
        with open(path, "rb") as file:
            found += [
                (name, token.start[0], token.string)
                for token in tokenize.tokenize(file.readline)
                if token.type == tokenize.NAME
            ]
    return tuple(found)


def split(name: str) -> Iterator[str]:
    """The words of a name, in small letters: of `HeldMatch`, `held_match` and `HELD_MATCH` the same two."""
    for part in name.split("_"):
        yield from (word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z0-9]+", part))


@cache
def is_replaced(name: str) -> bool:
    return not REPLACED.keys().isdisjoint(split(name))


@pytest.mark.slow
def test_names_are_made_of_standard_words() -> None:
    wrong = {
        f"{path}:{line}: {name}"
        for path, line, name in identifiers()
        if not name.startswith("test_") and name not in ALLOWED and is_replaced(name)
    }
    assert sorted(wrong) == []


def test_modules_are_named_so_too() -> None:
    folders = ("companion", "tests", "static", "templates")
    paths = [path for folder in folders for path in (ROOT / folder).rglob("*.*") if "files" not in path.parts]
    wrong = {str(path.relative_to(ROOT)) for path in paths if is_replaced(path.stem)}
    assert sorted(name for name in wrong if "__pycache__" not in name) == []


LOOP = re.compile(
    r"\bfor (?:\w+, )*one(?:, \w+)* in\b|\b(?:const|let) one of\b|^one =|\(one\) =>", re.MULTILINE
)


def test_loops_name_what_they_hold() -> None:
    """An event, a row, a card: never `one`."""
    sources = [*SOURCES, *(ROOT / "templates").rglob("*.html"), *(ROOT / "static").rglob("*.js")]
    counts = {str(path.relative_to(ROOT)): len(LOOP.findall(path.read_text("utf-8"))) for path in sources}
    assert {name: count for name, count in counts.items() if count} == {}


def test_no_name_says_most_where_it_is_a_limit() -> None:
    places = {f"{path}:{line}: {name}" for path, line, name in identifiers() if LIMIT.match(name)}
    assert sorted(places) == []


LIMIT = re.compile(r"_?(MOST|FEWEST)_")

RIDDLES = re.compile(
    r"^(What|Whether|Who|Whom|Whose|How|That|Where|Which)\b"
    r"|\bwhere there (is|are) none\b|\bis none\b|\bwhat is of it\b|\bwhose it is\b|\bas it says\b"
)


def docstrings(path: Path) -> Iterator[tuple[int, str]]:
    """Each text that is a statement of its own, also behind values; but none that the API shows to people."""
    tree = ast.parse(path.read_text("utf-8"))
    shown = {
        id(node.body[0])
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
        and any(ast.unparse(decorator).startswith("operation(") for decorator in node.decorator_list)
    }
    for node in ast.walk(tree):
        match node:
            case ast.Expr(value=ast.Constant(value=str(text))) if id(node) not in shown:
                yield node.lineno, " ".join(text.split())


def test_docstrings_read_aloud() -> None:
    """They begin with a verb or a noun, and have none of the turns that nobody says."""
    wrong = [
        f"{path.relative_to(ROOT)}:{line}: {text[:60]}"
        for path in sorted((ROOT / "companion").rglob("*.py"))
        for line, text in docstrings(path)
        if RIDDLES.search(text)
    ]
    assert wrong == []


def test_the_head_of_a_ruling_has_five_words_at_most() -> None:
    """A name, a card, a word of the game counts as one; and what is short is short for a longer sentence."""
    heads = {
        key: re.sub(r"\{.*?\}", "X", message.template) for key, message in {**VERDICTS, **HEADLINES}.items()
    }
    assert {key: head for key, head in heads.items() if len(head.split()) > 5} == {}
    assert HEADLINES.keys() <= VERDICTS.keys()
