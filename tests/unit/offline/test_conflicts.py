"""What collides with what others wrote is set aside, kept whole, until somebody decides."""

import pytest

from companion.matches import Agree, AmendEntry, AttachRuling, CorrectHead, KeepDraft, Object
from companion.offline.resolution import CannotWrite

from .table import AT, JAN, Phone, Server, collide, contents, deal, kinds_of


def whys(phone: Phone, match: str) -> list[tuple[str, ...]]:
    return [tuple(event.why for event in group.events) for group in phone.open_groups(match)]


def test_an_entry_beside_one_of_others_is_set_aside_with_those_behind_it(
    ewa: Phone, jan: Phone, server: Server, collided: str
) -> None:
    assert ewa.log(collided) == jan.log(collided) == server.show_log(collided)
    assert whys(ewa, collided) == [("overtaken",), ("overtaken",)]
    assert (ewa.delivery.count_conflicts(), ewa.delivery.count_unsent(), ewa.delivery.next()) == (2, 0, None)
    conflicts = ewa.conflicts(collided)
    assert [event.payload["totals"]["A"] for event in conflicts.list_theirs(conflicts.conflicts[0])] == [61]


def test_a_collision_that_the_server_notices_is_the_same(ewa: Phone, jan: Phone, match: str) -> None:
    ewa.record(match, deal(60, 85), deal(70, 77))
    jan.record(match, deal(61, 84))
    jan.meet()
    assert ewa.send() == [409]
    assert ewa.log(match) == jan.log(match)
    assert whys(ewa, match) == [("overtaken",), ("overtaken",)]


def test_what_was_said_of_an_entry_goes_with_it(ewa: Phone, jan: Phone, match: str) -> None:
    """One decision for an entry, its correction, what is said of it and the ruling at it."""
    ruling = {"id": "r", "question": "", "verdict": "", "why": "", "rules": [], "rulebook": ""}
    ewa.record(match, deal(60, 85), AmendEntry(2, deal(62, 83)), Agree(2, "A"), AttachRuling(ruling, 2))
    collide(ewa, jan, match, [Object(1, "B", "count")], [deal(61, 84)])
    assert whys(ewa, match) == [("overtaken", "rests", "rests", "rests")]
    assert kinds_of(ewa, match) == ["add", "add", "object"]  # that is about an entry which both have


def test_the_drafts_of_an_entry_go_with_it_and_one_in_progress_alone(
    ewa: Phone, jan: Phone, match: str
) -> None:
    collide(
        ewa,
        jan,
        match,
        [KeepDraft({"type": "deal"}), deal(60, 85), KeepDraft({"type": "deal", "note": "x"})],
        [deal(61, 84)],
    )
    groups = ewa.open_groups(match)
    assert [[item.event.kind for item in group.shown] for group in groups] == [["add"], ["draft"]]
    ewa.decide(match, "write", "write")
    assert kinds_of(ewa, match) == ["add", "add", "add", "draft"]
    assert ewa.matches.open(match).draft == {"type": "deal", "note": "x"}


def test_two_corrections_of_one_entry_collide(ewa: Phone, jan: Phone, match: str) -> None:
    collide(ewa, jan, match, [AmendEntry(1, deal(80, 67))], [AmendEntry(1, deal(81, 66))])
    assert contents(ewa, match) == [81]
    ewa.decide(match, "write")
    assert contents(ewa, match) == [80]
    ewa.meet()
    jan.meet()
    assert ewa.log(match) == jan.log(match)


def test_names_that_both_corrected_collide(ewa: Phone, jan: Phone, match: str) -> None:
    collide(
        ewa,
        jan,
        match,
        [CorrectHead({"place": "at home"}), CorrectHead({"players": ["Ewa", "Janek"]})],
        [CorrectHead({"place": "at the lake"})],
    )
    assert len(ewa.open_groups(match)) == 1
    ewa.decide(match, "write")
    assert ewa.matches.open(match).head["place"] == "at home"
    assert ewa.matches.open(match).head["players"] == ["Ewa", "Janek"]


def test_the_pencil_is_taken_and_nothing_is_lost(ewa: Phone, jan: Phone, server: Server, match: str) -> None:
    jan.record(match, deal(60, 85), Agree(1, "B"), deal(70, 77))
    server.do("revoke_grant", match, f"{match}-{JAN}", AT)
    assert jan.send() == [403, 403]
    assert whys(jan, match) == [("writer",), ("rests",), ("writer",)]
    assert jan.log(match) == ewa.log(match)


