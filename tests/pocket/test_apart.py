"""What collides with what others wrote is set aside, kept whole, and becomes what somebody decides."""

from typing import Any

import pytest

from companion.matches import (
    Agree,
    AmendEntry,
    AttachRuling,
    CorrectHead,
    KeepDraft,
    Object,
    PutBack,
    Undo,
)
from companion.pocket.deciding import CannotWrite
from companion.rules.ruling import RuleViolation

from .table import AT, EWA, JAN, Clock, Phone, Server, deal


def contents(phone: Phone, match: str) -> list[Any]:
    """What the deals say that count."""
    return [one.payload["totals"]["A"] for one in phone.matches.open(match).standing_entries]


def kinds(phone: Phone, match: str) -> list[str]:
    return [one[0] for one in phone.log(match)]


def whys(phone: Phone, match: str) -> list[tuple[str, ...]]:
    return [tuple(one.why for one in group.events) for group in phone.open_groups(match)]


@pytest.fixture
def collided(ewa: Phone, jan: Phone, match: str) -> str:
    """Ewa recorded deal 2 and 3 without network, and Jan another deal 2."""
    ewa.record(match, deal(60, 85), deal(70, 77))
    jan.record(match, deal(61, 84))
    jan.meet()
    ewa.meet()
    return match


# --- what is set aside -----------------------------------------------------------------------------


def test_an_entry_beside_one_of_others_is_set_aside_with_those_behind_it(
    ewa: Phone, jan: Phone, server: Server, collided: str
) -> None:
    assert ewa.log(collided) == jan.log(collided) == server.show_log(collided)
    assert whys(ewa, collided) == [("overtaken",), ("overtaken",)]
    assert (ewa.delivery.aside(), ewa.delivery.unsent(), ewa.delivery.next()) == (2, 0, None)
    apart = ewa.apart(collided)
    assert [event.payload["totals"]["A"] for event in apart.list_theirs(apart.collisions[0])] == [61]


def test_a_collision_that_the_server_notices_is_the_same(ewa: Phone, jan: Phone, match: str) -> None:
    ewa.record(match, deal(60, 85), deal(70, 77))
    jan.record(match, deal(61, 84))
    jan.meet()
    assert ewa.send() == [409]
    assert ewa.log(match) == jan.log(match)
    assert whys(ewa, match) == [("overtaken",), ("overtaken",)]


def test_what_is_set_aside_is_so_after_a_restart(ewa: Phone, collided: str) -> None:
    before = ewa.apart(collided).collisions
    ewa.restart()
    assert ewa.apart(collided).collisions == before
    assert ewa.delivery.aside() == 2


def test_what_was_said_of_an_entry_goes_with_it(ewa: Phone, jan: Phone, match: str) -> None:
    """One decision for an entry, its correction, what is said of it and the ruling at it."""
    ruling = {"id": "r", "question": "", "verdict": "", "why": "", "rules": [], "rulebook": ""}
    ewa.record(match, deal(60, 85), AmendEntry(2, deal(62, 83)), Agree(2, "A"), AttachRuling(ruling, 2))
    ewa.record(match, Object(1, "B", "count"))
    jan.record(match, deal(61, 84))
    jan.meet()
    ewa.meet()
    assert whys(ewa, match) == [("overtaken", "rests", "rests", "rests")]
    assert kinds(ewa, match) == ["add", "add", "object"]  # that is about an entry which both have


def test_the_drafts_of_an_entry_go_with_it_and_one_in_progress_is_for_itself(
    ewa: Phone, jan: Phone, match: str
) -> None:
    ewa.record(match, KeepDraft({"type": "deal"}), deal(60, 85), KeepDraft({"type": "deal", "note": "x"}))
    jan.record(match, deal(61, 84))
    jan.meet()
    ewa.meet()
    groups = ewa.open_groups(match)
    assert [[one.event.kind for one in group.shown] for group in groups] == [["add"], ["draft"]]
    ewa.decide(match, "write", "write")
    assert kinds(ewa, match) == ["add", "add", "add", "draft"]
    assert ewa.matches.open(match).draft == {"type": "deal", "note": "x"}


