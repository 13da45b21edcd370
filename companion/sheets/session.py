"""The sheet of a session in which losses are counted: matchsticks, and a line for every hand."""

from collections.abc import Sequence
from typing import Any

from companion.record import record as records
from companion.rules.cards import Suit
from companion.rules.message import Message, SeatName

from .common import Correction, Noted, check_code, former, game_name, house_rules
from .model import BlankSession, Loser, Result, SessionLine, SessionPage
from .names import Translate
from .writer import Writer


def page(
    record: Any,
    game: Any,
    translate: Translate,
    language: str,
    *,
    address: str = "",
    corrections: Sequence[Correction] = (),
    rulings: Sequence[Noted] = (),
    writing: str = "matches",
) -> SessionPage:
    """The sheet of a session; `address` is where it can be looked at, if anywhere."""
    state = records.fold_record(record, game.family)
    return _SessionWriter(record, game, state, translate, language, rulings).page(address, corrections)


def blank(game: Any, translate: Translate, language: str, writing: str) -> BlankSession:
    """The empty sheet for as many players as the game was opened for."""
    ring = game.family.ruleset.ring
    return BlankSession(
        title=f"{translate(game.book.title)}: {translate('score sheet')}",
        game=game_name(game, translate),
        house_rules=house_rules(game, translate),
        sides=tuple(sum(ring.side(seat) == side for seat in ring.seats) for side in ring.sides),
        players=ring.size,
    )


class _SessionWriter(Writer):
    """Writes the sheet of a session."""

    def page(self, address: str, corrections: Sequence[Correction]) -> SessionPage:
        head, ring = self.record.head, self.state.ring
        lines = tuple(self._line(row, corrections) for row in self.state.rows)
        self.notes_of_the_whole()
        return SessionPage(
            title=f"{self.translate(self.game.book.title)}: {self.players}",
            game=game_name(self.game, self.translate),
            facts=self.facts,
            house_rules=house_rules(self.game, self.translate),
            sides=tuple(
                Loser(
                    self.sides[side],
                    "+".join(self.short[seat] for seat in ring.seats if ring.side(seat) == side),
                    self.state.totals[side],
                )
                for side in ring.sides
            ),
            draws=sum(row.result == "draw" for row in self.state.rows),
            lines=lines,
            footnotes=tuple(self.footnotes.texts),
            result=self._result(),
            players=tuple(head["players"]),
            check=check_code(self.record),
            address=address,
            seed=self.seed,
        )

    def _line(self, row: Any, corrections: Sequence[Correction]) -> SessionLine:
        hands = [one for one in self.state.rows[: row.n] if one.type == "hand"]
        return SessionLine(
            number=str(len(hands)) if row.type == "hand" else "",
            dealer=self.short.get(row.dealer or "", ""),
            trump=Suit(row.trump).sign if row.trump else "",
            text=self.say(row.why),
            course=self._course(row.entry.bouts or ()) if row.type == "hand" else "",
            losses=tuple(
                str(row.totals[side]) if row.scored.get(side) else "" for side in self.state.ring.sides
            ),
            notes=self.notes(row, corrections),
        )

    def _course(self, bouts: Sequence[Any]) -> str:
        """The bouts of a hand that was followed, one behind the other."""
        return " · ".join(_tied(self._bout(one)) for one in bouts)

    def _bout(self, bout: Any) -> str:
        facts = {"attacker": SeatName(bout.attacker), "defender": SeatName(bout.defender)}
        text = (
            Message("{attacker}–{defender} beaten off", **facts)
            if bout.result == "beaten-off"
            else Message("{attacker}–{defender} picked up", **facts)
        )
        if bout.out:
            text = Message("{bout}, {out} out", bout=text, out=[SeatName(one) for one in bout.out])
        return self.say(text, self.short)

    def corrected(self, row: Any, correction: Correction) -> Message:
        old = former(self.record, self.game, row.n, correction)
        if old is None or old.why == row.why:
            return super().corrected(row, correction)
        return Message("Corrected afterwards; it stood here first: {before}", before=old.why)

    def _result(self) -> Result:
        state, _ = self.state, self.translate
        figures = " : ".join(str(state.totals[side]) for side in state.ring.sides)
        if state.status == "playing":
            dealer = state.next_dealer
            details = [self.say(Message("{name} deals next.", name=SeatName(dealer)))] if dealer else []
            return Result(_("Still being played"), figures, tuple(details))
        losers = [self.sides[side] for side in state.losers]
        if not losers:
            return Result(_("Nobody has lost"), figures, ())
        who = Message("{names} lost most often", names=losers)
        return Result(self.say(who), figures, tuple(self._forfeit(len(losers) > 1)))

    def _forfeit(self, shared: bool) -> list[str]:
        forfeit = self.game.conventions["forfeit"]
        if not forfeit:
            return [self.say(Message("Equal losses: they share what was agreed."))] if shared else []
        told = Message("Shared forfeit: {forfeit}", forfeit=forfeit)
        return [self.say(told if shared else Message("Forfeit: {forfeit}", forfeit=forfeit))]


def _tied(text: str) -> str:
    """What stays together on a line, where a line of a phone has room for it."""
    return text.replace(" ", "\u00a0") if len(text) <= 30 else text