def test_a_side_without_the_pencil_still_says_what_it_may(ewa: Phone, jan: Phone, server: Server) -> None:
    id = ewa.begin()
    ewa.record(id, deal(82, 65))
    ewa.meet()
    server.join(id, JAN, side="B")
    jan.meet()
    jan.record(id, deal(60, 85), Agree(1, "B"), deal(70, 77))
    server.give_pencil(id, JAN, False)
    assert jan.send() == [403, 200]
    assert whys(jan, id) == [("writer",), ("rests",)]
    ewa.meet()
    assert kinds_of(ewa, id) == ["add", "agree"]
    server.give_pencil(id, JAN, True)
    jan.conflicts(id).write_all()
    jan.meet()
    ewa.meet()
    assert contents(ewa, id) == [82, 60, 70]
    assert ewa.log(id) == jan.log(id)


def test_a_match_that_is_gone_is_kept_until_decided(
    ewa: Phone, jan: Phone, server: Server, match: str
) -> None:
    jan.record(match, deal(60, 85))
    server.do("set_visibility", match, "deleted", AT)
    assert jan.send() == [410]
    assert (jan.delivery.count_unsent(), jan.delivery.count_conflicts(), jan.delivery.next()) == (0, 1, None)
    assert jan.matches.list_matches(JAN) == []
    conflicts = jan.conflicts(match)
    assert isinstance(conflicts.find_refusal(jan.open_groups(match)[0]), CannotWrite)
    with pytest.raises(CannotWrite):
        conflicts.resolve(jan.open_groups(match)[0], "write")
    server.do("set_visibility", match, "listed", AT)  # it was brought back
    jan.hear()
    jan.decide(match, "write")
    jan.meet()
    ewa.meet()
    assert contents(ewa, match) == [82, 60]


def test_a_match_that_is_gone_is_forgotten_once_all_are_out(jan: Phone, server: Server, match: str) -> None:
    jan.record(match, deal(60, 85))
    server.do("set_visibility", match, "deleted", AT)
    jan.hear()
    jan.decide(match, "leave")
    jan.hear()
    assert (list(jan.store.tables.matches), jan.delivery.count_conflicts()) == ([], 0)


def test_what_the_server_refuses_is_set_aside_with_its_sentence(ewa: Phone, match: str) -> None:
    """What was made on top of it, too; what does not depend on it goes on its way."""
    ewa.record(match, deal(60, 85), Agree(1, "A"), deal(70, 77))
    sent = ewa.delivery.next()
    assert sent is not None
    assert ewa.delivery.take_answer(
        match, 422, {"taken": 0, "length": 1, "problem": "Such a deal cannot be."}
    )
    assert whys(ewa, match) == [("refused",), ("rests",)]
    assert [event.said for group in ewa.open_groups(match) for event in group.events] == [
        "Such a deal cannot be.",
        "",
    ]
    assert kinds_of(ewa, match) == ["add", "agree"]
    assert ewa.send() == [200]


def test_what_is_too_large_goes_in_smaller_deliveries_and_alone_is_set_aside(ewa: Phone, match: str) -> None:
    ewa.record(match, *[KeepDraft({"type": "deal", "note": str(n)}) for n in range(3)])
    lengths = []
    while (sent := ewa.delivery.next()) is not None:
        lengths.append(len(sent["body"]["events"]))
        ewa.delivery.take_answer(match, 413, {"taken": 0, "problem": "Too large."})
    assert lengths == [3, 1]
    assert next(event.said for group in ewa.open_groups(match) for event in group.events) == "Too large."


def test_a_403_of_nobody_who_looked_at_it_sets_nothing_aside(ewa: Phone, match: str) -> None:
    ewa.record(match, deal(60, 85))
    assert ewa.delivery.next() is not None
    assert not ewa.delivery.take_answer(match, 403, {"error": "another origin"})
    assert (ewa.delivery.count_unsent(), ewa.delivery.count_conflicts()) == (1, 0)


def test_what_was_set_aside_and_proves_to_be_there_is_decided(ewa: Phone, server: Server, match: str) -> None:
    """It was written, the answer was lost, and then the server refused to look at more."""
    ewa.record(match, deal(60, 85))
    ewa.send(is_answer_lost=True)
    assert ewa.delivery.next() is not None
    ewa.delivery.take_answer(match, 422, {"taken": 0, "length": 1, "problem": "?"})
    assert ewa.delivery.count_conflicts() == 1
    ewa.hear()
    assert ewa.delivery.count_conflicts() == 0
    assert ewa.log(match) == server.show_log(match)
