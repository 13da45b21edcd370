"""The cards of a bout: what lies on the table, what was played in order, what everyone held.

In an address a pair on the table is an attack card and what beat it (`table=7S 10S`), a step is its player
with a card, and the card this beats (`steps=A 7S`, `steps=B 10S 7S`, `steps=B pick-up`).
"""

import re
from typing import Any

from flask_babel import gettext as _
from werkzeug.datastructures import MultiDict

from companion.rules.cards import parse_card
from companion.rules.schema import CardOf, ListOf

from .base import ABSENT, number
from .cards import Cards

ATTACKER, DEFENDER, PICK_UP = "attacker", "defender", "pick-up"
"""Who plays the next card, by the fields that say so; and what a step says that takes the cards."""


class CardOrCards(Cards):
    """One card, or several at once."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.kind = ListOf(CardOf(), 1, 6)

    def value(self) -> Any:
        return self.typed[0] if len(self.typed) == 1 else self.typed or ABSENT


class Held(Cards):
    """How many cards a player held, or which."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.kind = ListOf(CardOf(), 0, 52)

    @property
    def widget(self) -> str:  # type: ignore[override]  # derived here
        """A number, or a pad once the cards are to be named."""
        return "cards" if self.named else "number"

    @property
    def named(self) -> bool:
        """Whether the cards are named, or about to be."""
        return bool(self.cards) or f"rows.{self.name}" in self.form.typed

    @property
    def heap(self) -> str:
        return self.name.partition(".")[0]

    def value(self) -> Any:
        if self.named:
            return [one for one in self.typed if not one.isdecimal()] or ABSENT
        return number(self.first) if self.first else ABSENT

    def told(self) -> list[tuple[str, Any]]:
        return super().told() if self.named else [("text", one) for one in self.typed[:1]]


class Laid(Cards):
    """The cards on the table: each attack card, and what beat it."""

    widget = "laid"

    @property
    def pairs(self) -> list[list[str]]:
        """Each attack card, alone or with the card that beat it."""
        return [one.upper().split() for one in self.typed]

    @property
    def entries(self) -> list[str]:
        """The pairs as they stand in an address."""
        return [" ".join(pair) for pair in self.pairs]

    @property
    def cards(self) -> list[str]:
        return [card for pair in self.pairs for card in pair if card in self.pack]

    def value(self) -> Any:
        return self.pairs

    @property
    def nexts(self) -> list[tuple[str, str]]:
        """What the next card may do, each with its words."""
        waiting = [pair[0] for pair in self.pairs if len(pair) == 1 and pair[0] in self.pack]
        return [("", _("attacks")), *((one, _("beats %(card)s", card=_face(one))) for one in waiting)]

    @property
    def next(self) -> str:
        """What the next card does most likely: beat the first that waits."""
        return self.nexts[:2][-1][0]

    @property
    def lines(self) -> list[tuple[str, list[str]]]:
        """What lies there, to be seen: no words, the cards of each pair."""
        return [("", [card for card in pair if card in self.pack]) for pair in self.pairs]

    def told(self) -> list[tuple[str, Any]]:
        found: list[tuple[str, Any]] = []
        for _words, cards in self.lines:
            found += [("line", "")] if found else []
            found += [("cards", cards[:1])] if cards else []
            found += [("text", _("beaten by")), ("cards", cards[1:])] if cards[1:] else []
        return found


