"""Whatever was done to a match, its record and what is taken from that tell the same."""

import json
from contextlib import suppress
from dataclasses import replace
from typing import Any

from derda import DEAL, HEAD
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion import archives, library
from companion.matches import (
    AddEntry,
    Agree,
    AmendEntry,
    AttachRuling,
    Change,
    CorrectHead,
    DetachRuling,
    KeepDraft,
    Match,
    Matches,
    NoSuchEntry,
    Object,
    PutBack,
    RestoreEntry,
    TooMany,
    Undo,
    WithdrawEntry,
    WithdrawObjection,
    describe_history,
)
from companion.record.log import Event
from companion.record.portable_log import letter_phones
from companion.record.record import fold_record, read_record, write_record
from companion.rules.ruling import RuleViolation

from .instances import JAN, ME, OTHER_DEAL, make_matches, take

RULING = {"id": "r" * 22, "question": "Whose?", "verdict": "Ewa’s", "rules": ["derda.deal.next"]}
numbers = st.integers(1, 12)
deals = st.sampled_from(
    [DEAL, OTHER_DEAL, DEAL | {"note": "Łucja’s ♥"}, {"type": "deal", "redeal": "misdeal"}]
)
HEADS = [{"players": ["Ewa", "Łucja"]}, {"place": "Łódź"}, {"place": None}]
sides = st.sampled_from(["A", "B"])
changes: st.SearchStrategy[Change] = st.one_of(
    st.builds(AddEntry, deals),
    st.builds(AddEntry, deals),
    st.builds(AmendEntry, numbers, deals),
    st.builds(WithdrawEntry, numbers),
    st.builds(RestoreEntry, numbers),
    st.builds(Undo),
    st.builds(PutBack),
    st.builds(KeepDraft, st.sampled_from([None, {"type": "deal", "turn_up": "9H"}])),
    st.builds(CorrectHead, st.sampled_from(HEADS)),
    st.builds(Agree, numbers, sides),
    st.builds(Object, numbers, sides, st.sampled_from(["count", "other"]), st.sampled_from(["", "no!"])),
    st.builds(WithdrawObjection, numbers),
    st.builds(AttachRuling, st.just(RULING), numbers | st.none()),
    st.builds(AttachRuling, st.just(RULING), numbers, numbers),
    st.builds(DetachRuling, numbers),
)
steps = st.lists(st.tuples(changes, st.booleans()), max_size=25)


def play(matches: Matches, done: list[tuple[Change, bool]]) -> Match:
    """A match in which these changes were made, as far as they could be, by two phones."""
    id = matches.start(HEAD, ME, "form")
    for n, (change, by_owner) in enumerate(done):
        match = matches.open(id)
        with suppress(NoSuchEntry, RuleViolation, TooMany):
            change.check(match)
            event = change.event(match)
            if event is not None:
                author = ME if by_owner else JAN
                made, came = matches.timestamp(), matches.timestamp()
                signed = replace(event, author=author, at=made, arrived=came if n % 2 else "")
                matches.store.append_event(id, match.seq, signed, f"form {n}")
    return matches.open(id)


def with_letters(events: tuple[Event, ...]) -> tuple[Event, ...]:
    letters = letter_phones(events)
    return tuple(replace(event, author=letters.get(event.author, "")) for event in events)


def plain(value: Any) -> Any:
    return json.loads(json.dumps(value))


@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(steps)
def test_a_match_that_was_taken_tells_the_same(done: list[tuple[Change, bool]]) -> None:
    """Events, fold, remarks and history are the same, but that phones are letters; so is its record again."""
    here, there = make_matches(), make_matches("another")
    match = play(here, done)
    document = archives.write_match(here, match)
    found, taken = take(there, document)
    assert (found.plan, taken.plan, taken.id) == ("new", "new", match.id)
    again = there.open(taken.id)
    assert again.events == with_letters(match.events)
    assert (again.record, again.remarks.open) == (match.record, with_letters_in(match).remarks.open)
    assert again.game.family.show(again.state) == match.game.family.show(match.state)
    assert list(describe_history(again)) == list(describe_history(with_letters_in(match)))
    assert (again.created_at, again.rulebook) == (match.created_at, match.rulebook)
    assert plain(archives.write_match(there, again)) == plain(document)
    assert take(there, document)[1].plan == "skipped"


def with_letters_in(match: Match) -> Match:
    return replace(match, events=with_letters(match.events))


@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])
@given(steps)
def test_a_record_with_its_history_is_read_as_what_that_comes_to(done: list[tuple[Change, bool]]) -> None:
    """With and without its entries and remarks; without the history the entries come to the same."""
    here = make_matches()
    match = play(here, done)
    document = plain(archives.write_match(here, match))
    record, game = read_record(document, library.open_game)
    bare = {key: value for key, value in document.items() if key not in ("entries", "remarks")}
    assert read_record(bare, library.open_game)[0] == record
    assert write_record(record) == {**write_record(match.to_record()), "id": match.id}
    assert fold_record(record, game.family).totals == match.state.totals
    del document["log"]
    assert read_record(document, library.open_game)[0] == record


@settings(max_examples=30, suppress_health_check=[HealthCheck.too_slow])
@given(steps, st.data())
def test_a_longer_log_continues_a_match_and_a_shorter_one_does_nothing(
    done: list[tuple[Change, bool]], data: st.DataObject
) -> None:
    here, there = make_matches(), make_matches("another")
    match = play(here, done)
    length = data.draw(st.integers(0, match.seq))
    shorter = replace(match.to_stored(), events=match.events[:length])
    before = make_matches()  # the same ids, at an earlier moment
    before.store.create_match(shorter)
    early, late = (archives.write_match(side, side.open(match.id)) for side in (before, here))
    assert take(there, early)[1].plan == "new"
    found, taken = take(there, late)
    assert taken.plan == ("continued" if match.seq > length else "skipped")
    assert found.more == match.seq - length
    assert [replace(event, author="") for event in there.open(match.id).events] == [
        replace(event, author="") for event in match.events
    ]
    assert take(there, early)[1].plan == "skipped"
    assert there.open(match.id).seq == match.seq
