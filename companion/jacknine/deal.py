"""One deal, read: who declared what, what each side made, and everything that cannot be right in it."""

from dataclasses import dataclass, field

from ..rules.cards import Card, Suit
from ..rules.message import Message, SeatName, Word
from ..rules.ruling import Problem
from ..rules.seats import Seat, Side
from . import auction, count, melds, play
from .entries import Deal, read_declared
from .ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a count: the side, the game's word for it, the points, and the cards or top it stands for."""

    side: Side
    word: str
    points: int
    detail: str = ""


@dataclass
class Reading:
    """What one deal says, gathered step by step: the contract, the counts, and what is wrong."""

    ruleset: Ruleset
    deal: Deal
    number: int
    dealer: Seat
    problems: list[Problem] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    bid: auction.Auction | None = None
    declarer: Seat | None = None
    trump: str | None = None
    turned: bool | None = None
    terms: auction.Offer | None = None
    status: str = "open"
    made: dict[Side, int] | None = None
    stock: int = 0
    trickless: Side | None = None
    last: Side | None = None
    took_last: Seat | None = None

    @property
    def elder(self) -> Seat:
        """The seat that speaks and leads first."""
        return self.ruleset.ring.left(self.dealer)

    def flag(self, place: str, key: str, reason: Message) -> None:
        """Note something that cannot be right."""
        path = f"entries[{self.number - 1}].{place}"
        self.problems.append(Problem(self.number, path, self.ruleset.cite_one(key), reason))


def read_deal(ruleset: Ruleset, deal: Deal, number: int, dealer: Seat) -> Reading:
    """Everything one deal says; `status` is `contract`, `thrown-in`, `offer`, `void`, or `open` when it says too little."""
    reading = Reading(ruleset, deal, number, dealer)
    _read_bidding(reading)
    if reading.status != "contract":
        if deal.played and reading.status != "open":
            reading.flag(
                deal.played[0], "bid.passed-out", Message("The cards were thrown in, so nothing was made.")
            )
        return reading
    _check_turned(reading)
    if not deal.played:
        reading.flag("count", "score.made", Message("What both sides made is missing."))
        return reading
    _read_made(reading)
    return reading


def _read_bidding(reading: Reading) -> None:
    deal, ruleset = reading.deal, reading.ruleset
    if deal.redeal is not None:
        reading.status = "void"
        reading.keys.append("deal.void")
    elif deal.thrown_in:
        reading.status = "thrown-in"
        reading.keys += ["bid.passed-out", "deal.next-thrown-in"]
    elif deal.offer is not None:
        reading.status, reading.terms = "offer", auction.Offer(deal.offer.points, deal.offer.deals)
        reading.keys.append("offer.accepted")
        fault = auction.wrong_terms(ruleset, reading.terms)
        if fault:
            reading.flag("offer", "offer.terms", fault)
    elif deal.contract is not None:
        reading.status = "contract"
        reading.declarer, reading.trump = deal.contract.declarer, deal.contract.trump
        reading.turned = deal.contract.turned
    else:
        _read_auction(reading)


def _read_auction(reading: Reading) -> None:
    deal = reading.deal
    calls = deal.auction or ()
    names_turned = any(call.strip() in ("play", "once") for call in calls)
    if deal.turn_up is None and (names_turned or any(call.startswith("play") for call in calls)):
        reading.flag("turn_up", "bid.first", Message("Which card was turned up is missing."))
        return
    reading.bid = bid = auction.hold(reading.ruleset, reading.elder, deal.turn_up, calls)
    reading.keys += dict.fromkeys(bid.keys)
    match bid.status:
        case "illegal":
            reading.flag(
                f"auction[{(bid.illegal or 1) - 1}]", bid.keys[-1] if bid.keys else "bid.passed-out", bid.why
            )
        case "open":
            reading.flag(
                "auction",
                bid.keys[-1] if bid.keys else "bid.first",
                Message("The bidding is not over: {why}", why=bid.why),
            )
        case _:
            reading.status = bid.status
            reading.declarer, reading.trump, reading.terms = bid.declarer, bid.trump, bid.terms
            reading.turned = bid.turned


