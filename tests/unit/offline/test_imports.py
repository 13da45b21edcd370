"""What was imported from a file without network, on its way to the server: as a record."""

from typing import Any

import pytest

from companion import archives
from companion.matches import AddEntry, Agree, AmendEntry, Change, Matches, Submission
from companion.store import Grant
from companion.store.memory import MemoryStore
from companion.web.offline import arrivals

from .table import AT, EWA, HEAD, JAN, Clock, Phone, Server, contents, deal, kinds


def import_record(phone: Phone, record: dict[str, Any]) -> str:
    """Import a match as a page does; its id on the phone."""
    found = archives.look_through(phone.matches, phone.me, archives.format_json(record))
    [done] = archives.import_found(phone.matches, phone.me, found)
    assert done.problem is None
    return done.id


@pytest.fixture
def record() -> dict[str, Any]:
    """A match of two phones at another server, with a correction and an agreement."""
    foreign = Matches(MemoryStore(), "another server", Clock())
    id = foreign.start(HEAD, "somebody", "form")
    foreign.store.add_grants([Grant("grant", id, "her phone", None, True, "", AT)])
    changes: list[tuple[str, Change]] = [
        ("somebody", AddEntry(deal(82, 65))),
        ("her phone", AmendEntry(1, deal(83, 64))),
        ("somebody", Agree(1, "B")),
        ("her phone", AddEntry(deal(60, 85))),
    ]
    for n, (author, change) in enumerate(changes):
        foreign.write(foreign.open(id), change, Submission(author, n, f"form {n}"))
    return archives.write_match(foreign, foreign.open(id))


def test_an_imported_match_arrives_as_it_was(ewa: Phone, server: Server, record: dict[str, Any]) -> None:
    """With its authors; what was recorded in it since follows. Every phone of hers has it then."""
    id = import_record(ewa, record)
    assert id == record["id"]
    ewa.record(id, deal(70, 77))
    assert (contents(ewa, id), ewa.delivery.count_unsent()) == ([83, 60, 70], 5)
    ewa.restart()
    ewa.meet()
    assert server.show_log(id) == ewa.log(id)
    assert [item[-1] for item in server.show_log(id)] == ["a", "b", "a", "b", EWA]
    assert (ewa.delivery.count_unsent(), ewa.delivery.count_conflicts()) == (0, 0)
    other = Phone(server, EWA, Clock())
    other.hear()
    assert contents(other, id) == [83, 60, 70]


def test_it_arrives_once_though_its_answer_was_lost(
    ewa: Phone, server: Server, record: dict[str, Any]
) -> None:
    id = import_record(ewa, record)
    ewa.send(is_answer_lost=True)
    assert import_record(ewa, record) == id, "it is there already"
    ewa.meet()
    assert server.list_ids() == [id]
    assert server.show_log(id) == ewa.log(id)


def test_it_gets_another_id_if_its_own_is_somebody_elses(
    ewa: Phone, jan: Phone, server: Server, record: dict[str, Any]
) -> None:
    """It is imported beside the other's, of which nothing is seen; the match after it follows it there."""
    import_record(jan, record)
    jan.meet()
    id = import_record(ewa, record)
    after = import_record(
        ewa,
        {
            **HEAD,
            "format": "companion-match",
            "version": 1,
            "id": "x" * 22,
            "follows": id,
            "entries": [deal(90, 57)],
        },
    )
    ewa.record(id, deal(70, 77))
    ewa.meet()
    (new,) = {*server.list_ids()} - {id, after}
    assert {*ewa.store.tables.matches} == {new, after}
    assert ewa.matches.open(after).head["follows"] == new
    assert (contents(ewa, new), contents(jan, id)) == ([83, 60, 70], [83, 60])
    assert server.show_log(new) == ewa.log(new)
    ewa.restart()
    assert ewa.delivery.count_unsent() == ewa.delivery.count_conflicts() == 0


def cut_record(record: dict[str, Any]) -> dict[str, Any]:
    """The record as it was after the first two events."""
    left = {key: value for key, value in record.items() if key not in ("entries", "remarks")}
    return left | {"log": record["log"][:2]}


