"""What a phone recorded without network comes to the server once, in order."""

import pytest

from companion.matches import Agree, AttachRuling, KeepDraft, PutBack, Undo
from companion.offline import delivery

from .table import EWA, JAN, RULING, Phone, Server, contents, deal, kinds


def test_what_was_recorded_without_network_is_there_once_in_order(
    ewa: Phone, server: Server, match: str
) -> None:
    ewa.record(match, deal(60, 85), Undo(), PutBack(), KeepDraft({"type": "deal"}), Agree(2, "A"))
    assert ewa.delivery.count_unsent() == 5
    assert ewa.send() == [200]
    assert server.show_log(match) == ewa.log(match)
    assert kinds(ewa.log(match)) == ["add", "add", "withdraw", "restore", "draft", "agree"]
    assert ewa.delivery.count_unsent() == 0


def test_a_match_that_was_begun_without_network_goes_with_its_beginning(ewa: Phone, server: Server) -> None:
    id = ewa.begin()
    ewa.record(id, deal(82, 65))
    sent = ewa.delivery.next()
    assert sent is not None
    assert (sent["id"], sent["path"]) == (id, f"matches/{id}/events")
    assert sent["body"]["start"]["head"]["players"] == ["Ewa", "Jan"]
    assert (sent["body"]["version"], sent["body"]["expected"]) == (server.version, 0)
    assert ewa.send() == [200]
    assert server.show_log(id) == ewa.log(id)
    ewa.meet()
    assert ewa.delivery.next() is None


def test_a_new_match_without_entries_is_one_thing_that_is_unsent(ewa: Phone) -> None:
    ewa.begin()
    assert ewa.delivery.count_unsent() == 1
    assert ewa.send() == [200]
    assert ewa.delivery.count_unsent() == 0


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
    monkeypatch.setattr(delivery, "MAX_EVENTS", 3)
    ewa.record(match, *[KeepDraft({"type": "deal", "note": str(n)}) for n in range(7)])
    assert ewa.send() == [200, 200, 200]
    assert server.show_log(match) == ewa.log(match)


def test_large_entries_go_a_few_at_a_time(ewa: Phone, server: Server, match: str) -> None:
    ewa.record(match, *[KeepDraft({"type": "deal", "note": "x" * 90_000}) for _n in range(5)])
    assert ewa.send() == [200, 200, 200]
    assert server.show_log(match) == ewa.log(match)


