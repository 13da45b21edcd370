"""A match that was followed event by event is the same as one that is opened anew, and costs what is new."""

from collections import Counter
from dataclasses import replace
from typing import Any

import histories
import pytest
from histories import last_draft, logs, undone_changes
from hypothesis import given
from hypothesis import strategies as st
from tiers import few_examples

from companion.matches import EntryChange, HeadChange, Match, OtherEvent, describe_history
from companion.matches import match as match_module
from companion.record import log
from companion.record.log import Event
from companion.record.record import problems_of
from companion.store import StoredMatch

DERDA = {"game": "derda", "players": ["Ewa", "Jan"], "first_dealer": "A", "conventions": {"target": 300}}
DURAK = {"game": "durak", "players": ["Ewa", "Jan", "Ola"], "first_dealer": "A"}
DEALS: list[dict[str, Any]] = [
    {"type": "deal", "contract": {"declarer": "A", "trump": "H"}, "totals": {"A": 82, "B": 65}},
    {"type": "deal", "contract": {"declarer": "B", "trump": "H"}, "totals": {"A": 70, "B": 70}},
    {"type": "deal", "contract": {"declarer": "B", "trump": "S"}, "totals": {"A": 160, "B": 40}},
    {"type": "deal", "auction": ["pass", "pass", "pass", "pass"], "turn_up": "9S"},
    {"type": "adjust", "side": "B", "points": 5, "reason": "x"},
    {"type": "abandon"},
]
HANDS: list[dict[str, Any]] = [
    {"type": "hand", "loser": "C", "trump": "H"},
    {"type": "hand", "loser": "B"},
    {"type": "hand", "loser": None},
    {"type": "touch", "by": "A", "cards": "touched"},
    {"type": "close"},
]


def opened(events: list[Event], head: dict[str, Any]) -> Match:
    return match_module.open_stored(StoredMatch("m", "me", head, tuple(events), "", "1"))


GAMES = st.sampled_from([(DERDA, DEALS), (DURAK, HANDS)])


@few_examples(40, 500)
@given(st.data())
def test_a_match_that_goes_on_is_one_that_is_opened_anew(data: st.DataObject) -> None:
    """However much of the log comes at once: entries, states, problems, remarks, what can be undone."""
    head, entries = data.draw(GAMES)
    events = data.draw(logs(entries))
    match, at = opened([], head), 0
    while at < len(events):
        behind = min(len(events), at + data.draw(st.integers(1, 5)))
        match = match_module.continue_match(match, tuple(events[at:behind]))
        at = behind
        afresh = opened(events[:at], head)
        assert match == afresh
        assert match.states == afresh.states
    check_by_hand(match, events)


def check_by_hand(match: Match, events: list[Event]) -> None:
    """What a match knows of its log, beside what is read from the whole of it in the plainest way."""
    assert match.log.entries == histories.logged_entries(events)
    assert match.standing_entries == histories.standing_entries(events)
    assert match.head == histories.current_head(events, match.written_head)
    assert match.draft == last_draft(events)
    assert match.draft_at == next((event.at for event in reversed(events) if event.kind == "draft"), "")
    assert match.log.rulings == histories.attached_rulings(events)
    assert match.log.undo_event() == histories.undo_event(events)
    assert match.log.put_back_event() == histories.put_back_event(events)
    holding = {event.seq for event in match.log.holding}
    changes = {event.seq for event in events if event.kind in log.CHANGES and not event.undoes}
    assert changes - holding == undone_changes(events)
    kind, counted = match.game.family.counted_entry, 0
    for n, logged in enumerate(match.standing_entries, 1):
        counted += logged.payload["type"] == kind
        number = counted if logged.payload["type"] == kind else None
        assert (match.number(logged.id), match.counted_number(logged.id)) == (n, number)
        assert match.entry(logged.id) == logged
        wrong = tuple(problem for problem in match.state.problems if problem.entry == n)
        assert match.problems(n) == problems_of(match.state, n) == wrong
        row = match.row(n)
        assert row is not None and row.n == n
        assert match.place(logged.id).before == match.states[n - 1]
    assert match.counted == counted
    assert match.row(0) is match.row(len(match.standing_entries) + 1) is None
    for id in {event.seq for event in events} - {entry.id for entry in match.standing_entries} | {0, 99}:
        assert match.number(id) is None and match.counted_number(id) is None
        assert (match.entry(id) is None) == (id not in {entry.id for entry in match.log.entries})


@few_examples(40, 500)
@given(st.data())
def test_some_events_are_described_as_among_all(data: st.DataObject) -> None:
    head, entries = data.draw(GAMES)
    events = data.draw(logs(entries))
    whole = list(describe_history(opened(events, head)))
    match = opened(events, head)
    for _page in range(3):
        only = data.draw(st.sets(st.integers(1, max(len(events), 1))))
        described = list(describe_history(match, only=only))
        assert described == [item for item in whole if item.event.seq in only]
    followed = opened([], head)
    for event in events:
        followed = match_module.continue_match(followed, (event,))
        (described_now,) = describe_history(followed, only={event.seq})
        assert described_now == whole[event.seq - 1]
    assert list(describe_history(followed)) == whole


