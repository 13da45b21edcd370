"""The application without pages: open, write, undo, list, chain; on both databases."""

from typing import Any

import pytest
from derda import HEAD, deal
from stores.behind import Behind

from companion import library
from companion.archives import giving, write_match
from companion.matches import (
    AddEntry,
    AmendEntry,
    AttachRuling,
    CorrectHead,
    DetachRuling,
    KeepDraft,
    Matches,
    NoSuchEntry,
    NoSuchMatch,
    NotTheWriter,
    PutBack,
    RestoreEntry,
    Submission,
    Undo,
    WithdrawEntry,
)
from companion.matches import match as match_module
from companion.matches.history import describe_history
from companion.matches.match import MatchMemory
from companion.record.log import Event
from companion.record.record import fold_record, read_record
from companion.rules.errors import Unreadable
from companion.rules.ruling import RuleViolation
from companion.store import StaleWrite, Store, StoredMatch

from .conftest import ME, Write

YOU = "another browser"


MADE, BAIT = deal(82, 65), deal(60, 85)
IMPOSSIBLE = deal(82, 600)


def test_a_match_is_started_once(matches: Matches) -> None:
    """The same form of the same browser is the same match; another browser's is another."""
    first = matches.start(HEAD, ME, "form")
    assert matches.start(HEAD, ME, "form") == first
    assert matches.start(HEAD, YOU, "form") != first
    match = matches.open(first)
    assert match.names == {"A": "Ewa", "B": "Jan"}
    assert match.state.next_dealer == "A"
    assert match.rulebook == match.game.book.version


def test_a_match_taken_over_from_paper_begins_with_what_stood_there(matches: Matches) -> None:
    opening = {"type": "opening", "totals": {"A": 120, "B": 80}, "dealer": "B"}
    match = matches.open(matches.start(HEAD, ME, "form", opening))
    assert match.state.totals == {"A": 120, "B": 80}
    with pytest.raises(Unreadable):
        matches.start(HEAD, ME, "other form", {"type": "opening"})
    assert len(matches.list_matches(ME)) == 1


def test_a_match_keeps_conventions_that_nobody_could_agree_on_today(
    matches: Matches, store: Store, write: Write
) -> None:
    """A new match is refused what changes nothing at its table; one that was begun with it goes on."""
    head = {**HEAD, "game": "klaberjass", "conventions": {"schmeiss_maker": "responder"}}
    with pytest.raises(Unreadable, match=r"^conventions\.schmeiss_maker: "):
        matches.start(head, ME, "form")
    store.create_match(StoredMatch("old", ME, head, (), "2026-11-20T19:00:00.000+00:00", "1"))
    match = write("old", CorrectHead({"players": ["Ewa", "Janek"]}))
    assert match.game.conventions["schmeiss_maker"] == "responder"
    assert match.names["B"] == "Janek"


def test_a_match_begun_before_a_trick_was_asked_about_keeps_its_deals(
    matches: Matches, store: Store, write: Write
) -> None:
    """They are read as they were and not flagged, now and in the history; what is written now says it."""
    head = {"game": "belote", "players": ["Ewa", "Jan", "Ola", "Piotr"], "first_dealer": "D"}
    deal = {"type": "deal", "contract": {"declarer": "A", "trump": "H"}, "totals": {"A": 162, "B": 0}}
    at = "2026-11-20T19:00:00.000+00:00"
    log = tuple(Event(n, "add", payload=deal, author=ME, at=at) for n in (1, 2))
    store.create_match(StoredMatch("old", ME, head, log, at, "1"))
    for change in (AddEntry(deal), AmendEntry(1, {**deal, "note": "all of it"})):
        with pytest.raises(RuleViolation, match=r"\.trickless: "):
            write("old", change)
    match = write("old", AmendEntry(1, {**deal, "trickless": "B"}))
    match = write("old", AddEntry({**deal, "trickless": None}))
    assert (match.state.totals, tuple(match.state.problems)) == ({"A": 576, "B": 0}, ())
    assert write("old", Undo()).state.totals == {"A": 414, "B": 0}
    match = write("old", Undo())
    assert (match.state.totals, tuple(match.state.problems)) == ({"A": 324, "B": 0}, ())
    assert matches.open("old").state == match_module.open_stored(match.to_stored()).state
    said = [getattr(event, "why", None) for event in describe_history(match)]
    assert len(said) == match.seq


