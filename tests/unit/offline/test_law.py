"""Whatever two phones record, lose and decide: all that was acknowledged is there once, on every side."""

from typing import Any

import pytest
from flask import Flask
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from companion import archives
from companion.matches import AddEntry, Change, Submission
from companion.offline.conflicts import open_groups, read_conflicts
from companion.offline.resolution import REFUSALS, Choice
from companion.store import Visibility

from .table import EWA, HEAD, JAN, Clock, Phone, Server, deal, empty, show_log
from .test_changes import CLASSES, make_change

WHICH = st.sampled_from([EWA, JAN])
WHERE = st.sampled_from((0, 0, 0, 1, 2))
CHANGES = st.tuples(st.sampled_from([AddEntry, AddEntry, *CLASSES]), st.integers(0, 99))
DEALS = [deal(a, 147 - a) for a in range(60, 140)]
RECORD = {
    **{"format": "companion-match", "version": 1, "id": "imported" + 14 * "x", **HEAD},
    "entries": [deal(82, 65), deal(60, 87)],
}
"""A match in a file."""
VISIBILITIES: tuple[Visibility, ...] = ("listed", "archived", "deleted")
Wish = tuple[type[Change], int]


class Table(RuleBasedStateMachine):
    """One server and two phones, which are sometimes in the network."""

    _turns = 0

    app: Flask

    @initialize()
    def sit_down(self) -> None:
        empty(self.app)
        self.server = Server(self.app)
        self.clock = Clock()
        self.phones = {me: Phone(self.server, me, self.clock) for me in (EWA, JAN)}
        self.stored: dict[str, dict[tuple[Any, ...], Any]] = {EWA: {}, JAN: {}}
        self.acknowledged: dict[str, dict[str, tuple[str, str]]] = {EWA: {}, JAN: {}}
        self.decided: dict[tuple[str, str], str] = {}
        self.chosen: dict[str, str] = {}
        self.held: dict[str, dict[str, Any]] = {}
        self.before: dict[str, list[Any]] = {}
        self.begin(EWA)
        for me in (EWA, JAN):
            self.phones[me].meet()
            self._keep(me)
            self.let_join(0)

    # --- what happens at a table ---

    @rule(me=WHICH)
    def begin(self, me: str) -> None:
        if len(self.phones[me].store.tables.matches) < 3:
            self.phones[me].begin()
            self._keep(me)

    @rule()
    def import_match(self) -> None:
        """Ewa imports a match from a file."""
        phone, id = self.phones[EWA], str(RECORD["id"])
        if id not in phone.store.tables.matches and id not in self.chosen:
            found = archives.look_through(phone.matches, EWA, archives.format_json(RECORD))
            [done] = archives.import_found(phone.matches, EWA, found)
            assert (done.problem, done.id) == (None, id)
            self._keep(EWA)

    @rule(n=st.integers(0, 3))
    def let_join(self, n: int) -> None:
        """Everybody takes part in one of the matches that the server knows."""
        ids = self.server.list_ids()
        for me in (EWA, JAN) if ids else ():
            self.server.join(ids[n % len(ids)], me)

    @rule(which=WHERE, first=st.lists(CHANGES, max_size=5), second=st.lists(CHANGES, max_size=5))
    def record(self, which: int, first: list[Wish], second: list[Wish]) -> None:
        """Neither sees what the other writes."""
        for me, changes in ((EWA, first), (JAN, second)):
            matches = self.phones[me].store.tables.matches
            ids = sorted(matches, key=lambda id: matches[id].created_at)
            for kind, n in changes:
                self._record(me, ids[which % len(ids)], kind, n)

    def _record(self, me: str, id: str, kind: type[Change], n: int) -> None:
        phone = self.phones[me]
        if phone.store.tables.matches[id].deleted_at is not None:
            return
        match = phone.matches.open(id)
        change = make_change(match, kind, DEALS, n)
        if change is None or not phone.matches.access(match, me).may_make(change, match):
            return
        key = f"{me} writes {next(phone._keys)}"
        try:
            after = phone.matches.write(match, change, Submission(me, match.seq, key))
        except REFUSALS:
            return
        if after.seq > match.seq:
            self.acknowledged[me][key] = match.id, after.events[-1].kind
            again = phone.matches.write(match, change, Submission(me, match.seq, key))
            assert again.seq == after.seq  # a second tap writes nothing
        self._keep(me)

    @rule(me=WHICH, which=WHERE, visibility=st.sampled_from(VISIBILITIES))
    def choose(self, me: str, which: int, visibility: Visibility) -> None:
        """The owner archives a match, deletes it or brings it back."""
        matches = self.phones[me].store.tables.matches
        ids = sorted(id for id, row in matches.items() if row.owner == me and not row.is_gone)
        for id in ids[which : which + 1]:
            if self.phones[me].visibility(id) != visibility:
                self.phones[me].choose(id, visibility)
                self.chosen[id] = self.phones[me].visibility(id)
        self._keep(me)

    @rule(n=st.integers(0, 3), visibility=st.sampled_from(VISIBILITIES))
    def choose_at_server(self, n: int, visibility: Visibility) -> None:
        """The owner does so on another phone, with a network."""
        ids = self.server.list_ids()
        for id in ids[n : n + 1]:
            at = self.clock().isoformat(timespec="milliseconds")
            self.server.do("set_visibility", id, visibility, at)
            self.chosen[id] = visibility

    # --- the network ---

    @rule(me=WHICH, losses=st.lists(st.sampled_from(["", "", "sent", "answer"]), min_size=1, max_size=3))
    def send(self, me: str, losses: list[str]) -> None:
        for is_lost in losses:
            sent = self.phones[me].delivery.next()
            if sent is not None:
                self._send(me, sent, is_lost)

    def _send(self, me: str, sent: dict[str, Any], is_lost: str) -> None:
        status, answer = 0, dict[str, Any]()
        if is_lost != "sent":
            status, answer = self.server.take(me, sent["path"], sent["body"])
            assert status in (200, 403, 404, 409, 410), (status, answer)
        if is_lost:
            status, answer = 0, {}
        self.phones[me].delivery.take_answer(sent["id"], status, answer)
        self._keep(me)

    @rule(me=WHICH)
    def hear(self, me: str) -> None:
        phone = self.phones[me]
        phone.delivery.take_news(self.server.report(me, phone.delivery.have()))
        self._keep(me)

    @rule(me=WHICH)
    def ask(self, me: str) -> None:
        """News are on their way."""
        self.held[me] = self.server.report(me, self.phones[me].delivery.have())

    @precondition(lambda self: bool(self.held))
    @rule()
    def hear_late(self) -> None:
        me, news = self.held.popitem()
        self.phones[me].delivery.take_news(news)
        self._keep(me)

    @rule(me=WHICH)
    def restart(self, me: str) -> None:
        """The phone was off, and has what it kept."""
        phone = self.phones[me]
        phone.store.tables.restore([*self.stored[me].items()])
        phone.start()

    @rule(has_pencil=st.booleans())
    def give_pencil(self, has_pencil: bool) -> None:
        for id in self.server.list_ids():
            self.server.give_pencil(id, JAN, has_pencil)

    # --- people ---

    @rule(me=WHICH, n=st.integers(0, 5), choice=st.sampled_from(["write", "instead", "leave", "back"]))
    def decide(self, me: str, n: int, choice: Choice) -> None:
        for id, row in self.phones[me].store.tables.matches.items():
            conflicts = self.phones[me].conflicts(id)
            state = "left out" if choice == "back" else "open"
            groups = [group for two in conflicts.conflicts for group in two.groups() if group.state == state]
            if groups:
                self._decide(me, id, groups[n % len(groups)].key, choice)
                return
            assert row.conflicts is not None

    def _decide(self, me: str, id: str, key: str, choice: Choice) -> None:
        conflicts = self.phones[me].conflicts(id)
        group = conflicts.find_group(key, "left out" if choice == "back" else "open")
        assert group is not None
        if choice in ("write", "instead") and conflicts.find_refusal(group, choice) is not None:
            return
        conflicts.resolve(group, choice)
        self.decided |= {(me, event.key): choice for event in group.events}
        self._keep(me)

    def _keep(self, me: str) -> None:
        """What the worker of a phone does after each answer."""
        for place, value in self.phones[me].store.tables.take_changes():
            if value is None:
                self.stored[me].pop(place, None)
            else:
                self.stored[me][place] = value

    # --- what holds ---

    @invariant()
    def nothing_is_lost_or_doubled(self) -> None:
        for me, phone in self.phones.items():
            for id, row in phone.store.tables.matches.items():
                assert len(set(row.form_keys)) == len(row.form_keys)
                assert [event.seq for event in row.events] == [*range(1, len(row.events) + 1)]
                if row.is_known:
                    there = self.server.show_log(id)
                    assert show_log(phone.store, id)[: row.confirmed] == there[: row.confirmed]
            for key, (id, kind) in self.acknowledged[me].items():
                assert self._is_stored(me, id, key, kind), (me, key)

    def _is_stored(self, me: str, id: str, key: str, kind: str) -> bool:
        row = self.phones[me].store.tables.matches.get(id)
        if row is None:  # its owner deleted it
            return (
                key in self.server.list_keys(id, me)
                or kind in ("agree", "draft")
                or (me, key) in self.decided
            )
        if key in row.keys or self.decided.get((me, key)) == "leave":
            return True
        if kind == "agree":  # the side agrees already
            return True
        folded = [event for two in read_conflicts(row.conflicts) for event in two.events if event.key == key]
        if any(item.state != "written" for item in folded):
            return True
        return kind == "draft" and (me, key) in self.decided  # it led to an entry, or another draft

    @invariant()
    def the_log_of_the_server_only_grows(self) -> None:
        for id in self.server.list_ids():
            now = self.server.show_log(id)
            assert now[: len(self.before.get(id, []))] == self.before.get(id, [])
            self.before[id] = now

    def teardown(self) -> None:
        if not hasattr(self, "phones"):
            return
        for phone in self.phones.values():
            phone.meet()
        for id, visibility in self.chosen.items():
            assert self.server.visibility(id) == visibility
            for me, phone in self.phones.items():
                row = phone.store.tables.matches.get(id)
                assert row is None or row.owner != me or phone.visibility(id) == visibility
            self.server.do("set_visibility", id, "listed", self.clock().isoformat(timespec="milliseconds"))
        for id in self.server.list_ids():
            self.server.give_pencil(id, JAN, True)
        for _n in range(4):
            for me, phone in self.phones.items():
                phone.meet()
                self._decide_all(me)
                phone.meet()
        for me, phone in self.phones.items():
            assert (phone.delivery.count_unsent(), phone.delivery.count_conflicts()) == (0, 0)
            for id in phone.store.tables.matches:
                assert show_log(phone.store, id) == self.server.show_log(id)
            for key, (id, kind) in self.acknowledged[me].items():
                times = self.server.list_keys(id, me).count(key)
                is_decided = self.decided.get((me, key)) == "leave"
                is_needless = kind in ("agree", "draft")
                assert times == 1 or (times == 0 and (is_decided or is_needless)), key
        self.nothing_is_lost_or_doubled()

    def _decide_all(self, me: str) -> None:
        for id in list(self.phones[me].store.tables.matches):
            while groups := list(open_groups(self.phones[me].conflicts(id).conflicts)):
                conflicts = self.phones[me].conflicts(id)
                self._turns += 1
                wished: list[Choice] = ["write", "instead", "write", "leave"]
                choice = wished[self._turns % 4]
                if choice != "leave" and conflicts.find_refusal(groups[0], choice) is not None:
                    choice = "write" if conflicts.find_refusal(groups[0]) is None else "leave"
                self._decide(me, id, groups[0].key, choice)


def test_all_that_was_acknowledged_is_there_once(server_app: Flask, request: pytest.FixtureRequest) -> None:
    """A sample before a commit; at night many more: `--runs` says how many, ten for each."""
    evenings = 10 * request.config.getoption("--runs") if request.config.getoption("--nightly") else 2
    table = type("TableAtServer", (Table,), {"app": server_app})
    chances = settings(max_examples=evenings, stateful_step_count=40, suppress_health_check=[*HealthCheck])
    run_state_machine_as_test(table, settings=chances)
