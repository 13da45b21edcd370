"""Rulings on the same facts at tables that differ in one convention, and rulings that take long."""

import pickle
from collections.abc import Hashable, Iterator, Mapping
from contextlib import suppress
from dataclasses import Field, dataclass, fields, replace
from functools import cached_property, lru_cache
from typing import Any, ClassVar, Generic, Protocol, TypeVar, cast

from companion.rules.errors import Unreadable
from companion.rules.game import AnyFamily
from companion.rules.rulebook import Value
from companion.rules.ruling import Ruling
from companion.rules.schema import Boolean, fields_of, parse
from companion.rules.schema import Field as Place

from . import Game, reopen_game, seatings

V = TypeVar("V")


class WatchedOptions(Mapping[str, V], Generic[V]):
    """Options that remember the names by which they were asked, since they were made.

    What has once been read stays in `names_read`: a function of the family may remember its results, and
    then does not ask again.
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
    """A rule set: a dataclass with options by name, whose other fields are the same for all who choose so."""

    __dataclass_fields__: ClassVar[dict[str, Field[object]]]

    @property
    def options(self) -> Mapping[str, object]:
        """The game's fixed procedures and the table's conventions, by name."""


R = TypeVar("R", bound=HasOptions)


def watch_options(ruleset: R) -> tuple[R, WatchedOptions[object]]:
    """The rule set once more, and its options, which remember what is read of them from now on."""
    options = WatchedOptions(ruleset.options)
    return replace(ruleset, options=options), options


def may_differ(ruleset: HasOptions, other: HasOptions, names_read: frozenset[str]) -> bool:
    """Whether an answer for which these options were read may be another one under the other rule set.

    :param names_read: the options that were read for the answer under the first of the two.
    """
    if any(
        getattr(ruleset, field.name) != getattr(other, field.name)
        for field in fields(ruleset)
        if field.name != "options"
    ):
        return True
    absent = object()
    return any(ruleset.options.get(name, absent) != other.options.get(name, absent) for name in names_read)


OtherRulings = Mapping[tuple[str, Value], Ruling | Unreadable]
"""What tables would rule that have another value of a convention, or why they cannot be asked."""


@dataclass(frozen=True)
class JudgedQuestion:
    """A ruling of one table, with what asking other tables takes.

    `facts` are the parsed facts that were judged, `request` the same facts as JSON, `options_read` the
    options of the rule set on which the ruling may rest, `elsewhere` the other tables' rulings where all of
    them were asked already.
    """

    game: Game
    ruling: Ruling
    facts: object
    request: Mapping[str, Any]
    options_read: frozenset[str]
    other_rulings: OtherRulings | None = None

    def list_other_values(self) -> Iterator[tuple[str, Value]]:
        """Every convention that a table like this may choose, with each value that this table has not."""
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
        """The ruling of a table that has another value of a convention and all others as this one.

        :raises Unreadable: where such a table cannot be asked this: it does not exist, does not know the
            question or could not read the facts.
        :raises MissingFact: where its answer depends on more facts.
        """
        if self.other_rulings is not None:
            stated = self.other_rulings[name, value]
            if isinstance(stated, Unreadable):
                raise stated
            return stated
        other = self._open_other(name, value)
        here, there = self.game.family.ruleset, other.family.ruleset
        if not may_differ(here, there, self.options_read):
            return self.ruling
        if here.table == there.table:  # what seats and cards mean is all that reading depends on
            return other.family.judge(self.ruling.question, self.facts)
        return self._rule(other, {})

    def rule_if(self, name: str, value: Value) -> Iterator[tuple[str, Ruling]]:
        """What such a table would rule if something were so that nobody was asked for here.

        Each time the key of a fact (yes or no) that matters at that table only, was left out, and makes for
        another ruling there, with that ruling. Where other tables were asked in advance, nothing.

        :raises Unreadable: where there is no such table.
        """
        if self.other_rulings is not None:
            return
        if not self._left_out:
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
        """What such a table would rule that would not have asked for all that was stated.

        Left out is what only follows from other facts and matters here: whom the lot chose, where no lot is
        cast.

        :raises Unreadable: like `rule_otherwise`, also where nothing can be left out.
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
        return reopen_game(self.game.name, self.game.preset, chosen, self.game.players, self.game.rules)

    def _rule(self, other: Game, more: Mapping[str, Any], without: frozenset[str] = frozenset()) -> Ruling:
        players = {} if other.players is None else {"players": other.players}
        stated = {key: fact for key, fact in self.request.items() if key not in without}
        return other.family.rule({"question": self.ruling.question, **players, **stated, **more})


def judge_question(game: Game, question: str, facts: object, request: Mapping[str, Any]) -> JudgedQuestion:
    """The ruling on the parsed facts of a question, which `request` holds as JSON.

    :raises Unreadable: if the game does not know the question, or the facts contradict each other.
    """
    family, options = _watched(cast(Hashable, game.family), question)
    ruling = family.judge(question, facts)
    return JudgedQuestion(game, ruling, facts, request, frozenset(options.names_read))


@lru_cache(maxsize=64)
def _watched(family: Hashable, question: str) -> tuple[AnyFamily, WatchedOptions[object]]:
    """The family with options that are watched, a rule set of its own for each question."""
    game = cast(AnyFamily, family)
    ruleset, options = watch_options(game.ruleset)
    return replace(game, ruleset=ruleset), options


@dataclass(frozen=True)
class HeavyRuling:
    """A ruling, or what is wrong with what was asked; and those of other tables, where they were asked."""

    ruling: Ruling | Unreadable
    options_read: frozenset[str] = frozenset()
    other_rulings: OtherRulings | None = None

    def get_ruling(self) -> Ruling:
        """The ruling.

        :raises Unreadable: where there is none.
        """
        if isinstance(self.ruling, Unreadable):
            raise self.ruling
        return self.ruling


def is_heavy(game: Game, request: Mapping[str, Any]) -> bool:
    """Whether ruling on a request may take long; not where it cannot be read: that is refused at once."""
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
    """A `HeavyRuling`, pickled: on a request, and `everywhere` else with one other convention."""
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
