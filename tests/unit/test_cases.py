"""The cases: sentences about the games in tests/cases/<game>/*.toml, with what is given and expected.

`given` is a ruling request, or a record (its `entries` and whatever of its head is not the usual; `players`
may be their number), or the cards `drawn` for the first deal. `expect` names a part of the ruling or of the
state (a record of which it names no problems has none); `error` the path at which the input is refused. TOML
has no null: "null" stands for it.
"""

from collections.abc import Iterator
from itertools import groupby
from random import Random
from typing import Any

import pytest
from amending import add_entry
from cases import complaint, own_catalogue
from changing import random_choices
from citing import find_misplaced
from tiers import FOUR_GAMES, is_nightly, mostly_at_night

from companion import library
from companion.cli.cases import Case, OpenGame, document, result
from companion.record import record as records
from companion.rules.ruling import RuleViolation

CATALOGUE = own_catalogue()
FEW_CHILDREN = {"coinche", "deberts-3"}
"""For these it is found out before a commit what they inherit, by a look at each case of a parent."""
CHILDREN = [game for game in library.names() if "extends" in library.GAMES.entry(game).file.own]


def check(case: Case, open_game: OpenGame = library.open_game) -> str:
    """What is not as the case says; empty where all is."""
    opened = list[library.Game]()

    def note_game(*args: Any) -> library.Game:
        opened.append(open_game(*args))
        return opened[-1]

    found = result(case, note_game)
    if "error" not in found.facts and not {"question", "drawn", "rule"} & {*case.given}:
        _strict_in_front(*records.read_record(document(case, open_game), open_game))
    assert not opened or [*find_misplaced(opened[-1], found.facts)] == []
    assert [text for text in find_sentences(found.facts) if not is_sentence(text)] == []
    return complaint(case, found)


AGREED = "Agreed: "
"""What the players have written themselves need be no sentence."""


def is_sentence(text: str) -> bool:
    """Whether a reason is whole, with all its facts in it."""
    is_whole = text.endswith(".") and "None" not in text and "{" not in text
    return text == "" or text.startswith(AGREED) or is_whole


def find_sentences(value: Any, key: str = "") -> Iterator[str]:
    """Every reason in what a case comes to."""
    match value:
        case dict():
            for name, item in value.items():
                yield from find_sentences(item, name)
        case list():
            for item in value:
                yield from find_sentences(item, key)
        case str() if key in ("why", "reason"):
            yield value


def _strict_in_front(record: records.Record, game: Any) -> None:
    """A new entry is refused exactly where the fold would flag it."""
    so_far = records.Record(record.head)
    for entry in record.entries:
        tried = records.Record(record.head, (*so_far.entries, entry))
        state = records.fold_record(tried, game.family)
        wrong = records.problems_of(state, len(tried.entries))
        assert is_sentence(str(state.rows[-1].why)), entry
        try:
            add_entry(so_far, game.family, entry)
        except RuleViolation as refused:
            assert refused.problems == wrong
        else:
            assert wrong == ()
        so_far = tried


# --- what is cited -------------------------------------------------------------------------------


RULINGS = 5_000 if is_nightly() else 100
LONG = ("count", "audit", "claim")
"""Questions that are searched for long."""


@pytest.mark.slow
@mostly_at_night("game", library.names(), FOUR_GAMES)
def test_whatever_a_table_plays_only_rules_that_apply_are_cited(game: str) -> None:
    """What is asked and recorded in cases, at tables of any choices: each rule once, with its own choices."""
    random, given = Random(game), 0
    cases = [case for case in CATALOGUE.of_game(game) if case.given.get("question") not in LONG]
    opened = list[library.Game]()

    def open_game(name: str, preset: Any, conventions: Any = None, players: Any = None) -> library.Game:
        chosen = {**(conventions or {}), **more} if random.random() < 0.9 else dict(conventions or {})
        opened.append(library.reopen_game(name, preset, chosen, players))
        return opened[-1]

    while given < RULINGS:
        case, more = random.choice(cases), random_choices(random, library.read_rulebook(game))
        try:
            facts = result(case, open_game).facts
        except LookupError:  # nobody can play by all that was drawn
            continue
        if "error" not in facts:
            given += 1
            assert [*find_misplaced(opened[-1], facts)] == [], (str(case), opened[-1].agreed)


FILES = {name: [*cases] for name, cases in groupby(CATALOGUE.cases, lambda case: f"{case.game}/{case.file}")}


@pytest.mark.slow
@pytest.mark.parametrize("file", FILES)
def test_cases(file: str) -> None:
    """Each case comes to what it says, and cites the rules that it shows and none that its table has not."""
    assert [complaint for case in FILES[file] if (complaint := check(case))] == []


def _seated_as_parent(game: str) -> bool:
    parents = [
        parent for parent in library.GAMES.entry(game).file.own["extends"] if parent in library.names()
    ]
    return any(library.seatings(game) == library.seatings(parent) for parent in parents)


@pytest.mark.slow
@mostly_at_night("game", CHILDREN, FEW_CHILDREN)
def test_inherited_cases(game: str) -> None:
    """A parent’s cases come to the same for a child in which all that they ask for is the same."""
    inherited = CATALOGUE.inherited(game)
    print(f"{game}: {len(inherited)} cases inherited")
    asked = [case for case in inherited if "rule" not in case.given and case.given.get("question") != "look"]
    assert bool(asked) == _seated_as_parent(game)  # whatever else is asked, it matters how many play
    assert [complaint for case in inherited if (complaint := check(case))] == []


@pytest.mark.slow
@mostly_at_night("game", CHILDREN, FEW_CHILDREN)
def test_no_case_is_written_twice(game: str) -> None:
    """A child writes only the cases of what differs: none that it inherits anyway."""
    inherited = {
        repr((case.given, case.expect, case.rules, case.shows)) for case in CATALOGUE.inherited(game)
    }
    own = [case for case in CATALOGUE.cases if case.game == game]
    twice = [
        str(case) for case in own if repr((case.given, case.expect, case.rules, case.shows)) in inherited
    ]
    assert twice == []


def test_names_are_sentences_of_their_own() -> None:
    names = [(case.game, case.name) for case in CATALOGUE.cases]
    assert sorted(set(names)) == sorted(names)
    assert [name for _, name in names if not name.endswith(".")] == []


@pytest.mark.slow
@mostly_at_night("game", library.names(), {*library.names()} - {*CHILDREN} | FEW_CHILDREN)
def test_everything_has_a_case(game: str) -> None:
    """Every rule, and no other; every value of a convention, of a number any unusual one; every question."""
    assert CATALOGUE.shown_rules(game) == set(library.read_rulebook(game).rules)
    assert CATALOGUE.values_without_case(game) == []
    assert set(library.open_game(game).family.questions) <= CATALOGUE.asked_questions(game)