def _check_turned(reading: Reading) -> None:
    deal, trump = reading.deal, reading.trump
    if deal.turn_up is not None:
        fits = reading.trump == deal.turn_up.suit
        if reading.turned is None:
            reading.turned = fits
        elif reading.turned != fits:
            reading.flag(
                "contract.turned",
                "bid.second" if fits else "bid.first",
                Message(
                    "The turned card is {card}, so {suit} is {which}.",
                    card=deal.turn_up,
                    suit=_sign(trump),
                    which=Word("the turned suit") if fits else Word("not the turned suit"),
                ),
            )
            reading.turned = fits
    if deal.exchanged is not None and reading.turned is False:
        reading.flag(
            "exchanged",
            "seven.exchange",
            Message("The seven can be swapped only when the turned suit is trumps."),
        )
    if deal.exchanged is not None and deal.turn_up == reading.ruleset.seven(trump or Suit.HEARTS):
        reading.flag("exchanged", "seven.exchange", Message("The turned card is the seven itself."))


def _sign(suit: str | None) -> str:
    return Suit(suit).sign if suit in tuple(Suit) else str(suit)


def _read_made(reading: Reading) -> None:
    deal = reading.deal
    runs = tuple(read_declared(reading.ruleset, run, "") for run in deal.runs or ())
    clash = melds.overlapping(reading.ruleset, runs)
    if clash:
        reading.flag(
            "runs", "run.disjoint", Message("{card} stands in two runs; it counts in one.", card=clash[2])
        )
    taken: tuple[play.Taken, ...] = ()
    if deal.tricks is not None:
        taken = _read_tricks(reading)
    reading.last = deal.last
    if deal.tricks is not None and len(taken) < len(deal.tricks):
        return
    match deal.played[0]:
        case "totals":
            reading.made = dict(deal.totals or {})
        case "count":
            _add(reading, _counted(reading))
        case "tricks":
            _add(reading, count.tally(reading.ruleset, taken, reading.trump or ""))
    _read_trickless(reading, taken)
    if taken:
        _check_shown(reading, taken, runs)
    _add_words(reading, runs)
    _check_counts(reading, runs)


def _add(reading: Reading, counted: count.Tally) -> None:
    reading.made = counted.made(reading.ruleset)
    reading.keys += ["cards.values", "words.values"]
    if counted.last is not None:
        reading.last = counted.last
    for side in reading.ruleset.ring.sides:
        if side in counted.cards:
            reading.lines.append(Line(side, "cards", counted.cards[side]))
    for word, owner, points in counted.words(reading.ruleset):
        if owner is not None:
            reading.lines.append(Line(owner, word, points))


def _counted(reading: Reading) -> count.Tally:
    told, ruleset = reading.deal.count, reading.ruleset
    assert told is not None
    call = reading.deal.call
    last = told.last
    if call is not None and call.after_trick < ruleset.hand:
        last = None
    elif last is None:
        reading.flag(
            "count.last",
            "words.values",
            Message(
                "Who took the last trick is missing: {word} is {points}.",
                word=Word(ruleset.book.words["last"]),
                points=ruleset.last_points,
            ),
        )
    if call is None:
        for side in ruleset.ring.sides:
            if side not in told.cards:
                reading.flag(
                    f"count.cards.{side}",
                    "cards.values",
                    Message("The card points of {side} are missing.", side=SeatName(side)),
                )
    return count.Tally(told.cards, told.jass, told.nine, last)


