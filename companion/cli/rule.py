"""`companion rule`: a ruling as JSON, or in lines to read."""

import argparse
import json
from collections.abc import Iterator, Mapping
from string import Formatter
from typing import Any

from companion import library
from companion.rules.message import Message
from companion.rules.ruling import Ruling
from companion.wording import RulingWords
from companion.wording.rulings import PIECES

from .language import render, say
from .language import say as _
from .reading import answer_lines, print_json, read_document, refuse


def add_commands(commands: Any) -> None:
    """Add this command to a parser."""
    rule = commands.add_parser("rule", help=_("answer a ruling request"))
    rule.add_argument("file", nargs="?", metavar="FILE", help=_("ruling request (- for standard input)"))
    rule.add_argument("--json", action="store_true", help=_("print the ruling as JSON"))
    rule.add_argument(
        "--lines", action="store_true", help=_("read one request per line, print one JSON object per line")
    )
    rule.set_defaults(run=_rule)


def _rule(arguments: argparse.Namespace) -> int:
    if arguments.lines:
        return answer_lines(lambda request: library.rule(request).plain())
    if not arguments.file:
        raise refuse("FILE", Message("required; a ruling request (- for standard input)"))
    game, asked = library.open_request(read_document(arguments.file))
    ruling = game.family.rule(asked)
    if arguments.json:
        print_json(ruling.plain())
    else:
        print("\n".join(list_ruling_lines(game, asked, ruling)))
    return 0


def list_ruling_lines(game: library.Game, asked: Mapping[str, Any], ruling: Ruling) -> Iterator[str]:
    """A ruling on what was asked: the verdict, why, what it comes to, the rules it rests on."""
    yield f"{ruling.question}: {ruling.verdict}"
    words = RulingWords(game.family.ruleset, game.family.questions[ruling.question], asked)
    verdict = _fill(words, words.find_verdict(ruling), ruling)
    if verdict is not None:
        yield verdict
    yield _capitalize(render(ruling.why))
    for name, value in ruling.answer.items():
        _kind, label = PIECES.get((ruling.question, name), ("", None))
        named = _fill(words, label, ruling) or name
        shown = json.dumps(_render_all(value), ensure_ascii=False)
        yield f"  {named} {shown}" if named.endswith(".") else f"  {named}: {shown}"
    for rule in ruling.rules:
        yield f"  [{rule.id}] {say(rule.text)}"


def _fill(words: RulingWords, message: Message | None, ruling: Ruling) -> str | None:
    """A sentence with its facts; None where there is none, or a fact of it is unknown."""
    if message is None:
        return None
    filled = words.fill(message, ruling)
    places = {name for _text, name, *_form in Formatter().parse(filled.template) if name}
    return _capitalize(render(filled)) if places <= filled.facts.keys() else None


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
