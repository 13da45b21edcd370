"""What a fold begins with, and what it need not read or fold again."""

import re
from dataclasses import replace
from typing import Any

import pytest
from amending import add_entry, amend_entry
from derda import HEAD, RECORD, deal
from histories import withdraw_entry
from hosting import hosted

from companion import library
from companion.record import record as records
from companion.rules.errors import Unreadable
from companion.rules.ruling import RuleViolation
from companion.rules.series import Series


def open_record(*entries: dict[str, Any], **more: Any) -> tuple[records.Record, Any]:
    document = RECORD | {"entries": list(entries)} | more
    record, game = records.read_record(document, library.open_game)
    return record, game.family


class ReadFamily:
    """A family that has already read every entry it will."""

    def __init__(self, family: Any) -> None:
        self._family = family

    def __getattr__(self, name: str) -> Any:
        assert name != "read", "an entry was read again"
        return getattr(self._family, name)


def unreading(family: Any) -> Any:
    return ReadFamily(family)


def test_entries_that_were_read_are_not_read_again() -> None:
    """A fold, and a longer record's, go by what `read_record` read."""
    record, family = open_record(deal(82, 65), deal(80, 60))
    folded = records.fold_record(record, unreading(family))
    assert folded.totals == {"A": 162, "B": 125}
    states = records.list_states(record, unreading(family))
    assert states[-1] == folded
    longer, _states = records.rewrite_record(record, family, states, 2, [deal(75, 65)])
    assert records.fold_record(longer, unreading(family)).totals == {"A": 237, "B": 190}
    assert longer.parsed is not None and longer.parsed.entries is longer.entries
    assert longer == replace(longer, parsed=None) and "parsed" not in repr(longer)
    with pytest.raises(Unreadable, match=r"^entries\[2\]"):
        records.rewrite_record(record, family, states, 2, [{"type": "nothing"}])
    turned, _states = records.rewrite_record(record, unreading(family), states, 0, [2, 1])
    assert turned.entries == (deal(80, 60), deal(82, 65))


def test_a_record_made_by_hand_is_read_when_it_is_folded() -> None:
    """Nobody has read its entries before; the path of one that is no entry is told."""
    _record, family = open_record()
    assert records.fold_record(records.Record(HEAD, (deal(82, 65),)), family).totals == {"A": 82, "B": 65}
    with pytest.raises(Unreadable, match=r"^entries\[1\]\.type: "):
        records.fold_record(records.Record(HEAD, (deal(82, 65), {})), family)


def test_what_is_known_is_not_folded_again() -> None:
    """A new entry is judged by the state that comes with it: there the game was over."""
    record, family = open_record(conventions={"target": 100})
    over = records.fold_record(replace(record, entries=(deal(110, 40),)), family)
    assert add_entry(record, family, deal(82, 65)).entries == (deal(82, 65),)
    with pytest.raises(RuleViolation):
        add_entry(record, family, deal(82, 65), replace(over, rows=Series()))


def test_an_entry_in_the_middle_is_amended_or_withdrawn() -> None:
    record, family = open_record(deal(82, 65), deal(80, 60), deal(70, 70))
    amended = amend_entry(record, family, 2, deal(60, 80))
    assert amended.entries == (deal(82, 65), deal(60, 80), deal(70, 70))
    assert withdraw_entry(record, 2).entries == (deal(82, 65), deal(70, 70))
    with pytest.raises(Unreadable, match=r"^entries\[1\]\.type: "):
        amend_entry(record, family, 2, {})


def test_an_amendment_is_judged_by_what_stands_before_it() -> None:
    record, family = open_record(deal(82, 65), deal(110, 40), conventions={"target": 150})
    assert records.fold_record(record, family).winner == "A"
    assert amend_entry(record, family, 2, deal(62, 85)).entries[1] == deal(62, 85)
    assert amend_entry(record, family, 1, deal(62, 85)).entries[0] == deal(62, 85)


