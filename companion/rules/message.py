"""Sentences for people: a template with its facts beside it.

Whoever shows a `Message` may translate the template and put players' names for seats. Printed as it is,
it is plain English.

>>> str(Message("{seat} must follow suit.", seat=SeatName("A")))
'A must follow suit.'
>>> polish = {"{seat} must follow suit.": "{seat} dokłada do koloru."}
>>> message = Message("{seat} must follow suit.", seat=SeatName("A"))
>>> message.render(polish.get, lambda seat: "Ewa")
'Ewa dokłada do koloru.'
"""

from collections.abc import Callable
from dataclasses import dataclass

from .cards import Card


class Message:
    """One sentence: a `template` with places in braces, and the `facts` that stand there.

    A fact is a number, a text, a card, a seat (`SeatName`), a `Word`, another message, or a list of these.
    """

    __slots__ = ("facts", "template")

    def __init__(self, template: str, **facts: object) -> None:
        self.template = template
        self.facts = facts

    def render(
        self, translate: Callable[[str], str] = str, show: Callable[[object], str] | None = None
    ) -> str:
        """The sentence in a language.

        :param translate: puts a template, and each `Word`, into the language.
        :param show: names a seat or a side; without it they stay letters.
        """
        return translate(self.template).format_map(
            {name: _render_fact(fact, translate, show) for name, fact in self.facts.items()}
        )

    def __str__(self) -> str:
        return self.render()

    def __repr__(self) -> str:
        return f"Message({str(self)!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Message) and (self.template, self.facts) == (other.template, other.facts)

    def __hash__(self) -> int:
        return hash(self.template)


@dataclass(frozen=True, slots=True)
class SeatName:
    """A seat in a sentence: shown as the player's name where the names are known."""

    seat: str


@dataclass(frozen=True, slots=True)
class SideName(SeatName):
    """A side in a sentence: shown as the names of all its players."""


@dataclass(frozen=True, slots=True)
class Word:
    """A word of the game or of the table in a sentence, translated by itself."""

    text: str


def _render_fact(fact: object, translate: Callable[[str], str], show: Callable[[object], str] | None) -> str:
    match fact:
        case Message():
            return fact.render(translate, show)
        case Card():
            return fact.face
        case Word(text):
            return translate(text)
        case SeatName(seat):
            return show(fact) if show else seat
        case list() | tuple():
            return ", ".join(_render_fact(item, translate, show) for item in fact)
        case _:
            return str(fact)
