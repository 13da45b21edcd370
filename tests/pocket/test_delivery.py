"""What a phone recorded without network comes to the server once, in order; and what it learns from there."""

from typing import Any

import pytest

from companion.matches import (
    Agree,
    AmendEntry,
    AttachRuling,
    KeepDraft,
    Object,
    PutBack,
    RestoreEntry,
    Undo,
    WithdrawEntry,
    WithdrawObjection,
)
from companion.pocket import delivery
from companion.pocket.delivery import OtherIdentity
from companion.web.pocket import news

from .table import AT, EWA, JAN, Clock, Phone, Server, deal

RULING = {"id": "r1", "question": "Who leads?", "verdict": "Ewa.", "why": "", "rules": [], "rulebook": "1"}


def at_server(server: Server, id: str) -> list[tuple[Any, ...]]:
    return server.show_log(id)


def kinds(log: list[tuple[Any, ...]]) -> list[str]:
    return [one[0] for one in log]


# --- on the way ------------------------------------------------------------------------------------


def test_what_was_recorded_without_network_is_at_the_server_once_and_in_order(
    ewa: Phone, server: Server, match: str
) -> None:
    ewa.record(match, deal(60, 85), Undo(), PutBack(), KeepDraft({"type": "deal"}), Agree(2, "A"))
    assert ewa.delivery.unsent() == 5
    assert ewa.send() == [200]
    assert at_server(server, match) == ewa.log(match)
    assert kinds(ewa.log(match)) == ["add", "add", "withdraw", "restore", "draft", "agree"]
    assert ewa.delivery.unsent() == 0


def test_a_match_that_was_begun_without_network_goes_with_its_beginning(ewa: Phone, server: Server) -> None:
    id = ewa.begin()
    ewa.record(id, deal(82, 65))
    sent = ewa.delivery.next()
    assert sent is not None
    assert (sent["id"], sent["path"]) == (id, f"matches/{id}/events")
    assert sent["body"]["start"]["head"]["players"] == ["Ewa", "Jan"]
    assert (sent["body"]["version"], sent["body"]["expected"]) == (server.version, 0)
    assert ewa.send() == [200]
    assert at_server(server, id) == ewa.log(id)
    ewa.meet()
    assert ewa.delivery.next() is None


def test_a_new_match_without_entries_is_one_thing_that_is_unsent(ewa: Phone) -> None:
    ewa.begin()
    assert ewa.delivery.unsent() == 1
    assert ewa.send() == [200]
    assert ewa.delivery.unsent() == 0


def test_new_matches_go_first_then_what_was_written_first(ewa: Phone, match: str) -> None:
    other = ewa.begin(place="at home")
    ewa.send()
    ewa.record(match, deal(82, 65))
    ewa.record(other, deal(82, 65))
    new = ewa.begin(place="at the lake")
    order = []
    while (sent := ewa.delivery.next()) is not None:
        order.append(sent["id"])
        ewa.delivery.take_answer(sent["id"], *ewa.server.take(EWA, sent["path"], sent["body"]))
    assert order == [new, match, other]


