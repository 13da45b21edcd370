"""The table whose rules are shown: that of a match, of a preset, of so many players, or the whole game."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace

from flask import abort
from flask_babel import gettext as _

from companion import library
from companion.matches import Match
from companion.rules.conditions import Value
from companion.rules.errors import Unreadable
from companion.rules.message import Message
from companion.rules.rulebook import Convention, Rule
from companion.sheets.common import describe_choice
from companion.web.shell.matches import open_match
from companion.web.shell.text import isolate_name, translate

ANY_MATCH = "THE-ID-OF-THE-MATCH"
"""The placeholder for a match's id in a page that is the same for all matches with the same rules."""


@dataclass(frozen=True)
class RuleTable:
    """A table with its conventions; if no table was chosen, the usual one stands for all."""

    game: library.Game
    match: Match | None = None
    seating: library.Seating | None = None
    preset: str = ""
    """The preset that was asked for."""

    @property
    def is_chosen(self) -> bool:
        """True if one table was chosen, so that some rules may not apply there."""
        return bool(self.match or self.seating or self.preset)

    @property
    def cache_key(self) -> tuple[Hashable, ...]:
        """All that its rules depend on, and nothing about its players."""
        game = self.game
        conventions = tuple(sorted(game.conventions.items()))
        seating = self.seating.name if self.seating else ""
        begun_by = self.match and self.match.rulebook
        return game.name, game.preset, game.players, conventions, self.preset, seating, begun_by, game.rules

    def for_any_match(self) -> "RuleTable":
        """The same table for any match: `ANY_MATCH` stands for the id."""
        return replace(self, match=replace(self.match, id=ANY_MATCH)) if self.match else self

    @property
    def address_values(self) -> dict[str, str]:
        """The parameters of an address that name it."""
        if self.match is not None:
            return {"match": self.match.id}
        values = {"preset": self.preset, "players": self.seating.name if self.seating else ""}
        return {name: value for name, value in values.items() if value}

    @property
    def compared_as(self) -> str:
        """The parameter of an address that names it beside another table."""
        return f"match:{self.match.id}" if self.match else self.game.preset

    @property
    def title(self) -> str:
        """The name of the table."""
        if self.match is not None:
            return _("This match")
        return translate(self.game.book.presets[self.game.preset].label)

    @property
    def players(self) -> str:
        """The names of the match's players."""
        return " · ".join(map(isolate_name, self.match.names.values())) if self.match else ""

    def rules(self) -> tuple[Rule, ...]:
        """The rules that apply; without a table, all."""
        book = self.game.book
        return (
            book.rules_for(self.game.conventions, self.game.players)
            if self.is_chosen
            else tuple(book.rules.values())
        )

    def matters(self, convention: Convention) -> bool:
        """True if the convention makes a difference here."""
        return convention.matters(self.game.conventions, self.game.players)

    def describe(self, convention: Convention) -> str:
        """Describe the convention's value here."""
        return describe_choice(convention, self.game.conventions[convention.name], translate) or _("None")

    def usual_values(self) -> dict[str, Value]:
        """The usual values, in the game's first preset, for as many players."""
        game = self.game
        return {
            name: game.book.usual(name, None, game.conventions, game.players)
            for name in game.book.conventions
        }


def rule_table(game: str, args: Mapping[str, str]) -> RuleTable:
    """The table that an address names by `match`, or by `preset` and `players`; 404 for an unknown match.

    :raises Unreadable: for an unknown preset or number of players, naming the known ones.
    """
    if args.get("match"):
        return _table_of_match(game, args["match"])
    if game not in library.names():
        abort(404)
    return _table_of_preset(game, args.get("preset", ""), find_seating(game, args.get("players", "")))


def compared_tables(game: str, args: Mapping[str, str]) -> tuple[RuleTable, RuleTable]:
    """The two tables `a` and `b` of an address: presets, or `match:ID`; by default the usual and the next.

    A preset beside a match is opened for as many players, seated as they are. Raises like `rule_table`.
    """
    if game not in library.names():
        abort(404)
    presets = [variety.name for variety in library.read_rulebook(game).varieties]
    first = args.get("a") or presets[0]
    played = _table_of_match(game, first.removeprefix("match:")) if first.startswith("match:") else None
    others = [name for name in presets if name != first]
    second = args.get("b") or (played.game.preset if played else (others or presets)[0])
    against = _table_of_match(game, second.removeprefix("match:")) if second.startswith("match:") else None
    seating = find_seating(game, args.get("players", ""))
    for table in (played, against):
        if table is not None and len(library.seatings(game, table.game.rules)) > 1:
            size = table.game.family.ruleset.ring.size
            seating = library.seating(game, table.game.conventions, size, table.game.rules)
    left = played or _table_of_preset(game, first, seating)
    return left, against or _table_of_preset(game, second, seating)


def find_seating(game: str, name: str) -> library.Seating | None:
    """The seating with this name; None without a name, or if the game has only one.

    :raises Unreadable: for an unknown one, naming the known ones.
    """
    seatings = library.seatings(game)
    if not name:
        return None
    for seating in seatings:
        if seating.name == name:
            return seating if len(seatings) > 1 else None  # one game for every table that plays it so
    raise Unreadable(
        "players", Message("one of {values}", values=[seating.name for seating in seatings]), name
    )


def _table_of_match(game: str, id: str) -> RuleTable:
    match = open_match(id)
    if match.game.name != game:
        abort(404)
    return RuleTable(match.game, match)


def _table_of_preset(game: str, preset: str, seating: library.Seating | None) -> RuleTable:
    conventions = seating.conventions if seating else {}
    players = seating.players if seating else None
    book = library.read_rulebook(game)
    variety = book.variety(preset).name if preset in book.presets else preset
    opened = library.open_game(game, variety or None, conventions, players)
    return RuleTable(opened, None, seating, variety)


@dataclass(frozen=True)
class Contrast:
    """One convention at both tables, in words; None at a table where it makes no difference."""

    convention: Convention
    left: str | None
    right: str | None

    @property
    def differs(self) -> bool:
        """True if the tables have agreed on different values."""
        return self.left != self.right


def differing_conventions(left: RuleTable, right: RuleTable) -> list[Contrast]:
    """Every convention that matters at one of the tables at least."""
    contrasts = []
    for convention in left.game.book.conventions.values():
        texts = [table.describe(convention) if table.matters(convention) else None for table in (left, right)]
        if any(text is not None for text in texts):
            contrasts.append(Contrast(convention, *texts))
    return contrasts


def rules_only_at(left: RuleTable, right: RuleTable) -> tuple[Rule, ...]:
    """The rules that apply at the first table and not at the second."""
    there = {rule.id for rule in right.game.book.rules_for(right.game.conventions, right.game.players)}
    here = left.game.book.rules_for(left.game.conventions, left.game.players)
    return tuple(rule for rule in here if rule.id not in there)
