"""What was archived, deleted, erased or brought back without network, on its way to the server."""

from typing import Any

import pytest

from companion.matches import NotTheWriter, VisibilityChoice

from .table import EWA, JAN, Phone, Server, contents, deal

LATER = "2027-01-01T00:00:00.000+00:00"
EARLIER = "2026-01-01T00:00:00.000+00:00"


def choose_at_server(server: Server, id: str, choice: VisibilityChoice, at: str) -> None:
    server.do("set_visibility", id, choice, at)


@pytest.mark.parametrize("choice", ["archived", "deleted", "erased"])
def test_what_was_chosen_here_holds_at_the_server(
    ewa: Phone, server: Server, match: str, choice: VisibilityChoice
) -> None:
    """At once on the phone, and there once it is delivered; brought back in the same way."""
    if choice == "erased":
        ewa.choose(match, "deleted")
    ewa.choose(match, choice)
    assert (ewa.visibility(match), server.visibility(match)) == (choice, "listed")
    assert (ewa.delivery.count_unsent(), ewa.matches.list_matches(EWA)) == (1, [])
    ewa.restart()
    ewa.meet()
    assert (ewa.visibility(match), server.visibility(match)) == (choice, choice)
    assert (ewa.delivery.count_unsent(), match in ewa.delivery.have()) == (0, choice != "erased")
    if choice != "erased":
        ewa.choose(match, "listed")
        ewa.meet()
        assert (ewa.visibility(match), server.visibility(match)) == ("listed", "listed")


def test_it_is_delivered_behind_the_entries_and_before_those_that_follow(
    ewa: Phone, server: Server, match: str
) -> None:
    """Nobody writes in a match in the trash, here or there."""
    ewa.record(match, deal(60, 85))
    ewa.choose(match, "deleted")
    assert [sent["path"].rpartition("/")[2] for sent in ewa.delivery.list_outgoing()] == [
        "events",
        "visibility",
    ]
    assert ewa.send() == [200, 200]
    ewa.meet()
    assert (server.visibility(match), len(server.show_log(match))) == ("deleted", 2)
    ewa.choose(match, "listed")
    ewa.record(match, deal(70, 77))
    outgoing = ewa.delivery.list_outgoing()
    assert [sent["path"].rpartition("/")[2] for sent in outgoing] == ["visibility", "events"]
    assert sum(sent["count"] for sent in outgoing) == ewa.delivery.count_unsent() == 2
    assert ewa.send() == [200, 200]
    ewa.meet()
    assert (server.visibility(match), contents(ewa, match)) == ("listed", [82, 60, 70])
    assert server.show_log(match) == ewa.log(match)


def test_a_match_that_the_server_never_had_comes_into_its_trash(ewa: Phone, server: Server) -> None:
    """With its entries, so that it is found there; erased it need not go there."""
    deleted, erased = ewa.begin(), ewa.begin()
    for id in (deleted, erased):
        ewa.record(id, deal(82, 65))
        ewa.choose(id, "deleted")
    ewa.choose(erased, "erased")
    ewa.meet()
    assert (server.visibility(deleted), len(server.show_log(deleted))) == ("deleted", 1)
    assert (ewa.visibility(deleted), server.show_log(erased)) == ("deleted", [])
    assert list(ewa.store.tables.matches) == [deleted]


def test_a_lost_answer_does_nothing_twice(ewa: Phone, server: Server, match: str) -> None:
    """What was done there meanwhile stands, and is learnt here."""
    ewa.choose(match, "deleted")
    ewa.send(is_answer_lost=True)
    assert (server.visibility(match), ewa.delivery.count_unsent()) == ("deleted", 1)
    choose_at_server(server, match, "listed", LATER)
    ewa.meet()
    assert (server.visibility(match), ewa.visibility(match)) == ("listed", "listed")
    assert ewa.delivery.count_unsent() == 0


@pytest.mark.parametrize(("at", "stands"), [(EARLIER, "archived"), (LATER, "deleted")])
def test_the_later_of_two_choices_stands(
    ewa: Phone, server: Server, match: str, at: str, stands: str
) -> None:
    ewa.choose(match, "archived")
    choose_at_server(server, match, "deleted", at)
    ewa.meet()
    assert (server.visibility(match), ewa.visibility(match)) == (stands, stands)
    assert ewa.delivery.count_unsent() == 0


def test_entries_for_a_match_deleted_at_the_server_wait_for_a_decision(
    ewa: Phone, server: Server, match: str
) -> None:
    """They are a conflict; once the match was brought back they can be written."""
    ewa.record(match, deal(60, 85))
    choose_at_server(server, match, "deleted", LATER)
    ewa.meet()
    assert (ewa.visibility(match), ewa.delivery.count_conflicts()) == ("deleted", 1)
    choose_at_server(server, match, "listed", LATER)
    ewa.meet()
    ewa.decide(match, "write")
    ewa.meet()
    assert contents(ewa, match) == [82, 60]
    assert server.show_log(match) == ewa.log(match)


def test_what_was_erased_at_the_server_is_gone_here(ewa: Phone, server: Server, match: str) -> None:
    """An archived match that was erased there since is refused there."""
    ewa.choose(match, "archived")
    choose_at_server(server, match, "deleted", EARLIER)
    server.do("erase_match", match)
    assert ewa.send() == [404]
    assert (list(ewa.store.tables.matches), ewa.delivery.count_unsent()) == ([], 0)


def test_a_wrong_choice_is_refused_and_the_server_says_what_holds(
    ewa: Phone, server: Server, match: str
) -> None:
    """By a server that no longer lets its owner, say: the match is shown as it is there."""
    ewa.choose(match, "archived")
    sent = ewa.delivery.next()
    assert sent is not None
    assert ewa.delivery.take_answer(match, 403, {"taken": 0, "problem": "No longer."})
    assert ewa.delivery.count_unsent() == 0
    ewa.meet()
    assert (ewa.visibility(match), server.visibility(match)) == ("listed", "listed")