def test_two_corrections_of_one_entry_collide(ewa: Phone, jan: Phone, match: str) -> None:
    ewa.record(match, AmendEntry(1, deal(80, 67)))
    jan.record(match, AmendEntry(1, deal(81, 66)))
    jan.meet()
    ewa.meet()
    assert contents(ewa, match) == [81]
    ewa.decide(match, "write")
    assert contents(ewa, match) == [80]
    ewa.meet()
    jan.meet()
    assert ewa.log(match) == jan.log(match)


def test_names_that_both_corrected_collide(ewa: Phone, jan: Phone, match: str) -> None:
    ewa.record(match, CorrectHead({"place": "at home"}), CorrectHead({"players": ["Ewa", "Janek"]}))
    jan.record(match, CorrectHead({"place": "at the lake"}))
    jan.meet()
    ewa.meet()
    assert len(ewa.open_groups(match)) == 1
    ewa.decide(match, "write")
    assert ewa.matches.open(match).head["place"] == "at home"
    assert ewa.matches.open(match).head["players"] == ["Ewa", "Janek"]


def test_the_pencil_was_taken_away_and_nothing_is_lost(
    ewa: Phone, jan: Phone, server: Server, match: str
) -> None:
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
    assert kinds(ewa, id) == ["add", "agree"]
    server.give_pencil(id, JAN, True)
    jan.apart(id).write_all()
    jan.meet()
    ewa.meet()
    assert contents(ewa, id) == [82, 60, 70]
    assert ewa.log(id) == jan.log(id)


def test_a_match_that_is_gone_is_kept_until_all_of_it_is_decided(
    ewa: Phone, jan: Phone, server: Server, match: str
) -> None:
    jan.record(match, deal(60, 85))
    server.do("delete_match", match, AT)
    assert jan.send() == [410]
    assert (jan.delivery.unsent(), jan.delivery.aside(), jan.delivery.next()) == (0, 1, None)
    assert jan.matches.list_matches(JAN) == []
    apart = jan.apart(match)
    assert isinstance(apart.refusal(jan.open_groups(match)[0]), CannotWrite)
    with pytest.raises(CannotWrite):
        apart.decide(jan.open_groups(match)[0], "write")
    server.do("bring_back", match)  # it was brought back
    jan.hear()
    jan.decide(match, "write")
    jan.meet()
    ewa.meet()
    assert contents(ewa, match) == [82, 60]


def test_a_match_that_is_gone_is_forgotten_once_all_is_left_out(
    jan: Phone, server: Server, match: str
) -> None:
    jan.record(match, deal(60, 85))
    server.do("delete_match", match, AT)
    jan.hear()
    jan.decide(match, "leave")
    jan.hear()
    assert (list(jan.store.tables.matches), jan.delivery.aside()) == ([], 0)


def test_what_the_server_refuses_is_set_aside_with_its_sentence(ewa: Phone, match: str) -> None:
    """What was made on top of it, too; what does not depend on it goes on its way."""
    ewa.record(match, deal(60, 85), Agree(1, "A"), deal(70, 77))
    sent = ewa.delivery.next()
    assert sent is not None
    assert ewa.delivery.take_answer(
        match, 422, {"taken": 0, "length": 1, "problem": "Such a deal cannot be."}
    )
    assert whys(ewa, match) == [("refused",), ("rests",)]
    assert [one.said for group in ewa.open_groups(match) for one in group.events] == [
        "Such a deal cannot be.",
        "",
    ]
    assert kinds(ewa, match) == ["add", "agree"]
    assert ewa.send() == [200]


def test_what_is_too_large_goes_in_smaller_deliveries_and_alone_is_set_aside(ewa: Phone, match: str) -> None:
    ewa.record(match, *[KeepDraft({"type": "deal", "note": str(n)}) for n in range(3)])
    lengths = []
    while (sent := ewa.delivery.next()) is not None:
        lengths.append(len(sent["body"]["events"]))
        ewa.delivery.take_answer(match, 413, {"taken": 0, "problem": "Too large."})
    assert lengths == [3, 1]
    assert next(one.said for group in ewa.open_groups(match) for one in group.events) == "Too large."