def test_a_match_keeps_what_its_variety_set_when_it_was_begun(
    matches: Matches, store: Store, write: Write
) -> None:
    """So do the next one of the same players, a file of it, and a link; a new match has today's."""
    head: dict[str, Any] = {"game": "coinche", "preset": "announced", "conventions": {"target": 100}}
    head |= {"players": ["Ewa", "Jan", "Ola", "Piotr"], "first_dealer": "D"}
    contract = {"declarer": "A", "trump": "H", "points": 80}
    deal: dict[str, Any] = {"type": "deal", "contract": contract, "totals": {"A": 80, "B": 82}}
    store.create_match(StoredMatch("old", ME, head, (), "2026-11-20T19:00:00.000+00:00", "2"))
    assert write("old", AddEntry(deal)).state.totals == {"A": 0, "B": 240}
    again = matches.open(matches.start_again(matches.open("old")))
    assert (again.rulebook, again.game.conventions["needs_more"]) == (again.game.book.version, True)
    link = giving.write_fragment(matches, matches.open("old"), with_history=False)
    for document in (write_match(matches, matches.open("old")), giving.unpack(link)):
        record, game = read_record(document, library.open_game)
        assert fold_record(record, game.family).totals == {"A": 0, "B": 240}
    new = matches.start(head, ME, "form")
    assert write(new, AddEntry(deal)).state.totals == {"A": 80, "B": 0}


def test_there_is_no_such_match(matches: Matches) -> None:
    with pytest.raises(NoSuchMatch):
        matches.open("nowhere")
    assert matches.open_if_readable("nowhere") is None
    assert matches.open_if_readable(None) is None


def test_the_ladder_of_writing(matches: Matches, write: Write) -> None:
    """First comes who may write, then who is stale, then what cannot be read, then what breaks a rule."""
    id = matches.start(HEAD, ME, "form")
    write(id, AddEntry(MADE), key="first")
    with pytest.raises(NotTheWriter):
        write(id, AddEntry({"type": "nothing"}), author=YOU, seq=0)
    with pytest.raises(StaleWrite):
        write(id, AddEntry({"type": "nothing"}), seq=2)  # its page was of a longer log
    with pytest.raises(StaleWrite) as stale:
        write(id, AddEntry({"type": "nothing"}), seq=0)
    assert [event.payload for event in stale.value.events] == [MADE]
    with pytest.raises(Unreadable):
        write(id, AddEntry({"type": "nothing"}))
    with pytest.raises(RuleViolation) as broken:
        write(id, AddEntry(IMPOSSIBLE))
    assert broken.value.problems
    assert matches.open(id).seq == 1
    write(id, KeepDraft({"type": "deal"}))
    with pytest.raises(StaleWrite):  # another phone has begun the same deal
        write(id, KeepDraft({"type": "deal", "note": "mine"}), seq=1)


def test_the_same_form_writes_once(matches: Matches, write: Write) -> None:
    """A double tap finds what the first tap wrote, though the log has gone on since."""
    id = matches.start(HEAD, ME, "form")
    write(id, AddEntry(MADE), seq=0, key="tapped twice")
    assert write(id, AddEntry(MADE), seq=0, key="tapped twice").seq == 1
    with pytest.raises(StaleWrite):
        write(id, AddEntry(BAIT), seq=0, key="tapped twice")
    undone = write(id, Undo(), seq=1, key="undo twice")
    assert undone.state.totals == {"A": 0, "B": 0}
    assert write(id, Undo(), seq=1, key="undo twice").seq == 2
    draft = KeepDraft({"type": "deal"})
    write(id, draft, seq=2, key="draft twice")
    assert write(id, draft, seq=2, key="draft twice").seq == 3


