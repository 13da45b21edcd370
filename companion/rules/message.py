"""Sentences for people: a template with its facts beside it.

Pages translate the template and put players' names for seats. Printed without that, it is plain English.

>>> str(Message("{seat} must follow suit.", seat=SeatName("A")))
'A must follow suit.'
>>> polish = {"{seat} must follow suit.": "{seat} dokłada do koloru."}
>>> message = Message("{seat} must follow suit.", seat=SeatName("A"))
>>> message.render(polish.get, lambda seat: "Ewa")
'Ewa dokłada do koloru.'

A verb that goes with names is written `{seat:wins|win}`: the first form for one, the second for several.

>>> str(Message("{sides} {sides:wins|win}.", sides=[SideName("A"), SideName("B")]))
'A, B win.'

A count has a sentence for each form of a number.

>>> [str(CountMessage("one card", "{count} cards", count)) for count in (1, 2)]
['one card', '2 cards']
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from .cards import ALL_TRUMPS, NO_TRUMPS, Card, Suit


class Translate(Protocol):
    """Translates a text or a sentence; given the plural `several` too, into the form for `count`."""

    def __call__(self, text: "str | Message", several: str = "", count: int = 1, /) -> str: ...


def in_english(text: "str | Message", several: str = "", count: int = 1, /) -> str:
    """Leave a text in English; of two forms the one for the count."""
    return several if several and count != 1 else str(text)


class Message:
    """One sentence: a `template` with placeholders in braces, and the `facts` that fill them.

    A fact is a number, a text, a card, a seat (`SeatName`), a `Word`, another message, or a list of these.
    """

    __slots__ = ("facts", "template")

    def __init__(self, template: str, **facts: object) -> None:
        self.template = template
        self.facts = facts

    def render(self, translate: Translate = in_english, show: Callable[[object], str] | None = None) -> str:
        """The sentence in a language.

        :param translate: puts a template, and each `Word`, into the language.
        :param show: names a seat or a side; without it they stay letters.
        """
        return self._choose_template(translate).format_map(
            {name: _render_fact(fact, translate, show) for name, fact in self.facts.items()}
        )

    def _choose_template(self, translate: Translate) -> str:
        return translate(self.template)

    def __str__(self) -> str:
        return self.render()

    def __repr__(self) -> str:
        return f"Message({str(self)!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Message) and (self.template, self.facts) == (other.template, other.facts)

    def __hash__(self) -> int:
        return hash(self.template)


class CountMessage(Message):
    """A sentence with a count: the `template` for one, another for `several`, and the count for the language.

    The number may be `shown` differently: as a share, or not at all.
    """

    __slots__ = ("count", "several")

    def __init__(self, template: str, several: str, count: int, shown: object = None) -> None:
        super().__init__(template, count=count if shown is None else shown)
        self.several, self.count = several, count

    def _choose_template(self, translate: Translate) -> str:
        return translate(self.template, self.several, self.count)


class Names(str):
    """One name in a sentence, or `many`; formatted with two forms of a verb, it yields the one that fits.

    >>> "{0} {0:wins|win}".format(join_names(["Ewa", "Jan"]))
    'Ewa & Jan win'
    """

    many: bool

    def __new__(cls, text: str, many: bool = False) -> "Names":
        names = super().__new__(cls, text)
        names.many = many
        return names

    def __format__(self, forms: str) -> str:
        if not forms:
            return str(self)
        one, _bar, several = forms.partition("|")
        return several if self.many else one


def join_names(names: Sequence[str]) -> Names:
    """Join the players of a side into one name."""
    return Names(" & ".join(names), len(names) > 1)


@dataclass(frozen=True, slots=True)
class SeatName:
    """A seat in a sentence: shown as the player's name where the names are known."""

    seat: str


@dataclass(frozen=True, slots=True)
class SideName(SeatName):
    """A side in a sentence: shown as the names of all its players."""


@dataclass(frozen=True, slots=True)
class Word:
    """A word of the game or of the table in a sentence, translated separately."""

    text: str


_LETTERS = {str(letter): letter for letter in (Message("A"), Message("K"), Message("Q"), Message("J"))}
"""The ranks that are letters; languages may print other letters on their cards."""


def show_trump(trump: str) -> "str | Message":
    """Show the sign of a trump suit, or words for what can be chosen instead of one."""
    if trump == ALL_TRUMPS:
        return Message("all trumps")
    return Message("no-trumps") if trump == NO_TRUMPS else Suit(trump).sign


def show_rank(rank: str, translate: Translate) -> str:
    """Write a rank as cards show it to speakers of a language.

    >>> show_rank("J", {"J": "В"}.get), show_rank("10", {"J": "В"}.get)
    ('В', '10')
    """
    return translate(rank) if rank in _LETTERS else rank


def show_card(card: Card, translate: Translate) -> str:
    """Write a card as speakers of a language read it: `10♥`, `В♥`."""
    return card.face if card.is_joker else show_rank(card.rank, translate) + card.suit.sign


def _render_fact(fact: object, translate: Translate, show: Callable[[object], str] | None) -> str:
    match fact:
        case Message():
            return fact.render(translate, show)
        case Card():
            return show_card(fact, translate)
        case Word(text):
            return translate(text)
        case Names():
            return fact
        case SeatName(seat):
            name = show(fact) if show else seat
            return name if isinstance(name, Names) else Names(name)
        case list() | tuple():
            items = [_render_fact(item, translate, show) for item in fact]
            several = len(items) > 1 or any(isinstance(item, Names) and item.many for item in items)
            return Names(", ".join(items), several)
        case _:
            return str(fact)
