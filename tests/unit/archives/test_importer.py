"""Taking what was handed in: ids are kept, nothing comes twice, and nobody gets at another's match."""

import io

import pytest
from derda import DEAL, HEAD

from companion import archives
from companion.matches import AddEntry, AttachRuling, Match, Matches, NotTheWriter, Submission, Undo
from companion.store import StoredMatch

from .instances import ME, OTHER, OTHER_DEAL, RECORD, Write, make_matches, take, zip_of


@pytest.fixture
def match(here: Matches, write: Write) -> Match:
    return write(here, here.start(HEAD, ME, "form"), AddEntry(DEAL), AddEntry(OTHER_DEAL))


def take_all(matches: Matches, data: bytes, owner: str = ME) -> list[archives.Imported]:
    return archives.import_found(matches, owner, archives.look_through(matches, owner, data, "all.zip"))


def test_what_is_found_is_said_before_it_is_taken(here: Matches, there: Matches, match: Match) -> None:
    data = archives.format_json(archives.write_match(here, match))
    (found,) = archives.look_through(there, OTHER, data, "match.json")
    assert (found.plan, found.what, found.name, found.id) == ("new", "match", "match.json", match.id)
    assert (found.game, found.title, found.players, found.deals) == ("derda", "Derda", ("Ewa", "Jan"), 2)
    assert (found.flagged, found.problem, found.started) == (0, None, match.created_at)
    assert there.list_matches(OTHER) == []


def test_a_match_belongs_to_who_takes_it(here: Matches, there: Matches, match: Match, write: Write) -> None:
    """The letters of the phones write nothing; a phone of that name is nobody's."""
    take(there, archives.write_match(here, match), OTHER)
    taken = there.open(match.id)
    assert (taken.owner, {event.author for event in taken.events}) == (OTHER, {"a"})
    for stranger in ("a", ME):
        with pytest.raises(NotTheWriter):
            there.write(taken, AddEntry(DEAL), Submission(stranger, taken.seq, "form"))
    assert write(there, match.id, AddEntry(DEAL)).events[-1].author == OTHER
    log = archives.write_match(there, there.open(match.id))["log"]
    assert [each.get("author") for each in log] == [None, "a", "a", "b"]


def test_the_list_shows_when_a_taken_match_was_changed(here: Matches, there: Matches, match: Match) -> None:
    take(there, archives.write_match(here, match), OTHER)
    (listed,) = there.list_matches(OTHER)
    assert listed.changed_at == match.events[-1].at
    assert listed.summary is not None and listed.summary["totals"] == [182, 112]


def test_a_match_that_differs_is_kept_beside_as_a_copy_and_that_only_once(
    here: Matches, there: Matches, match: Match, write: Write
) -> None:
    early = archives.write_match(here, match)
    take(there, early, OTHER)
    write(there, match.id, Undo())
    late = archives.write_match(here, write(here, match.id, AddEntry(DEAL)))
    found, taken = take(there, late, OTHER)
    assert (found.plan, taken.plan, taken.id) == ("copy", "copy", found.id)
    assert taken.id != match.id
    assert [there.open(id).seq for id in (match.id, taken.id)] == [3, 3]
    assert take(there, late, OTHER)[1].plan == "skipped"
    longer = archives.write_match(here, write(here, match.id, AddEntry(DEAL)))
    again = take(there, longer, OTHER)[1]
    assert (again.plan, again.id, there.open(taken.id).seq) == ("continued", taken.id, 4)


def test_of_anothers_match_nothing_is_told_and_nothing_changes(
    here: Matches, match: Match, write: Write
) -> None:
    """Whether the record says the same, more or less than that match, it becomes a copy."""
    short = archives.write_match(here, match)
    write(here, match.id, AddEntry(DEAL))
    same, before = archives.write_match(here, here.open(match.id)), here.open(match.id).events
    longer = {**same, "log": [*same["log"], {"n": 4, "kind": "add", "payload": DEAL}]}
    del longer["entries"]
    for document in (short, same, longer):
        data = archives.format_json(document)
        (found,) = archives.look_through(here, OTHER, data)
        assert (found.plan, found.more) in [("copy", 0), ("continued", 1)]
        (taken,) = archives.import_found(here, OTHER, [found])
        assert taken.id != match.id and here.open(taken.id).owner == OTHER
    assert here.open(match.id).events == before
    assert here.open(match.id).owner == ME


def test_an_evening_keeps_its_order_whatever_becomes_of_its_matches(there: Matches, write: Write) -> None:
    """Taken beside a match of the same id, each game follows the copy of the one before it."""
    here = make_matches()
    begun = here.open(here.start(HEAD, ME, "form"))
    take(there, archives.write_match(here, begun), OTHER)
    write(there, begun.id, AddEntry(DEAL))
    first = write(here, begun.id, AddEntry({"type": "concede", "side": "A"}))
    second = here.open(here.start_again(first))
    documents = {f"{each.id}.json": archives.write_match(here, each) for each in (second, first)}
    packed = zip_of(documents)
    late, early = take_all(there, packed, OTHER)
    assert [early.plan, late.plan] == ["copy", "new"]
    assert there.open(late.id).head["follows"] == early.id
    assert [each.id for each in there.evening(there.open(late.id))] == [early.id, late.id]
    again = take_all(there, packed, OTHER)
    assert [each.plan for each in again] == ["skipped", "skipped"]