def test_a_403_of_nobody_who_looked_at_it_sets_nothing_aside(ewa: Phone, match: str) -> None:
    ewa.record(match, deal(60, 85))
    assert ewa.delivery.next() is not None
    assert not ewa.delivery.take_answer(match, 403, {"error": "another origin"})
    assert (ewa.delivery.unsent(), ewa.delivery.aside()) == (1, 0)


def test_what_was_set_aside_and_proves_to_be_there_is_decided(ewa: Phone, server: Server, match: str) -> None:
    """It was written, the answer was lost, and then the server refused to look at more."""
    ewa.record(match, deal(60, 85))
    ewa.send(is_answer_lost=True)
    assert ewa.delivery.next() is not None
    ewa.delivery.take_answer(match, 422, {"taken": 0, "length": 1, "problem": "?"})
    assert ewa.delivery.aside() == 1
    ewa.hear()
    assert ewa.delivery.aside() == 0
    assert ewa.log(match) == server.show_log(match)


# --- what becomes of it ----------------------------------------------------------------------------


def test_both_are_written_one_after_the_other(ewa: Phone, jan: Phone, server: Server, collided: str) -> None:
    ewa.decide(collided, "write", "write")
    assert (ewa.delivery.aside(), ewa.delivery.unsent()) == (0, 2)
    ewa.meet()
    jan.meet()
    assert contents(jan, collided) == [82, 61, 60, 70]
    assert ewa.log(collided) == jan.log(collided) == server.show_log(collided)


def test_all_are_written_in_the_order_in_which_they_were_recorded(ewa: Phone, collided: str) -> None:
    ewa.apart(collided).write_all()
    assert contents(ewa, collided) == [82, 61, 60, 70]


def test_what_is_written_keeps_the_time_at_which_it_was_recorded(ewa: Phone, collided: str) -> None:
    at = ewa.open_groups(collided)[0].events[0].event.at
    ewa.decide(collided, "write")
    assert ewa.matches.open(collided).events[-1].at == at


def test_one_is_written_in_place_of_theirs(ewa: Phone, jan: Phone, collided: str) -> None:
    """Theirs is corrected, so the history has both."""
    apart = ewa.apart(collided)
    first, second = ewa.open_groups(collided)
    theirs = apart.find_counterpart(first, apart.match())
    assert theirs is not None and theirs.payload["totals"]["A"] == 61
    assert apart.find_counterpart(second, apart.match()) is None
    ewa.decide(collided, "instead", "write")
    ewa.meet()
    jan.meet()
    assert contents(jan, collided) == [82, 60, 70]
    assert kinds(jan, collided) == ["add", "add", "amend", "add"]


def test_what_was_said_of_an_entry_is_said_of_that_in_whose_place_it_came(
    ewa: Phone, jan: Phone, match: str
) -> None:
    ewa.record(match, deal(60, 85), AmendEntry(2, deal(62, 83)), Agree(2, "A"))
    jan.record(match, Agree(1, "B"), deal(61, 84))
    jan.meet()
    ewa.meet()
    ewa.decide(match, "instead")
    ewa.meet()
    after = ewa.matches.open(match)
    assert (contents(ewa, match), after.remarks.agreed(3)) == ([82, 62], ("A",))


def test_one_is_left_out_and_can_be_put_back(ewa: Phone, collided: str) -> None:
    ewa.decide(collided, "leave", "leave")
    assert (ewa.delivery.aside(), ewa.delivery.unsent(), contents(ewa, collided)) == (0, 0, [82, 61])
    ewa.restart()
    apart = ewa.apart(collided)
    left = [group for group in apart.collisions[0].groups() if group.state == "left out"]
    apart.decide(left[1], "back")
    assert ewa.delivery.aside() == 1
    ewa.decide(collided, "write")
    assert contents(ewa, collided) == [82, 61, 70]


def test_an_undo_does_by_itself_what_it_did(ewa: Phone, jan: Phone, match: str) -> None:
    """It took back what was last then; by now something else is."""
    ewa.record(match, Undo())
    jan.record(match, deal(61, 84))
    jan.meet()
    ewa.meet()
    ewa.decide(match, "write")
    ewa.meet()
    assert contents(ewa, match) == [61]


