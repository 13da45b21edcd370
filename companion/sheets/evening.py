"""The sheet of an evening: its matches, the standings of the players, and the payments."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from functools import partial
from itertools import groupby
from operator import itemgetter
from typing import TypeVar

from companion.figures import CountedMatch
from companion.people.evenings import NOTHING, Evening, EveningSums, Settled, add_up, count_open, list_sides
from companion.people.money import Payment, settle_accounts
from companion.rules.message import Message, SeatName, Translate

from .common import compute_code, find_locale, find_zone, format_day, make_namer
from .match import format_gain, format_money
from .model import EveningColumn, EveningMatch, EveningPage, MatchPage, SessionPage, SessionSide, SheetSide
from .report import report_match

AmountT = TypeVar("AmountT", int, Decimal)
WinnerT = TypeVar("WinnerT")
_MAX_OPPOSED = 4
"""The most sides that stand beside each other on the picture of an evening."""


class EveningWriter:
    """A writer that adds up an evening: these matches, in this order, and the remarks `written` by hand.

    `carried` are payments of other evenings that were carried to this one; `zone` is that of its times;
    `spelled` maps names to their printed form, if that differs.
    """

    def __init__(
        self,
        matches: Sequence[CountedMatch],
        translate: Translate,
        language: str,
        written: Evening = NOTHING,
        carried: Sequence[Payment] = (),
        zone: str = "",
        spelled: Mapping[str, str] | None = None,
    ) -> None:
        self.translate, self.language, self.zone = translate, language, zone
        self.where, self.written, self.carried = find_locale(language), written, carried
        self.matches = matches
        self.spelled = spelled or {}
        self.name_fact = make_namer(self.spelled, {})
        self.sums = add_up(matches, written.stakes)
        self.open = settle_accounts(count_open(self.sums, written, carried))

    @property
    def has_money(self) -> bool:
        """True if anything was played for money."""
        return bool(self.sums.money or self.written.settled or self.carried)

    @property
    def opposed(self) -> list[list[str]]:
        """The sides of an evening if they were the same in all its matches; none if there was more to it.

        Where losses are counted nobody wins, so there is no score.
        """
        played = [[names for _side, names in list_sides(match)] for match in self.matches]
        same = all(sorted(map(sorted, sides)) == sorted(map(sorted, played[0])) for sides in played)
        return played[0] if same and not self.sums.losses and len(played[0]) <= _MAX_OPPOSED else []

    def list_winners(self) -> list[set[str]]:
        """List the winners of the matches that somebody won."""
        return [
            {*names}
            for match in self.matches
            for side, names in list_sides(match)
            if side == match.shown["winner"]
        ]

    def say_wins(self) -> str:
        """Write what each of the opposed sides won, as `3 : 1`; empty if nobody won."""
        winners = self.list_winners()
        return " : ".join(str(winners.count({*side})) for side in self.opposed) if winners else ""

    def compose_page(self, pages: Sequence[MatchPage | SessionPage]) -> EveningPage:
        """Compose the sheet, from those of its matches."""
        _, written = self.translate, self.written
        players = tuple(self.spelled.get(name, name) for name in self.sums.players)
        facts = tuple(dict.fromkeys(fact for page in pages for fact in page.facts))
        is_described = written.name or written.place or written.date
        return EveningPage(
            title=f"{_('Evening')}: {written.name or ' · '.join(players)}",
            name=written.name,
            facts=self._list_facts() if is_described else facts if len(facts) <= 2 else (),
            note=written.note,
            matches=tuple(_compose_match(number, page, _) for number, page in enumerate(pages, 1)),
            columns=self.compose_columns(),
            leaders=tuple(self.spelled.get(name, name) for name in _find_leaders(self.sums)),
            streak=self._say_streak(),
            forfeits=self.list_forfeits(),
            settled=self.has_money,
            carried=tuple(map(self.say_payment, self.carried)),
            payments=tuple(map(self.say_payment, self.open)),
            paid=tuple(self.say_settled(settled) for settled in written.settled),
            players=players,
            respelled=tuple(self.spelled),
            check=compute_code(" ".join(page.check for page in pages)),
        )

    def _list_facts(self) -> tuple[str, ...]:
        """List day and place, as far as they are known."""
        began = self.written.date or next((match.started for match in self.matches), "")
        day = format_day(began, self.language, self.zone, with_time=False)
        return tuple(filter(None, (day, self.written.place)))

    def compose_columns(self) -> tuple[EveningColumn, ...]:
        """Compose the standings of the players."""
        return compose_columns(self.sums, self.translate, self.language)

    def list_forfeits(self) -> tuple[str, ...]:
        """List the forfeits that losers owe, each counted if owed more than once."""
        return tuple(
            self._say(Message("Owed by {name}: {forfeit}", name=SeatName(name), forfeit=forfeit))
            + (f" × {count}" if count > 1 else "")
            for (name, forfeit), count in self.sums.forfeits.items()
        )

    def say_payment(self, payment: Payment) -> str:
        """Write a payment as a sentence."""
        payer, payee = SeatName(payment.payer), SeatName(payment.payee)
        amount = format_money(payment.amount, payment.currency, self.where, signed=False)
        return self._say(Message("{payer} pays {payee} {amount}.", payer=payer, payee=payee, amount=amount))

    def say_settled(self, settled: Settled) -> str:
        """Write settled or carried payments as a sentence, with the day and the person who did it."""
        moment = datetime.fromisoformat(settled.at).astimezone(find_zone(self.zone))
        when, by = format_day(moment.isoformat(), self.language), SeatName(settled.by)
        if settled.to:
            how = Message("Carried over to a later evening, {when}.", when=when)
        else:
            how = Message("Ticked off by {name}, {when}.", name=by, when=when)
        return " ".join([*map(self.say_payment, settled.payments), self._say(how)])

    def _say_streak(self) -> str:
        count, winners = max(_list_streaks(self.list_winners()), key=itemgetter(0), default=(0, set[str]()))
        if count < 2:
            return ""
        names = [*map(SeatName, sorted(winners))]
        return self._say(Message("Longest streak: {names}, {count}.", names=names, count=count))

    def _say(self, message: Message) -> str:
        return message.render(self.translate, self.name_fact)


def say_score(winners: Sequence[object], sides: Sequence[object], translate: Translate) -> str:
    """Write the score of an evening with the longest streak; empty unless several matches were won."""
    if len(winners) < 2:
        return ""
    _, score = translate, " : ".join(str(winners.count(side)) for side in sides)
    streak = max(count for count, _winner in _list_streaks(winners))
    return _("%(score)s tonight, longest streak %(count)s") % {"score": score, "count": streak}


def _list_streaks(winners: Iterable[WinnerT]) -> list[tuple[int, WinnerT]]:
    """List how often somebody won running, each time."""
    return [(len(list(run)), winner) for winner, run in groupby(winners)]


def compose_columns(sums: EveningSums, translate: Translate, language: str) -> tuple[EveningColumn, ...]:
    """Compose the standings of the players, a column for each account, in the players' order."""
    _, where = translate, find_locale(language)

    def compose(label: str, account: Mapping[str, AmountT], show: Callable[[AmountT], str]) -> EveningColumn:
        cells = tuple(show(account[name]) if name in account else "" for name in sums.players)
        return EveningColumn(label, cells)

    columns = []
    if sums.won:
        columns.append(compose(_("Games won"), sums.won, str))
    if sums.sets:
        columns.append(compose(_("Sets"), sums.sets, str))
    if sums.weighed and any(sums.units.values()):
        columns.append(compose(_("Units"), sums.units, format_gain))
    for currency, account in sums.money.items():
        show = partial(format_money, currency=currency, where=where)
        columns.append(compose(_("Stakes"), account, show))
    if sums.losses:
        columns.append(compose(_("Losses"), sums.losses, str))
    return tuple(columns)


def _find_leaders(sums: EveningSums) -> list[str]:
    """Find the players who won most; none if all won as many."""
    best = max(sums.won.values(), default=0)
    leaders = [name for name in sums.players if best and sums.won[name] == best]
    return leaders if len(leaders) < len(sums.players) else []


def _compose_match(number: int, page: MatchPage | SessionPage, translate: Translate) -> EveningMatch:
    sides: list[SheetSide | SessionSide] = [*page.sides]
    sides.sort(key=lambda side: not side.named)  # as the figures of the result
    players = " – ".join(side.name for side in sides)
    return EveningMatch(
        str(number), page.game, page.facts, players, page.result, page.check, report_match(page, translate)
    )
