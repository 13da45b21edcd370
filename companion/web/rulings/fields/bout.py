"""The cards of a bout: those on the table, and those played in order.

In an address a pair on the table is an attack card and the card that beat it (`table=7S 10S`). A step is its
player with a card, and the card this beats (`steps=A 7S`, `steps=B 10S 7S`, `steps=B pick-up`); a transfer
adds whether its card is laid, or only shown (`steps=B 7D transfer`, `steps=B 7H show`); cards laid at once
follow one another (`steps=B 7D transfer`, `steps=B 7C transfer`), and so do attack cards that the defender
gives back because there are too many (`steps=B 9D back`). If an attack was passed on and its cards are
unknown, each transfer has its number: `transfers.0.by=B`, perhaps `transfers.0.card=7D` and
`transfers.0.shown=yes`; who may transfer follows from who attacked whom, so a tap is enough for each.
"""

import re
from collections.abc import Collection, Mapping
from typing import NamedTuple

from flask_babel import gettext as _
from flask_babel import pgettext

from companion.library.kinds import Roles, attack_limit
from companion.rules.cards import parse_card
from companion.rules.errors import Unreadable
from companion.rules.message import show_card
from companion.web.forms.values import ABSENT, Absence, Fact
from companion.web.shell.text import translate

from .base import Address, FactField, Piece, find_rows, join_lines
from .cards import CardsField

ATTACKER, DEFENDER, PICK_UP = "attacker", "defender", "pick-up"
"""The players of the next card, by the fields that name them, and the step of taking the cards."""
TRANSFER, SHOW = "transfer", "show"
"""The words of a step that passes the attack on: with a card that is laid, or only shown."""
BACK = "back"
"""The word of a step that gives an attack card back."""
ONLY_PLAYED = 3
"""The most cards of a rank laid to transfer, as one of the four has attacked; one more may be shown."""


class TableCardsField(CardsField):
    """The cards on the table: each attack card, and the card that beat it."""

    macro = "laid"

    @property
    def pairs(self) -> list[list[str]]:
        """Each attack card, alone or with the card that beat it."""
        return [text.upper().split() for text in self.texts]

    @property
    def entries(self) -> list[str]:
        """The pairs as written in an address."""
        return [" ".join(pair) for pair in self.pairs]

    @property
    def cards(self) -> list[str]:
        return [card for pair in self.pairs for card in pair if card in self.context.cards]

    @property
    def fact(self) -> Fact | Absence:
        return [list[Fact](pair) for pair in self.pairs]

    @property
    def moves(self) -> list[tuple[str, str]]:
        """The moves for the next card, with their words: to attack, or to beat one that waits."""
        waiting = [pair[0] for pair in self.pairs if len(pair) == 1 and pair[0] in self.context.cards]
        beats = [(card, _("beats %(card)s", card=_face(card))) for card in waiting]
        return [("", pgettext("of a card", "attacks")), *beats]

    @property
    def likely_move(self) -> str:
        """The likeliest move: to beat the first card that waits, unless it is probably not beaten yet."""
        return self.moves[0][0] if self.place.waiting else self.moves[:2][-1][0]

    @property
    def lines(self) -> list[tuple[str, list[str]]]:
        """The pairs, without words."""
        return [("", [card for card in pair if card in self.context.cards]) for pair in self.pairs]

    def describe(self) -> list[Piece]:
        return join_lines(_describe_line("", cards, _("beaten by")) for _words, cards in self.lines)


class StepText(NamedTuple):
    """A step as read from an address: player, card, the card it beats, a transfer, or picking up.

    `back` says that the defender gives the card back.
    """

    seat: str
    card: str = ""
    beats: str = ""
    pick_up: bool = False
    transfer: bool = False
    shown: bool = False
    back: bool = False
    more: tuple[str, ...] = ()
    """Cards laid to transfer, or given back, at once with the first."""

    @property
    def cards(self) -> tuple[str, ...]:
        """The cards of the step without the one it beats."""
        return (self.card, *self.more) if self.card else ()