class Steps(Cards):
    """What was played in a bout, in order."""

    widget = "steps"

    @property
    def entries(self) -> list[str]:
        """The steps as they stand in an address, those told field by field (`steps.0.card`) first."""
        return [*self._rows(), *self.typed]

    def _rows(self) -> list[str]:
        found: dict[int, dict[str, str]] = {}
        for key in self.form.typed:
            at = re.fullmatch(rf"{re.escape(self.name)}\.(\d{{1,2}})\.(seat|card|beats|pick_up)", key)
            if at:
                found.setdefault(int(at[1]), {})[at[2]] = self.form.typed.get(key, "")
        told = []
        for _n, step in sorted(found.items()):
            step["pick_up"] = PICK_UP if step.get("pick_up") == "yes" else ""
            told.append(" ".join(step.get(key, "") for key in ("seat", "card", "beats", "pick_up")))
        return [" ".join(one.split()) for one in told if one.strip()]

    def value(self) -> Any:
        return [_step(one) for one in self.entries]

    @property
    def cards(self) -> list[str]:
        return [step["card"] for step in self.value() if step.get("card") in self.pack]

    def whereabouts(self, path: str) -> str:
        at = re.match(rf"{re.escape(self.name)}\[(\d+)\]", path)
        return _("Step %(number)s.", number=int(at[1]) + 1) + " " if at else ""

    @property
    def attacker(self) -> str:
        """The principal attacker, if the form knows."""
        return self._role(ATTACKER)

    @property
    def defender(self) -> str:
        """The defender, if the form knows."""
        return self._role(DEFENDER)

    def _role(self, key: str) -> str:
        told = self.form.typed.get(key, "")
        return told if told in self.form.ring.seats else ""

    @property
    def ready(self) -> bool:
        """Whether it is known who attacks whom."""
        return bool(self.attacker and self.defender and self.attacker != self.defender)

    @property
    def picked_up(self) -> bool:
        """Whether the defender picks up."""
        return any(step.get("pick_up") for step in self.value())

    @property
    def attacks(self) -> list[dict[str, Any]]:
        """The steps that attack."""
        return [step for step in self.value() if "card" in step and "beats" not in step]

    @property
    def waiting(self) -> list[str]:
        """The attack cards that wait to be beaten."""
        beaten = {step["beats"] for step in self.value() if "beats" in step}
        told = [step["card"] for step in self.attacks]
        return [card for card in told if card in self.pack and card not in beaten]

    @property
    def nexts(self) -> list[tuple[str, str]]:
        """Who may play the next card, and against which, each with the words for it."""
        out, called = self.form.typed.getlist("out"), self.form.called
        around = self.form.ring.around(self.attacker)[1:]
        others = [seat for seat in around if seat != self.defender and seat not in out]
        attacks = [(ATTACKER, self.attacker), *((seat, seat) for seat in others)]
        found = [(value, _("%(name)s attacks", name=called(seat))) for value, seat in attacks]
        waiting = [] if self.picked_up else self.waiting
        name = called(self.defender)
        beats = [
            (f"{DEFENDER} {one}", _("%(name)s beats %(card)s", name=name, card=_face(one))) for one in waiting
        ]
        return [*beats, *found]

    @property
    def next(self) -> str:
        """What comes most likely: the first that waits is beaten, or who attacked last goes on."""
        offered = [value for value, _words in self.nexts]
        if offered[0].startswith(DEFENDER):
            return offered[0]
        last = self.attacks[-1]["seat"] if self.attacks else ""
        return last if last in offered else ATTACKER

    @property
    def lines(self) -> list[tuple[str, list[str]]]:
        """The steps, to be seen: words, and the cards that go with them."""
        return [(self._doing(step), self._shown(step)) for step in self.value()]

    def _doing(self, step: dict[str, Any]) -> str:
        name = self.form.called(step["seat"])
        return _("%(name)s picks up", name=name) if step.get("pick_up") else name

    def _shown(self, step: dict[str, Any]) -> list[str]:
        return [step[key] for key in ("card", "beats") if step.get(key) in self.pack]

    def said(self, n: int) -> str:
        """A step in words, by its number from 1."""
        step = self.value()[n - 1]
        if "beats" in step:
            told = {"card": _face(step["card"]), "beaten": _face(step["beats"])}
            return _("%(name)s beats %(beaten)s with %(card)s", name=self._doing(step), **told)
        if "card" in step:
            return _("%(name)s attacks with %(card)s", name=self._doing(step), card=_face(step["card"]))
        return self._doing(step)

    def told(self) -> list[tuple[str, Any]]:
        found: list[tuple[str, Any]] = []
        for words, cards in self.lines:
            found += [("line", "")] if found else []
            found += [("text", words), *([("cards", cards[:1])] if cards else [])]
            found += [("text", _("beats")), ("cards", cards[1:])] if cards[1:] else []
        return found


def _step(text: str) -> dict[str, Any]:
    """A step as JSON."""
    seat, *rest = text.split()
    if rest == [PICK_UP]:
        return {"seat": seat, "pick_up": True}
    told = {"card": " ".join(rest[:1]), "beats": " ".join(rest[1:])}
    return {"seat": seat} | {key: one.upper() for key, one in told.items() if one}


def _face(card: str) -> str:
    try:
        return parse_card(card).face
    except ValueError:
        return card


def lay(given: MultiDict[str, str], name: str, card: str) -> None:
    """Put a card on the table: as an attack, or upon the attack card that is to be beaten."""
    table, onto = given.getlist(name), "".join(given.poplist(f"next.{name}")[:1])
    if onto and onto in table:
        table[table.index(onto)] = f"{onto} {card}"
        given.setlist(name, table)
    else:
        given.add(name, card)


def play(given: MultiDict[str, str], name: str, told: str) -> None:
    """One more step: a card by whoever plays next, or a step told whole."""
    chosen = "".join(given.poplist(f"next.{name}")[:1]) or ATTACKER
    who, _blank, what = (told if " " in told else f"{chosen.partition(' ')[0]} {told}").partition(" ")
    onto = "" if " " in told else chosen.partition(" ")[2]
    seat = given.get(who, "") if who in (ATTACKER, DEFENDER) else who
    if seat and what:
        given.add(name, f"{seat} {what} {onto}".strip())


def take_back(given: MultiDict[str, str], name: str) -> None:
    """Take the last card back: what beat another on the table leaves that one there."""
    there = given.poplist(name)
    last = there.pop().split() if there else []
    pair = len(last) == 2 and len(last[0]) > 1  # two cards, not a player with one
    for one in [*there, *(last[:1] if pair else [])]:
        given.add(name, one)
