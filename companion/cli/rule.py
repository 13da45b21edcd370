"""`companion rule`: a ruling as JSON, or in lines to read."""

import argparse
from collections.abc import Iterator, Mapping
from string import Formatter
from typing import Any

from companion import library
from companion.rules.cards import Suit, parse_card
from companion.rules.message import Message, show_card
from companion.rules.rulebook import Rulebook
from companion.rules.ruling import Ruling
from companion.rules.schema import fields_of
from companion.wording import RulingWords
from companion.wording.rulings import CALLS, FORFEITS, OWN_CALLS, PIECES, REMEDIES, SAYINGS

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
    verdict = _fill(words, words.find_verdict(ruling), ruling)
    if verdict is not None:
        yield verdict
    yield _capitalize(render(ruling.why))
    for line in _list_facts(words, ruling):
        yield f"  {line}"
    for rule in ruling.rules:
        yield f"  [{rule.id}] {say(rule.text)}"


def _fill(words: RulingWords, message: Message | None, ruling: Ruling) -> str | None:
    """Fill a sentence with its facts; None without a sentence, or if a fact of it is unknown."""
    if message is None:
        return None
    filled = words.fill(message, ruling)
    names = {name for _text, name, *_form in Formatter().parse(filled.template) if name}
    return _capitalize(render(filled)) if names <= filled.facts.keys() else None


def _list_facts(words: RulingWords, ruling: Ruling) -> Iterator[str]:
    """List the facts of the answer besides its verdict that have words; the rest is in the JSON."""
    book = words.ruleset.book
    for name, value in ruling.answer.items():
        kind, label = PIECES.get((ruling.question, name), ("", None))
        if value is None or value is False or value in ([], ()):
            continue
        if name == "dialogue":
            for line in value:
                yield f"{line['seat']}: {_phrase_saying(book, line['say'])}"
        elif name == "forfeits":
            needless = {rule.id for rule in ruling.rules if "run.rost-needless" in rule.keys}
            for loss in value:
                what = "needless" if loss["rule"] in needless else loss["what"]
                if what in FORFEITS:
                    yield render(Message(FORFEITS[what].template, seat=loss["seat"]))
        elif name == "line":
            for cards, taker in zip(value, ruling.answer["takers"], strict=False):
                yield f"{' '.join(show_card(parse_card(str(card)), say) for card in cards)} → {taker}"
        elif name == "irregularities":
            yield from (_capitalize(render(irregularity["why"])) for irregularity in value)
        elif label is not None:
            named = _fill(words, label, ruling) or name
            shown = _show_value(words, kind, value)
            yield f"{named} {shown}" if named.endswith(".") else f"{named}: {shown}"


def _show_value(words: RulingWords, kind: str, value: Any) -> str:
    """Show a fact of an answer: points by side, calls as they are said, the least and the most of a span."""
    match value:
        case _ if kind == "remedy":
            return render(REMEDIES[value])
        case _ if kind == "draws":
            return ", ".join(f"{draw['seat']}: {draw['cards']}" for draw in value)
        case _ if kind == "facts":
            labels = {member.key: member.label for member in fields_of(words.question.shape) if member.label}
            return ", ".join(render(labels.get(key, key)) for key in value)
        case True:
            return render(SAYINGS["yes"])
        case {"min": least, "max": most}:
            span = str(least) if least == most else f"{least}–{most}"
            side = value.get("what")
            return f"{side} {span}" if side in words.ruleset.ring.sides else span
        case Mapping():
            return " ".join(f"{side} {_show_value(words, '', item)}" for side, item in value.items())
        case list() | tuple() if kind == "calls":
            return ", ".join(_phrase_call(words.ruleset.book, call) for call in value)
        case list() | tuple():
            return ", ".join(_show_value(words, "", item) for item in value)
    return render(value) if isinstance(value, Message) else str(value)


def _phrase_saying(book: Rulebook, text: str) -> str:
    """Phrase an announcement of runs, in the game's own word if it has one."""
    if text in book.words:
        return say(book.words[text])
    return render(SAYINGS[text]) if text in SAYINGS else say(text)


def _phrase_call(book: Rulebook, call: str) -> str:
    """Phrase a call as players say it."""
    verb, _blank, rest = call.partition(" ")
    if verb == "play" and rest in tuple(Suit):
        return render(Message("play {suit}", suit=Suit(rest).sign))
    if verb == "play" and rest:
        return render(Message("play {what}", what=say(book.words.get(rest, rest))))
    said = (
        say(book.words[verb]) if verb in OWN_CALLS and verb in book.words else render(CALLS.get(verb, verb))
    )
    return f"{said}: {rest}" if rest else said


def _capitalize(text: str) -> str:
    return text[:1].upper() + text[1:]
