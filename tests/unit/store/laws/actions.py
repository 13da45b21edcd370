"""Anything that can be asked of a store, drawn at random, and all that can be seen of one."""

from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st
from sqlalchemy.exc import IntegrityError

from companion.record.log import Event
from companion.store import Grant, ListPlace, SavedRuling, StaleWrite, Store, StoredMatch

Action = tuple[str, tuple[Any, ...]]
"""A verb, and what it is asked with."""

IDS, PEOPLE = ("a", "B"), ("me", "x")
KEYS = ("f1", "f2", "f3", "a-1")
ids, people = st.sampled_from(["a"] * 8 + ["B"] * 3 + ["nowhere", "a\0", "\ud800"]), st.sampled_from(PEOPLE)
of_match = st.sampled_from(["a", "a", "B"])
times = st.sampled_from([f"2026-11-2{day}T{hour}:00:00.000+00:00" for day in (0, 1) for hour in (19, 20)])
arrived = st.just("") | times
names = st.sampled_from(["Ewa", "Żaneta", "STRASSE", "Straße", "İnci", "Jan Maria"])
payloads = st.none() | st.fixed_dictionaries({"n": st.integers(0, 3)})
numbers = st.integers(-1, 5)
keys = st.sampled_from(KEYS)
heads = st.fixed_dictionaries(
    {"game": st.just("any"), "players": st.lists(names, min_size=2, max_size=2)},
    optional={"place": st.sampled_from(["Łódź", "", None]), "follows": st.sampled_from(IDS)},
)
corrections = st.fixed_dictionaries({}, optional={"players": st.lists(names, max_size=2), "place": names})
events = st.builds(
    Event,
    st.just(0),
    st.sampled_from(["add", "draft", "amend"]),
    st.none() | st.integers(1, 2),
    payloads,
    people,
    times,
    st.none() | st.just(1),
    arrived,
) | st.builds(
    lambda payload, at, came: Event(0, "head", None, payload, "me", at, arrived=came),
    corrections,
    times,
    arrived,
)
matches = st.builds(
    lambda id, owner, head, log, at, came: StoredMatch(id, owner, head, tuple(log), at, "1", arrived=came),
    of_match,
    people,
    heads,
    st.lists(events, max_size=2),
    times,
    arrived,
)


def _grant(match: str, browser: str, side: str | None, has_pencil: bool, at: str) -> Grant:
    return Grant(f"{match} {browser}", match, browser, side, has_pencil, "a phone", at)


grants = st.builds(
    _grant, of_match, st.sampled_from(["x", "x", "x", "me"]), st.none() | st.just("B"), st.booleans(), times
)
summaries = st.fixed_dictionaries({"total": st.integers(0, 3)}, optional={"players": st.lists(names)})
rulings = st.builds(SavedRuling, st.sampled_from(["r1", "r2"]), people, times, heads)
searches = st.sampled_from(
    ["", "ewa", "żANETA", "strasse 2026-11", "2026-11-20", "łódź", "inci", "i", "jan any", "\0"]
)
places = st.none() | st.builds(ListPlace, times, of_match)
pages = st.tuples(st.none() | people, searches, st.none() | st.integers(0, 3), places, places)

