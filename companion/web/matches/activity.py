"""The history of a match in sentences, each change as it was at that time."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, assert_never, cast

from flask import Flask
from flask_babel import gettext as _
from flask_babel import lazy_gettext as _l

from companion.library.kinds import Belas
from companion.matches import (
    EntryChange,
    EntryRemark,
    HeadChange,
    HistoryEvent,
    Match,
    OtherEvent,
    describe_history,
)
from companion.record.log import Event
from companion.rules.cards import Card, Suit
from companion.rules.message import SideName, show_card
from companion.rules.schema import (
    Boolean,
    CardOf,
    Integer,
    Kind,
    ListOf,
    MappingOf,
    Nested,
    Nullable,
    SeatOf,
    SideOf,
    Text,
    TrumpOf,
    TurnUp,
    fields_of,
)
from companion.web.rulings import describe_ruling
from companion.web.sharing import describe_remark
from companion.web.shell.game_ui import game_ui, name_entry_then
from companion.web.shell.text import isolate_name, name_of, translate


def init_app(app: Flask) -> None:
    """Give templates `describe_events(match, events)` and `describe_entry_since(match, entry, seq)`."""
    app.add_template_global(describe_events)
    app.add_template_global(describe_entry_since)


def describe_events(match: Match, events: Sequence[Event]) -> list[str]:
    """Describe what each of these events did to the match, in their order, with the result of a new entry.

    The match may not have read them yet.
    """
    history = describe_history(match, events, only={event.seq for event in events})
    return [_describe_with_result(match, event) for event in history]


def describe_entry_since(match: Match, id: int, seq: int) -> str:
    """Describe an entry's results at a moment of the log and now: "82:65 → 84:63"."""
    logged = match.entry(id)
    only = {event.seq for event in logged.events if event.seq > seq} if logged is not None else set()
    history = [event for event in describe_history(match, only=only) if isinstance(event, EntryChange)]
    if not history or (history[0].row_before and history[-1].row_after is None):
        return _("withdrawn")
    first, last = history[0], history[-1]
    return describe_amendment(
        match, replace(last, before=first.before, row_before=first.row_before or first.row_after)
    )


def _describe_with_result(match: Match, event: HistoryEvent) -> str:
    text = describe_history_event(match, event)
    if isinstance(event, EntryChange) and (event.change, event.course) == ("add", "done") and event.row_after:
        result = game_ui(match.game).describe_row(match, event.row_after)
        return _("%(what)s: %(changes)s", what=text, changes=result)
    return text


def describe_history_event(match: Match, past: HistoryEvent) -> str:
    """Describe what one event did to the match."""
    match past:
        case EntryChange():
            return _describe_entry_change(match, past)
        case HeadChange():
            return _describe_head_change(past)
        case EntryRemark(event):
            return describe_remark(match, event, name_entry_then(match, past.type, past.number))
        case OtherEvent(event) if event.kind == "draft":
            return game_ui(match.game).describe_draft(bool(event.payload))
        case OtherEvent(event):
            return _describe_ruling_event(match, event)
        case _:
            assert_never(past)


_SIMPLE_CHANGES = {
    ("add", "done"): _l("%(what)s written"),
    ("add", "undone"): _l("%(what)s taken out"),
    ("add", "put back"): _l("%(what)s put back"),
    ("withdraw", "done"): _l("%(what)s withdrawn"),
    ("withdraw", "undone"): _l("%(what)s: withdrawal undone"),
    ("withdraw", "put back"): _l("%(what)s withdrawn again"),
    ("restore", "done"): _l("%(what)s restored"),
    ("restore", "undone"): _l("%(what)s: restoring undone"),
    ("restore", "put back"): _l("%(what)s restored again"),
}
"""Sentences for changes that leave an entry's content alone: done, undone, or put back."""


def _describe_entry_change(match: Match, change: EntryChange) -> str:
    what = _name(match, change)
    if change.change in ("add", "withdraw", "restore"):
        return str(_SIMPLE_CHANGES[change.change, change.course]) % {"what": what}
    changes = describe_amendment(match, change)
    match change.course:
        case _course if not changes:
            return _("%(what)s saved unchanged", what=what)
        case "done":
            return _("%(what)s: %(changes)s", what=what, changes=changes)
        case "undone":
            return _("%(what)s: correction undone, %(changes)s", what=what, changes=changes)
        case _:
            return _("%(what)s: correction put back, %(changes)s", what=what, changes=changes)


def _name(match: Match, change: EntryChange) -> str:
    """The entry by the number it had; one without a number by its result, for there may be several."""
    name = name_entry_then(match, change.type, change.number)
    row = change.row_before or change.row_after
    if change.number is not None or row is None or change.event.kind in ("add", "amend"):
        return name
    return _("%(what)s (%(text)s)", what=name, text=game_ui(match.game).describe_row(match, row))


def _describe_head_change(change: HeadChange) -> str:
    """Describe the corrections of the head: names, place, stake, first dealer."""
    before, after = change.before, change.after
    parts = []
    if before["players"] != after["players"]:
        renamed = zip(before["players"], after["players"], strict=True)
        names = ", ".join(_arrow(isolate_name(old), isolate_name(new)) for old, new in renamed if old != new)
        parts.append(_("Names: %(changes)s", changes=names))
    places = before.get("place"), after.get("place")
    if places[0] != places[1]:
        parts.append(_("Place: %(changes)s", changes=_describe_change(*places)))
    stakes = [" ".join((head.get("stake") or {}).values()) for head in (before, after)]
    if stakes[0] != stakes[1]:
        parts.append(_("Stake: %(changes)s", changes=_describe_change(*stakes)))
    dealers = before.get("first_dealer"), after.get("first_dealer")
    if dealers[0] != dealers[1]:
        named = (isolate_name(after["players"]["ABCDEF".index(seat)]) if seat else None for seat in dealers)
        parts.append(_("First dealer: %(changes)s", changes=_arrow(*named)))
    return "; ".join(parts) or _("Names and place saved unchanged")