def test_what_is_unsent_can_be_sent_without_the_program(
    ewa: Phone, server: Server, match: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As it was left, in order and in parts; the program sends it once more, and nothing doubles."""
    monkeypatch.setattr(delivery, "MAX_EVENTS", 2)
    for form in ("one", "two", "three"):
        ewa.matches.save_ruling(EWA, form, {"said": form})
    ewa.record(match, *[KeepDraft({"type": "deal", "note": str(n)}) for n in range(5)])
    new, empty = ewa.begin(), ewa.begin(place="at the lake")
    ewa.record(new, deal(82, 65), deal(60, 85), deal(61, 84))
    outgoing = ewa.delivery.list_outgoing()
    assert sum(sent["count"] for sent in outgoing) == ewa.delivery.count_unsent() == 12
    assert [server.take(EWA, sent["path"], sent["body"])[0] for sent in outgoing] == [200] * len(outgoing)
    logs = {id: server.show_log(id) for id in (match, new, empty)}
    assert logs == {id: ewa.log(id) for id in (match, new, empty)}
    ewa.restart()
    ewa.meet()
    assert {id: server.show_log(id) for id in logs} == logs
    assert (ewa.delivery.count_unsent(), ewa.delivery.list_outgoing()) == (0, [])


@pytest.mark.parametrize("has_news", [False, True])
def test_a_form_the_server_has_otherwise(ewa: Phone, server: Server, match: str, has_news: bool) -> None:
    """It was sent, the answer was lost, and it was filled in otherwise: both are shown, nothing is lost."""
    ewa.record(match, deal(60, 85))
    sent = ewa.delivery.next()
    assert sent is not None
    [event] = sent["body"]["events"]
    first = {**sent["body"], "events": [{**event, "payload": deal(61, 84)}]}
    assert server.take(EWA, sent["path"], first)[0] == 200
    if has_news:
        ewa.hear()
    else:
        assert ewa.send() == [409]
    assert contents(ewa, match) == [82, 61]
    [group] = ewa.open_groups(match)
    assert group.content == deal(60, 85)
    ewa.restart()
    ewa.decide(match, "write")
    ewa.meet()
    assert contents(ewa, match) == [82, 61, 60]
    assert server.show_log(match) == ewa.log(match)
    assert ewa.open_groups(match) == []


@pytest.mark.parametrize("status", [0, 429, 500, 502, 503, 401, 200, 403, 404, 410, 413])
def test_without_an_answer_of_ours_all_stays_as_it_is(ewa: Phone, match: str, status: int) -> None:
    """A network that wants to be paid first answers anything."""
    ewa.record(match, deal(60, 85))
    before, sent = ewa.log(match), ewa.delivery.next()
    assert sent is not None
    assert not ewa.delivery.take_answer(match, status, None)
    assert (ewa.log(match), ewa.delivery.count_unsent(), ewa.delivery.next()) == (before, 1, sent)


def test_a_lost_answer_is_told_with_the_news(ewa: Phone, jan: Phone, server: Server, match: str) -> None:
    """Also where somebody has written behind that by now."""
    ewa.record(match, deal(60, 85))
    ewa.send(is_answer_lost=True)
    jan.hear()
    jan.record(match, deal(70, 77))
    jan.meet()
    ewa.record(match, Agree(2, "A"))
    ewa.meet()
    assert server.show_log(match) == ewa.log(match) == [*jan.log(match), ewa.log(match)[-1]]
    assert kinds(ewa.log(match)) == ["add", "add", "add", "agree"]
    assert ewa.delivery.count_conflicts() == 0


def test_the_start_of_a_match_whose_answer_was_lost_is_no_second_one(ewa: Phone, server: Server) -> None:
    id = ewa.begin()
    ewa.record(id, deal(82, 65))
    ewa.send(is_answer_lost=True)
    ewa.restart()
    ewa.meet()
    assert server.list_ids() == [id]
    assert server.show_log(id) == ewa.log(id)


def test_a_saved_ruling_goes_before_all_that_may_name_it(ewa: Phone, server: Server, match: str) -> None:
    saved = ewa.matches.save_ruling(EWA, "form", {"said": "Ewa."})
    ewa.record(match, AttachRuling({**RULING, "id": saved.id}, 1))
    sent = ewa.delivery.next()
    assert sent is not None
    assert (sent["id"], sent["path"]) == ("rulings", "rulings")
    assert ewa.delivery.count_unsent() == 2
    ewa.restart()
    assert ewa.send() == [200, 200]
    assert server.find_ruling(saved.id) is not None
    assert ewa.delivery.count_unsent() == 0


def test_a_ruling_that_is_refused_stays_in_the_phone_and_holds_up_nothing(ewa: Phone, match: str) -> None:
    saved = ewa.matches.save_ruling(EWA, "form", {"said": "Ewa."})
    assert ewa.delivery.next() is not None
    assert ewa.delivery.take_answer("rulings", 422, {"taken": 0, "problem": "Too many."})
    assert (ewa.delivery.count_unsent(), ewa.store.find_ruling(saved.id)) == (0, saved)


def test_an_answer_that_came_after_news_says_nothing(
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
    assert server.show_log(match) == ewa.log(match)


def test_a_server_that_takes_nothing_and_says_nothing_is_not_asked_for_ever(ewa: Phone, match: str) -> None:
    ewa.record(match, deal(60, 85))
    asked: list[str] = []
    while (sent := ewa.delivery.next()) is not None and len(asked) < 10:
        asked.append(sent["id"])
        answer = {"taken": 0, "length": 1, "stands": []}
        status = 409 if sent["id"] == match else 200
        ewa.delivery.take_answer(
            sent["id"], status, answer if status == 409 else ewa.server.report(EWA, sent["body"]["have"])
        )
    assert asked == [match, "news", match, "news"]
    ewa.meet()
    assert ewa.delivery.count_unsent() == 0


def test_a_page_with_what_is_unsent_is_another_one(
    ewa: Phone, jan: Phone, server: Server, match: str
) -> None:
    """Both logs may be as long; when the network is back the page has to notice that it is another one."""
    versions = [ewa.matches.invitations.version(match), server.version_of(match)]
    assert versions[0] == versions[1]
    ewa.record(match, deal(60, 85))
    jan.record(match, deal(61, 84))
    jan.meet()
    before = ewa.matches.invitations.version(match)
    assert before != server.version_of(match)
    ewa.meet()
    assert before != ewa.matches.invitations.version(match) == server.version_of(match)


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


def test_nobody_without_pencil_begins_for_another(ewa: Phone, jan: Phone, server: Server, match: str) -> None:
    ewa.record(match, *[deal(147, 0)] * 3)
    ewa.meet()
    jan.hear()
    again = jan.matches.start_again(jan.matches.open(match))
    server.give_pencil(match, JAN, False)
    jan.meet()
    ewa.meet()
    assert jan.matches.open(again).owner == JAN
    assert again not in ewa.store.tables.matches


def test_what_others_wrote_is_never_taken_back_by_an_answer_that_was_late(
    ewa: Phone, jan: Phone, server: Server, match: str
) -> None:
    """It was delivered, Jan wrote behind it, and the news of both came before the answer."""
    ewa.record(match, deal(60, 85))
    sent = ewa.delivery.next()
    assert sent is not None
    status, answer = server.take(EWA, sent["path"], sent["body"])
    jan.hear()
    jan.record(match, deal(70, 77))
    jan.meet()
    ewa.hear()
    assert ewa.delivery.take_answer(match, status, answer)
    assert (ewa.delivery.count_unsent(), ewa.log(match)) == (0, server.show_log(match))