def test_an_entry_that_was_taken_out_again_is_written_and_taken_out(
    ewa: Phone, jan: Phone, match: str
) -> None:
    ewa.record(match, deal(60, 85), Undo(), PutBack(), Undo())
    jan.record(match, deal(61, 84))
    jan.meet()
    ewa.meet()
    group = ewa.open_groups(match)[0]
    assert group.is_taken_out
    ewa.decide(match, "write")
    ewa.meet()
    jan.meet()
    assert contents(jan, match) == [82, 61]
    assert kinds(jan, match) == ["add", "add", "add", "withdraw", "restore", "withdraw"]


def test_what_breaks_a_rule_by_now_stays_set_aside(ewa: Phone, jan: Phone, match: str) -> None:
    """The others have ended the match meanwhile."""
    ewa.record(match, deal(60, 85))
    jan.record(match, *[deal(147, 0)] * 3)
    assert not jan.matches.open(match).playing
    jan.meet()
    ewa.meet()
    apart, group = ewa.apart(match), ewa.open_groups(match)[0]
    assert isinstance(apart.refusal(group), RuleViolation)
    assert apart.refusal(group, "instead") is None
    with pytest.raises(RuleViolation):
        apart.decide(group, "write")
    assert (ewa.delivery.aside(), ewa.delivery.unsent()) == (1, 0)


def test_what_was_written_too_may_collide_once_more(ewa: Phone, jan: Phone, collided: str) -> None:
    ewa.decide(collided, "write")
    jan.record(collided, deal(71, 76))
    jan.meet()
    ewa.meet()
    assert contents(ewa, collided) == [82, 61, 71]
    assert ewa.delivery.aside() == 2
    ewa.decide(collided, "leave", "write")
    assert ewa.delivery.aside() == 0
    ewa.meet()
    jan.meet()
    assert ewa.log(collided) == jan.log(collided)
    assert len(contents(jan, collided)) == 4


def test_a_later_log_of_others_is_theirs_too_while_something_is_undecided(
    ewa: Phone, jan: Phone, collided: str
) -> None:
    """The second of two that are set aside has its counterpart then."""
    jan.record(collided, deal(71, 76))
    jan.meet()
    ewa.meet()
    apart = ewa.apart(collided)
    second = ewa.open_groups(collided)[1]
    theirs = apart.find_counterpart(second, apart.match())
    assert theirs is not None and theirs.payload["totals"]["A"] == 71
    assert [one.payload["totals"]["A"] for one in apart.list_theirs(apart.collisions[0])] == [61, 71]


def test_the_log_of_this_phone_is_told_as_it_was(ewa: Phone, collided: str) -> None:
    apart = ewa.apart(collided)
    then, numbers = apart.retell(apart.collisions[0])
    assert [one.payload["totals"]["A"] for one in then.standing_entries] == [82, 60, 70]
    assert numbers == {2: 2, 3: 3}


def test_two_phones_of_one_person_collide_like_those_of_two(
    server: Server, ewa: Phone, clock: Clock, match: str
) -> None:
    """Who has moved to a new phone may have the old one at hand."""
    other = Phone(server, EWA, clock, first_key=1000)
    other.hear()
    ewa.record(match, deal(60, 85))
    other.record(match, deal(61, 84))
    other.meet()
    ewa.meet()
    assert ewa.delivery.aside() == 1
    apart = ewa.apart(match)
    assert [one.payload["totals"]["A"] for one in apart.list_theirs(apart.collisions[0])] == [61]


def test_of_what_belongs_together_only_what_is_not_there_is_written(
    ewa: Phone, server: Server, match: str
) -> None:
    """The entry had arrived when the server refused to look at more; its correction had not."""
    ewa.record(match, deal(60, 85))
    ewa.send(is_answer_lost=True)
    ewa.record(match, AmendEntry(2, deal(62, 83)))
    assert ewa.delivery.next() is not None
    ewa.delivery.take_answer(match, 422, {"taken": 0, "problem": "?"})
    ewa.hear()
    assert (contents(ewa, match), ewa.delivery.aside()) == ([82, 60], 1)
    ewa.decide(match, "write")
    assert kinds(ewa, match) == ["add", "add", "amend"]
    ewa.meet()
    assert contents(ewa, match) == [82, 62]
    assert ewa.log(match) == server.show_log(match)
