"""What the sides say of the entries, in the record: read, refused, written, and taken from the log."""

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
from amending import add_entry, amend_entry
from derda import DEAL, RECORD
from histories import withdraw_entry
from hypothesis import given
from hypothesis import strategies as st
from tiers import few_examples

from companion import library
from companion.matches.match import Match, open_stored
from companion.record import record as records
from companion.record.log import Event
from companion.record.portable_remarks import Remark, read_reviews
from companion.record.remarks import REASONS
from companion.rules.errors import Unreadable
from companion.store import StoredMatch

CASES = tomllib.loads((Path(__file__).parent / "portable_remarks.toml").read_text("utf-8"))["case"]
HEAD = RECORD | {"conventions": {"target": 9999}}


def read(remarks: Any, deals: int = 2) -> records.Record:
    document = {**HEAD, "entries": [DEAL] * deals, "remarks": remarks}
    return records.read_record(document, library.open_game)[0]


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["name"]))
def test_case(case: dict[str, Any]) -> None:
    remarks = case["remarks"]
    for remark in remarks:
        if "text" in remark and remark["text"] == "LONG":
            remark["text"] = "x" * 301
    if "error" in case:
        with pytest.raises(Unreadable) as refused:
            read(remarks)
        stated = str(refused.value)
        assert stated.startswith(case["error"]), stated
        return
    reviews = read_reviews(read(remarks).remarks)
    assert [f"{agreement.entry} {agreement.by}" for agreement in reviews.agreements] == case["agreed"]
    ended = [
        f"{doubt.objection.entry} {doubt.objection.by} {doubt.objection.reason} "
        + ("open" if doubt.is_open else doubt.how or "")
        for doubt in reviews.doubts
    ]
    assert ended == case["doubts"]


def test_a_record_without_entries_has_none_to_remark_on() -> None:
    """An empty list says nothing and is not written; there is no entry to speak of."""
    record = read([], deals=0)
    assert record.remarks == () and "remarks" not in records.write_record(record)
    with pytest.raises(Unreadable, match=r"^remarks\[0\].entry: must be the number of an entry, at most 0"):
        read([{"entry": 1, "by": "B", "kind": "agree"}], deals=0)


def test_sides_are_those_of_the_game() -> None:
    """In partnerships a side speaks, not a seat; in games for three there is a third."""
    four = {**HEAD, "game": "klaberjass-4", "players": ["Ewa", "Jan", "Ola", "Bo"], "conventions": {}}
    entry = {"type": "deal", "thrown_in": True}
    said = [{"entry": 1, "by": "B", "kind": "agree"}]
    documents = {**four, "entries": [entry], "remarks": said}
    assert records.read_record(documents, library.open_game)[0].remarks == (Remark(1, "B", "agree"),)
    with pytest.raises(Unreadable, match=r"^remarks\[0\].by: must be one of A, B"):
        records.read_record({**documents, "remarks": [{**said[0], "by": "C"}]}, library.open_game)


# --- laws ------------------------------------------------------------------------------------

texts = st.text(st.characters(codec="utf-8", categories=["L", "N", "P"]), max_size=12)
times = st.sampled_from(["", "2026-11-22T19:05:00+01:00"])


@st.composite
def said_in_turn(draw: st.DrawFn, deals: int = 3) -> list[dict[str, Any]]:
    """Remarks on so many deals, each possible after those before it."""
    said: list[dict[str, Any]] = []
    doubts: list[tuple[int, str]] = []
    for _n in range(draw(st.integers(0, 8))):
        one: dict[str, Any] = {"entry": draw(st.integers(1, deals)), "by": draw(st.sampled_from("AB"))}
        match draw(st.sampled_from(["agree", "object", "settled"])):
            case "agree":
                one["kind"] = "agree"
                doubts = [doubt for doubt in doubts if doubt != (one["entry"], one["by"])]
            case "object":
                one |= {"kind": "object", "reason": draw(st.sampled_from(REASONS)), "text": draw(texts)}
                if draw(st.booleans()):
                    one["totals"] = {"A": draw(st.integers(0, 9999)), "B": draw(st.integers(0, 9999))}
                doubts.append((one["entry"], one["by"]))
            case _ if doubts:
                entry, by = doubts.pop(draw(st.integers(0, len(doubts) - 1)))
                how = draw(st.sampled_from(["", "amended", "ruled", "withdrawn"]))
                one |= {"entry": entry, "by": by, "kind": "settled", "how": how}
            case _:
                continue
        one["at"] = draw(times)
        said.append({key: value for key, value in one.items() if value != ""})
    return said


@few_examples(30, 500)
@given(said_in_turn())
def test_remarks_that_were_written_are_read_back(said: list[dict[str, Any]]) -> None:
    """Whatever is said in turn is read, written as it was, and read back; the score never changes."""
    record = read(said, deals=3)
    document = json.loads(json.dumps(records.write_record(record)))
    assert document.get("remarks", []) == said
    again, game = records.read_record(document, library.open_game)
    assert again == record and records.write_record(again) == document
    silent = read([], deals=3)
    assert records.fold_record(record, game.family) == records.fold_record(silent, game.family)