def test_a_record_without_a_history_is_written_at_one_go(there: Matches) -> None:
    """It is a new match with an id of ours, the same each time; what was said of its deals comes along."""
    said = [
        {"entry": 1, "by": "A", "kind": "agree"},
        {"entry": 1, "by": "B", "kind": "object", "reason": "count", "at": "2026-11-20T20:15:00+01:00"},
        {"entry": 1, "by": "B", "kind": "settled", "how": "amended"},
        {"entry": 1, "by": "B", "kind": "object", "reason": "runs", "text": "no run"},
    ]
    document = {**RECORD, "remarks": said, "started": "2026-11-01T20:00:00+01:00"}
    _found, taken = take(there, document, OTHER)
    match = there.open(taken.id)
    assert [event.kind for event in match.events] == ["add", "agree", "object", "settle", "object"]
    assert match.created_at == "2026-11-01T19:00:00.000+00:00"
    assert match.events[2].at == "2026-11-20T19:15:00.000+00:00"
    assert [each.text for each in match.remarks.open] == ["no run"]
    assert match.remarks.agreed(1) == ("A",)
    assert take(there, document, OTHER)[1] == archives.Imported(
        take(there, document, OTHER)[0], "skipped", match.id
    )


def test_a_record_that_leaves_open_who_had_a_trick_is_kept_and_flagged(there: Matches) -> None:
    """Its deal is not scored, then and later; with the history of a match begun before, it is as it was."""
    head = {"game": "belote", "players": ["Ewa", "Jan", "Ola", "Piotr"], "first_dealer": "D"}
    deal = {"type": "deal", "contract": {"declarer": "A", "trump": "H"}, "count": {"points": {"A": 162}}}
    document = {"format": "companion-match", "version": 1, **head, "entries": [deal]}
    match = there.open(take(there, document, OTHER)[1].id)
    assert (match.state.totals, match.problems(1)[0].field) == ({"A": 0, "B": 0}, "entries[0].trickless")
    written = archives.write_match(there, match)
    written["log"][0]["rulebook"] = "1"
    del written["id"]
    earlier = there.open(take(there, written, ME)[1].id)
    assert (earlier.rulebook, earlier.state.totals, earlier.problems(1)) == ("1", {"A": 162, "B": 0}, ())


def test_a_record_without_a_history_is_known_again_by_what_it_comes_to(here: Matches, match: Match) -> None:
    document = archives.write_match(here, match)
    del document["log"]
    assert take(here, document)[1].plan == "skipped"


def test_an_id_that_anybody_could_guess_is_none_for_a_match(there: Matches) -> None:
    """Whoever knows the id of a match may look at it: such a record goes by another, the same each time."""
    one, two = RECORD | {"id": "one"}, RECORD | {"id": "two", "follows": "one"}
    del two["first_dealer"]
    first = take(there, one, OTHER)[1]
    second = take(there, two, OTHER)[1]
    assert "one" not in first.id and len(first.id) == 22
    assert there.open(second.id).head["follows"] == first.id
    assert take(there, one, OTHER)[1].id == first.id
    assert take(there, one, ME)[1].id != first.id


def test_a_record_that_follows_another_gets_its_dealer_from_that(there: Matches) -> None:
    """In whatever order they stand in the archive; alone it is refused."""
    one, two = RECORD | {"id": "one"}, RECORD | {"id": "two", "follows": "one"}
    del two["first_dealer"]
    found, taken = take(there, two, OTHER)
    assert (found.plan, taken.plan) == ("refused", "refused")
    assert str(taken.problem).startswith("follows: must be the id of a record read along with this one, ")
    late, early = take_all(there, zip_of({"a.json": two, "b.json": one}), OTHER)
    assert (late.plan, early.plan) == ("new", "new")
    assert there.open(late.id).head["first_dealer"] == "A"


def test_what_is_found_twice_is_taken_once(there: Matches) -> None:
    data = zip_of({"a.json": RECORD | {"id": "one"}, "b.json": RECORD | {"id": "one"}})
    found = archives.look_through(there, OTHER, data)
    assert [each.plan for each in found] == ["new", "skipped"]
    assert [each.plan for each in archives.import_found(there, OTHER, found)] == ["new", "skipped"]


def test_a_bad_record_is_named_and_the_good_ones_are_taken(
    here: Matches, there: Matches, match: Match
) -> None:
    bad = RECORD | {"entries": [DEAL | {"totals": {"A": "many", "B": 0}}]}
    documents = {"a.json": bad, "b.json": archives.write_match(here, match), "c.json": b"{"}
    first, second, third = take_all(there, zip_of(documents), OTHER)
    assert [first.plan, second.plan, third.plan] == ["refused", "new", "refused"]
    assert str(first.problem).startswith("entries[0].totals.A: must be a whole number")
    assert str(third.problem).startswith(
        "document: must be valid JSON; there is an error in line 1, column 2"
    )
    assert first.found.name == "a.json"
    assert [listed.id for listed in there.list_matches(OTHER)] == [match.id]


