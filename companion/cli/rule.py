"""A ruling in lines to read."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from companion import library
from companion.rules.message import Message
from companion.rules.ruling import Ruling
from companion.wording import RulingWords
from companion.wording.rulings import PIECES

from .language import render, say


def list_ruling_lines(game: library.Game, asked: Mapping[str, Any], ruling: Ruling) -> Iterator[str]:
    """A ruling on what was asked: the verdict, why, what it comes to, the rules it rests on."""
    yield f"{ruling.question}: {ruling.verdict}"
    words = RulingWords(game.family.ruleset, game.family.questions[ruling.question], asked)
    verdict = words.find_verdict(ruling)
    if verdict is not None:
        yield _capitalize(render(words.fill(verdict, ruling)))
    yield _capitalize(render(ruling.why))
    for name, value in ruling.answer.items():
        label = PIECES.get((ruling.question, name))
        shown = json.dumps(_render_all(value), ensure_ascii=False)
        if label is None:
            yield f"  {name}: {shown}"
        else:
            named = _capitalize(render(words.fill(label[1], ruling)))
            yield f"  {named} {shown}" if named.endswith(".") else f"  {named}: {shown}"
    for rule in ruling.rules:
        yield f"  [{rule.id}] {say(rule.text)}"


def _render_all(value: Any) -> Any:
    """An answer as JSON values, the sentences in it in the language that is spoken."""
    match value:
        case Message():
            return render(value)
        case Mapping():
            return {key: _render_all(item) for key, item in value.items()}
        case list() | tuple():
            return [_render_all(item) for item in value]
        case _:
            return value


def _capitalize(text: str) -> str:
    return text[:1].upper() + text[1:]
