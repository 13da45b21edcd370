"""Rulings on the same facts at tables that differ in one convention, and rulings that take long."""

import pickle
from collections.abc import Hashable, Iterator, Mapping
from contextlib import suppress
from dataclasses import Field, dataclass, fields, replace
from functools import cached_property, lru_cache
from typing import Any, ClassVar, Generic, Protocol, TypeVar, cast

from companion.rules.conditions import Value
from companion.rules.errors import Unreadable
from companion.rules.game import AnyFamily
from companion.rules.ruling import Ruling
from companion.rules.schema import Boolean, fields_of, parse
from companion.rules.schema import Field as Place

from . import Game, reopen_game, seatings

V = TypeVar("V")


class WatchedOptions(Mapping[str, V], Generic[V]):
    """Options that record the names that were read.

    Names stay in `names_read`, as a function of the family may cache its results and not read them again.
    """

    def __init__(self, options: Mapping[str, V]) -> None:
        self._options = options
        self.names_read: set[str] = set()

    def __getitem__(self, name: str) -> V:
        self.names_read.add(name)
        return self._options[name]

    def __iter__(self) -> Iterator[str]:
        self.names_read.update(self._options)
        return iter(self._options)

    def __len__(self) -> int:
        self.names_read.update(self._options)
        return len(self._options)


class HasOptions(Protocol):
    """A rule set: a dataclass with options by name; tables with the same options share the other fields."""

    __dataclass_fields__: ClassVar[dict[str, Field[object]]]

    @property
    def options(self) -> Mapping[str, object]:
        """The game's fixed procedures and the table's conventions, by name."""


R = TypeVar("R", bound=HasOptions)


def watch_options(ruleset: R) -> tuple[R, WatchedOptions[object]]:
    """Copy the rule set with options that record which of them are read from now on."""
    options = WatchedOptions(ruleset.options)
    return replace(ruleset, options=options), options


def may_differ(ruleset: HasOptions, other: HasOptions, names_read: frozenset[str]) -> bool:
    """True if the other rule set may give another answer than the one for which these options were read.

    :param names_read: the options that were read for the answer under the first.
    """
    if any(
        getattr(ruleset, field.name) != getattr(other, field.name)
        for field in fields(ruleset)
        if field.name not in ("options", "book")  # the same rules, with the texts of another table
    ):
        return True
    absent = object()
    return any(ruleset.options.get(name, absent) != other.options.get(name, absent) for name in names_read)


OtherRulings = Mapping[tuple[str, Value], Ruling | Unreadable]
"""The rulings of tables with another value of a convention, or the reason why they have none."""


@dataclass(frozen=True)
class JudgedQuestion:
    """The ruling of one table, with the data for asking other tables.

    `facts` are the parsed facts that were judged, `request` the same facts as JSON, `options_read` the
    options of the rule set on which the ruling may depend, `other_rulings` the other tables' rulings if all
    of them were asked already.
    """

    game: Game
    ruling: Ruling
    facts: object
    request: Mapping[str, Any]
    options_read: frozenset[str]
    other_rulings: OtherRulings | None = None

    def list_other_values(self) -> Iterator[tuple[str, Value]]:
        """List every convention that a table like this may choose, with each value but this table's."""
        game = self.game
        ways = seatings(game.name, game.rules)
        seated = ways[0].conventions if len(ways) > 1 else {}
        for name, convention in game.book.conventions.items():
            if name in seated or convention.is_text:
                continue
            here = game.conventions[name]
            for value in convention.texts_for(game.players):
                if value is not here and value != here:
                    yield name, value

    def rule_otherwise(self, name: str, value: Value) -> Ruling:
        """The ruling of a table with another value of one convention and the same others.

        :raises Unreadable: if such a table does not exist, does not know the question or cannot read the
            facts.
        :raises MissingFact: if its answer depends on more facts.
        """
        if self.other_rulings is not None:
            stated = self.other_rulings[name, value]
            if isinstance(stated, Unreadable):
                raise stated
            return stated
        other = self._open_other(name, value)
        here, there = self.game.family.ruleset, other.family.ruleset
        if not may_differ(here, there, self.options_read):
            rules = tuple(other.book.rules[rule.id] for rule in self.ruling.rules)
            return replace(self.ruling, rules=rules)
        if here.table == there.table:  # parsing depends only on the seats and cards
            return other.family.judge(self.ruling.question, self.facts)
        return self._rule(other, {})

    def rule_if(self, name: str, value: Value) -> Iterator[tuple[str, Ruling]]:
        """The rulings of such a table if a fact held that was not asked for here.

        For each omitted fact (yes or no) that matters at that table only and would change its ruling, the key
        and that ruling. Empty if other tables were asked in advance.

        :raises Unreadable: if no such table exists.
        """
        if self.other_rulings is not None or not self._left_out:
            return
        other = self._open_other(name, value)
        idle = other.family.irrelevant_facts(self.ruling.question)
        for place in self._left_out:
            if place.key in idle:
                continue
            with suppress(Unreadable):
                ruling = self._rule(other, {place.key: True})
                if ruling.verdict != self._rule(other, {}).verdict:
                    yield place.key, ruling

    def rule_unasked(self, name: str, value: Value) -> Ruling:
        """The ruling of such a table where some of the stated facts would not have been asked for.

        It leaves out facts that follow from others and matter only here, such as the lot's choice where no
        lot is cast.

        :raises Unreadable: like `rule_otherwise`, also if no fact can be left out.
        """
        other, question = self._open_other(name, value), self.ruling.question
        follows = {place.key for place in self._places if place.where}
        unasked = other.family.irrelevant_facts(question) & follows & self.request.keys()
        if not unasked:
            return self.rule_otherwise(name, value)
        return self._rule(other, {}, unasked)

    @property
    def _places(self) -> tuple[Place, ...]:
        return fields_of(self.game.family.questions[self.ruling.question].shape)

    @cached_property
    def _left_out(self) -> list[Place]:
        """The facts (yes or no) that matter at other tables only and were left out."""
        idle = self.game.family.irrelevant_facts(self.ruling.question)
        return [
            place
            for place in self._places
            if place.kind == Boolean() and place.key in idle and place.key not in self.request
        ]

    def _open_other(self, name: str, value: Value) -> Game:
        chosen = {**self.game.conventions, name: value}
        for convention in self.game.book.conventions.values():
            convention.check_needs(chosen, "")
        return reopen_game(self.game.name, self.game.preset, chosen, self.game.players, self.game.rules)

    def _rule(self, other: Game, more: Mapping[str, Any], without: frozenset[str] = frozenset()) -> Ruling:
        players = {} if other.players is None else {"players": other.players}
        stated = {key: fact for key, fact in self.request.items() if key not in without}
        return other.family.rule({"question": self.ruling.question, **players, **stated, **more})


