"""A phone that records without network and brings it: with the app's own delivery, over a bad line."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from companion.matches import AddEntry, Agree, Change, KeepDraft, Matches, PutBack, Submission, Undo
from companion.offline.delivery import Delivery
from companion.store.memory import MemoryStore

from .conftest import DEAL, HEAD, Phone


class OfflinePhone:
    """What a phone keeps, and the line to the server, which loses some requests and some answers."""

    def __init__(self, phone: Phone, random: Random) -> None:
        self.phone, self._random, self._count = phone, random, 0
        self.store = MemoryStore()
        self.delivery = Delivery(self.store, phone.version)
        self.matches = Matches(self.store)
        self.learn()

    def learn(self) -> None:
        """Ask for news, all of them."""
        while True:
            news = self.phone.ask(self.delivery.have())
            self.matches.ids.take_seed(news["seed"])
            self.delivery.take_news(news)
            if not news["more"]:
                return

    def start(self) -> str:
        """Begin a match."""
        self._count += 1
        return self.matches.start(
            HEAD | {"conventions": {"target": 9999}}, self.delivery.me, f"{self._count}"
        )

    def record(self, id: str) -> None:
        """Something of a deal, or taken back."""
        self._count += 1
        match = self.matches.open(id)
        changes: list[Change] = [
            AddEntry(DEAL),
            AddEntry(DEAL),
            KeepDraft({"type": "deal"}),
            Undo(),
            PutBack(),
        ]
        if match.standing_entries:
            changes.append(Agree(match.standing_entries[0].id, "A"))
        sent = Submission(self.delivery.me, match.seq, f"{self.delivery.me} {self._count}")
        self.matches.write(match, self._random.choice(changes), sent)

    def bring(self, loses: bool) -> None:
        """Deliver until nothing is left, or the line breaks."""
        for _attempt in range(60):
            found = self.delivery.next()
            lost = self._random.random() if loses else 1.0
            if found is None or lost < 0.2:
                return
            answer = self.phone.send(found["path"], found["body"])
            if lost < 0.4:
                self.delivery.take_answer(found["id"], 0)
                return
            self.delivery.take_answer(found["id"], answer.status_code, answer.get_json())
        raise AssertionError(f"it is delivered for ever: {found}, {answer.text}")


@pytest.mark.parametrize("seed", range(6))
def test_everything_arrives_once_and_in_order(
    phone: Phone, seed: int, log: Callable[[str], list[Any]]
) -> None:
    """Whatever the line loses: in the end both logs are the same, and hold what was recorded."""
    random = Random(seed)
    offline = OfflinePhone(phone, random)
    ids = [offline.start() for _match in range(2)]
    for _step in range(12):
        for _event in range(random.randrange(4)):
            offline.record(random.choice(ids))
        offline.bring(loses=True)
    offline.bring(loses=False)
    offline.learn()
    assert (offline.delivery.count_unsent(), offline.delivery.count_conflicts()) == (0, 0)
    for id in ids:
        here, there = offline.matches.open(id).events, log(id)
        assert [(item.kind, item.entry, item.payload, item.undoes) for item in here] == [
            (item.kind, item.entry, item.payload, item.undoes) for item in there
        ]
        assert all(item.arrived for item in there)
    assert {item["id"] for item in phone.ask()["matches"]} == {*ids}


def test_what_somebody_else_says_meanwhile_comes_before(
    phone: Phone, change: Callable[..., Any], log: Callable[[str], list[Any]]
) -> None:
    """The phone lays its own behind it, and brings it under other numbers."""
    offline = OfflinePhone(phone, Random(0))
    id = offline.start()
    match = offline.matches.open(id)
    offline.matches.write(match, AddEntry(DEAL), Submission(offline.delivery.me, 0, "one"))
    offline.bring(loses=False)
    match = offline.matches.open(id)
    later: list[Change] = [AddEntry(DEAL), Undo(), PutBack()]
    for n, done in enumerate(later):
        match = offline.matches.write(match, done, Submission(offline.delivery.me, match.seq, f"more {n}"))
    change(id, Agree(1, "B"))
    offline.bring(loses=False)
    assert [(item.kind, item.entry, item.undoes) for item in log(id)] == [
        ("add", None, None),
        ("agree", 1, None),
        ("add", None, None),
        ("withdraw", 3, 3),
        ("restore", 3, 4),
    ]
    assert (offline.delivery.count_unsent(), offline.delivery.count_conflicts()) == (0, 0)