def test_problems_of_one_entry() -> None:
    record, family = open_record(
        deal(82, 65), {**deal(80, 60), "dealer": "B"}, {**deal(80, 60), "dealer": "A"}
    )
    state = records.fold_record(record, family)
    found = [[problem.field for problem in records.problems_of(state, n)] for n in range(4)]
    assert found[1] == []
    assert "entries[1].dealer" in found[2]
    assert all(path.startswith("entries[2]") for path in found[3])


def test_an_entry_that_breaks_a_rule_is_not_added() -> None:
    """All that is wrong with a new entry is said at once, each with its place and its rule."""
    record, family = open_record(deal(82, 65))
    wrong = {**deal(80, 60), "dealer": "B", "turn_up": "9S", "exchanged": "A"}
    with pytest.raises(RuleViolation) as refused:
        add_entry(record, family, wrong)
    assert [(problem.entry, problem.field, problem.rule) for problem in refused.value.problems] == [
        (2, "entries[1].exchanged", "derda.seven.exchange"),
        (2, "entries[1].dealer", "derda.deal.next"),
    ]
    assert "entries[1].dealer: A deals here, not B. (derda.deal.next)" in str(refused.value)


def test_amending_flags_what_later_entries_now_contradict() -> None:
    """An early deal may be put right; a later one that does not fit any more is flagged and kept."""
    record, family = open_record(deal(82, 65), {**deal(80, 60), "dealer": "A"})
    amended = amend_entry(record, family, 1, deal(62, 85))
    state = records.fold_record(amended, family)
    assert [(problem.entry, problem.rule) for problem in state.problems] == [(2, "derda.deal.next")]
    assert state.totals == {"A": 80, "B": 207}
    assert [dict(row.scored) for row in state.rows] == [{"A": 0, "B": 147}, {"A": 80, "B": 60}]


def test_amending_may_end_the_game_early() -> None:
    """Deals after an end that an amendment brought forward are flagged, not lost."""
    record, family = open_record(deal(82, 65), deal(70, 20), conventions={"target": 100})
    amended = amend_entry(record, family, 1, deal(110, 65))
    state = records.fold_record(amended, family)
    assert (state.winner, dict(state.totals)) == ("A", {"A": 110, "B": 65})
    assert [(problem.entry, problem.field) for problem in state.problems] == [(2, "entries[1]")]
    assert withdraw_entry(amended, 2) == records.Record(amended.head, amended.entries[:1])


def test_an_amendment_that_breaks_a_rule_itself_is_refused() -> None:
    record, family = open_record(deal(82, 65), deal(80, 60))
    with pytest.raises(RuleViolation, match="doubtful-count"):
        amend_entry(record, family, 1, deal(300, 60))


def test_a_finished_game_is_mended_by_amending_its_deals() -> None:
    """Nothing can be added to a game that is over, and every deal of it can be put right."""
    record, family = open_record(deal(110, 40), conventions={"target": 100})
    with pytest.raises(RuleViolation, match=r"derda\.end\.target"):
        add_entry(record, family, deal(70, 60))
    mended = amend_entry(record, family, 1, deal(90, 40))
    assert records.fold_record(add_entry(mended, family, deal(70, 60)), family).winner == "A"


EVERYTHING = {"type": "deal", "contract": {"declarer": "A", "trump": "H"}, "count": {"points": {"A": 162}}}
AT_FOUR = {"game": "belote", "players": ["Ewa", "Jan", "Ola", "Piotr"], "first_dealer": "D"}


@pytest.mark.parametrize("rulebook", ["", "1", "1-b75ec94c", "1.x"])
def test_what_was_not_asked_when_a_match_began_is_read_as_it_was_then(rulebook: str) -> None:
    """Nothing said of a trick meant that there was one; a new entry says it, and a corrected one."""
    record, game = records.read_stored(AT_FOUR, [EVERYTHING] * 2, library.open_game, rulebook)
    states = records.list_states(record, game.family)
    assert (states[-1].totals, tuple(states[-1].problems)) == ({"A": 324, "B": 0}, ())
    for n in (1, 3):
        tried = records.try_entry(game.family, n, EVERYTHING, states[n - 1])
        with pytest.raises(RuleViolation) as asked:
            tried.check()
        assert asked.value.problems[0].field == f"entries[{n - 1}].trickless"
    tried = records.try_entry(game.family, 1, EVERYTHING | {"trickless": "B"}, states[0])
    tried.check()
    mended, after = records.rewrite_record(record, game.family, states, 0, [tried.entry, 2], tried)
    assert (after[-1].totals, tuple(after[-1].problems)) == ({"A": 414, "B": 0}, ())
    assert records.fold_record(mended, game.family) == after[-1]