def judge_question(game: Game, question: str, facts: object, request: Mapping[str, Any]) -> JudgedQuestion:
    """Rule on the parsed facts of a question, which `request` holds as JSON.

    :raises Unreadable: if the game does not know the question, or the facts contradict each other.
    """
    family, options = _watched(cast(Hashable, game.family), question)
    ruling = family.judge(question, facts)
    return JudgedQuestion(game, ruling, facts, request, frozenset(options.names_read))


@lru_cache(maxsize=64)
def _watched(family: Hashable, question: str) -> tuple[AnyFamily, WatchedOptions[object]]:
    """Watch the options of the family, with a rule set of its own for each question."""
    game = cast(AnyFamily, family)
    ruleset, options = watch_options(game.ruleset)
    return replace(game, ruleset=ruleset), options


@dataclass(frozen=True)
class HeavyRuling:
    """A ruling or its refusal; and those of other tables, if they were asked."""

    ruling: Ruling | Unreadable
    options_read: frozenset[str] = frozenset()
    other_rulings: OtherRulings | None = None

    def get_ruling(self) -> Ruling:
        """Return the ruling.

        :raises Unreadable: if the request was refused.
        """
        if isinstance(self.ruling, Unreadable):
            raise self.ruling
        return self.ruling


def is_heavy(game: Game, request: Mapping[str, Any]) -> bool:
    """True if ruling on a request may take long; unreadable ones are refused at once."""
    question = game.family.questions.get(str(request.get("question")))
    if question is None:
        return False
    facts = {key: value for key, value in request.items() if key != "question"}
    try:
        return question.heavy(parse(question.shape, facts, "", game.family.ruleset.table))
    except Unreadable:
        return False


def judge_everywhere(
    name: str,
    preset: str,
    conventions: Mapping[str, Value],
    players: int | None,
    rules: str,
    request: Mapping[str, Any],
    everywhere: bool,
) -> bytes:
    """A pickled `HeavyRuling`: on a request, and with `everywhere` also with one other convention each."""
    game = reopen_game(name, preset, conventions, players, rules)
    try:
        return pickle.dumps(_judge(game, request, everywhere))
    except Unreadable as fault:
        return pickle.dumps(HeavyRuling(fault))


def _judge(game: Game, request: Mapping[str, Any], everywhere: bool) -> HeavyRuling:
    if not everywhere:
        return HeavyRuling(game.family.rule(request))
    asked = {key: value for key, value in request.items() if key != "question"}
    question = game.family.questions[request["question"]]
    judged = judge_question(
        game, question.name, parse(question.shape, asked, "", game.family.ruleset.table), asked
    )
    other_rulings: dict[tuple[str, Value], Ruling | Unreadable] = {}
    for convention, value in judged.list_other_values():
        try:
            other_rulings[convention, value] = judged.rule_otherwise(convention, value)
        except Unreadable as fault:
            other_rulings[convention, value] = fault
    return HeavyRuling(judged.ruling, judged.options_read, other_rulings)
