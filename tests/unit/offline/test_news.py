"""What a phone learns from the server: its log comes before what the phone has not delivered yet."""

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
from companion.offline.delivery import OtherIdentity
from companion.web.offline import news

from .table import AT, EWA, JAN, RULING, Phone, Server, collide, deal, kinds


def test_what_others_recorded_comes_first(ewa: Phone, jan: Phone, server: Server, match: str) -> None:
    """An agreement does not depend on what was played since; it is numbered on, as is what takes it back."""
    ewa.record(match, Object(1, "B", "count"))
    collide(ewa, jan, match, [WithdrawObjection(2), Object(1, "A", "runs")], [deal(60, 85), deal(70, 77)])
    jan.meet()
    assert kinds(ewa.log(match)) == ["add", "add", "add", "object", "settle", "object"]
    assert ewa.log(match)[4][2] == {"objection": 4}
    assert server.show_log(match) == ewa.log(match) == jan.log(match)
    assert ewa.delivery.count_conflicts() == 0


def test_what_others_said_comes_before_records(ewa: Phone, jan: Phone, server: Server, match: str) -> None:
    """Entries, their corrections and all that was said of them keep what they are about."""
    jan.record(match, Agree(1, "B"))
    jan.meet()
    ewa.record(match, deal(60, 85))  # it is number 2 here, and 3 where it goes
    ewa.record(match, AmendEntry(2, deal(62, 83)), Agree(2, "A"), WithdrawEntry(2), RestoreEntry(2), Undo())
    ewa.record(match, PutBack(), AttachRuling(RULING, 2))
    ewa.meet()
    jan.meet()
    assert server.show_log(match) == ewa.log(match) == jan.log(match)
    assert kinds(ewa.log(match))[1] == "agree"
    assert [item[1] for item in ewa.log(match)[3:]] == [3] * 7
    assert ewa.matches.open(match).state.totals == jan.matches.open(match).state.totals


def test_both_say_the_same_and_it_is_said_once(ewa: Phone, jan: Phone, server: Server, match: str) -> None:
    """A side cannot agree twice to what an entry says."""
    jan.record(match, Agree(1, "B"))
    jan.meet()
    ewa.record(match, Agree(1, "B"), Object(1, "A", "count"))
    ewa.meet()
    assert kinds(ewa.log(match)) == ["add", "agree", "object"]
    assert server.show_log(match) == ewa.log(match)


def test_a_long_log_of_others_comes_before_what_is_unsent_piece_by_piece(
    ewa: Phone, jan: Phone, server: Server, match: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ewa.record(match, Agree(1, "A"))
    jan.record(match, *[KeepDraft({"type": "deal", "note": str(n)}) for n in range(7)])
    jan.meet()
    monkeypatch.setattr(news, "MAX_SENT_EVENTS", 3)
    ewa.meet()
    assert kinds(ewa.log(match)) == ["add"] + ["draft"] * 7 + ["agree"]
    assert server.show_log(match) == ewa.log(match)


def test_what_others_may_do_here_comes_with_the_news(jan: Phone, server: Server, match: str) -> None:
    assert [match.id for match in jan.matches.list_matches(JAN)] == [match]
    assert jan.matches.access(jan.matches.open(match), JAN).may_record
    server.give_pencil(match, JAN, False)
    jan.hear()
    assert not jan.matches.access(jan.matches.open(match), JAN).may_record


def test_a_match_that_was_put_away_is_put_away_here(ewa: Phone, server: Server, match: str) -> None:
    server.do("set_visibility", match, "archived", AT)
    ewa.hear()
    assert ewa.matches.list_matches(EWA) == []
    server.do("set_visibility", match, "listed", AT)
    ewa.hear()
    assert [match.id for match in ewa.matches.list_matches(EWA)] == [match]


def test_a_deleted_match_is_in_its_owners_trash_and_gone_for_others(
    ewa: Phone, jan: Phone, server: Server, match: str
) -> None:
    server.do("set_visibility", match, "deleted", AT)
    ewa.hear()
    jan.hear()
    assert (list(jan.store.tables.matches), jan.delivery.have()) == ([], {})
    assert (ewa.matches.list_matches(EWA), ewa.visibility(match)) == ([], "deleted")
    server.do("set_visibility", match, "listed", AT)
    for phone in (ewa, jan):
        phone.hear()
        assert server.show_log(match) == phone.log(match)


def test_an_erased_match_is_gone_here(ewa: Phone, server: Server, match: str) -> None:
    server.do("set_visibility", match, "deleted", AT)
    ewa.hear()
    server.do("erase_match", match)
    ewa.hear()
    assert (list(ewa.store.tables.matches), ewa.delivery.have()) == ([], {})


def test_the_rulings_of_this_browser_come_with_the_news(ewa: Phone, server: Server) -> None:
    saved = server.save_ruling(EWA)
    ewa.hear()
    assert [(ruling.id, ruling.content) for ruling in ewa.matches.list_rulings(EWA)] == [
        (saved.id, saved.content)
    ]
    assert ewa.delivery.count_unsent() == 0


def test_a_server_that_was_put_back_to_what_it_was_gets_anew_what_this_phone_recorded(
    ewa: Phone, jan: Phone, server: Server, match: str
) -> None:
    ewa.record(match, deal(60, 85), deal(70, 77))
    ewa.meet()
    jan.meet()
    jan.record(match, deal(80, 67))
    jan.meet()
    ewa.meet()
    server.cut_log(match, 2)
    ewa.hear()  # that may have been on its way since before
    ewa.meet()
    assert kinds(server.show_log(match)) == ["add"] * 3
    assert server.show_log(match) == ewa.log(match)


# --- who, and by which version ---------------------------------------------------------------------


def test_another_version_is_told_nothing_and_changes_nothing(ewa: Phone, server: Server, match: str) -> None:
    ewa.record(match, deal(60, 85))
    server.be_version("2")
    before = ewa.log(match)
    assert ewa.send() == [426]
    assert (ewa.delivery.is_outdated, ewa.delivery.next(), ewa.delivery.count_unsent()) == (True, None, 1)
    ewa.hear()
    assert ewa.log(match) == before
    ewa.restart(version="2")  # it was updated
    ewa.meet()
    assert server.show_log(match) == ewa.log(match)


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
        ewa.delivery.take_news(server.report(JAN, {}))
    assert list(ewa.store.tables.matches) == [match]


def test_news_from_before_the_last_delivery_take_nothing_back(ewa: Phone, server: Server, match: str) -> None:
    """They were asked for, something was delivered, and then they came."""
    before = server.report(EWA, {})
    ewa.record(match, deal(60, 85))
    ewa.send()
    ewa.delivery.take_news(before)
    assert (ewa.delivery.count_unsent(), ewa.log(match)) == (0, server.show_log(match))