def test_so_are_whole_counts_with_all_melds_told() -> None:
    """What was asked then is asked still: whether 252 with melds unknown is every trick."""
    deal = {"type": "deal", "contract": {"declarer": "A", "trump": "H"}, "totals": {"A": 262, "B": 0}}
    melds = {"runs": [{"seat": "A", "length": 5, "top": "A", "suit": "S"}], "fours": []}
    open_ = {**deal, "totals": {"A": 252, "B": 0}}
    head = {**AT_FOUR, "game": "bela"}
    record, game = records.read_stored(head, [{**deal, **melds}, open_], library.open_game, "1")
    state = records.fold_record(record, game.family)
    assert state.totals == {"A": 262, "B": 0}
    assert [problem.field for problem in state.problems] == ["entries[1].trickless"]


@pytest.mark.parametrize(("rulebook", "totals"), [("1", {"A": 0, "B": 182}), ("2", {"A": 0, "B": 0})])
def test_totals_with_a_belote_of_nobody_are_written_only_where_they_were(
    rulebook: str, totals: dict[str, int]
) -> None:
    deal = {"type": "deal", "contract": {"declarer": "A", "trump": "H"}, "totals": {"A": 90, "B": 92}}
    record, game = records.read_stored(AT_FOUR, [deal], library.open_game, rulebook)
    state = records.fold_record(record, game.family)
    assert (state.totals, [problem.field for problem in state.problems]) == (totals, ["entries[0].bela"])


@pytest.mark.parametrize("rulebook", [None, "2", "12-b75ec94c"])
def test_what_was_asked_when_a_match_began_is_open_where_it_was_left_out(rulebook: str | None) -> None:
    record, game = records.read_stored(AT_FOUR, [EVERYTHING], library.open_game, rulebook)
    state = records.fold_record(record, game.family)
    assert (state.totals, state.problems[0].field) == ({"A": 0, "B": 0}, "entries[0].trickless")


HARBOUR_BELOTE = """
extends = ["belote"]
shelf = 99
game = "harbour"
title = "Harbour belote"
version = "1"
"""


@pytest.mark.parametrize(("is_older", "open"), [(True, 0), (False, 1)])
def test_a_game_of_a_host_asks_as_its_copy_says(is_older: bool, open: int) -> None:
    """The copy is from the beginning of the match, so that its own version says nothing about that."""
    with hosted(HARBOUR_BELOTE):
        copy = library.rules("harbour")
        if is_older:
            copy = re.sub(r"(?m)^asked_since.*\n", "", copy)
        head = {**AT_FOUR, "game": "harbour", "rules": copy}
        record, game = records.read_stored(head, [EVERYTHING], library.open_game, "1-b75ec94c")
        assert len(records.fold_record(record, game.family).problems) == open


@pytest.mark.parametrize(("rulebook", "open"), [("1", 0), ("2", 1), ("", 1)])
def test_a_history_says_by_which_rules_it_began(rulebook: str, open: int) -> None:
    """A record without one, from elsewhere, is read by the rules of today."""
    at = "2026-11-20T19:00:00.000+00:00"
    begin = {"n": 0, "kind": "begin", "at": at, "rulebook": rulebook, "payload": AT_FOUR}
    added = {"n": 1, "kind": "add", "at": at, "payload": EVERYTHING}
    document = {"format": "companion-match", "version": 1, **AT_FOUR, "log": [begin, added]}
    record, game = records.read_record(document, library.open_game)
    assert len(records.fold_record(record, game.family).problems) == open
    plain, game = records.read_record(records.write_record(record), library.open_game)
    assert len(records.fold_record(plain, game.family).problems) == 1