DEEDS: dict[str, st.SearchStrategy[tuple[Any, ...]]] = {
    "create_match": st.tuples(matches),
    "append_event": st.tuples(ids, numbers, events, keys),
    "append_events": st.tuples(ids, numbers, st.lists(events, max_size=3)),
    "find_event": st.tuples(ids, keys),
    "load_match": st.tuples(ids, numbers),
    "list_matches": pages,
    "count_matches": st.tuples(st.none() | people),
    "find_successor": st.tuples(ids, people),
    "remember_summary": st.tuples(of_match, st.integers(0, 3), summaries),
    "recall_summary": st.tuples(of_match, numbers),
    "save_ruling": st.tuples(rulings),
    "find_ruling": st.tuples(st.sampled_from(["r1", "r2", "\0"])),
    "list_rulings": st.tuples(people),
    "add_grants": st.tuples(st.lists(grants, max_size=2, unique_by=lambda one: one.id)),
    "find_grant": st.tuples(ids, people),
    "list_grants": st.tuples(of_match),
    "load_version": st.tuples(ids),
    "count_change": st.tuples(of_match),
    "set_visibility": st.tuples(
        ids, st.sampled_from(["listed", "archived", "deleted"]), times, st.none() | times
    ),
    "list_put_away": st.tuples(people),
    "list_deleted": st.tuples(people),
    "list_ids": st.tuples(st.none() | people),
    "erase_match": st.tuples(ids),
    "erase_deleted": st.tuples(times, st.none() | people),
}
"""What each verb that all stores have is asked with."""

_LOOKS = ("find_", "list_", "load_", "recall_", "count_matches")
_ERASING = ("erase_match", "erase_deleted")
"""Asked last: the id of an erased match is nobody else's on a server, while a phone forgets it."""
_RARE = {"set_visibility", "create_match"}
"""What empties a store is not asked all the time."""
_OTHERS = [verb for verb in DEEDS if verb not in _ERASING]
_CHANGES = [verb for verb in _OTHERS if not verb.startswith(_LOOKS) and verb not in _RARE]


def _one_of(*verbs: str) -> st.SearchStrategy[Action]:
    return st.sampled_from(verbs).flatmap(lambda verb: st.tuples(st.just(verb), DEEDS[verb]))


actions = _one_of(*_OTHERS, *_CHANGES * 3, *["append_event", "list_matches"] * 4)
courses: st.SearchStrategy[list[Action]] = st.builds(
    lambda begun, joined, more, erased: [*begun, *joined, *more, *erased],
    st.lists(_one_of("create_match"), min_size=2, max_size=3),
    st.lists(_one_of("add_grants"), min_size=1, max_size=3),
    st.lists(actions, min_size=15, max_size=30) | st.lists(actions, max_size=15),
    st.lists(_one_of(*_ERASING), max_size=3),
)
"""What is asked of a store, one after the other, once there is something in it."""


def ask(store: Store, action: Action) -> Any:
    """The answer, or how it was refused."""
    verb, asked = action
    try:
        answer = getattr(store, verb)(*asked)
    except StaleWrite as refused:
        return ("stale", refused.match_id, refused.events)
    except (KeyError, IntegrityError):  # no such match: of a grant it is the database itself that says so
        return "not there"
    return list(answer) if isinstance(answer, list | tuple) else answer


def look(store: Store) -> dict[str, Any]:
    """All that can be seen of what lies in a store."""
    seen: dict[str, Any] = {"rulings": [store.find_ruling(id) for id in ("r1", "r2")]}
    verbs_of_match: tuple[Callable[[str], Any], ...] = (
        store.load_match,
        store.load_version,
        store.list_grants,
    )
    for id in IDS:
        stored = [store.recall_summary(id, seq) for seq in range(8)]
        forms = [store.find_event(id, key) for key in (*KEYS, "a-2", "B-1", "B-3")]
        seen[id] = [*(verb(id) for verb in verbs_of_match), stored, forms]
    verbs_of_owner: tuple[Callable[[str], Any], ...] = (
        store.list_matches,
        store.count_matches,
        store.list_rulings,
        store.list_put_away,
        store.list_deleted,
        store.list_ids,
    )
    for who in PEOPLE:
        seen[who] = [verb(who) for verb in verbs_of_owner]
        seen[f"found by {who}"] = [
            store.list_matches(who, word) for word in ("ewa", "strasse", "jan 2026", "2026-11-20")
        ]
        seen[f"beside each in the list of {who}"] = [
            (store.list_matches(who, "", 1, match.place), store.list_matches(who, "", 1, None, match.place))
            for match in store.list_matches(who)
        ]
    return seen
