"""What was set aside becomes what somebody decides, and goes to the server like all that is recorded."""

import pytest

from companion.matches import Agree, AmendEntry, PutBack, Undo
from companion.rules.ruling import RuleViolation

from .table import EWA, Clock, Phone, Server, collide, contents, deal, kinds_of


def test_both_are_written_one_after_the_other(ewa: Phone, jan: Phone, server: Server, collided: str) -> None:
    ewa.decide(collided, "write", "write")
    assert (ewa.delivery.count_conflicts(), ewa.delivery.count_unsent()) == (0, 2)
    ewa.meet()
    jan.meet()
    assert contents(jan, collided) == [82, 61, 60, 70]
    assert ewa.log(collided) == jan.log(collided) == server.show_log(collided)


def test_what_is_written_keeps_the_time_at_which_it_was_recorded(ewa: Phone, collided: str) -> None:
    at = ewa.open_groups(collided)[0].events[0].event.at
    ewa.decide(collided, "write")
    assert ewa.matches.open(collided).events[-1].at == at


def test_one_is_written_in_place_of_theirs(ewa: Phone, jan: Phone, collided: str) -> None:
    """Theirs is corrected, so the history has both."""
    conflicts = ewa.conflicts(collided)
    first, second = ewa.open_groups(collided)
    theirs = conflicts.find_counterpart(first, conflicts.match())
    assert theirs is not None and theirs.payload["totals"]["A"] == 61
    assert conflicts.find_counterpart(second, conflicts.match()) is None
    ewa.decide(collided, "instead", "write")
    ewa.meet()
    jan.meet()
    assert contents(jan, collided) == [82, 60, 70]
    assert kinds_of(jan, collided) == ["add", "add", "amend", "add"]


def test_what_was_said_of_an_entry_is_said_of_the_one_it_replaces(ewa: Phone, jan: Phone, match: str) -> None:
    collide(
        ewa,
        jan,
        match,
        [deal(60, 85), AmendEntry(2, deal(62, 83)), Agree(2, "A")],
        [Agree(1, "B"), deal(61, 84)],
    )
    ewa.decide(match, "instead")
    ewa.meet()
    after = ewa.matches.open(match)
    assert (contents(ewa, match), after.remarks.agreed(3)) == ([82, 62], ("A",))


def test_one_is_left_out_and_can_be_put_back(ewa: Phone, collided: str) -> None:
    ewa.decide(collided, "leave", "leave")
    assert (ewa.delivery.count_conflicts(), ewa.delivery.count_unsent(), contents(ewa, collided)) == (
        0,
        0,
        [82, 61],
    )
    ewa.restart()
    conflicts = ewa.conflicts(collided)
    left = [group for group in conflicts.conflicts[0].groups() if group.state == "left out"]
    conflicts.resolve(left[1], "back")
    assert ewa.delivery.count_conflicts() == 1
    ewa.decide(collided, "write")
    assert contents(ewa, collided) == [82, 61, 70]


def test_an_undo_does_by_itself_what_it_did(ewa: Phone, jan: Phone, match: str) -> None:
    """It took back what was last then; by now something else is."""
    collide(ewa, jan, match, [Undo()], [deal(61, 84)])
    ewa.decide(match, "write")
    ewa.meet()
    assert contents(ewa, match) == [61]


def test_an_entry_that_was_taken_out_is_written_and_taken_out(ewa: Phone, jan: Phone, match: str) -> None:
    collide(ewa, jan, match, [deal(60, 85), Undo(), PutBack(), Undo()], [deal(61, 84)])
    group = ewa.open_groups(match)[0]
    assert group.content is None
    ewa.decide(match, "write")
    ewa.meet()
    jan.meet()
    assert contents(jan, match) == [82, 61]
    assert kinds_of(jan, match) == ["add", "add", "add", "withdraw", "restore", "withdraw"]


def test_what_breaks_a_rule_by_now_stays_set_aside(ewa: Phone, jan: Phone, match: str) -> None:
    """The others have ended the match meanwhile."""
    ewa.record(match, deal(60, 85))
    jan.record(match, *[deal(147, 0)] * 3)
    assert not jan.matches.open(match).playing
    jan.meet()
    ewa.meet()
    conflicts, group = ewa.conflicts(match), ewa.open_groups(match)[0]
    assert isinstance(conflicts.find_refusal(group), RuleViolation)
    assert conflicts.find_refusal(group, "instead") is None
    with pytest.raises(RuleViolation):
        conflicts.resolve(group, "write")
    assert (ewa.delivery.count_conflicts(), ewa.delivery.count_unsent()) == (1, 0)


def test_what_was_written_too_may_collide_once_more(ewa: Phone, jan: Phone, collided: str) -> None:
    ewa.decide(collided, "write")
    jan.record(collided, deal(71, 76))
    jan.meet()
    ewa.meet()
    assert contents(ewa, collided) == [82, 61, 71]
    assert ewa.delivery.count_conflicts() == 2
    ewa.decide(collided, "leave", "write")
    assert ewa.delivery.count_conflicts() == 0
    ewa.meet()
    jan.meet()
    assert ewa.log(collided) == jan.log(collided)
    assert len(contents(jan, collided)) == 4


def test_a_later_log_of_others_is_theirs_too_until_all_is_decided(
    ewa: Phone, jan: Phone, collided: str
) -> None:
    """The second of two that are set aside has its counterpart then."""
    jan.record(collided, deal(71, 76))
    jan.meet()
    ewa.meet()
    conflicts = ewa.conflicts(collided)
    second = ewa.open_groups(collided)[1]
    theirs = conflicts.find_counterpart(second, conflicts.match())
    assert theirs is not None and theirs.payload["totals"]["A"] == 71
    assert [their.payload["totals"]["A"] for their in conflicts.list_theirs(conflicts.conflicts[0])] == [
        61,
        71,
    ]


def test_the_log_of_this_phone_is_told_as_it_was(ewa: Phone, collided: str) -> None:
    conflicts = ewa.conflicts(collided)
    then, numbers = conflicts.rebuild(conflicts.conflicts[0])
    assert [entry.payload["totals"]["A"] for entry in then.standing_entries] == [82, 60, 70]
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
    assert ewa.delivery.count_conflicts() == 1
    conflicts = ewa.conflicts(match)
    assert [their.payload["totals"]["A"] for their in conflicts.list_theirs(conflicts.conflicts[0])] == [61]


def test_of_what_belongs_together_only_the_rest_is_written(ewa: Phone, server: Server, match: str) -> None:
    """The entry had arrived when the server refused to look at more; its correction had not."""
    ewa.record(match, deal(60, 85))
    ewa.send(is_answer_lost=True)
    ewa.record(match, AmendEntry(2, deal(62, 83)))
    assert ewa.delivery.next() is not None
    ewa.delivery.take_answer(match, 422, {"taken": 0, "problem": "?"})
    ewa.hear()
    assert (contents(ewa, match), ewa.delivery.count_conflicts()) == ([82, 60], 1)
    ewa.decide(match, "write")
    assert kinds_of(ewa, match) == ["add", "add", "amend"]
    ewa.meet()
    assert contents(ewa, match) == [82, 62]
    assert ewa.log(match) == server.show_log(match)