class StepsField(CardsField):
    """The steps of a bout, in order."""

    macro = "steps"
    ready = False
    """True if enough is known to add a card."""
    attacker = defender = ""
    """The principal attacker and the defender, if the form names them."""
    out: tuple[str, ...] = ()
    """The players without cards."""
    trump = ""
    """The suit of trumps, if the form names it."""
    held: Mapping[str, int] = {}
    """The number of cards of each player when the bout began, as far as the form says so."""
    is_first = none_beaten_off = False
    """True if the form says so of the bout."""

    def read(self, address: Address) -> None:
        """Read the address, steps given field by field (`steps.0.card`) first."""
        texts = []
        for row in _parse_rows(address, self.name, (*StepText._fields, "returns")):
            if returned := row.get("returns", "").split():
                texts += [f"{row.get('seat', '')} {card} {BACK}" for card in returned]
                continue
            passed_on = TRANSFER if row.get("transfer") == "yes" else ""
            passed_on = SHOW if row.get("shown") == "yes" else passed_on
            pick_up = PICK_UP if row.get("pick_up") == "yes" else ""
            for card in row.get("card", "").split() or [""]:
                texts.append(" ".join([row.get("seat", ""), card, row.get("beats", ""), passed_on, pick_up]))
        self.texts = [*(" ".join(text.split()) for text in texts if text.strip()), *self.texts]

    def connect(self, facts: Mapping[str, Fact]) -> None:
        """Note who attacks whom, who is out, and what is trumps."""
        attacker, defender, out = facts.get(ATTACKER), facts.get(DEFENDER), facts.get("out")
        seats = self.context.ring.seats
        self.attacker = next((seat for seat in seats if seat == attacker), "")
        self.defender = next((seat for seat in seats if seat == defender), "")
        self.ready = bool(self.attacker and self.defender and self.attacker != self.defender)
        self.out = tuple(map(str, out)) if isinstance(out, list) else ()
        self.trump = str(facts.get("trump", ""))
        cards = facts.get("cards")
        held = cards.items() if isinstance(cards, dict) else ()
        counts = {seat: len(hand) if isinstance(hand, list) else hand for seat, hand in held}
        self.held = {seat: count for seat, count in counts.items() if isinstance(count, int)}
        self.is_first = facts.get("first_bout") is True
        self.none_beaten_off = facts.get("none_beaten_off") is True

    @property
    def steps(self) -> list[StepText]:
        """The steps, in order; cards laid to transfer, or given back, one after another are one step."""
        steps = list[StepText]()
        for step in map(_parse_step, self.texts):
            last = steps[-1] if steps else StepText("")
            goes_with_it = step.transfer and not step.shown and self._is_extended_by(last, step.seat)
            if goes_with_it or (step.back and last.back and step.seat == last.seat):
                steps[-1] = steps[-1]._replace(more=(*steps[-1].more, step.card))
            else:
                steps.append(step)
        return steps

    def _is_extended_by(self, last: StepText, seat: str) -> bool:
        """True if the player who transferred in the last step may lay another card with it."""
        placed = last.transfer and not last.shown and last.seat == seat
        return placed and self.context.family_rules.transfers_several()

    @property
    def entries(self) -> list[str]:
        """The steps as written in an address."""
        return self.texts

    @property
    def fact(self) -> Fact | Absence:
        return [_state_facts(step) for step in self.steps]

    @property
    def cards(self) -> list[str]:
        """The cards of the pack that were played; one that was only shown may still be."""
        placed = [card for step in self.steps if not step.shown and not step.back for card in step.cards]
        return [card for card in placed if card in self.context.cards and card not in self.returned]

    @property
    def returned(self) -> set[str]:
        """The attack cards that went back and were not given again."""
        cards = set[str]()
        for step in self.steps:
            cards = cards | {*step.cards} if step.back else cards - {*step.cards}
        return cards

    def locate_fault(self, fault: Unreadable) -> str:
        number = _find_number(fault, self.name)
        return _("Step %(number)s.", number=number) + " " if number else ""

    @property
    def picked_up(self) -> bool:
        """True if the defender picks up."""
        return any(step.pick_up for step in self.steps)

    @property
    def attacks(self) -> list[StepText]:
        """The steps that attack, cards laid to transfer among them."""
        attacking = [step for step in self.steps if step.card and not step.beats]
        return [step for step in attacking if not step.shown and not step.back]

    @property
    def attack_cards(self) -> list[str]:
        """The attack cards on the table."""
        cards = (card for step in self.attacks for card in step.cards)
        return [card for card in dict.fromkeys(cards) if card not in self.returned]

    @property
    def waiting(self) -> list[str]:
        """The attack cards that wait to be beaten."""
        beaten = {step.beats for step in self.steps}
        return [card for card in self.attack_cards if card in self.context.cards and card not in beaten]

    @property
    def too_many(self) -> int:
        """The number of attack cards that have to go back; 0 if the defender's number of cards is unknown."""
        attacker, defender = self.roles
        steps, held = self.steps, self.held.get(defender)
        if held is None or not self.waiting:
            return 0
        passes = [n for n, step in enumerate(steps) if step.transfer]
        placed = [
            step for step in steps[: max(passes, default=0)] if step.seat == defender and not step.shown
        ]
        held -= sum(len(step.cards) for step in placed)
        roles = Roles(attacker, defender, first_bout=self.is_first, none_beaten_off=self.none_beaten_off)
        most = attack_limit(self.context.family_rules, roles, held, self.picked_up)
        return max(0, len(self.attack_cards) - most)

    @property
    def roles(self) -> tuple[str, str]:
        """The attacker and the defender now: the last to transfer, and the next player with cards."""
        attacker, defender = self.attacker, self.defender
        for step in self.steps:
            if (step.transfer or step.shown) and step.seat in self.context.ring.seats:
                following = self.context.ring.next_active(step.seat, self.out)
                attacker, defender = step.seat, following or defender
        return attacker, defender

    @property
    def _spelled_roles(self) -> tuple[str, str]:
        """The two roles as a button names them: by the form's fields, until the attack was transferred."""
        has_passed = any(step.transfer or step.shown for step in self.steps)
        return self.roles if has_passed else (ATTACKER, DEFENDER)

    @property
    def moves(self) -> list[tuple[str, str]]:
        """The moves for the next card, with their words: who may play it, and against which card."""
        (attacker, defender), (attacks, defends) = self.roles, self._spelled_roles
        around = self.context.ring.around(attacker)[1:]
        others = [seat for seat in around if seat != defender and seat not in self.out]
        attackers = [(attacks, attacker), *((seat, seat) for seat in others)]
        name, waiting = (
            self.context.name_of(defender),
            [] if self.picked_up or self.too_many else self.waiting,
        )
        return [
            *(
                (f"{defends} {card}", _("%(name)s beats %(card)s", name=name, card=_face(card)))
                for card in waiting
            ),
            *([(f"{defends} {TRANSFER}", _("%(name)s transfers", name=name))] if self._may_transfer else []),
            *self._moves_of_same_transfer,
            *((value, _("%(name)s attacks", name=self.context.name_of(seat))) for value, seat in attackers),
        ]

    @property
    def _may_transfer(self) -> bool:
        """True if the attack may be passed on now, as far as the table plays that."""
        beaten = any(step.beats for step in self.steps)
        transfers = self.context.family_rules.transfers_attacks()
        return transfers and not self.picked_up and not beaten and bool(self.waiting) and not self.too_many

    @property
    def _moves_of_same_transfer(self) -> list[tuple[str, str]]:
        """The move of one more card laid with the last, if several may transfer at once."""
        last = self.steps[-1:]
        if not last or not self._is_extended_by(last[0], last[0].seat):
            return []
        name = self.context.name_of(last[0].seat)
        return [(f"{last[0].seat} {TRANSFER}", _("%(name)s adds another card to it", name=name))]

    @property
    def instead(self) -> list[tuple[str, str]]:
        """The defender's steps without laying a card, with their words.

        These are to show a trump, to pick up, or to give back one of too many cards.
        """
        (_attacker, defender), (_attacks, defends) = self.roles, self._spelled_roles
        name, actions = self.context.name_of(defender), []
        if self.too_many:
            give = [
                (card, _("%(name)s gives %(card)s back", name=name, card=_face(card)))
                for card in self.waiting
            ]
            return [(f"{defends} {card} {BACK}", words) for card, words in give]
        if self.picked_up:
            return []
        if self.context.family_rules.shows_trumps() and self._may_transfer:
            card = self.waiting[0][:-1] + self.trump
            is_shown = any(step.shown for step in self.steps)
            if card in self.context.cards and card not in self.cards and not is_shown:
                words = _("%(name)s shows %(card)s", name=name, card=_face(card))
                actions.append((f"{defends} {card} {SHOW}", words))
        return [*actions, (f"{defends} {PICK_UP}", _("%(name)s picks up", name=name))]

    @property
    def likely_move(self) -> str:
        """The likeliest move: the first card that waits is beaten, or the last attacker goes on."""
        values = [value for value, _words in self.moves]
        if self.waiting and not self.picked_up:
            return values[0]
        last = self.attacks[-1].seat if self.attacks else ""
        return last if last in values else values[0]

    @property
    def lines(self) -> list[tuple[str, list[str]]]:
        """The player and the cards of each step."""
        pack = self.context.cards
        return [
            (self._phrase_player(step), [card for card in (step.card, step.beats) if card in pack])
            for step in map(_parse_step, self.texts)
        ]

    def _phrase_player(self, step: StepText) -> str:
        name = self.context.name_of(step.seat)
        if step.pick_up:
            return _("%(name)s picks up", name=name)
        if step.back:
            return _("%(name)s gives back", name=name)
        if step.shown:
            return _("%(name)s shows", name=name)
        return _("%(name)s transfers", name=name) if step.transfer else name

    def phrase_step(self, number: int) -> str:
        """A step in words, by its number from 1."""
        step = self.steps[number - 1]
        name = self.context.name_of(step.seat)
        if step.shown:
            return _("%(name)s shows %(card)s", name=name, card=_face(step.card))
        several = ", ".join(map(_face, step.cards))
        if step.transfer:
            return _("%(name)s transfers with %(card)s", name=name, card=several)
        if step.back:
            return _("%(name)s gives %(card)s back", name=name, card=several)
        if step.beats:
            cards = {"card": _face(step.card), "beaten": _face(step.beats)}
            return _("%(name)s beats %(beaten)s with %(card)s", name=name, **cards)
        if step.card:
            return _("%(name)s attacks with %(card)s", name=name, card=_face(step.card))
        return self._phrase_player(step)

    def describe(self) -> list[Piece]:
        return join_lines(_describe_line(words, cards, _("beats")) for words, cards in self.lines)


