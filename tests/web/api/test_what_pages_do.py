"""What a page can do, a program can: every form has an operation, or a reason why it has none."""

from flask import Flask

from companion.web.api.page import OPERATIONS

_PHONE = "about the browser itself: a token is its own"
_SHARE = "phones are invited by the one the match began on"
_FILES = "files are for people; programs have /matches/<id>/record.json"
_JOURNAL = "what an owner writes of players and evenings is theirs to read"
_DRAFT = "a deal in progress belongs to the phone on which it is typed"

DONE_BY = {
    "archived.bring_back": "put_match",
    "archived.delete": "put_match",
    "archived.erase": "",
    "archived.put_away": "put_match",
    "audit.amend": "amend_entry",
    "audit.save": "add_entry",
    "dealer.dealer": "correct_match",
    "deals.insert": "insert_entry",
    "deals.preview": "add_entry",
    "deals.record": "add_entry",
    "entries.add": "add_entry",
    "entries.amend": "amend_entry withdraw_entry restore_entry",
    "follow.tap": "add_entry",
    "hands.dealer": "amend_entry",
    "hands.record": "add_entry",
    "new.start": "begin_match",
    "people.correct_head": "correct_match",
    "remarks.agree": "agree",
    "remarks.object_to": "object_to",
    "remarks.withdraw": "withdraw_objection",
    "saved_rulings.keep": "save_ruling",
    "saved_rulings.keep_of_match": "save_ruling attach_ruling",
    "saved_rulings.restore": "attach_ruling",
    "saved_rulings.take_off": "detach_ruling",
    "scoreboard.put_back": "put_back",
    "scoreboard.rematch": "begin_match",
    "scoreboard.undo": "undo",
}
"""The operations by which programs do what a form does; none where a program has no business with it."""
REASONS = {
    "archived.erase": "what is in the bin is erased by itself",
    "browsers": _PHONE,
    "deals.enough": _DRAFT,
    "evenings": _JOURNAL,
    "exporting": _FILES,
    "giving": _FILES,
    "importing": _FILES,
    "join": _PHONE,
    "moving": _PHONE,
    "phones": _SHARE,
    "player_names": _JOURNAL,
    "tokens": _PHONE,
    "api.rule": "it is one",
}
ONLY_ASKED = {"ask": "a question on a page is in its address"}


def test_every_form_has_an_operation(app: Flask) -> None:
    forms = {
        rule.endpoint
        for rule in app.url_map.iter_rules()
        if "POST" in (rule.methods or ())
        and rule.endpoint.partition(".")[0] not in ("public_api", "offline_api")
    }
    without = {
        form
        for form in forms
        if not DONE_BY.get(form) and not {form, form.partition(".")[0]} & REASONS.keys()
    }
    assert without == set()
    assert DONE_BY.keys() <= forms


def test_every_operation_has_a_form() -> None:
    known = {name for names in DONE_BY.values() for name in names.split()}
    writing = {made.name for made in OPERATIONS if made.method != "GET"}
    assert writing - known == ONLY_ASKED.keys()
    assert known <= writing