def test_a_record_with_problems_is_taken_flagged(there: Matches) -> None:
    doubtful, end = DEAL | {"totals": {"A": 1, "B": 70}}, {"type": "concede", "side": "A"}
    document = RECORD | {"entries": [doubtful, end, DEAL]}
    found, taken = take(there, document, OTHER)
    assert (found.flagged, taken.plan) == (2, "new")
    assert len(there.open(taken.id).state.problems) == 2


def test_rulings_come_along_and_change_none(
    here: Matches, there: Matches, match: Match, write: Write
) -> None:
    ruling = here.save_ruling(ME, "form", {"asked": "Whose?", "match": match.id})
    attached = write(
        here, match.id, AttachRuling({"id": ruling.id, "question": "Whose?", "verdict": "Ewa’s"}, 1)
    )
    loose = here.save_ruling(ME, "another", {"asked": "Mine?"})
    file = io.BytesIO()
    archives.write_archive(here, ME, [match.id], file)
    taken = take_all(there, file.getvalue(), OTHER)
    assert [(each.found.what, each.plan) for each in taken] == [("match", "new"), ("ruling", "new")]
    for each in (ruling, loose):
        saved = there.find_ruling(each.id)
        assert saved is not None and (saved.owner, saved.at, saved.content) == (OTHER, each.at, each.content)
    forged = archives.write_match(here, attached)
    forged["rulings"][0]["content"] = {"asked": "forged"}
    take(here, forged, OTHER)
    saved = here.find_ruling(ruling.id)
    assert saved is not None and (saved.owner, saved.content["asked"]) == (ME, "Whose?")


def test_a_journal_comes_along_with_the_matches_it_names(here: Matches, there: Matches, match: Match) -> None:
    """Also to somebody else at the same place, who gets copies of both; twice changes nothing."""
    here.add_note(ME, "form", "rename", {"player": "Jan", "name": "Janek"})
    here.add_note(ME, "another", "evening-match", {"match": match.id, "evening": f"{match.id}-alone"})
    file = io.BytesIO()
    archives.write_archive(here, ME, [match.id], file)
    for matches, owner in ((there, OTHER), (here, OTHER)):
        for plan in ("new", "skipped"):
            taken = take_all(matches, file.getvalue(), owner)
            assert (taken[-1].found.what, taken[-1].plan) == ("journal", plan)
        (listed,) = matches.list_matches(owner)
        rename, put = matches.list_notes(owner)
        assert rename.said == {"player": "Jan", "name": "Janek"}
        assert put.said == {"match": listed.id, "evening": f"{listed.id}-alone"}
    assert len(here.list_notes(ME)) == 2


def test_a_letter_is_not_given_to_another_phone(
    here: Matches, there: Matches, match: Match, write: Write
) -> None:
    """Whoever owns a match can continue it from a record, but not write in another phone's name there."""
    document = archives.write_match(here, match)
    event = {"n": 3, "kind": "agree", "entry": 1, "author": "b", "payload": {"side": "B"}}
    forged = document | {"log": [*document["log"], event]}
    assert take(here, forged)[1].plan == "continued"
    assert [event.author for event in here.open(match.id).events] == [ME, ME, "b"]


def test_a_match_that_somebody_writes_in_meanwhile_is_looked_at_anew(
    here: Matches, there: Matches, match: Match, write: Write
) -> None:
    """What was to be continued when it was found differs when it is taken: it becomes a copy."""
    take(there, archives.write_match(here, match), OTHER)
    longer = archives.write_match(here, write(here, match.id, AddEntry(DEAL)))
    (found,) = archives.look_through(there, OTHER, archives.format_json(longer))
    write(there, match.id, Undo())
    (taken,) = archives.import_found(there, OTHER, [found])
    assert (found.plan, taken.plan) == ("continued", "copy")


def test_a_match_that_comes_from_elsewhere_in_the_same_moment_is_looked_at_anew(
    here: Matches, there: Matches, match: Match, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing was here, and when it is written there is a shorter one: that is continued."""
    early = archives.write_match(here, match)
    late = archives.write_match(here, write(here, match.id, AddEntry(DEAL)))
    create = there.store.create_match

    def come_first(stored: StoredMatch) -> None:
        monkeypatch.setattr(there.store, "create_match", create)
        take(there, early, OTHER)
        create(stored)

    monkeypatch.setattr(there.store, "create_match", come_first)
    assert take(there, late, OTHER)[1].plan == "continued"
    assert there.open(match.id).seq == 3


def test_progress_is_told_while_looking_and_while_taking(there: Matches) -> None:
    reports: list[tuple[int, int]] = []
    data = zip_of({f"{n}.json": RECORD | {"id": str(n)} for n in range(3)})
    found = archives.look_through(there, OTHER, data, "", lambda *how: reports.append(how))
    archives.import_found(there, OTHER, found, lambda *how: reports.append(how))
    assert reports == [(0, 3), (1, 3), (2, 3), (3, 3)] * 2