def _read_tricks(reading: Reading) -> tuple[play.Taken, ...]:
    """The tricks that can be followed; fewer than told where one is unfinished."""
    deal, ruleset, trump = reading.deal, reading.ruleset, reading.trump or ""
    tricks = deal.tricks or ()
    twice = play.repeated(tricks)
    if twice:
        reading.flag(
            f"tricks[{twice[0]}][{twice[1]}]",
            "play.trick",
            Message("{card} has been played already.", card=twice[2]),
        )
        return ()
    for number, trick in enumerate(tricks):
        if len(trick) != ruleset.ring.size:
            reading.flag(
                f"tricks[{number}]",
                "play.trick",
                Message("A trick has {size} cards.", size=ruleset.ring.size),
            )
            return ()
    wanted = ruleset.hand if deal.call is None else deal.call.after_trick
    if len(tricks) != wanted:
        reading.flag(
            "tricks",
            "play.trick",
            Message("There are {wanted} tricks to tell, not {found}.", wanted=wanted, found=len(tricks)),
        )
        return ()
    if deal.penalty is None:
        for wrong in play.misplays(ruleset, tricks, reading.elder, trump):
            reading.flag(
                f"tricks[{wrong.trick}][{wrong.place}]",
                wrong.due.key,
                Message(
                    "{seat} could not play {card}: {why}",
                    seat=SeatName(wrong.seat),
                    card=wrong.card,
                    why=wrong.due.why,
                ),
            )
    return play.follow(ruleset, tricks, reading.elder, trump)


def _check_shown(reading: Reading, taken: tuple[play.Taken, ...], runs: tuple[melds.Run, ...]) -> None:
    """Cards that were declared, turned up or swapped must agree with the cards that were played."""
    deal, ruleset, trump = reading.deal, reading.ruleset, reading.trump or ""
    hands = play.hands_played(taken, ruleset)
    played = {card for hand in hands.values() for card in hand}
    whole = len(taken) == ruleset.hand
    for place, run in enumerate(runs):
        others = {card for seat, hand in hands.items() if seat != run.seat for card in hand}
        cards = run.cards(ruleset)
        wrong = [card for card in cards if card in others or (whole and card not in hands[run.seat])]
        if wrong:
            reading.flag(
                f"runs[{place}]",
                "penalty.false-claim",
                Message("{seat} did not hold {card}.", seat=SeatName(run.seat), card=wrong[0]),
            )
    if deal.bela is not None and whole:
        for card in ruleset.bela(trump):
            if card not in hands[deal.bela]:
                reading.flag(
                    "bela",
                    "bela.say",
                    Message("{seat} did not hold {card}.", seat=SeatName(deal.bela), card=card),
                )
                break
    if deal.shown in played:
        reading.flag(
            "shown",
            "play.trick",
            Message("{card} lay face up, so nobody can have played it.", card=deal.shown),
        )
    if deal.turn_up is not None and deal.exchanged is None and deal.turn_up in played:
        reading.flag(
            "turn_up",
            "seven.exchange",
            Message("{card} was played, so somebody must have swapped the seven for it.", card=deal.turn_up),
        )
    if deal.exchanged is not None:
        seven = ruleset.seven(trump)
        if seven in played:
            reading.flag(
                "exchanged",
                "seven.exchange",
                Message("{card} was played, so it was not swapped.", card=seven),
            )
        elif whole and deal.turn_up is not None and deal.turn_up not in hands[deal.exchanged]:
            reading.flag(
                "exchanged",
                "seven.exchange",
                Message(
                    "{seat} did not play {card}, so did not take it.",
                    seat=SeatName(deal.exchanged),
                    card=deal.turn_up,
                ),
            )


def _read_trickless(reading: Reading, taken: tuple[play.Taken, ...]) -> None:
    deal, ruleset = reading.deal, reading.ruleset
    reading.trickless = deal.trickless
    if taken:
        takers = {ruleset.ring.side(trick.taker) for trick in taken}
        without = [side for side in ruleset.ring.sides if side not in takers]
        found = without[0] if without and len(taken) == ruleset.hand else None
        if deal.trickless is not None and deal.trickless != found:
            reading.flag(
                "trickless",
                "end.trickless",
                Message("{side} did take a trick.", side=SeatName(deal.trickless)),
            )
        reading.trickless = found
        reading.took_last = taken[-1].taker
    side = reading.trickless
    if side is None:
        return
    has = reading.last == side or any(line.side == side and line.points for line in reading.lines)
    if has:
        reading.flag(
            "trickless",
            "end.trickless",
            Message("{side} has points from tricks, so took at least one.", side=SeatName(side)),
        )
        reading.trickless = None


