"""The conventions that bear on a ruling, and what other tables would say."""

from collections.abc import Callable
from dataclasses import dataclass

from flask_babel import gettext as _

from companion import library
from companion.library.other_tables import JudgedQuestion
from companion.rules.errors import MissingFact, Unreadable
from companion.rules.rulebook import Convention, Value
from companion.rules.ruling import Ruling
from companion.rules.schema import fields_of
from companion.web.shell.text import phrase, translate


@dataclass(frozen=True)
class OtherChoice:
    """What a table with another value of a convention would say.

    `verdict` None: the same; `if_so` is what it would say if something were so that matters there only.
    """

    text: str
    verdict: str | None
    if_so: tuple[tuple[str, str], ...] = ()

    @property
    def is_other(self) -> bool:
        """Whether it would say anything else, or might."""
        return self.verdict is not None or bool(self.if_so)


@dataclass(frozen=True)
class Custom:
    """A convention that bears on the ruling: its value here, and what other values would change."""

    convention: Convention
    value: Value
    here: str
    others: tuple[OtherChoice, ...]

    @property
    def decides(self) -> bool:
        """Whether another value would have changed the answer."""
        return any(other.is_other for other in self.others)


def find_customs(judged: JudgedQuestion, say_difference: Callable[[Ruling], str]) -> list[Custom]:
    """The conventions that belong to a cited rule, and any other that would change the answer; these first.

    :param say_difference: what another ruling comes to, in a sentence.
    """
    game, customs = judged.game, []
    cited = {rule.id for rule in judged.ruling.rules}
    seatings = library.seatings(game.name)
    seated = seatings[0].conventions if seatings[1:] else {}
    other_values: dict[str, list[Value]] = {}
    for name, other in judged.list_other_values():
        other_values.setdefault(name, []).append(other)
    for name, convention in game.book.conventions.items():
        if name in seated or convention.is_text:
            continue
        value, texts = game.conventions[name], convention.values_for(game.players)
        others = tuple(
            other_rulings
            for other in other_values.get(name, ())
            if (other_rulings := _ask_other_choice(judged, convention, other, texts[other], say_difference))
        )
        custom = Custom(convention, value, translate(convention.values.get(value, "")), others)
        open_here = bool(others) or not convention.values
        bears = convention.rule in cited and open_here and convention.matters(game.conventions, game.players)
        if bears or custom.decides:
            customs.append(custom)
    return sorted(customs, key=lambda custom: not custom.decides)


def _ask_other_choice(
    judged: JudgedQuestion,
    convention: Convention,
    value: Value,
    text: str,
    say_difference: Callable[[Ruling], str],
) -> OtherChoice | None:
    """What a table with another value says; None where it cannot be asked with these facts."""
    try:
        try:
            ruling = judged.rule_otherwise(convention.name, value)
        except MissingFact:
            raise
        except Unreadable:
            ruling = judged.rule_unasked(convention.name, value)
    except MissingFact:
        return OtherChoice(translate(text), _("That depends on facts that were not given."))
    except Unreadable as fault:
        rests_on_it = convention.rule in [rule.id for rule in judged.ruling.rules]
        exists = not fault.path.startswith(("conventions", "players"))
        return (
            OtherChoice(translate(text), _("This situation could not arise."))
            if rests_on_it and exists
            else None
        )
    is_same = (ruling.verdict, ruling.answer) == (judged.ruling.verdict, judged.ruling.answer)
    labels = {place.key: place.label for place in fields_of(_shape(judged)) if place.label}
    if_so = tuple(
        (phrase(labels[key], judged.game.book), say_difference(other))
        for key, other in judged.rule_if(convention.name, value)
    )
    return OtherChoice(translate(text), None if is_same else say_difference(ruling), if_so)


def _shape(judged: JudgedQuestion) -> type:
    shape: type = judged.game.family.questions[judged.ruling.question].shape
    return shape