def _describe_ruling_event(match: Match, event: Event) -> str:
    """Describe the ruling that the event attached or detached."""
    if event.undoes is None:
        return _("A ruling was attached: %(text)s", text=describe_ruling(match, event).text)
    detached = match.events[event.undoes - 1]
    return _("A ruling was withdrawn: %(text)s", text=describe_ruling(match, detached).text)


_NOTHING = "–"
_LONGEST = 40
"""The most letters of a fact that are shown; a longer one is only named."""
_CODE = 2
"""The most letters of a rank, which is shown as it is; longer texts are keys, unless people wrote them."""

Facts = Mapping[str, tuple[Kind, Any]]


def describe_amendment(match: Match, change: EntryChange) -> str:
    """Describe all that an amendment changed, a changed result first."""
    before, after = change.row_before, change.row_after
    if before is None or after is None:
        return _("another content")
    ui = game_ui(match.game)
    came_to = ui.describe_row(match, before), ui.describe_row(match, after)
    facts = _describe_facts(match, _open(before.entry), _open(after.entry), came_to[0] != came_to[1])
    return ", ".join(([_arrow(*came_to)] if came_to[0] != came_to[1] else []) + list(facts))


def _describe_change(before: str | None, after: str | None) -> str:
    """Describe a text that replaced another, or was added or removed."""
    return _arrow(before, after) if before else after or _arrow("", "")


def _arrow(before: str | None, after: str | None) -> str:
    return f"{before or _NOTHING} → {after or _NOTHING}"


def _open(value: Any) -> dict[str, tuple[Kind, Any]]:
    places = [(place, getattr(value, place.attribute)) for place in fields_of(cast(Any, type(value)))]
    return {
        place.key: (place.kind, None if fact is place.absent else fact)
        for place, fact in places
        if place.key != "type"
    }


def _describe_facts(match: Match, before: Facts, after: Facts, is_said: bool, of: str = "") -> Iterator[str]:
    """Describe the facts that differ, in the order of the entry, or `of` an object of facts within it.

    If it `is_said` already that the result differs, the facts that make the difference are left out.
    """
    nothing: tuple[None, None] = (None, None)
    for key in dict.fromkeys((*before, *after)):
        (old_kind, old), (new_kind, new) = before.get(key, nothing), after.get(key, nothing)
        kind = old_kind or new_kind
        if kind is None or old == new or (is_said and key in game_ui(match.game).row_facts):
            continue
        label = _name_fact(match, key, of)
        if isinstance(kind, Nested):
            if old is not None and new is not None:
                yield from dict.fromkeys(_describe_facts(match, _open(old), _open(new), is_said, label))
            elif not is_said:
                yield _describe_fact(label, _show(match, kind, old), _show(match, kind, new))
        elif isinstance(kind, Boolean) and None not in (old, new):
            yield f"{label} {_arrow(*(_('yes') if fact else _('no') for fact in (old, new)))}"
        else:
            yield _describe_fact(label, _show(match, kind, old), _show(match, kind, new))


def _describe_fact(label: str, old: str | None, new: str | None) -> str:
    if old is None or new is None or max(len(old), len(new)) > _LONGEST:
        return label
    return f"{label} {_arrow(old, new) if old else new or _NOTHING}"


def _name_fact(match: Match, key: str, of: str = "") -> str:
    words = match.game.book.words
    return game_ui(match.game).fact_names().get(key) or translate(words.get(key, "")) or of or key


def _show(match: Match, kind: Kind, value: Any) -> str | None:
    """A fact in a few letters; empty for an absent one, None if it takes more words."""
    if value is None or value in ((), ""):
        return ""
    match kind:
        case Nullable():
            return _show(match, kind.kind, value)
        case SideOf():
            return name_of(match, SideName(value))
        case SeatOf() | Belas():  # one letter, or several
            return ", ".join(map(partial(name_of, match), value))
        case TrumpOf() | TurnUp() | CardOf():
            return _show_card(value)
        case Integer():
            return str(value)
        case Text() if kind.lines:
            return _("“%(text)s”", text=" ".join(value.split()))
        case Text() if kind.most <= _CODE:
            return translate(value)
        case ListOf():
            between = ", " if isinstance(kind.kind, (Nested, SeatOf)) else " "
            return _join(between, [_show(match, kind.kind, item) for item in value])
        case MappingOf():
            return _join(":", [_show(match, kind.kind, item) for item in value.values()])
        case Nested():
            shown = [_show(match, *fact) for fact in _open(value).values()]
            return _join(" ", [item for item in shown if item != ""])
        case _:
            return None


def _join(between: str, shown: list[str | None]) -> str | None:
    return None if None in shown else between.join(item or "" for item in shown)


def _show_card(value: Any) -> str:
    match value:
        case Card():
            return show_card(value, translate)
        case Suit():
            return value.sign
        case "AT":
            return _("all trumps")
        case _:
            return _("no trumps")