class TransferText(NamedTuple):
    """A transfer as it is read from an address."""

    by: str
    card: str
    shown: bool


class TransfersField(FactField):
    """The transfers of a bout, in order."""

    macro = "transfers"
    rows: tuple[TransferText, ...] = ()
    candidates: tuple[str, ...] = ()
    """The players who may have transferred next: the defender then, after those who are out by now."""

    def read(self, address: Address) -> None:
        self.rows = tuple(
            TransferText(row.get("by", ""), row.get("card", "").upper(), row.get("shown") == "yes")
            for row in _parse_rows(address, self.name, TransferText._fields)
        )

    @property
    def fact(self) -> Fact | Absence:
        return [_state_facts(row) for row in self.rows] or ABSENT

    def connect(self, facts: Mapping[str, Fact]) -> None:
        """Note who may have transferred next."""
        ring, defender, out = self.context.ring, facts.get("defender"), facts.get("out")
        if facts.get("attacker") not in ring.seats or defender not in ring.seats:
            return
        if not self.rows:
            self.candidates = (str(defender),)
            return
        gone = [str(seat) for seat in out] if isinstance(out, list) else []
        last = self.rows[-1].by
        around = ring.around(last)[1:] if last in ring.seats else ()
        staying = next((n for n, seat in enumerate(around) if seat not in gone), len(around))
        self.candidates = tuple(around[: staying + 1])

    @property
    def has_room(self) -> bool:
        """True if one more transfer is possible."""
        return bool(len(self.rows) < ONLY_PLAYED + self.context.family_rules.shows_trumps())

    @property
    def lines(self) -> list[tuple[str, list[str]]]:
        """The transfers for display: words, and the card if it is known."""
        pack = self.context.cards
        return [(self._phrase(row), [card for card in row.card.split() if card in pack]) for row in self.rows]

    def _phrase(self, row: TransferText) -> str:
        name = self.context.name_of(row.by)
        return _("%(name)s shows", name=name) if row.shown else _("%(name)s transfers", name=name)

    def locate_fault(self, fault: Unreadable) -> str:
        number = _find_number(fault, self.name)
        return _("No. %(number)s", number=number) + ": " if number else ""

    def describe(self) -> list[Piece]:
        return join_lines(_describe_line(words, cards) for words, cards in self.lines)


