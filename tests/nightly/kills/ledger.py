"""What phones were told: the one place that counts what was sent, acknowledged, and is there."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from companion.matches import Match
from companion.record.log import Event
from companion.record.record import fold_record

POINTS = {"A": 82, "B": 65}
"""What every deal of these tests comes to."""


@dataclass
class SentForm:
    """One form of an entry, known by the note in it, and what became of it."""

    match: str
    kind: str
    seq: int | None = None
    """Its number in the log, once it was acknowledged."""
    is_refused: bool = False


@dataclass
class Ledger:
    """All that the phones of a trial sent, and what they were answered."""

    begun: dict[str, str | None] = field(default_factory=dict)
    """Matches, by the name of their first player: the id, once a phone was told that there is one."""
    forms: dict[str, SentForm] = field(default_factory=dict)
    """Forms of entries, by their notes."""
    faults: list[str] = field(default_factory=list)
    """Answers that no phone should ever get."""

    def send(self, match: str, kind: str, note: str) -> None:
        """A form is going to be sent, as often as it takes."""
        self.forms[note] = SentForm(match, kind)

    def acknowledge(self, note: str, seq: int | None) -> None:
        """A phone was told that its form is number `seq` of the log."""
        if seq is None:
            self.faults.append(f"{note}: acknowledged without a number")
        self.forms[note].seq = seq

    def refuse(self, note: str) -> None:
        """A phone was told that its form is not written, for others were quicker."""
        self.forms[note].is_refused = True

    @property
    def acknowledged(self) -> int:
        """How many forms of entries are known to be written."""
        return sum(form.seq is not None for form in list(self.forms.values()))

    def list_acknowledged(self) -> dict[str, int]:
        """The forms that are known to be written by now, each with its number."""
        return {note: form.seq for note, form in list(self.forms.items()) if form.seq is not None}

    @property
    def refused(self) -> int:
        """How many were refused as stale."""
        return sum(form.is_refused for form in list(self.forms.values()))

    def compare(self, matches: Sequence[Match]) -> list[str]:
        """What is wrong about the matches there are, in a sentence each; nothing when all is as told."""
        return [*self.faults, *self._compare_matches(matches), *self._compare_forms(matches)]

    def count_lost(self, matches: Sequence[Match], acknowledged: Mapping[str, int]) -> int:
        """How many of the forms that were acknowledged by a moment, with their numbers, are not there."""
        there = {(note, event.seq) for match in matches for note, event in _notes(match)}
        return sum((note, seq) not in there for note, seq in acknowledged.items())

    def _compare_matches(self, matches: Sequence[Match]) -> Iterator[str]:
        names = {match.id: str(match.head["players"][0]) for match in matches}
        for name, times in Counter(names.values()).items():
            if name not in self.begun:
                yield f"a match of {name} that nobody began"
            elif times > 1:
                yield f"{times} matches of {name}, who began one"
        for name, id in self.begun.items():
            if id is not None and names.get(id) != name:
                yield f"no match of {name}, who was told that there is one"
        for match in matches:
            yield from _examine(match)

    def _compare_forms(self, matches: Sequence[Match]) -> Iterator[str]:
        written = Counter(note for match in matches for note, _event in _notes(match))
        for match in matches:
            for note, event in _notes(match):
                form = self.forms.get(note)
                if form is None or (form.match, form.kind) != (match.id, event.kind):
                    yield f"{match.id}: number {event.seq} ({event.kind} {note}) was not sent"
                elif form.seq not in (None, event.seq):
                    yield f"{note}: acknowledged as number {form.seq}, there as {event.seq}"
        for note, form in self.forms.items():
            if written[note] > 1:
                yield f"{note}: there {written[note]} times"
            elif form.is_refused and written[note]:
                yield f"{note}: refused, and there all the same"
            elif form.seq is not None and not written[note]:
                yield f"{note}: acknowledged as number {form.seq}, and lost"


def _notes(match: Match) -> Iterator[tuple[str, Event]]:
    """Every event of a match, by the note of what was sent."""
    for event in match.events:
        yield str((event.payload or {}).get("note", "")), event


def _examine(match: Match) -> Iterator[str]:
    """What is wrong with a match taken by itself: its numbers, and what it comes to."""
    if [event.seq for event in match.events] != list(range(1, match.seq + 1)):
        yield f"{match.id}: its numbers are {[event.seq for event in match.events]}"
    state = fold_record(match.record, match.game.family)
    if state.problems:
        yield f"{match.id}: does not fold: {state.problems[0]}"
    deals = sum(event.kind == "add" for event in match.events)
    due = {side: points * deals for side, points in POINTS.items()} if deals else dict(state.totals)
    if dict(state.totals) != due:
        yield f"{match.id}: {deals} deals come to {dict(state.totals)}"
