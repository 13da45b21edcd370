"""The walk in sections, each by itself: a table that plays, a game that is asked about, the rulebooks."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

from companion import library
from companion.archives.giving import pack
from companion.i18n import LANGUAGES
from companion.matches import Role
from companion.rules.errors import Unreadable
from companion.web.rulings import query_of

from .meant import PRINTED, WAITING
from .walk import NAMES, Table, Walker

Request = Mapping[str, Any]
_OF_PLAYER = ("?", "/figures.json?", "/figures.csv?", "/deals?figure=deals.played&")
_SOUGHT = {
    "pl": "atut",
    "ru": "козырь",
    "uk": "козир",
    "cs": "trumf",
    "de": "Trumpf",
    "fr": "atout",
    "hr": "adut",
}
"""What is looked for in rulebooks, as readers of each language type it; else "trump"."""
GIVEN = {
    "format": "companion-match",
    "version": 1,
    "game": "derda",
    "players": ["Ewa", "Jan"],
    "first_dealer": "A",
}
"""A match that comes by a link."""
_ASKED = 3
"""Questions asked in a match, of each kind."""


@dataclass(frozen=True)
class Section:
    """A part of the walk: what is done is the same wherever it is done."""

    name: str
    walk: Callable[[Walker], None]


class Tour:
    """All sections: of the tables, of the questions that games are asked (each a request to the arbiter).

    A `short` one goes wherever the whole one goes, though not to every page of the kind.
    """

    def __init__(self, tables: Sequence[Table], requests: Sequence[Request], short: bool = False) -> None:
        self._tables, self._requests, self._short = tables, requests, short
        self.sections = {section.name: section for section in self._list_sections()}

    def _list_sections(self) -> Iterator[Section]:
        for lang in LANGUAGES:
            for table in self._tables:
                name = f"{table.game}, {table.seating} players, {table.preset}, {lang}"
                yield Section(name, partial(self._play, table=table, lang=lang))
            for game in library.names():
                yield Section(f"questions of {game}, {lang}", partial(self._ask, game=game, lang=lang))
            yield Section(f"begin, {lang}", partial(self._begin, lang=lang))
            yield Section(f"rules, {lang}", partial(self._read_rules, lang=lang))
            yield Section(f"audits, {lang}", partial(self._audit, lang=lang))
            yield Section(f"joined, {lang}", partial(self._join, lang=lang))
            yield Section(f"hidden, {lang}", partial(self._hide, lang=lang))
        yield Section("addresses", self._try_addresses)

    def _play(self, walker: Walker, table: Table, lang: str) -> None:
        """A match from beginning to end, what is said of it and asked in it, the game after it."""
        match, recorded = walker.play(table, lang)
        assert recorded == len(table.entries), (table, recorded)
        walker.look_at(match)
        walker.dispute(match)
        asked: dict[str, list[str]] = {}
        for request in self._requests:
            if request["game"] == table.game and not request.get("conventions") and not request.get("preset"):
                asked.setdefault(request["question"], []).append(query(request))
        kinds = dict(list(asked.items())[: 2 if self._short else None])
        walker.attach_rulings(match, {kind: queries[:_ASKED] for kind, queries in kinds.items()})
        walker.correct(match)
        walker.send_wrong_entries(match)
        walker.rename(match)
        next_one = walker.play_evening(match)
        walker.follow_links(next_one, 30 if self._short else 400)
        walker.get(f"/{lang}/")

    def _ask(self, walker: Walker, game: str, lang: str) -> None:
        """Every question of a game: empty, and with all that its cases ask; one answer of each is kept."""
        walker.get(f"/{lang}/ask/{game}")
        for question in library.open_game(game).family.questions:
            address = f"/{lang}/ask/{game}/{question}"
            asked = [
                request
                for request in self._requests
                if (request["game"], request["question"]) == (game, question)
            ]
            asked = asked[: 2 if self._short else None]
            walker.get(address)
            walker.get(f"{address}?asked=1")
            for item in asked:
                walker.get(f"{address}?{query(item)}")
            for facts in asked[:1]:
                stored = walker.post(f"{address}/keep?{query(facts)}", [("form_key", ""), ("csrf_token", "")])
                if stored.status == 303:
                    place = urlsplit(stored.headers["Location"]).path
                    for path in (place, f"{place}/code.svg", place.removeprefix(f"/{lang}")):
                        walker.get(path)

    def _begin(self, walker: Walker, lang: str) -> None:
        """The form of a new match with every table of every game; what is wrong in it; begun on paper."""
        address = f"/{lang}/new"
        walker.get(address)
        for game in library.names():
            for seating in library.seatings(game):
                walker.get(f"{address}?{urlencode({'game': game, 'table': seating.name})}")
        for step in ("show", "rules", "usual", "as-perevodnoy"):
            walker.submit(address, address, step=step, game="durak", table="5", **{"name-A": "Ewa"})
        walker.submit(address, address)
        for typed in (
            {"name-A": "Ewa", "name-B": "Ewa", "dealer": "A"},
            {"name-A": "E" * 50, "name-B": "Jan", "dealer": "Z", "place": "p" * 300},
            {"name-A": "Ewa", "name-B": "Jan", "dealer": "draw", "drawn-A": "AS", "drawn-B": "AS"},
            {"name-A": "Ewa", "name-B": "Jan", "dealer": "draw", "drawn-A": "AS", "drawn-B": "7S"},
            {"name-A": "Ewa", "name-B": "Jan", "dealer": "B", "total-A": "240", "total-B": "many"},
            {"name-A": "Ewa", "name-B": "Jan", "dealer": "B", "total-A": "240", "total-B": "120"},
            {"name-A": "<b>Ewa</b>", "name-B": "\u202eJan", "dealer": "B"},
        ):
            walker.submit(f"{address}?game=derda", address, **typed)  # where no lot is drawn
        walker.get(f"/{lang}/")
        walker.get(f"/{lang}/?q=Ewa")
        walker.get(f"/{lang}/?q=nobody")
        walker.get(address)
        walker.get(f"/{lang}/resume")
        walker.get(f"/{lang}/paper/dark?next=/{lang}/ask")
        walker.get(f"/{lang}/ask")
        walker.follow_links(f"/{lang}/", 20 if self._short else 200)

    def _read_rules(self, walker: Walker, lang: str) -> None:
        """The rulebooks and what is compared in them, tables cards, sheets to be filled in by hand."""
        for game in library.names():
            walker.get(f"/{lang}/sheets/{game}")
            walker.get(f"/{lang}/sheets/{game}/card")
            for preset in library.read_rulebook(game).presets:
                walker.get(f"/{lang}/rules/{game}?preset={preset}")
            walker.get(f"/{lang}/rules/{game}?{urlencode({'q': _SOUGHT.get(lang, 'trump')})}")
            presets = list(library.read_rulebook(game).presets)
            walker.get(f"/{lang}/rules/{game}/compare?a={presets[0]}&b={presets[-1]}&all=1")
            walker.get(f"/{lang}/rules/{game}/compare?a=nothing&b={presets[-1]}")
        walker.follow_links(f"/{lang}/rules", 15 if self._short else 200)

    def _audit(self, walker: Walker, lang: str) -> None:
        """Deals told card by card in which something was wrong, laid aside or written; what settles them."""
        wrong: dict[tuple[str, str], Any] = {}
        for request in self._requests:
            if (
                request["question"] == "audit"
                and not request.get("conventions")
                and not request.get("preset")
            ):
                wrong.setdefault((request["game"], str(len(str(request["deal"])))), request["deal"])
        played = {table.game: table for table in self._tables}
        for (game, _length), deal in list(wrong.items())[: 4 if self._short else None]:
            reported = {"type": "deal", **deal}
            for later in (True, False) if _is_entry(game, reported) else (True,):
                id = walker.write_match(replace(played[game], entries=()))
                walker.keep_draft(id, reported) if later else walker.add_unasked(id, reported)
                walker.settle(f"/{lang}/m/{id}")

    def _join(self, walker: Walker, lang: str) -> None:
        """Matches of somebody else, in which this browser has each role that a link gives, or none."""
        roles: tuple[tuple[Role, str | None], ...] = (
            (Role.PENCIL, None),
            (Role.PENCIL, "B"),
            (Role.OPPONENT, "A"),
            (Role.SPECTATOR, None),
        )
        of_two = [table for table in self._tables if table.players == 2 and len(table.entries) > 2]
        for n, (role, side) in enumerate([*roles, (None, None)]):
            table = of_two[n % len(of_two)]
            id = walker.write_match(table, owner="somebody-else")
            if role is not None:
                walker.be_joined(id, role, side)
                evening = f"/{lang}/evening/{id}"
            match = f"/{lang}/m/{id}"
            walker.look_at(match)
            walker.dispute(match)
            walker.correct(match)
            walker.rename(match)
        walker.get(f"/{lang}/")
        walker.get(f"/{lang}/new?like={id}")
        for page in ("players", *(f"player{path}name={NAMES[1]}" for path in _OF_PLAYER)):
            walker.get(f"/{lang}/{page}")
        for form in (
            {"do": "stakes", "currency": "zł", "worth-unit": "1"},
            {"do": "describe", "name": "Sobota"},
        ):
            walker.submit(evening, evening, **form)
        walker.look_at(evening, ("", "/share", "/picture.svg"))
        walker.get(f"/{lang}/player?name={NAMES[1]}&evening={id}&opponent={NAMES[0]}")
        walker.get(f"/{lang}/evenings")
        names = f"/{lang}/player/names"
        for typed in ("", "Krystyna"):
            walker.submit(f"{names}?name={quote('Żaneta')}", names, do="rename", name=typed)
        walker.look_at(f"/{lang}", ("/player/names?name=Krystyna", "/players", "/new"))

    def _hide(self, walker: Walker, lang: str) -> None:
        """Matches are archived, deleted, brought back and erased, one of them another's."""
        lists = ("", "/put-away", "/bin", "/export")
        first, second, another = (walker.write_match(self._tables[0], owner) for owner in ("", "", "another"))
        for id in (first, another, "nothing"):
            match = f"/{lang}/m/{id}"
            for step in ("put-away", "put-away", "bring-back", "delete", "delete", "bring-back", "delete"):
                walker.get(f"{match}/delete")
                walker.post(f"{match}/{step}", [("csrf_token", "")])
                walker.look_at(f"/{lang}", lists)
                walker.get(match)
        for id, step in ((first, "erase"), (second, "put-away"), (second, "delete"), (second, "erase")):
            walker.get(f"/{lang}/m/{id}/{step}")
            walker.post(f"/{lang}/m/{id}/{step}", [("csrf_token", "")])
            walker.look_at(f"/{lang}", lists)

    def _try_addresses(self, walker: Walker) -> None:
        """What is at no language, at an unknown one, or nowhere; what a phone has to wait for."""
        id = walker.write_match(self._tables[0])
        addresses = (
            "/", f"/m/{id}", "/r/nothing", "/join/nothing", "/move/nothing", "/en/m/nothing",
            "/pl/r/nothing", "/fr/", "/en", "/en/nothing", "/en/ask/whist", "/en/ask/derda/whist",
            "/en/rules/whist", "/en/sheets/whist", "/en/new?game=whist", f"/en/m/{id}/entries/99",
            f"/en/m/{id}/entries/1/audit", "/en/manifest.webmanifest", "/pl/manifest.webmanifest",
            "/en/offline", "/pl/offline", "/en/ask/derda/play?trump=%ff&hand=%00", "/en/" + "x" * 3000,
            "/en/import",
        )  # fmt: skip
        for path in addresses:
            walker.get(path)
        for path in ("/en/", f"/en/m/{id}", f"/en/m/{id}/history"):
            walker.post(path, [])
        walker.get("/en/browser")
        walker.get("/en/given")
        for link in ("", "#give=eJw", *[pack({}, GIVEN)] * 2):
            answer = walker.post("/en/given", [("csrf_token", ""), ("link", link)])
        walker.get(urlsplit(answer.headers["Location"]).path)
        for path in (*WAITING, *PRINTED):
            walker.get(path.replace("ID", id))


def _is_entry(game: str, reported: Mapping[str, Any]) -> bool:
    """Whether it can be read as an entry of a game; of what is audited some facts may be missing."""
    try:
        library.open_game(game).family.read(reported, "entry")
    except Unreadable:
        return False
    return True


def query(request: Request) -> str:
    """A request to the arbiter as the query of its page."""
    separate = ("question", "preset", "conventions", "game")
    more = [("preset", request["preset"])] if "preset" in request else []
    for name, value in request.get("conventions", {}).items():
        more.append((f"rule-{name}", str(value).lower() if isinstance(value, bool) else str(value)))
    facts = {key: value for key, value in request.items() if key not in separate}
    return urlencode([*query_of(facts), *more, ("asked", "1")])