def test_what_is_saved_as_it_was_writes_nothing(matches: Matches, write: Write) -> None:
    """An entry, and the head: also where a key of it is taken out that it does not have."""
    id = matches.start(HEAD | {"place": "Łódź"}, ME, "form")
    write(id, AddEntry(MADE))
    for change in (AmendEntry(1, dict(MADE)), CorrectHead({"place": "Łódź", "stake": None})):
        assert write(id, change).seq == 1
    assert write(id, CorrectHead({"place": None})).seq == 2
    assert write(id, AmendEntry(1, BAIT)).seq == 3


def test_what_is_not_there_cannot_be_changed(matches: Matches, write: Write) -> None:
    """An entry that was never written, or counts already, and a ruling that was never attached."""
    id = matches.start(HEAD, ME, "form")
    write(id, AddEntry(MADE))
    entries = (AmendEntry(7, MADE), WithdrawEntry(7), RestoreEntry(1), RestoreEntry(7))
    for change in (*entries, AttachRuling({}, 7), DetachRuling(1)):
        with pytest.raises(NoSuchEntry):
            write(id, change)
    for values in ({"players": ["Ewa"]}, {"players": ["Ewa", "Jan\u200b"]}, {"place": "\u202esuoh"}):
        with pytest.raises(Unreadable):
            write(id, CorrectHead(values))
    assert matches.open(id).seq == 1


def test_what_was_undone_is_put_back(matches: Matches, write: Write) -> None:
    """One form puts back one change, however often it is sent; the next one the change before it."""
    id = matches.start(HEAD, ME, "form")
    assert write(id, Undo()).seq == 0, "there is nothing to undo yet"
    write(id, AddEntry(MADE))
    write(id, AddEntry(BAIT))
    assert matches.open(id).can_undo and matches.open(id).last_undo is None
    for _time in range(2):
        write(id, Undo())
    match = matches.open(id)
    assert not match.can_undo
    assert match.last_undo == match.events[3]
    for _time in range(2):
        match = write(id, PutBack(), seq=4, key="put back twice")
        assert (match.seq, match.state.totals) == (5, {"A": 82, "B": 65})
        assert match.last_undo == match.events[2]
    assert write(id, PutBack()).state.totals == {"A": 82, "B": 210}
    match = write(id, PutBack(), seq=4, key="put back twice")
    assert (match.seq, match.last_undo) == (6, None)
    assert write(id, PutBack()).seq == 6
    with pytest.raises(StaleWrite):
        write(id, PutBack(), seq=4)


