"""The record: what its head may say, and how entries are added, amended and withdrawn."""

from typing import Any

import pytest
from histories import withdraw_entry

from companion import library
from companion.record import record as records
from companion.rules.errors import Missing, Unreadable
from companion.rules.ruling import RuleViolation


def document(**more: Any) -> dict[str, Any]:
    """A record without an entry."""
    head = {"format": "companion-match", "version": 1, "game": "derda", "players": ["Ewa", "Jan"]}
    return head | {"first_dealer": "A", "entries": []} | more


def open_record(**more: Any) -> tuple[records.Record, Any]:
    """The record and the family of its game."""
    record, game = records.read_record(document(**more), library.open_game)
    return record, game.family


def deal(a: int, b: int, declarer: str = "A") -> dict[str, Any]:
    """A deal told by its totals."""
    return {"type": "deal", "contract": {"declarer": declarer, "trump": "H"}, "totals": {"A": a, "B": b}}


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"format": "pgn"}, "format"),
        ({"version": 2}, "version"),
        ({"version": True}, "version"),
        ({"version": 1.0}, "version"),
        ({"game": "skat"}, "game"),
        ({"game": 5}, "game"),
        ({"preset": "moscow"}, "preset"),
        ({"preset": None}, "preset"),
        ({"conventions": []}, "conventions"),
        ({"conventions": {"target": "500"}}, "conventions.target"),
        ({"conventions": {"target": True}}, "conventions.target"),
        ({"conventions": {"words_need_trick": 1}}, "conventions.words_need_trick"),
        ({"players": []}, "players"),
        ({"players": ["Ewa"]}, "players"),
        ({"players": ["Ewa", ""]}, "players[1]"),
        ({"players": ["Ewa", "x" * 41]}, "players[1]"),
        ({"players": ["Ewa", "\ud800"]}, "players[1]"),
        ({"first_dealer": "C"}, "first_dealer"),
        ({"stake": {"amount": "10"}}, "stake.currency"),
        ({"stake": {"amount": 10, "currency": "PLN"}}, "stake.amount"),
        ({"stake": "10 PLN"}, "stake"),
        ({"place": 3}, "place"),
        ({"entries": {}}, "entries"),
        ({"entries": [[]]}, "entries[0]"),
        ({"entries": [{}]}, "entries[0].type"),
        ({"result": "1-0"}, "result"),
    ],
)
def test_a_head_that_cannot_be_read(change: dict[str, Any], path: str) -> None:
    """Anything wrong in a head is refused with its path."""
    with pytest.raises(Unreadable) as refused:
        open_record(**change)
    assert refused.value.path == path


@pytest.mark.parametrize("key", ["format", "version", "game", "players", "first_dealer"])
def test_what_a_head_must_have(key: str) -> None:
    """A head without one of these is refused with the key, as required."""
    incomplete = {name: value for name, value in document().items() if name != key}
    with pytest.raises(Missing, match=f"^{key}: required"):
        records.read_record(incomplete, library.open_game)


@pytest.mark.parametrize("name", ["Żółć", "Ольга", "名前", "👩‍👩‍👧", "<b>x</b>", "x" * 40])
def test_names_of_any_script(name: str) -> None:
    """Names are up to forty characters of any script."""
    record, family = open_record(players=[name, "Jan"])
    assert records.fold_record(record, family).names == {"A": name, "B": "Jan"}


def test_everything_else_a_head_may_say() -> None:
    """Stake, place, time and id are kept as they were."""
    more = {
        "stake": {"amount": "10.00", "currency": "PLN"},
        "place": "Łódź",
        "started": "2026-11-20",
        "id": "x",
    }
    record, _ = open_record(**more)
    assert records.write_record(record) == document(**more)


def test_adding() -> None:
    """An entry that breaks no rule is added, and the record before it is as it was."""
    record, family = open_record()
    more = records.add_entry(record, family, deal(82, 65))
    assert (len(record.entries), len(more.entries)) == (0, 1)
    assert records.fold_record(more, family).totals == {"A": 82, "B": 65}


