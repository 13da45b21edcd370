"""The contribution of one match to a player's figures: the entries that each figure counts.

It is read from what a family shows of a state, entry by entry; no score is computed again.
"""

import json
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from companion.record.portable_remarks import read_reviews
from companion.record.record import FoldedRecord, OpenedT, Record
from companion.rules.game import GameState, PlayedGame
from companion.rules.seats import Ring, Seat

PLAYED = frozenset({"made", "bait", "tie", "penalty", "finished", "false-finish"})
"""The results of deals that were played."""
NOT_PLAYED = {"thrown-in": "deals.thrown_in", "offer": "deals.offers", "void": "deals.void"}
"""The figures that count the other deals, by their results."""
COUNTED = PLAYED | {"loss", "draw"}
"""The results of deals and hands of which every figure is counted."""
_FREED = {"deals.won": "held.won", "deals.lost": "held.lost"}
"""The figures for points that hung until a deal was won or lost."""
_OBJECTIONS = {"amended": "corrected", "ruled": "ruled", "withdrawn": "withdrawn"}
"""The figures that count objections, by their ends."""
ENDS = {"made": "made", "bait": "baited", "tie": "tied"}
"""The ends of a contract, by result; `other` for the rest."""

PACKED = 4
"""The edition of stored summaries: an older one is computed again."""
_STORED = (
    *("preset", "status", "winner", "losers", "totals"),
    *("sets", "stakes", "gains", "forfeit", "head"),
)
_STORED_OF_HEAD = ("stake", "place", "started")
_STORED_OF_ENTRY = (
    *("n", "type", "result", "dealer", "elder", "declarer", "trump"),
    *("made", "scored", "totals", "loser", "held", "order"),
)
"""The stored part of what a family shows of a match, and of each of its entries."""

Counted = tuple[str, int]
"""The name of a figure that counts something, and the points to add."""
Summary = Mapping[str, Sequence[tuple[int, int]]]
"""The entries that a figure counts, with their points, by the figure's name. Entry 0 is the match itself."""


@dataclass(frozen=True, slots=True)
class CountedMatch:
    """One match: its players and game, and what its family shows of it."""

    ring: Ring
    players: tuple[str, ...]
    game: str
    started: str | None
    shown: Mapping[str, Any]

    @classmethod
    def of(cls, folded: FoldedRecord[OpenedT]) -> "CountedMatch":
        """The match of a folded record."""
        head, game, state = folded.record.head, folded.game, folded.state
        names = tuple(map(clean_name, head["players"]))
        shown = show_match(game, state, folded.record)
        return cls(state.ring, names, game.book.game, head.get("started"), shown)

    def find_seat(self, player: str) -> Seat | None:
        """The first seat of a player, by the clean name; None if not at the table."""
        at = self.players.index(player) if player in self.players else None
        return None if at is None else self.ring.seats[at]


def show_match(game: PlayedGame, state: GameState, record: Record) -> dict[str, Any]:
    """Collect what a family shows of a match, and further counts of its entries, by player and by figure.

    Also the possible gains, facts of its head, and the objections to its entries: the entry, the side, and
    the end of each.
    """
    counted: dict[Seat, dict[str, list[tuple[int, int]]]] = {}
    for row in state.rows:
        for name, seat, number in row.counted if row.result in COUNTED else ():
            counted.setdefault(seat, {}).setdefault(name, []).append((row.n, number))
    said = {key: record.head[key] for key in _STORED_OF_HEAD if key in record.head}
    doubts = read_reviews(record.remarks).doubts
    objections = [(doubt.objection.entry, doubt.objection.by, doubt.how) for doubt in doubts]
    more = {"preset": game.preset, "gains": state.gains, "head": said, "objections": objections}
    return {**game.family.show(state), **more, "counted": counted}


def is_packed(packed: Mapping[str, Any]) -> bool:
    """True if this is the present edition."""
    return packed.get("edition") == PACKED


def pack(shown: Mapping[str, Any]) -> dict[str, Any]:
    """Pack the counted part of what a family shows of a match into short JSON values to be stored.

    Long parts are stored as one text, which is parsed only when it is counted.
    """
    entries = [[row.get(name) for name in _STORED_OF_ENTRY] for row in shown["entries"]]
    stored = {name: shown[name] for name in _STORED if name in shown}
    details = {"entries": entries, "counted": shown["counted"], "objections": shown["objections"]}
    return stored | {"details": json.dumps(details, separators=(",", ":")), "edition": PACKED}


def _unpack(shown: Mapping[str, Any]) -> Mapping[str, Any]:
    """Unpack the long parts."""
    if "details" not in shown:
        return shown
    details = json.loads(shown["details"])
    entries = [dict(zip(_STORED_OF_ENTRY, row, strict=True)) for row in details["entries"]]
    return {**shown, **details, "entries": entries}


def clean_name(name: str) -> str:
    """Remove invisible differences from a name: two that look the same become equal."""
    return unicodedata.normalize("NFC", name.strip())