def test_a_longer_record_goes_on_with_a_match_that_is_here(
    ewa: Phone, server: Server, record: dict[str, Any]
) -> None:
    id = import_record(ewa, cut_record(record))
    ewa.meet()
    assert len(server.show_log(id)) == 1
    assert import_record(ewa, record) == id
    ewa.meet()
    assert kinds(server.show_log(id)) == ["add", "amend", "agree", "add"]
    assert server.show_log(id) == ewa.log(id)


def test_a_longer_record_comes_behind_what_was_recorded_meanwhile(
    ewa: Phone, server: Server, record: dict[str, Any]
) -> None:
    """What no longer fits is a conflict, as with all that is unsent."""
    id = import_record(ewa, cut_record(record))
    ewa.meet()
    other = Phone(server, EWA, Clock(), 1001)
    other.hear()
    other.record(id, deal(100, 47))
    other.meet()
    import_record(ewa, record)
    ewa.meet()
    while ewa.open_groups(id):
        ewa.decide(id, "write")
    ewa.meet()
    assert sorted(contents(ewa, id)) == [60, 83, 100]
    assert ewa.delivery.count_unsent() == 0


def test_a_record_that_is_too_long_waits_for_a_decision(
    ewa: Phone, server: Server, record: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is not sent again and again; nothing of it is lost on the phone."""
    monkeypatch.setattr(arrivals, "MAX_RECORD", 100)
    id = import_record(ewa, record)
    assert ewa.send()[0] == 413
    ewa.meet()
    assert (ewa.delivery.count_unsent(), ewa.delivery.next()) == (0, None)
    assert ewa.delivery.count_conflicts() > 0
    monkeypatch.undo()
    while ewa.open_groups(id):
        ewa.decide(id, "write")
    ewa.meet()
    assert contents(ewa, id) == [83, 60]
    assert server.show_log(id) == ewa.log(id)


def test_an_imported_match_may_be_archived_before_it_arrives(
    ewa: Phone, server: Server, record: dict[str, Any]
) -> None:
    id = import_record(ewa, record)
    ewa.choose(id, "archived")
    ewa.meet()
    assert (server.visibility(id), len(server.show_log(id))) == ("archived", 4)


def test_it_brings_nothing_back_that_was_deleted_since(
    ewa: Phone, server: Server, record: dict[str, Any]
) -> None:
    """Its answer was lost, and the match was deleted on another phone."""
    id = import_record(ewa, record)
    ewa.send(is_answer_lost=True)
    server.do("set_visibility", id, "deleted", "2027-01-01T00:00:00.000+00:00")
    ewa.send()
    assert server.visibility(id) == "deleted"
    ewa.meet()
    assert (server.visibility(id), ewa.visibility(id)) == ("deleted", "deleted")
    assert (ewa.delivery.count_unsent(), ewa.delivery.count_conflicts()) == (0, 0)


# --- the server --------------------------------------------------------------------------------------


def take(server: Server, who: str, id: str, record: Any, **facts: Any) -> tuple[int, dict[str, Any]]:
    body = {"version": server.version, "expected": 0, "record": record, **facts}
    return server.take(who, f"matches/{id}/record", body)


def test_anothers_match_is_left_alone(ewa: Phone, server: Server, match: str, record: dict[str, Any]) -> None:
    """Whether it has this id or not, the sender gets a match of their own."""
    before = server.show_log(match)
    status, answer = take(server, JAN, match, record | {"id": match})
    assert (status, answer["taken"], answer["id"] == match) == (200, 4, False)
    assert server.show_log(match) == before
    ewa.hear()
    assert [*ewa.store.tables.matches] == [match]


@pytest.mark.parametrize(
    "record",
    [None, [], {}, {"id": "y" * 22}, {"id": "x" * 22, "format": "companion-ruling", "version": 1},
     {"id": "x" * 22, "format": "companion-match", "version": 1, "game": "whist"}],
)  # fmt: skip
def test_an_unreadable_record_is_refused(server: Server, record: Any) -> None:
    status, answer = take(server, EWA, "x" * 22, record)
    assert (status, answer["taken"]) == (422, 0)
    assert server.list_ids() == []


def test_a_record_without_history_is_refused(server: Server, record: dict[str, Any]) -> None:
    """A phone sends the log of what it imported."""
    del record["log"]
    assert take(server, EWA, record["id"], record)[0] == 422
    assert server.list_ids() == []