def test_an_entry_that_breaks_a_rule_is_not_added() -> None:
    """All that is wrong with a new entry is said at once, each with its place and its rule."""
    record, family = open_record(entries=[deal(82, 65)])
    wrong = {**deal(80, 60), "dealer": "B", "turn_up": "9S", "exchanged": "A"}
    with pytest.raises(RuleViolation) as refused:
        records.add_entry(record, family, wrong)
    assert [(problem.entry, problem.field, problem.rule) for problem in refused.value.problems] == [
        (2, "entries[1].exchanged", "derda.seven.exchange"),
        (2, "entries[1].dealer", "derda.deal.next"),
    ]
    assert "entries[1].dealer: A deals here, not B. (derda.deal.next)" in str(refused.value)


def test_an_unreadable_entry_is_not_added() -> None:
    """What is no entry is refused with the path that it would have."""
    record, family = open_record(entries=[deal(82, 65)])
    with pytest.raises(Unreadable, match=r"^entries\[1\]\.type"):
        records.add_entry(record, family, {})


def test_amending_flags_what_later_entries_now_contradict() -> None:
    """An early deal may be put right; a later one that does not fit any more is flagged and kept."""
    record, family = open_record(entries=[deal(82, 65), {**deal(80, 60), "dealer": "A"}])
    amended = records.amend_entry(record, family, 1, deal(62, 85))
    state = records.fold_record(amended, family)
    assert [(problem.entry, problem.rule) for problem in state.problems] == [(2, "derda.deal.next")]
    assert state.totals == {"A": 80, "B": 207}
    assert [dict(row.scored) for row in state.rows] == [{"A": 0, "B": 147}, {"A": 80, "B": 60}]


def test_amending_may_end_the_game_early() -> None:
    """Deals after an end that an amendment brought forward are flagged, not lost."""
    record, family = open_record(conventions={"target": 100}, entries=[deal(82, 65), deal(70, 20)])
    amended = records.amend_entry(record, family, 1, deal(110, 65))
    state = records.fold_record(amended, family)
    assert (state.winner, dict(state.totals)) == ("A", {"A": 110, "B": 65})
    assert [(problem.entry, problem.field) for problem in state.problems] == [(2, "entries[1]")]
    assert withdraw_entry(amended, 2) == records.Record(amended.head, amended.entries[:1])


def test_an_amendment_that_breaks_a_rule_itself_is_refused() -> None:
    """Amending is as strict as adding."""
    record, family = open_record(entries=[deal(82, 65), deal(80, 60)])
    with pytest.raises(RuleViolation, match="doubtful-count"):
        records.amend_entry(record, family, 1, deal(300, 60))


def test_withdrawing() -> None:
    """Without an entry, everything after it is folded again."""
    record, family = open_record(entries=[deal(82, 65), deal(80, 60)])
    assert records.fold_record(withdraw_entry(record, 1), family).totals == {"A": 80, "B": 60}


def test_a_finished_game_is_mended_by_amending_its_deals() -> None:
    """Nothing can be added to a game that is over, and every deal of it can be put right."""
    record, family = open_record(conventions={"target": 100}, entries=[deal(110, 40)])
    with pytest.raises(RuleViolation, match=r"derda\.end\.target"):
        records.add_entry(record, family, deal(70, 60))
    mended = records.amend_entry(record, family, 1, deal(90, 40))
    assert records.fold_record(records.add_entry(mended, family, deal(70, 60)), family).winner == "A"


def test_following_another_record() -> None:
    """The first dealer is the one whom the game before leaves to deal."""
    record = records.Record({"follows": "x"})
    assert records.with_first_dealer(record, "B").head["first_dealer"] == "B"
    named = records.Record({"follows": "x", "first_dealer": "A"})
    assert records.with_first_dealer(named, None) == named
    with pytest.raises(Unreadable, match=r"^follows"):
        records.with_first_dealer(record, None)