@pytest.mark.parametrize("head", [DERDA | {"conventions": {"target": 9999}}, DURAK])
def test_a_change_folds_only_what_is_behind_it(head: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Adding and undoing the last entry fold one at most, however long the match is."""
    payload = (DEALS if head["game"] == "derda" else HANDS)[0]
    match = opened([Event(seq, "add", payload=payload) for seq in range(1, 41)], head)
    family = type(match.game.family)
    applied: Counter[str] = Counter()
    apply, read = family.apply, family.read

    def count_apply(self: Any, state: Any, entry: Any) -> Any:
        applied["folded"] += 1
        return apply(self, state, entry)

    def count_read(self: Any, entry: Any, path: str) -> Any:
        applied["read"] += 1
        return read(self, entry, path)

    monkeypatch.setattr(family, "apply", count_apply)
    monkeypatch.setattr(family, "read", count_read)

    def cost(event: Event) -> tuple[int, int]:
        applied.clear()
        match_module.continue_match(match, (replace(event, seq=41),))
        return applied["read"], applied["folded"]

    assert cost(Event(0, "add", payload=payload)) == (1, 1)
    assert cost(Event(0, "withdraw", 40, undoes=40)) == (0, 0)
    assert cost(Event(0, "amend", 40, payload)) == (1, 1)
    assert cost(Event(0, "amend", 36, payload)) == (1, 5)
    assert cost(Event(0, "agree", 1, {"side": "A"})) == (0, 0)
    applied.clear()
    assert match.place(20).before.rows[-1].n == 19
    assert list(describe_history(match, only={1, 20, 40})) and not applied


# --- what each event did -------------------------------------------------------------------------


def standing_row(match: Match, id: int) -> Any:
    n = match.number(id)
    return match.row(n) if n else None


@few_examples(40, 500)
@given(st.data())
def test_every_event_is_described_as_it_was_then(data: st.DataObject) -> None:
    """The number of the entry, its content and what it came to are those of a match of the log so far."""
    head, entries = data.draw(GAMES)
    events = data.draw(logs(entries, 16))
    described = list(describe_history(opened(events, head)))
    assert [item.event for item in described] == events
    for item in described:
        if not isinstance(item, EntryChange):
            continue
        before, after = (opened(events[: item.event.seq - n], head) for n in (1, 0))
        id = item.event.seq if item.event.kind == "add" else item.event.entry or 0
        earlier, later = before.entry(id), after.entry(id)
        assert later is not None
        assert item.before == (earlier.payload if earlier else None) and item.after == later.payload
        assert item.type == later.payload["type"]
        assert item.number == (before.counted_number(id) or after.counted_number(id))
        assert (item.row_before, item.row_after) == (standing_row(before, id), standing_row(after, id))


def test_what_a_head_said_before_and_after() -> None:
    events = [
        Event(1, "head", payload={"players": ["Ewelina", "Jan"]}),
        Event(2, "draft", payload={"type": "deal"}),
        Event(3, "head", payload={"place": "Łódź"}),
        Event(4, "ruling", payload={"id": "r"}),
    ]
    renamed = {**DERDA, "players": ["Ewelina", "Jan"]}
    assert list(describe_history(opened(events, DERDA))) == [
        HeadChange(events[0], DERDA, renamed),
        OtherEvent(events[1]),
        HeadChange(events[2], renamed, {**renamed, "place": "Łódź"}),
        OtherEvent(events[3]),
    ]


@pytest.mark.parametrize(
    ("event", "change", "course"),
    [
        (Event(3, "amend", 1, DEALS[1], undoes=2), "amend", "undone"),
        (Event(3, "amend", 1, DEALS[1]), "amend", "done"),
        (Event(3, "withdraw", 1, undoes=1), "add", "undone"),
        (Event(3, "withdraw", 1), "withdraw", "done"),
    ],
)
def test_what_was_done_or_undone(event: Event, change: str, course: str) -> None:
    """An undo is described by what it takes back, putting back by what comes back."""
    events = [Event(1, "add", payload=DEALS[0]), Event(2, "amend", 1, DEALS[1]), event]
    (described,) = describe_history(opened(events, DERDA), only={3})
    assert isinstance(described, EntryChange)
    assert (described.change, described.course) == (change, course)
    again = histories.put_back_event(events)
    back = [*events, replace(again, seq=4)] if again else events
    (described,) = describe_history(opened(back, DERDA), only={len(back)})
    assert isinstance(described, EntryChange)
    assert (described.change, described.course) == (change, "put back" if course == "undone" else "done")


def test_events_the_match_has_not_read_yet() -> None:
    events = [Event(1, "add", payload=DEALS[0]), Event(2, "add", payload=DEALS[1])]
    (described,) = describe_history(opened(events[:1], DERDA), events[1:], only={2})
    assert isinstance(described, EntryChange)
    assert (described.number, described.after) == (2, DEALS[1])


def test_what_cannot_be_read_any_more_is_described_without_a_result() -> None:
    """A content that was corrected since may be none by the rules of today; what follows stands."""
    strange = {"type": "deal", "strange": True}
    events = [
        Event(1, "add", payload=strange),
        Event(2, "add", payload=DEALS[0]),
        Event(3, "amend", 1, DEALS[1]),
    ]
    first, second, mended = describe_history(opened(events, DERDA))
    assert isinstance(first, EntryChange) and isinstance(second, EntryChange)
    assert isinstance(mended, EntryChange)
    assert first.row_after is None and mended.row_before is None
    assert second.row_after is not None and second.row_after.totals == {"A": 82, "B": 65}
    assert mended.row_after is not None and mended.row_after.totals == {"A": 70, "B": 0}
