"""The style sheets: nothing that is laid out in one browser's way alone."""

import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SHEETS = sorted((ROOT / "static").rglob("*.css"))
OUT_OF_ITS_PLACE = re.compile(r"(?:^|;)\s*(float|display|(?:grid|flex|justify|align|place)-[\w-]+|order)\s*:")
"""What would make a legend an item of the layout around it; WebKit leaves it the border's title."""
PREFIXED = ("user-select",)
"""What Safari knows only with `-webkit-` before it."""


def rules() -> Iterator[tuple[str, str, str]]:
    """Every rule of every sheet: the file, each of its selectors, what is declared."""
    for path in SHEETS:
        text = re.sub(r"/\*.*?\*/", "", path.read_text("utf-8"), flags=re.DOTALL)
        for selectors, declared in re.findall(r"([^{};]+)\{([^{}]*)\}", text):
            for selector in re.split(r",(?![^(]*\))", selectors):
                yield path.name, selector.strip(), declared


def test_a_legend_stays_where_every_browser_puts_it() -> None:
    legends = [rule for rule in rules() if re.search(r"(?:^|[\s>+~])legend[^\s>+~]*$", rule[1])]
    assert len(legends) > 5
    assert [rule for rule in legends if OUT_OF_ITS_PLACE.search(rule[2])] == []


def test_what_safari_knows_by_another_name_is_said_in_both() -> None:
    assert [
        (name, selector, wanted)
        for name, selector, declared in rules()
        for wanted in PREFIXED
        if re.search(rf"(?<!-){wanted}:", declared) and f"-webkit-{wanted}:" not in declared
    ] == []


def test_what_is_drawn_on_paper_stays_dark_on_slate() -> None:
    """The paper of a sheet is white in both themes, so it sets every colour of its drawings itself."""
    slate, paper = (
        {
            token
            for name, selector, declared in rules()
            if (name, selector) == place
            for token in re.findall(r"(--[\w-]+):", declared)
        }
        for place in (("slate.css", ":root"), ("sheet.css", ".sheet"))
    )
    drawn = {
        token
        for _name, selector, declared in rules()
        if selector.startswith((".tally", ".s-"))
        for token in re.findall(r"var\((--[\w-]+)", declared)
    }
    assert {"--pencil", "--graphite"} <= drawn & slate <= paper
