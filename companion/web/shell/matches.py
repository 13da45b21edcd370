"""Matches for pages: opened by their address, written in from forms, for the browser that asks."""

from dataclasses import dataclass

from flask import Flask, abort, current_app, flash, g, session, url_for
from flask_babel import gettext as _

from companion.matches import Access, Change, Match, Matches, NotTheWriter, Submission
from companion.record.log import Event
from companion.record.remarks import REMARKS
from companion.rules.errors import Unreadable
from companion.rules.ruling import Problem, RuleViolation
from companion.store import StaleWrite, Store
from companion.web.shell.monitoring import count_event
from companion.web.shell.security import browser

from .forms import MissingSeq, WritingForm, fresh_key
from .game_ui import name_entry


def init_app(app: Flask, store: Store) -> None:
    """Serve the matches of a store; templates get `access(match)`.

    They also get `unsent(match)`, the numbers of events not yet at the server: none, except on a phone.
    """
    former = app.config["SECRET_KEY_FALLBACKS"]
    secret, seed = str(app.config["SECRET_KEY"]), app.config.get("SEED", "")
    app.extensions["matches"] = Matches(store, secret, former=former, seed=seed)
    app.context_processor(lambda: {"access": access})
    app.add_template_global(lambda match: range(0), "unsent")


def matches() -> Matches:
    """The matches that this app serves."""
    served: Matches = current_app.extensions["matches"]
    return served


def open_match(id: str, family: str | None = None) -> Match:
    """Open the match at this address, for anyone to look at.

    With a `family`, a match of another one answers 404.

    :raises NoSuchMatch: for an unknown id, which is answered by 404.
    """
    g.match = match = matches().open(id)
    if family is not None and match.game.family_name != family:
        abort(404)
    return match


def open_written_match(id: str, family: str | None = None) -> Match:
    """Open the match at this address, to write in.

    :raises NotTheWriter: without the right to record, which is answered by 403.
    """
    match = open_match(id, family)
    if not access(match).may_record:
        raise NotTheWriter(id)
    return match


def address_of(match: Match, entry: int | None = None) -> str:
    """The address that shows what was saved: the page of an entry, or the scoreboard."""
    if entry is None:
        return url_for("scoreboard.scoreboard", id=match.id)
    return url_for("entries.entry", id=match.id, entry=entry)


def access(match: Match) -> Access:
    """The rights of this browser in the match."""
    decided: dict[str, Access] = g.setdefault("access", {})
    if match.id not in decided:
        decided[match.id] = matches().access(match, browser.known_token(), g.get("api_token"))
    return decided[match.id]


def is_written(match: Match, form: WritingForm) -> bool:
    """True if this form was already written, as after a second tap.

    If nothing was written since the form was built, that need not be looked up.
    """
    return form.seq.data != str(match.seq) and matches().find_written(match, form.key) is not None


def events_since(match: Match, form: WritingForm) -> tuple[Event, ...]:
    """The changes in the match since the form was built; for a change that depends on the match's state.

    :raises MissingSeq: if the form does not say when that was.
    """
    return tuple(event for event in match.events[form.seen_seq :] if event.kind not in REMARKS)


def write(match: Match, change: Change, form: WritingForm) -> Match:
    """Write a change that a form of this browser sent; return the match. Raises like `Matches.write`."""
    sent = Submission(browser.token(), form.seen_seq, form.key)
    after = matches().write(match, change, sent)
    if after.seq > match.seq:
        count_event(after.events[-1].kind)
    _flash_lost_agreements(match, after)
    if after.seq > match.seq and after.events[-1].kind not in ("draft", "ruling", *REMARKS):
        session["written"] = match.id  # the board draws the newest stroke once
    return after


def _flash_lost_agreements(before: Match, after: Match) -> None:
    """Tell whoever changed an entry, once, that a side's agreement to it is lost."""
    changed = {event.entry for event in after.events[before.seq :] if event.kind in ("amend", "withdraw")}
    for id in sorted(entry for entry in changed if entry is not None):
        for side in before.remarks.agreed(id):
            if side not in after.remarks.agreed(id):
                what, name = name_entry(before, id), before.side_name(side)
                flash(
                    _(
                        "%(what)s is no longer agreed: %(name)s agreed to the earlier version.",
                        what=what,
                        name=name,
                    )
                )


@dataclass(frozen=True)
class WriteRefusal:
    """The refusal of a form, with the status of the answer to it.

    Either there is a `fault` in the entry or in the form itself (400), or `problems` break rules (422), or
    `changes` were written meanwhile (409), and `match` is the match as it is now.
    """

    status: int
    match: Match
    fault: Unreadable | None = None
    problems: tuple[Problem, ...] = ()
    changes: tuple[Event, ...] = ()


def try_to_write(match: Match, change: Change, form: WritingForm) -> Match | WriteRefusal:
    """Write a change, or return why it was refused; a stale form is prepared to be sent once more."""
    try:
        return write(match, change, form)
    except MissingSeq as error:
        return WriteRefusal(400, renew(form, match.id), fault=error)
    except Unreadable as error:
        return WriteRefusal(400, match, fault=error)
    except RuleViolation as error:
        return WriteRefusal(422, match, problems=error.problems)
    except StaleWrite as error:
        return WriteRefusal(409, renew(form, match.id), changes=error.events)


def renew(form: WritingForm, id: str) -> Match:
    """Open the match as it is now, and renew the form as if it had just been built for it."""
    match = open_match(id)
    form.seq.data, form.form_key.data = str(match.seq), fresh_key()
    return match
