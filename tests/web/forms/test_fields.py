"""A law of all forms of entries: what one shows comes back as it was, and what it does not show stays."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import pytest
from flask import Flask
from hypothesis import assume, given
from hypothesis import strategies as st
from tiers import few_examples
from werkzeug.datastructures import MultiDict
from wtforms.fields import Field, FieldList, FormField

from companion import library
from companion.beating.turn import CANCELLED
from companion.jacknine.entries import Deal
from companion.jacknine.phases.melds import read_declared_run
from companion.record import record as records
from companion.rules.errors import Unreadable
from companion.web.deals.form import DealForm, deal_form_class, read_deal
from companion.web.deals.side_entries import side_form_class
from companion.web.forms.table import keep_unchanged
from companion.web.hands.hand_page import SIDE_FORMS, HandForm
from companion.web.shell.forms import EntryForm
from tests.unit.test_anything import TABLES

APP = Flask("forms")
APP.config |= {"SECRET_KEY": "a secret", "WTF_CSRF_ENABLED": False}
UNSHOWN = ("shown", "first_attacker", "bouts")
"""Facts that no field stands for."""
UNPLAYED = ("type", "auction", "redeal", "by", "thrown_in", "offer", "dealer", "turn_up", "note")
"""All that can be said of a deal which nobody played, but for a penalty that ended it."""


def send(fields: Iterable[Field]) -> Iterator[tuple[str, str]]:
    """The fields of a form as a browser sends them."""
    for field in fields:
        if isinstance(field, FieldList | FormField):
            yield from send(field)
        else:
            values = field.data if isinstance(field.data, list) else [field.data]
            yield from ((field.name, str(value)) for value in values if value not in (None, False))


class CorrectingForm:
    """The form of an entry that is corrected, as its page makes and reads it."""

    def __init__(self, family: Any, entry: Mapping[str, Any]) -> None:
        self.family, self.entry, self.typed = family, entry, family.read(entry, "")
        self.rules, kind = family.ruleset, entry["type"]
        classes: dict[str, type[EntryForm]] = {"hand": HandForm, **SIDE_FORMS}
        if kind in classes:
            self.form_class = classes[kind]
        elif kind == "deal":
            self.form_class = deal_form_class(self.rules)
        else:
            form_class = side_form_class(kind, self.rules)
            assert form_class is not None
            self.form_class = form_class

    @property
    def bidding(self) -> Any:
        """The state of the bidding by the calls that the entry states; None if it states none."""
        if "auction" not in self.entry:
            return None
        return self.family.bidding(self.rules.ring.left("A"), self.typed.turn_up, self.entry["auction"])

    def read(self, **changed: str) -> dict[str, Any]:
        """Send the form with some fields changed, and read the entry that it makes."""
        shown = dict.fromkeys(changed, ())
        sent = MultiDict(pair for pair in send(self.form_class.show(self.entry)) if pair[0] not in shown)
        form = self.form_class(sent | MultiDict(changed))
        if not isinstance(form, DealForm):
            return form.read()
        entry, faults = read_deal(form, self.rules, "A", self.bidding)
        assert not faults
        return entry

    def shown(self) -> dict[str, Any]:
        """The entry as far as the form shows it."""
        facts = {key: fact for key, fact in self.entry.items() if key not in UNSHOWN}
        facts |= {"note": facts["note"].strip()} if "note" in facts else {}
        match facts["type"]:
            case "deal":
                facts = self._shown_of_deal(facts)
            case "hand":
                facts = self._shown_of_hand(facts)
            case "opening" if not self.rules.holds_points():
                facts.pop("held", None)
        return {key: fact for key, fact in facts.items() if fact not in ([], "")}

    def _shown_of_hand(self, facts: dict[str, Any]) -> dict[str, Any]:
        ended = "loser" in facts or "misdeal" in facts or "walked_out" in facts
        if not ended:
            cancelled = (bout["out"] for bout in self.entry["bouts"] if bout["result"] == CANCELLED)
            facts["walked_out"] = [*cancelled][-1][-1]
        if facts.get("loser", "") is None or "misdeal" in facts:
            facts.pop("sixes", None)
        return facts

    def _shown_of_deal(self, facts: dict[str, Any]) -> dict[str, Any]:
        assert isinstance(self.typed, Deal)
        bidding = self.bidding
        if "contract" not in facts and (bidding is None or bidding.status in ("thrown-in", "offer")):
            terms = facts.get("offer", {})
            facts |= {"offer": {key: n for key, n in terms.items() if n}} if "offer" in facts else {}
            return {key: facts[key] for key in facts if key in (*UNPLAYED, "penalty")}
        if "contract" in facts:
            bid = facts["contract"]
            facts["contract"] = {key: bid[key] for key in bid if (key, bid[key]) != ("double", 1)}
        if self.typed.dealt_wrongly:
            return {key: facts[key] for key in facts if key in (*UNPLAYED, "contract", "penalty")}
        runs = zip(facts.get("runs", ()), self.typed.runs or (), strict=True)
        facts["runs"] = [
            read_declared_run(self.rules, run, "").to_entry() if run.cards else written
            for written, run in runs
        ]
        if "false_melds" in facts:
            facts["false_melds"] = sorted(facts["false_melds"], key=lambda meld: str(meld["seat"]))
        if isinstance(facts.get("trickless"), list) and len(facts["trickless"]) == 1:
            facts["trickless"] = facts["trickless"][0]
        if "totals" not in facts:
            facts.pop("last", None)
        trump = bidding.trump if bidding is not None else facts["contract"]["trump"]
        if "count" in facts:
            count = {key: fact for key, fact in facts.pop("count").items() if fact not in (None, {})}
            whole = count if "points" in count or not count else {"cards": {}, **count}
            without = ("jass", "nine") if trump == "NT" else ()
            facts |= {"count": {key: whole[key] for key in whole if key not in without}} if whole else {}
        if trump == "NT":
            facts.pop("bela", None)
        return facts


@pytest.mark.slow  # a hundred entries, each with five forms
@few_examples(100, 5000)
@given(st.data())
def test_an_entry_comes_back_from_its_form_as_it_was(data: st.DataObject) -> None:
    """Opened and sent it says what was shown; with another note or dealer, the rest stays as written."""
    table = data.draw(st.sampled_from(TABLES))
    entry, chosen = data.draw(table.entries), data.draw(table.conventions)
    try:
        _record, game = records.read_record(table.head(chosen, entries=[entry]), library.open_game)
    except Unreadable:
        assume(False)
    with APP.test_request_context():
        form = CorrectingForm(game.family, entry)
        shown = form.read()
        assert shown == form.shown()
        assert keep_unchanged(shown, shown, entry) == entry
        seat = data.draw(st.sampled_from(game.family.ruleset.ring.seats))
        dealt = {"dealer": seat} if entry["type"] in ("deal", "hand") else {}
        for changed in ({"note": "as the others saw it"}, dealt):
            assert keep_unchanged(form.read(**changed), shown, entry) == {**entry, **changed}