def test_old_matches_in_the_trash_are_forgotten_but_not_before_the_server_has_heard(
    ewa: Phone, server: Server, match: str
) -> None:
    """A clock that goes wrong erases nothing there."""
    ewa.choose(match, "deleted")
    assert ewa.store.erase_deleted(LATER) == 0
    ewa.meet()
    assert ewa.store.erase_deleted(LATER) == 1
    assert server.visibility(match) == "deleted"
    ewa.meet()
    assert ewa.visibility(match) == "deleted"


def test_news_of_what_was_chosen_there_are_kept(ewa: Phone, server: Server, match: str) -> None:
    """A phone that starts without network shows them still."""
    ewa.store.tables.take_changes()
    choose_at_server(server, match, "deleted", LATER)
    ewa.hear()
    changes = dict(ewa.store.tables.take_changes())
    assert changes["match", match]["deleted_at"] == LATER


def test_what_an_earlier_version_deleted_is_erased(ewa: Phone, server: Server, match: str) -> None:
    """It noted no time of the choice."""
    choose_at_server(server, match, "deleted", EARLIER)
    server.forget_choices()
    ewa.meet()
    ewa.choose(match, "erased")
    assert ewa.send() == [200]
    assert server.visibility(match) == "erased"


def test_a_choice_during_the_delivery_of_another_is_delivered_too(
    ewa: Phone, server: Server, match: str
) -> None:
    """Erasing has the time of deleting."""
    ewa.choose(match, "deleted")
    sent = ewa.delivery.next()
    assert sent is not None
    answer = server.take(EWA, sent["path"], sent["body"])
    ewa.choose(match, "erased")
    ewa.delivery.take_answer(match, *answer)
    ewa.meet()
    assert (server.visibility(match), ewa.visibility(match)) == ("erased", "erased")


def test_what_others_wrote_meanwhile_is_not_erased(
    ewa: Phone, jan: Phone, server: Server, match: str
) -> None:
    """It is in the trash, on the phone too, for its owner has not seen it."""
    ewa.choose(match, "deleted")
    ewa.choose(match, "erased")
    jan.record(match, deal(60, 85))
    jan.meet()
    ewa.meet()
    assert (server.visibility(match), ewa.visibility(match)) == ("deleted", "deleted")
    assert len(ewa.log(match)) == 2
    ewa.choose(match, "erased")
    ewa.meet()
    assert (server.visibility(match), ewa.visibility(match)) == ("erased", "erased")


def test_deleted_on_both_sides_entries_wait_for_a_decision(ewa: Phone, server: Server, match: str) -> None:
    """They hold up nothing."""
    ewa.record(match, deal(60, 85))
    ewa.choose(match, "deleted")
    choose_at_server(server, match, "deleted", EARLIER)
    ewa.meet()
    assert (ewa.delivery.count_unsent(), ewa.delivery.count_conflicts()) == (0, 1)
    assert server.visibility(match) == ewa.visibility(match) == "deleted"


def test_entries_that_wait_for_a_decision_are_not_forgotten(ewa: Phone, server: Server, match: str) -> None:
    """Even where the phone has the match in its trash for too long."""
    ewa.record(match, deal(60, 85))
    choose_at_server(server, match, "deleted", EARLIER)
    ewa.meet()
    assert ewa.store.erase_deleted(LATER) == 0
    assert ewa.delivery.count_conflicts() == 1


# --- the server --------------------------------------------------------------------------------------


def take(server: Server, who: str, id: str, **facts: Any) -> int:
    body = {"version": server.version, "expected": 1, "choice": "deleted", "at": LATER, **facts}
    status, answer = server.take(who, f"matches/{id}/visibility", body)
    assert answer.get("taken") == int(status == 200)
    return status


def test_only_its_owner_chooses(ewa: Phone, jan: Phone, server: Server, match: str) -> None:
    """A match of another's is refused like an unknown one, even to whoever may write in it."""
    assert take(server, JAN, match) == take(server, JAN, "x" * 22) == take(server, EWA, "\0") == 404
    assert server.visibility(match) == "listed"
    with pytest.raises(NotTheWriter):
        jan.choose(match, "archived")
    assert take(server, EWA, match) == 200
    assert server.visibility(match) == "deleted"


@pytest.mark.parametrize(
    "facts",
    [
        {"choice": "shown"},
        {"choice": None},
        {"choice": []},
        {"at": "yesterday"},
        {"at": None},
        {"expected": -1},
        {"more": 1},
    ],
)
def test_an_unreadable_choice_is_refused(server: Server, match: str, facts: dict[str, Any]) -> None:
    assert take(server, EWA, match, **facts) == 422
    assert server.visibility(match) == "listed"


def test_a_match_is_in_the_trash_for_thirty_days_from_its_arrival(server: Server, match: str) -> None:
    """Whatever a phone's clock says, and however long it was without network."""
    assert take(server, EWA, match, at=EARLIER) == 200
    assert server.erase_old() == 0
    assert server.visibility(match) == "deleted"


def test_what_was_written_since_is_not_erased(server: Server, match: str) -> None:
    """The phone had not heard of it: the match is in the trash."""
    assert take(server, EWA, match, choice="erased", expected=0) == 200
    assert server.visibility(match) == "deleted"


def test_an_erased_match_is_erased_once(server: Server, match: str) -> None:
    """With everything in it; sent again it is unknown."""
    assert [take(server, EWA, match, choice="erased") for _again in range(2)] == [200, 404]
    assert server.show_log(match) == []