def _parse_rows(address: Address, name: str, keys: Collection[str]) -> list[dict[str, str]]:
    """The rows of a field whose parts have names of their own (`transfers.0.by`), in order."""
    rows = (
        {part: " ".join(address.getlist(key)).strip() for part, key in row.items() if part in keys}
        for row in find_rows(address, name).values()
    )
    return [row for row in rows if row]


def _find_number(fault: Unreadable, name: str) -> int | None:
    """The number, from 1, of the faulty item of a list; None for other faults."""
    at = re.match(rf"{re.escape(name)}\[(\d+)\]", fault.path)
    return int(at[1]) + 1 if at else None


def _state_facts(move: StepText | TransferText) -> Fact:
    """A step or a transfer as JSON, without what it leaves out."""
    facts = {key: fact for key, fact in move._asdict().items() if fact}
    cards = [*str(facts.get("card", "")).split(), *facts.pop("more", ())]
    if facts.pop("back", False):
        return {"seat": move.seat, "returns": cards} if isinstance(move, StepText) else facts
    return {**facts, "card": cards} if cards[1:] else facts


def _parse_step(text: str) -> StepText:
    seat, *rest = text.split()
    if rest == [PICK_UP]:
        return StepText(seat, pick_up=True)
    card, words = "".join(rest[:1]).upper(), rest[1:]
    if words == [BACK]:
        return StepText(seat, card, back=True)
    if words in ([TRANSFER], [SHOW]):
        return StepText(seat, card, transfer=True, shown=words == [SHOW])
    return StepText(seat, card, " ".join(words).upper())


def _face(card: str) -> str:
    try:
        return show_card(parse_card(card), translate)
    except ValueError:
        return card


def _describe_line(words: str, cards: list[str], between: str = "") -> list[Piece]:
    """Describe a line: words, a card, and the one that beat it or is beaten by it."""
    pieces: list[Piece] = [("text", words)] if words else []
    pieces += [("cards", cards[:1])] if cards else []
    return pieces + ([("text", between), ("cards", cards[1:])] if cards[1:] else [])