@few_examples(30, 500)
@given(said_in_turn(), st.integers(1, 3))
def test_remarks_stay_with_their_entries(said: list[dict[str, Any]], n: int) -> None:
    """An entry taken out takes its remarks along; one that is corrected is agreed to and doubted no more."""
    record = read(said, deals=3)
    family = library.open_game("derda", None, HEAD["conventions"]).family
    shorter = withdraw_entry(record, n)
    assert read_back(shorter) == shorter
    assert [replace_entry(remark, 0) for remark in shorter.remarks] == [
        replace_entry(remark, 0) for remark in record.remarks if remark.entry != n
    ]
    assert amend_entry(record, family, n, DEAL) == record
    amended = amend_entry(record, family, n, {**DEAL, "totals": {"A": 85, "B": 62}})
    assert read_back(amended) == amended
    reviews, before = read_reviews(amended.remarks), read_reviews(record.remarks)
    assert not reviews.agreed(n) and not any(
        doubt.is_open for doubt in reviews.doubts if doubt.objection.entry == n
    )
    others = [doubt for doubt in before.doubts if doubt.objection.entry != n]
    assert [doubt for doubt in reviews.doubts if doubt.objection.entry != n] == others
    more = add_entry(record, family, DEAL)
    assert more.remarks == record.remarks


def read_back(record: records.Record) -> records.Record:
    return records.read_record(records.write_record(record), library.open_game)[0]


def replace_entry(remark: Remark, n: int) -> tuple[Any, ...]:
    return (n, remark.by, remark.kind, remark.reason, remark.text, remark.at)


# --- from the log ----------------------------------------------------------------------------


def open_log(*events: Event) -> Match:
    deals = [Event(n, "add", payload=DEAL) for n in (1, 2, 3)]
    head = {key: value for key, value in HEAD.items() if key not in ("format", "version")}
    return open_stored(StoredMatch("m", "o", head, (*deals, *events), "2026-11-22", ""))


def handed_out(*events: Event) -> Any:
    """The remarks of the document that is handed out, which can be read back."""
    record = open_log(*events).to_record()
    assert read_back(record) == record
    return records.write_record(record).get("remarks")


def test_a_match_hands_out_what_was_said() -> None:
    """Agreements that hold, and every objection with its end behind it, in the order they were said."""
    stated = handed_out(
        Event(4, "object", 3, {"side": "B", "reason": "count", "totals": {"A": 80, "B": 67}}, "j", "19:10"),
        Event(5, "agree", 1, {"side": "B"}, "j", "19:11"),
        Event(6, "object", 2, {"side": "B", "reason": "other", "text": "So not!"}, "j", "19:12"),
        Event(7, "amend", 3, {**DEAL, "totals": {"A": 80, "B": 67}}, "e", "19:13"),
    )
    doubt = {"entry": 3, "by": "B", "kind": "object", "reason": "count"}
    assert stated == [
        doubt | {"totals": {"A": 80, "B": 67}, "at": "19:10"},
        {"entry": 3, "by": "B", "kind": "settled", "how": "amended", "at": "19:13"},
        {"entry": 1, "by": "B", "kind": "agree", "at": "19:11"},
        {"entry": 2, "by": "B", "kind": "object", "reason": "other", "text": "So not!", "at": "19:12"},
    ]


def test_what_holds_no_longer_is_not_handed_out() -> None:
    """An agreement to what an entry said before is over; entries that do not count take theirs with them."""
    assert (
        handed_out(Event(4, "agree", 1, {"side": "B"}), Event(5, "amend", 1, {**DEAL, "note": "x"})) is None
    )
    assert handed_out(Event(4, "object", 1, {"side": "B", "reason": "runs"}), Event(5, "withdraw", 1)) is None


def test_entries_are_counted_among_those_that_count() -> None:
    """With the first deal struck out, the second is entry 1."""
    stated = handed_out(Event(4, "agree", 2, {"side": "B"}), Event(5, "withdraw", 1))
    assert stated == [{"entry": 1, "by": "B", "kind": "agree"}]


def test_every_way_to_settle_is_handed_out() -> None:
    """Ruled on, taken back, open still: three objections of a side to one entry keep each its own end."""
    record = open_log(
        Event(4, "object", 1, {"side": "B", "reason": "count"}),
        Event(5, "object", 1, {"side": "B", "reason": "runs"}),
        Event(6, "object", 1, {"side": "B", "reason": "trump"}),
        Event(7, "settle", 1, {"objection": 4}),
        Event(8, "ruling", 1, {"id": "r", "objection": 6}),
    ).to_record()
    assert read_back(record) == record
    doubts = read_reviews(record.remarks).doubts
    ends = {doubt.objection.reason: doubt.how for doubt in doubts}
    assert ends == {"count": "withdrawn", "runs": None, "trump": "ruled"} and len(doubts) == 3
