"""The sheet of a session in which losses are counted: matchsticks, and a line for every hand."""

from collections.abc import Sequence
from typing import cast

from companion.beating.entries import Bout, Hand
from companion.beating.match import Beating
from companion.beating.state import BeatingRow, BeatingState
from companion.notation.matchsticks import MARK, carry_over
from companion.rules.cards import Suit
from companion.rules.game import GameRow, PlayedGame
from companion.rules.message import Message, SeatName, Translate
from companion.rules.seats import Seat, Side

from .common import (
    HAND_REASONS,
    NO_HAND_REASONS,
    Correction,
    Reasons,
    list_blank_fields,
    read_former_row,
)
from .model import BlankPage, SessionLine, SessionPage, SessionSide, SheetResult
from .writer import Writer


def compose_blank_session(game: PlayedGame, translate: Translate, language: str, writing: str) -> BlankPage:
    """Compose the empty sheet for the number of players that the game was opened for."""
    epaulettes = cast(Beating, game.family).ruleset.writes_epaulettes()
    return BlankPage(epaulettes=epaulettes, **list_blank_fields(game, translate, writing))


class SessionWriter(Writer):
    """The writer of the sheet of a session."""

    state: BeatingState  # matchsticks are of hands

    def compose_page(self, address: str, writing: str) -> SessionPage:
        """Compose the page; losses are whole numbers, one a hand; the only `writing` is ``matchsticks``."""
        numbers, losers = self.number_counted(), self._losers
        return SessionPage(
            lines=tuple(self._compose_line(cast(BeatingRow, row), numbers[row.n]) for row in self.rows),
            sides=tuple(
                SessionSide(
                    self.side_names[side],
                    self.shorten_side(side),
                    self.state.totals[side],
                    self.state.epaulettes.get(side, 0),
                    self._marks_beside(side),
                    side in losers,
                )
                for side in self.state.ring.sides
            ),
            draws=self.state.draws,
            writing=writing,
            **self.list_common_fields(address),
        )

    @property
    def _losers(self) -> Sequence[Side]:
        """List the sides that the result names."""
        return () if self.state.status == "playing" else self.state.losers

    def _marks_beside(self, side: Side) -> tuple[int, ...] | None:
        losses = self.state.totals[side]
        drawn = losses - carry_over(losses)
        return self.state.marks_beside(side, drawn) if self.state.ruleset.writes_epaulettes() else None

    def _compose_line(self, row: BeatingRow, number: int) -> SessionLine:
        return SessionLine(
            trump=Suit(row.trump).sign if row.trump else "",
            text=self.say(row.why),
            course=self._describe_course(row, cast(Hand, row.entry)) if row.type == "hand" else "",
            marks=MARK * (row.sixes or 0),
            losses=tuple(
                str(row.totals[side]) if row.scored.get(side) else "" for side in self.state.ring.sides
            ),
            **self.list_line_fields(row, number),
        )

    def _describe_course(self, row: BeatingRow, entry: Hand) -> str:
        """Describe the bouts of a hand that was followed, in order, and the order of going out.

        The order of going out is left out if the bouts include it.
        """
        bouts = entry.bouts or ()
        ways = cast(Beating, self.game.family).ways(bouts, entry.walked_out, entry.walked_after)
        parts = [
            self._describe_bout(bout, way, entry.walked_out if n == entry.walked_after else None)
            for n, (bout, way) in enumerate(zip(bouts, ways, strict=True), 1)
        ]
        order = row.order or ()
        if order and order != tuple(seat for bout in bouts for seat in bout.out if seat not in entry.left):
            seats = [SeatName(seat) for seat in order]
            parts.append(self.say(Message("Went out in this order: {seats}", seats=seats), self.short_names))
        return " · ".join(map(_keep_together, parts))

    def _describe_bout(self, bout: Bout, way: Sequence[Seat], left: Seat | None) -> str:
        """Describe a bout in few words: its attack, its end, and the seats that left in it or after it."""
        seats: Message | SeatName = SeatName(way[0])
        for seat in way[1:]:
            seats = Message("{way}–{seat}", way=seats, seat=SeatName(seat))
        ends = {
            "beaten-off": Message("{way} beaten off", way=seats),
            "picked-up": Message("{way} picked up", way=seats),
            "cancelled": Message(
                "{way} cancelled, {who} left the table", way=seats, who=[*map(SeatName, bout.out)]
            ),
        }
        text = ends[bout.result]
        if bout.out and bout.result != "cancelled":
            text = Message("{bout}, {out} out", bout=text, out=[SeatName(seat) for seat in bout.out])
        if left is not None:
            text = Message("{bout}, {who} left the table", bout=text, who=SeatName(left))
        return self.say(text, self.short_names)

    def place_entry(self, row: GameRow, counted: int) -> Message:
        if row.type == "hand":
            return Message("hand {number}", number=counted)
        if not counted:
            return Message("what stands before the first hand")
        return Message("what stands after hand {number}", number=counted)

    def list_reasons(self, row: GameRow) -> Reasons:
        return HAND_REASONS if row.type == "hand" else NO_HAND_REASONS

    def describe_correction(self, row: GameRow, correction: Correction) -> Message:
        old = read_former_row(self.states[row.n - 1], self.game, correction)
        if old is None or old.why == row.why:
            return super().describe_correction(row, correction)
        return Message("Corrected afterwards; originally: {before}", before=old.why)

    def compose_result(self) -> SheetResult:
        state, _ = self.state, self.translate
        sides = sorted(state.ring.sides, key=lambda side: side not in self._losers)
        figures = " : ".join(str(state.totals[side]) for side in sides)
        if state.status == "playing":
            dealer = state.next_dealer
            details = [self.say(Message("{name} deals next.", name=SeatName(dealer)))] if dealer else []
            return SheetResult(_("Still being played"), figures, tuple(details))
        losers = [self.side_names[side] for side in state.losers]
        if not losers:
            return SheetResult(_("Nobody has lost"), figures, ())
        who = Message("{names} lost most often", names=losers)
        return SheetResult(self.say(who), figures, tuple(self._describe_forfeit(len(losers) > 1)))

    def _describe_forfeit(self, shared: bool) -> list[str]:
        forfeit = self.game.conventions["forfeit"]
        if not forfeit:
            return [self.say(Message("Equal losses: they share the forfeit."))] if shared else []
        sentence = Message("Shared forfeit: {forfeit}", forfeit=forfeit)
        return [self.say(sentence if shared else Message("Forfeit: {forfeit}", forfeit=forfeit))]


def _keep_together(text: str) -> str:
    """Keep a text on one line, if a line of a phone has room for it."""
    return text.replace(" ", "\u00a0") if len(text) <= 30 else text