def summarize(match: CountedMatch, seat: Seat) -> Summary:
    """Summarize what the match adds to the figures of the player at a seat."""
    match = replace(match, shown=_unpack(match.shown))
    counted: dict[str, list[tuple[int, int]]] = {}
    for n, (name, points) in _list_counted(match, seat):
        counted.setdefault(name, []).append((n, points))
    for whose in (seat, ""):
        more = match.shown["counted"].get(whose, {})
        counted |= {name: [(n, number) for n, number in entries] for name, entries in more.items()}
    right = match.players[match.ring.seats.index(match.ring.left(seat, -1))]
    for name in ("hands", "fools"):
        if f"hands.{name}" in counted:
            counted |= {
                f"{place}.{name}": counted[f"hands.{name}"] for place in (f"seats.{seat}", f"after.{right}")
            }
    return counted


def _list_counted(match: CountedMatch, seat: Seat) -> Iterator[tuple[int, Counted]]:
    shown = match.shown
    held = 0
    for row in shown["entries"]:
        found: Iterable[Counted] = _COUNTS.get(row["type"], _count_nothing)(match.ring, seat, row)
        before, held = held, sum(row["held"])
        if held < before:
            found = [*found]
            found += [(_FREED[name], before - held) for name, _own in found if name in _FREED]
        yield from ((row["n"], counted) for counted in found)
    for n, side, how in shown["objections"]:
        if side == match.ring.side(seat):
            yield n, ("objections.raised", 1)
            if how is not None:
                yield n, (f"objections.{_OBJECTIONS[how]}", 1)
    yield from _count_match(match, seat)


def _count_match(match: CountedMatch, seat: Seat) -> Iterator[tuple[int, Counted]]:
    """Count the match as a whole, its end and its turn."""
    side, shown = match.ring.side(seat), match.shown
    others = match.ring.others(side)
    if "losers" in shown:
        yield 0, ("hands.matchsticks", shown["totals"][side])
    if shown["status"] != "finished":
        yield 0, ("matches.open", 1)
        return
    yield 0, ("matches.played", 1)
    if shown["winner"] == side:
        yield 0, ("matches.won", 1)
        leads = [(max(map(row["totals"].get, others)) - row["totals"][side], row) for row in shown["entries"]]
        points, row = max(leads, key=lambda lead: lead[0])
        if points > 0:
            yield row["n"], ("comeback", points)
    elif shown["winner"] or side in shown.get("losers", ()):
        yield 0, ("matches.lost", 1)
    elif "losers" not in shown:
        yield 0, ("matches.drawn", 1)


def _count_deal(ring: Ring, seat: Seat, row: Mapping[str, Any]) -> Iterator[Counted]:
    side, result = ring.side(seat), row["result"]
    own, best = row["scored"][side], max(map(row["scored"].get, ring.others(side)))
    if result in NOT_PLAYED:
        yield NOT_PLAYED[result], own
        if result == "offer":
            yield from (("offers.taken", 1), ("offers.got", own), ("offers.given", best))
            yield "margin.per_offer", own - best
    if result not in PLAYED:
        return
    outcome = "drawn" if result == "tie" or own == best else "won" if own > best else "lost"
    yield "deals.played", own
    yield "margin.per_deal", own - best
    yield f"deals.{outcome}", own
    for place in ("elder", "dealer"):
        if row[place] == seat:
            yield f"{place}.deals", own
            if outcome == "won":
                yield f"{place}.won", own
    yield from _count_contract(ring, seat, row)


def _count_contract(ring: Ring, seat: Seat, row: Mapping[str, Any]) -> Iterator[Counted]:
    """Count a played deal as its declarer's; nothing for the declarer's partner."""
    declarer, side = row["declarer"], ring.side(seat)
    is_declarer = declarer == seat
    if declarer is None or ring.side(declarer) == side and not is_declarer:
        return
    part, own = "declarer" if is_declarer else "defender", row["scored"][side]
    end = ENDS.get(row["result"], "other")
    yield f"{part}.deals", own
    yield f"{part}.{end}", own
    yield f"{part}.mean_written", own
    if row["made"] is not None:
        yield f"{part}.mean_made", row["made"][side]
    if is_declarer and row["made"] is not None:
        yield "declarer.lead", row["made"][side] - max(map(row["made"].get, ring.others(side)))
    if is_declarer and row["trump"]:
        yield f"suits.{row['trump']}.deals", own
        yield f"suits.{row['trump']}.{end}", own


def _count_hand(ring: Ring, seat: Seat, row: Mapping[str, Any]) -> Iterator[Counted]:
    if row["result"] in ("loss", "draw"):
        yield "hands.hands", 1
        if row["order"] and seat in row["order"]:
            place = row["order"].index(seat) + 1
            yield from (("out.hands", place), ("out.mean_place", place))
            if place == 1:
                yield "out.first", place
    if row["result"] == "draw":
        yield "hands.draws", 1
    elif row["result"] == "loss" and row["loser"] == ring.side(seat):
        yield "hands.fools", 1


def _count_touch(ring: Ring, seat: Seat, row: Mapping[str, Any]) -> Iterator[Counted]:
    if row["scored"][ring.side(seat)] > 0:
        yield "hands.touches", 1


def _count_nothing(ring: Ring, seat: Seat, row: Mapping[str, Any]) -> Iterator[Counted]:
    yield from ()


_COUNTS = {"deal": _count_deal, "hand": _count_hand, "touch": _count_touch}