def test_a_saved_deal_is_read_once_and_folded_once(
    matches: Matches, store: Store, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a match that was looked at, only what is new is read; nothing that was folded is folded again."""
    id = matches.start(HEAD, ME, "form")
    for _n in range(5):
        write(id, AddEntry(deal(20, 10)))
    loads: list[int] = []
    load_match = store.load_match

    def load(id: str, after: int = 0) -> StoredMatch | None:
        found = load_match(id, after)
        loads.append(len(found.events) if found else 0)
        return found

    monkeypatch.setattr(store, "load_match", load)
    monkeypatch.setattr(match_module, "list_states", lambda *_: pytest.fail("folded from the beginning"))
    match = write(id, AddEntry(deal(20, 10)))
    seen = match.seq
    assert sum(loads) == 1, "the last one of before, when it was opened"
    assert matches.open(id) is match
    assert (sum(loads), match.seq) == (2, seen), "only the last one once more"
    assert matches.open(id).state.totals == {"A": 120, "B": 60}


def test_another_process_wrote_meanwhile(store: Store) -> None:
    """What one process remembers is brought up to date by what another has written."""
    here, there = Matches(store, "secret"), Matches(store, "secret")
    id = here.start(HEAD, ME, "form")
    here.open(id)
    there.write(there.open(id), AddEntry(MADE), Submission(ME, 0, "key"))
    assert here.open(id).state.totals == {"A": 82, "B": 65}


def test_a_store_put_back_to_an_older_day(matches: Matches, behind: Behind, write: Write) -> None:
    """What is remembered of a match gives way to its log, however much shorter that has become."""
    id = matches.start(HEAD, ME, "form")
    write(id, AddEntry(MADE))
    write(id, AddEntry(BAIT))
    behind.end_log(id, 1)
    assert matches.open(id).state.totals == {"A": 82, "B": 65}
    again = write(id, AddEntry(MADE))
    assert again.state.totals == {"A": 164, "B": 130}
    behind.lose_match(id)
    with pytest.raises(NoSuchMatch):
        matches.open(id)


def test_the_place_of_an_entry(matches: Matches, write: Write) -> None:
    """A new entry stands at the end; one that is put right, where it stood, on what came before it."""
    id = matches.start(HEAD, ME, "form")
    write(id, AddEntry(MADE))
    match = write(id, AddEntry(BAIT))
    new, first = match.place(), match.place(1)
    assert (new.n, new.id, new.before.totals) == (3, None, match.state.totals)
    assert (first.n, first.id, first.before.totals) == (1, 1, {"A": 0, "B": 0})
    assert first.entry == MADE
    with pytest.raises(NoSuchEntry):
        match.place(7)


def test_an_evening_is_a_chain(matches: Matches, write: Write) -> None:
    """Matches that follow each other are an evening, oldest first; another owner or other seats end it."""
    first = matches.start(HEAD, ME, "one")
    second = matches.start({**HEAD, "follows": first}, ME, "two")
    third = matches.start({**HEAD, "follows": second}, ME, "three")
    assert [match.id for match in matches.evening(matches.open(third))] == [first, second, third]
    stranger = matches.start({**HEAD, "follows": third}, YOU, "four")
    assert [match.id for match in matches.evening(matches.open(stranger))] == [stranger]
    other = {"game": "durak", "players": ["Ewa", "Jan"], "first_dealer": "A", "follows": third}
    assert len(matches.evening(matches.open(matches.start(other, ME, "five")))) == 1


def test_a_finished_game_has_one_successor(matches: Matches, write: Write) -> None:
    """Asked for twice it is one match, of the same players and rules; a running game has none."""
    head = {**HEAD, "id": "from elsewhere", "conventions": {"target": 100}}
    first = write(matches.start(head, ME, "form"), AddEntry(MADE))
    assert matches.successor(first) is None
    first = write(first.id, AddEntry({"type": "concede", "side": "B"}))
    assert matches.successor(first) is None
    again = matches.start_again(first)
    assert again == matches.start_again(first) == matches.successor(first)
    opened = matches.open(again)
    assert (opened.head["follows"], opened.head["players"]) == (first.id, HEAD["players"])
    assert opened.head["conventions"] == {"target": 100}
    assert opened.head["first_dealer"] == first.state.next_dealer
    assert "id" not in opened.head
    assert opened.owner == ME


def summarize(matches: Matches) -> match_module.MatchSummary:
    (listed,) = matches.list_matches(ME)
    summary = matches.summary(listed)
    assert summary is not None
    return summary


def test_lists_say_what_matches_came_to(matches: Matches, store: Store, write: Write) -> None:
    """A summary is kept beside the match until it changes, and is the same when it is read back."""
    id = matches.start(HEAD, ME, "form")
    write(id, AddEntry(MADE))
    summary = summarize(matches)
    assert (summary.totals, summary.sides, summary.deals) == ([82, 65], ["Ewa", "Jan"], 1)
    assert (summary.title, summary.preset) == ("Derda", "")
    assert matches.list_matches(ME)[0].summary is not None
    assert summarize(matches) == summary
    write(id, AddEntry({"type": "concede", "side": "B"}))
    assert matches.list_matches(ME)[0].summary is None
    ended = summarize(matches)
    assert (ended.status, ended.winner) == ("finished", 0)
    assert matches.list_matches(YOU) == []


def test_a_summary_of_an_older_version_is_made_anew(matches: Matches, store: Store) -> None:
    id = matches.start(HEAD, ME, "form")
    summary = summarize(matches)
    (stored,) = matches.list_matches(ME)
    assert stored.summary is not None
    for older in (
        {key: value for key, value in stored.summary.items() if key != "preset"},
        {**stored.summary, "colour": "red"},
        {**stored.summary, "counted": {"status": "playing", "totals": {}, "entries": []}},
    ):
        store.remember_summary(id, 0, older)
        assert matches.list_matches(ME)[0].summary == older
        assert summarize(matches) == summary


def test_lists_name_the_variety(matches: Matches) -> None:
    matches.start({**HEAD, "game": "deberts", "preset": "kharkov"}, ME, "form")
    summary = summarize(matches)
    assert (summary.title, summary.preset) == ("Deberts", "Kharkov")


def test_a_log_that_no_version_can_read_is_left_out_of_lists(matches: Matches, store: Store) -> None:
    store.create_match(StoredMatch("old", ME, {**HEAD, "game": "forgotten"}, (), "2026"))
    (listed,) = matches.list_matches(ME)
    assert matches.summary(listed) is None


def test_names_of_before_play_again(matches: Matches, store: Store) -> None:
    head = {**HEAD, "players": ["Ewa\u200b", "Jan"]}
    entry = Event(1, "add", payload={"type": "concede", "side": "B"}, author=ME, at="2026")
    store.create_match(StoredMatch("old", ME, head, (entry,), "2026"))
    again = matches.open(matches.start_again(matches.open("old")))
    assert again.head["players"] == ["Ewa\u200b", "Jan"]


def test_a_ruling_is_saved_once(matches: Matches) -> None:
    ruling = matches.save_ruling(ME, "form", {"asked": "May I play this?"})
    assert matches.save_ruling(ME, "form", {"asked": "Something else?"}).id == ruling.id
    assert matches.find_ruling(ruling.id) == ruling
    assert matches.find_ruling("nowhere") is None


def test_a_note_is_written_once_and_is_no_ruling(matches: Matches) -> None:
    ruling = matches.save_ruling(ME, "form", {"asked": "May I play this?"})
    for _sent in range(2):
        matches.add_note(ME, "form", "rename", {"player": "Jan", "name": "Janek"})
    (note,) = matches.list_notes(ME)
    assert (note.kind, note.said) == ("rename", {"player": "Jan", "name": "Janek"})
    assert matches.list_rulings(ME) == [ruling]
    assert matches.find_ruling(note.id) is None
    assert matches.list_notes("somebody else") == matches.list_notes(None) == []


def test_memory_keeps_what_was_looked_at_last(matches: Matches, monkeypatch: pytest.MonkeyPatch) -> None:
    """More matches than fit push out the one looked at longest ago; an older state never replaces a newer."""
    monkeypatch.setattr("companion.matches.match.MAX_MATCHES", 2)
    memory = MatchMemory()
    ids = [matches.start(HEAD, ME, f"form {n}") for n in range(3)]
    old = matches.open(ids[0])
    new = matches.write(old, AddEntry(MADE), Submission(ME, 0, "key"))
    for match in (new, old, matches.open(ids[1])):
        memory.remember(match)
    assert memory.recall(ids[0]) is new
    memory.remember(matches.open(ids[2]))
    assert memory.recall(ids[1]) is None
    assert memory.recall(ids[0]) is new
    memory.forget(ids[0])
    assert memory.recall(ids[0]) is None
    monkeypatch.setattr("companion.matches.match.MAX_EVENTS", 1)
    memory.remember(new)
    memory.remember(matches.write(new, AddEntry(BAIT), Submission(ME, 1, "key 2")))
    assert memory.recall(ids[0]) is not None
    assert memory.recall(ids[2]) is None