def _add_words(reading: Reading, runs: tuple[melds.Run, ...]) -> None:
    """Runs that stand and bela, counted for their sides; with `totals` they are contained already."""
    deal, ruleset, made = reading.deal, reading.ruleset, reading.made
    assert made is not None
    words = ruleset.zeros()
    standing = melds.contest(ruleset, runs, reading.elder)
    if runs:
        reading.keys += standing.keys
    for run in runs:
        side = ruleset.ring.side(run.seat)
        if side != standing.side and deal.penalty is None:
            continue
        for piece in melds.pieces(ruleset, run):
            words[side] += piece.points
            reading.lines.append(Line(side, f"run{piece.length}", piece.points, _piece_name(piece)))
    if deal.bela is not None:
        side = ruleset.ring.side(deal.bela)
        words[side] += ruleset.bela_points
        reading.lines.append(Line(side, "bela", ruleset.bela_points))
        reading.keys += ["bela.say", "bela.free"]
    lost = reading.trickless
    if lost is not None and ruleset["words_need_trick"]:
        reading.keys.append("words.need-trick")
        reading.lines = [line for line in reading.lines if line.side != lost]
        words[lost] = 0
        if deal.totals is not None and deal.totals[lost] > 0:
            reading.flag(
                f"totals.{lost}",
                "words.need-trick",
                Message("{side} took no trick, so has no words: 0.", side=SeatName(lost)),
            )
    if deal.totals is None:
        for side, points in words.items():
            made[side] += points
    reading.stock = sum(words.values())


def _piece_name(piece: melds.Piece) -> str:
    suit = piece.run.suit
    return piece.top + (Suit(suit).sign if suit else "")


def _check_counts(reading: Reading, runs: tuple[melds.Run, ...]) -> None:
    """Refuse counts that no deal can carry, unless the deal was broken off by a call."""
    deal, ruleset = reading.deal, reading.ruleset
    if deal.call is not None or reading.made is None or reading.problems:
        return
    trump = reading.trump or Suit.HEARTS
    out = _out(reading)
    if deal.count is not None:
        tops = {"jass": Card(ruleset.jass_rank, Suit(trump)), "nine": Card(ruleset.nine_rank, Suit(trump))}
        for word, card in tops.items():
            if card in out and getattr(deal.count, word) is not None:
                reading.flag(f"count.{word}", "words.taken", Message("{card} was out of play.", card=card))
                return
    if deal.totals is not None:
        run_points = reading.stock - (ruleset.bela_points if deal.bela else 0)
        bound = count.check_made(
            ruleset,
            reading.made,
            run_points if deal.runs is not None else None,
            ruleset.bela_points if deal.bela else None,
            reading.last,
            out,
            trump,
        )
        place = "totals"
    elif deal.count is not None:
        told = deal.count
        bound = count.check_tally(
            ruleset, count.Tally(told.cards, told.jass, told.nine, told.last), out, trump
        )
        place = "count.cards"
    else:
        return
    if bound is not None:
        at = place if bound.what == "sum" else f"{place}.{bound.what}"
        reading.flag(at, "score.doubtful-count", bound.reason)


def _out(reading: Reading) -> set[Card]:
    """Cards known to be out of play: the card shown, and the turned one or the seven swapped for it."""
    deal, ruleset = reading.deal, reading.ruleset
    out = {deal.shown} if deal.shown else set()
    if deal.exchanged is not None and reading.trump:
        out.add(ruleset.seven(reading.trump))
    elif deal.turn_up is not None and not reading.turned:
        out.add(deal.turn_up)  # in the turned suit a swap may simply not have been written down
    return out