def test_a_long_evening_goes_in_several_deliveries(
    ewa: Phone, server: Server, match: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(delivery, "MOST_EVENTS", 3)
    ewa.record(match, *[KeepDraft({"type": "deal", "note": str(n)}) for n in range(7)])
    assert ewa.send() == [200, 200, 200]
    assert at_server(server, match) == ewa.log(match)


def test_large_entries_go_a_few_at_a_time(ewa: Phone, server: Server, match: str) -> None:
    ewa.record(match, *[KeepDraft({"type": "deal", "note": "x" * 90_000}) for _n in range(5)])
    assert ewa.send() == [200, 200, 200]
    assert at_server(server, match) == ewa.log(match)


@pytest.mark.parametrize("status", [0, 429, 500, 502, 503, 401, 200, 403, 404, 410, 413])
def test_without_an_answer_of_ours_all_stays_as_it_is(ewa: Phone, match: str, status: int) -> None:
    """A network that wants to be paid first answers anything."""
    ewa.record(match, deal(60, 85))
    before, sent = ewa.log(match), ewa.delivery.next()
    assert sent is not None
    assert not ewa.delivery.take_answer(match, status, None)
    assert (ewa.log(match), ewa.delivery.unsent(), ewa.delivery.next()) == (before, 1, sent)


def test_an_answer_that_was_lost_doubles_nothing(ewa: Phone, server: Server, match: str) -> None:
    ewa.record(match, deal(60, 85))
    ewa.send(is_answer_lost=True)
    ewa.record(match, deal(70, 77))
    assert ewa.send() == [200]
    assert at_server(server, match) == ewa.log(match)
    assert kinds(ewa.log(match)) == ["add", "add", "add"]


def test_an_answer_that_was_lost_is_told_with_the_news(
    ewa: Phone, jan: Phone, server: Server, match: str
) -> None:
    """Also where somebody has written behind that by now."""
    ewa.record(match, deal(60, 85))
    ewa.send(is_answer_lost=True)
    jan.hear()
    jan.record(match, deal(70, 77))
    jan.meet()
    ewa.record(match, Agree(2, "A"))
    ewa.meet()
    assert at_server(server, match) == ewa.log(match) == [*jan.log(match), ewa.log(match)[-1]]
    assert kinds(ewa.log(match)) == ["add", "add", "add", "agree"]
    assert ewa.delivery.aside() == 0


def test_the_start_of_a_match_whose_answer_was_lost_is_no_second_one(ewa: Phone, server: Server) -> None:
    id = ewa.begin()
    ewa.record(id, deal(82, 65))
    ewa.send(is_answer_lost=True)
    ewa.restart()
    ewa.meet()
    assert server.list_ids() == [id]
    assert at_server(server, id) == ewa.log(id)


def test_what_is_unsent_is_so_after_a_restart(ewa: Phone, server: Server, match: str) -> None:
    ewa.record(match, deal(60, 85))
    ewa.restart()
    assert ewa.delivery.unsent() == 1
    assert ewa.send() == [200]
    assert at_server(server, match) == ewa.log(match)


def test_a_saved_ruling_goes_before_all_that_may_name_it(ewa: Phone, server: Server, match: str) -> None:
    saved = ewa.matches.save_ruling(EWA, "form", {"said": "Ewa."})
    ewa.record(match, AttachRuling({**RULING, "id": saved.id}, 1))
    sent = ewa.delivery.next()
    assert sent is not None
    assert (sent["id"], sent["path"]) == ("rulings", "pocket/rulings")
    assert ewa.delivery.unsent() == 2
    ewa.restart()
    assert ewa.send() == [200, 200]
    assert server.find_ruling(saved.id) is not None
    assert ewa.delivery.unsent() == 0


def test_a_ruling_that_the_server_refuses_stays_in_the_phone_and_holds_up_nothing(
    ewa: Phone, match: str
) -> None:
    saved = ewa.matches.save_ruling(EWA, "form", {"said": "Ewa."})
    assert ewa.delivery.next() is not None
    assert ewa.delivery.take_answer("rulings", 422, {"taken": 0, "problem": "Too many."})
    assert (ewa.delivery.unsent(), ewa.store.find_ruling(saved.id)) == (0, saved)


# --- the server goes on ----------------------------------------------------------------------------


def test_what_others_recorded_comes_before_what_this_phone_said(
    ewa: Phone, jan: Phone, server: Server, match: str
) -> None:
    """An agreement does not depend on what was played since; it is numbered on, as is what takes it back."""
    ewa.record(match, Object(1, "B", "count"))
    ewa.record(match, WithdrawObjection(2), Object(1, "A", "runs"))
    jan.record(match, deal(60, 85), deal(70, 77))
    jan.meet()
    ewa.meet()
    jan.meet()
    assert kinds(ewa.log(match)) == ["add", "add", "add", "object", "settle", "object"]
    assert ewa.log(match)[4][2] == {"objection": 4}
    assert at_server(server, match) == ewa.log(match) == jan.log(match)
    assert ewa.delivery.aside() == 0


def test_what_others_said_comes_before_what_this_phone_recorded(
    ewa: Phone, jan: Phone, server: Server, match: str
) -> None:
    """Entries, their corrections and all that was said of them keep what they are about."""
    jan.record(match, Agree(1, "B"))
    jan.meet()
    ewa.record(match, deal(60, 85))  # it is number 2 here, and 3 where it goes
    ewa.record(match, AmendEntry(2, deal(62, 83)), Agree(2, "A"), WithdrawEntry(2), RestoreEntry(2), Undo())
    ewa.record(match, PutBack(), AttachRuling(RULING, 2))
    ewa.meet()
    jan.meet()
    assert at_server(server, match) == ewa.log(match) == jan.log(match)
    assert kinds(ewa.log(match))[1] == "agree"
    assert [one[1] for one in ewa.log(match)[3:]] == [3] * 7
    assert ewa.matches.open(match).state.totals == jan.matches.open(match).state.totals


def test_both_say_the_same_and_it_is_said_once(ewa: Phone, jan: Phone, server: Server, match: str) -> None:
    """A side cannot agree twice to what an entry says."""
    jan.record(match, Agree(1, "B"))
    jan.meet()
    ewa.record(match, Agree(1, "B"), Object(1, "A", "count"))
    ewa.meet()
    assert kinds(ewa.log(match)) == ["add", "agree", "object"]
    assert at_server(server, match) == ewa.log(match)


def test_a_match_of_another_phone_comes_with_the_news(ewa: Phone, jan: Phone, match: str) -> None:
    assert jan.log(match) == ewa.log(match)
    assert [one.id for one in jan.matches.list_matches(JAN)] == [match]
    assert jan.matches.access(jan.matches.open(match), JAN).may_record


def test_a_long_log_comes_in_several_answers(
    ewa: Phone, server: Server, clock: Clock, match: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ewa.record(match, *[KeepDraft({"type": "deal", "note": str(n)}) for n in range(7)])
    ewa.meet()
    monkeypatch.setattr(news, "MOST_TOLD_EVENTS", 3)
    phone = Phone(server, EWA, clock)
    phone.hear()
    assert phone.log(match) == ewa.log(match)


def test_a_long_log_of_others_comes_before_what_is_unsent_piece_by_piece(
    ewa: Phone, jan: Phone, server: Server, match: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ewa.record(match, Agree(1, "A"))
    jan.record(match, *[KeepDraft({"type": "deal", "note": str(n)}) for n in range(7)])
    jan.meet()
    monkeypatch.setattr(news, "MOST_TOLD_EVENTS", 3)
    ewa.meet()
    assert kinds(ewa.log(match)) == ["add"] + ["draft"] * 7 + ["agree"]
    assert at_server(server, match) == ewa.log(match)


def test_what_others_may_do_here_comes_with_the_news(jan: Phone, server: Server, match: str) -> None:
    server.give_pencil(match, JAN, False)
    jan.hear()
    assert not jan.matches.access(jan.matches.open(match), JAN).may_record


def test_a_match_that_was_put_away_is_put_away_here(ewa: Phone, server: Server, match: str) -> None:
    server.do("put_away", match, AT)
    ewa.hear()
    assert ewa.matches.list_matches(EWA) == []
    server.do("put_away", match, None)
    ewa.hear()
    assert [one.id for one in ewa.matches.list_matches(EWA)] == [match]


def test_a_match_that_is_gone_from_the_server_is_gone_here(ewa: Phone, server: Server, match: str) -> None:
    server.do("delete_match", match, AT)
    ewa.hear()
    assert (list(ewa.store.tables.matches), ewa.delivery.have()) == ([], {})


def test_a_match_that_was_brought_back_is_here_again(ewa: Phone, server: Server, match: str) -> None:
    server.do("delete_match", match, AT)
    ewa.hear()
    server.do("bring_back", match)
    ewa.hear()
    assert at_server(server, match) == ewa.log(match)


def test_the_rulings_of_this_browser_come_with_the_news(ewa: Phone, server: Server) -> None:
    saved = server.save_ruling(EWA)
    ewa.hear()
    assert [(one.id, one.content) for one in ewa.matches.list_rulings(EWA)] == [(saved.id, saved.content)]
    assert ewa.delivery.unsent() == 0


def test_a_server_that_was_put_back_to_what_it_was_gets_anew_what_this_phone_recorded(
    ewa: Phone, jan: Phone, server: Server, match: str
) -> None:
    ewa.record(match, deal(60, 85), deal(70, 77))
    ewa.meet()
    server.cut_log(match, 2)
    ewa.hear()  # that may have been on its way since before
    ewa.meet()
    assert kinds(at_server(server, match)) == ["add"] * 3
    assert at_server(server, match) == ewa.log(match)


# --- who, and by which version ---------------------------------------------------------------------


def test_another_version_of_the_server_is_told_nothing_and_changes_nothing(
    ewa: Phone, server: Server, match: str
) -> None:
    ewa.record(match, deal(60, 85))
    server.be_version("2")
    before = ewa.log(match)
    assert ewa.send() == [426]
    assert (ewa.delivery.is_outdated, ewa.delivery.next(), ewa.delivery.unsent()) == (True, None, 1)
    ewa.hear()
    assert ewa.log(match) == before
    ewa.restart(version="2")  # it was updated
    ewa.meet()
    assert at_server(server, match) == ewa.log(match)


def test_news_by_another_version_are_not_read(ewa: Phone, jan: Phone, server: Server, match: str) -> None:
    jan.record(match, deal(60, 85))
    jan.meet()
    before = ewa.log(match)
    server.be_version("2")
    ewa.hear()
    assert (ewa.log(match), ewa.delivery.is_outdated) == (before, True)
    server.be_version(ewa.version)  # the server went back to what it was
    ewa.hear()
    assert (ewa.log(match), ewa.delivery.is_outdated) == (jan.log(match), False)


def test_news_for_another_browser_are_not_taken(ewa: Phone, server: Server, match: str) -> None:
    """Whoever begins anew, or becomes another, finds the matches of before when it is who it was."""
    with pytest.raises(OtherIdentity):
        ewa.delivery.take_news(server.tell(JAN, {}))
    assert list(ewa.store.tables.matches) == [match]


def test_news_from_before_the_last_delivery_take_nothing_back(ewa: Phone, server: Server, match: str) -> None:
    """They were asked for, something was delivered, and then they came."""
    before = server.tell(EWA, {})
    ewa.record(match, deal(60, 85))
    ewa.send()
    ewa.delivery.take_news(before)
    assert (ewa.delivery.unsent(), ewa.log(match)) == (0, at_server(server, match))


def test_an_answer_that_news_have_overtaken_says_nothing(
    ewa: Phone, jan: Phone, server: Server, match: str
) -> None:
    """It tells what stands behind a length that the log has no more; what it is about is sent once more."""
    ewa.record(match, Agree(1, "A"))
    jan.record(match, Agree(1, "B"))
    jan.meet()
    sent = ewa.delivery.next()
    assert sent is not None
    status, answer = server.take(EWA, sent["path"], sent["body"])
    ewa.hear()
    assert (status, ewa.delivery.take_answer(match, status, answer)) == (409, True)
    ewa.meet()
    assert kinds(ewa.log(match)) == ["add", "agree", "agree"]
    assert at_server(server, match) == ewa.log(match)


def test_what_others_wrote_behind_an_answer_that_was_lost_is_no_matter(
    ewa: Phone, jan: Phone, server: Server, match: str
) -> None:
    ewa.record(match, deal(60, 85))
    ewa.send(is_answer_lost=True)
    jan.hear()
    jan.record(match, deal(70, 77))
    jan.meet()
    assert ewa.send() == [200]
    assert ewa.delivery.unsent() == 0
    ewa.hear()
    assert at_server(server, match) == ewa.log(match)


def test_a_server_that_takes_nothing_and_says_nothing_is_not_asked_for_ever(ewa: Phone, match: str) -> None:
    ewa.record(match, deal(60, 85))
    asked: list[str] = []
    while (sent := ewa.delivery.next()) is not None and len(asked) < 10:
        asked.append(sent["id"])
        answer = {"taken": 0, "length": 1, "stands": []}
        status = 409 if sent["id"] == match else 200
        ewa.delivery.take_answer(
            sent["id"], status, answer if status == 409 else ewa.server.tell(EWA, sent["body"]["have"])
        )
    assert asked == [match, "news", match, "news"]
    ewa.meet()
    assert ewa.delivery.unsent() == 0


def test_a_page_with_what_is_unsent_is_never_taken_for_one_of_the_server(
    ewa: Phone, jan: Phone, server: Server, match: str
) -> None:
    """Both logs may be as long; when the network is back the page has to notice that it is another one."""
    versions = [ewa.matches.phones.version(match), server.version_of(match)]
    assert versions[0] == versions[1]
    ewa.record(match, deal(60, 85))
    jan.record(match, deal(61, 84))
    jan.meet()
    before = ewa.matches.phones.version(match)
    assert before != server.version_of(match)
    ewa.meet()
    assert before != ewa.matches.phones.version(match) == server.version_of(match)


def test_the_rematch_that_a_pencil_begins_belongs_to_whom_the_match_belongs(
    ewa: Phone, jan: Phone, server: Server, match: str
) -> None:
    """As it does with a network; and all who took part do so again, however often it is sent."""
    jan.record(match, *[deal(147, 0)] * 3)
    again = jan.matches.start_again(jan.matches.open(match))
    jan.record(again, deal(60, 85))
    jan.send(is_answer_lost=True)
    jan.send(is_answer_lost=True)
    jan.meet()
    ewa.meet()
    assert ewa.matches.open(again).owner == jan.matches.open(again).owner == EWA
    assert ewa.log(again) == jan.log(again) == server.show_log(again)
    assert len(ewa.log(again)) == 1
    assert jan.matches.access(jan.matches.open(again), JAN).may_record
    assert ewa.matches.successor(ewa.matches.open(match)) == again


def test_nobody_begins_a_match_for_somebody_else_who_has_no_pencil(
    ewa: Phone, jan: Phone, server: Server, match: str
) -> None:
    ewa.record(match, *[deal(147, 0)] * 3)
    ewa.meet()
    jan.hear()
    again = jan.matches.start_again(jan.matches.open(match))
    server.give_pencil(match, JAN, False)
    jan.meet()
    ewa.meet()
    assert jan.matches.open(again).owner == JAN
    assert again not in ewa.store.tables.matches
