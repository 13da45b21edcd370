"""`companion rule`: a ruling as JSON, or in lines to read."""

import argparse
from collections.abc import Iterator, Mapping
from string import Formatter
from typing import Any

from companion import library
from companion.rules.cards import parse_card
from companion.rules.message import Message, show_card
from companion.rules.rulebook import Rulebook
from companion.rules.ruling import Ruling
from companion.rules.schema import fields_of
from companion.sheets.common import describe_choices
from companion.wording import RulingWords
from companion.wording.calls import TERMS, word_call
from companion.wording.rulings import PIECES, SAYINGS

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
    """Describe a ruling: the verdict, the reason, the results, the rules it rests on."""
    yield f"{ruling.question}: {ruling.verdict}"
    words = RulingWords(game.family.ruleset, game.family.questions[ruling.question], asked)
    yield _capitalize(render(words.say_verdict(ruling)))
    yield _capitalize(render(ruling.why))
    for line in _list_facts(words, ruling):
        yield f"  {line}"
    for rule in ruling.rules:
        yield f"  [{rule.id}] {say(rule.text)}"
        if rule.choices:
            yield f"    {say('At this table')}: {describe_choices(game, rule.choices, say)}"


def _list_facts(words: RulingWords, ruling: Ruling) -> Iterator[str]:
    """Facts of the answer beside its verdict, as far as there are words for them; the rest is in the JSON."""
    for name, value in ruling.answer.items():
        kind, label = PIECES.get((ruling.question, name), ("", None))
        if value is None or value is False or value in ([], ()):
            continue
        if kind == "remedy" and ruling.answer.get("surplus"):
            continue  # the defender chooses what goes back
        if name == "dialogue":
            for line in value:
                yield f"{line['seat']}: {_render(words.word_saying(line['say']))}"
        elif name == "forfeits":
            yield from map(render, words.list_forfeits(ruling))
        elif name == "line":
            for cards, taker in zip(value, ruling.answer["takers"], strict=False):
                yield f"{' '.join(show_card(parse_card(str(card)), say) for card in cards)} → {taker}"
        elif name == "irregularities":
            yield from (_capitalize(render(irregularity["why"])) for irregularity in value)
        elif label is not None:
            named = _name_fact(words.fill(label, ruling)) or name
            shown = _show_value(words, kind, value)
            yield f"{named} {shown}" if named.endswith(".") else f"{named}: {shown}"


def _name_fact(label: Message) -> str | None:
    """Name a fact by its label; None if a fact in the label is unknown."""
    places = {name for _text, name, *_form in Formatter().parse(label.template) if name}
    return _capitalize(render(label)) if places <= label.facts.keys() else None


def _show_value(words: RulingWords, kind: str, value: Any) -> str:
    """A fact of an answer: points by side, calls as they are said, the least and the most of a span."""
    if kind == "facts":
        labels = {place.key: place.label for place in fields_of(words.question.shape) if place.label}
        return ", ".join(render(labels.get(key, key)) for key in value)
    if kind == "calls":
        return ", ".join(_phrase_call(words.ruleset.book, call) for call in value)
    said = words.word_value(kind, value)
    if isinstance(said, Mapping):
        return " ".join(f"{side} {_render(fact)}" for side, fact in said.items())
    return render(SAYINGS["yes"]) if said is True else _render(said)


def _render(said: object) -> str:
    return render(Message("{what}", what=said))


def _phrase_call(book: Rulebook, call: str) -> str:
    """Phrase a call as players say it."""
    verb, _blank, rest = call.partition(" ")
    said = render(word_call(book, call) or verb)
    return f"{said}: {rest}" if rest and verb in TERMS else said


def _capitalize(text: str) -> str:
    return text[:1].upper() + text[1:]
