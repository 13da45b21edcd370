"""Deals and whole matches of the trick games, at random but by the rules, counted here a second time."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import floor
from random import Random
from typing import Any

from amending import add_entry
from anything import without_irrelevant
from naive import ALL_TRUMPS as NAIVE_ALL_TRUMPS
from naive import NO_TRUMPS as NAIVE_NO_TRUMPS
from naive import WAYS, Way, allowed, taker, value

from companion import library
from companion.jacknine.match import JackNine
from companion.jacknine.phases import contest, melds
from companion.jacknine.phases.auction import Auction
from companion.jacknine.phases.bidding import PointAuction
from companion.jacknine.ruleset import JackNineRuleset
from companion.library.files import choose_tables
from companion.record import record as records
from companion.rules.cards import ALL_TRUMPS, NO_TRUMPS, Card, Suit, parse_card

TRICK_GAMES = tuple(name for name in library.names() if library.open_game(name).family_name == "jacknine")

Hands = dict[str, list[Card]]


def open_jacknine(
    game: str, preset: str | None = None, conventions: Mapping[str, Any] | None = None
) -> JackNine:
    """A trick game under these conventions, with all that its family offers."""
    family: object = library.open_game(game, preset, conventions).family
    assert isinstance(family, JackNine)
    return family


@dataclass
class Played:
    """A deal that was played: as it is told of all its tricks, and what each side has of it."""

    stated: dict[str, Any]
    cards: dict[str, int]
    has: dict[str, str | None]
    words: dict[str, int]
    trickless: list[str]
    last: int = 10
    way: Way = Way()
    passing: bool = False
    bela_stays: int = 0
    belas: Sequence[str] = ()
    asks: bool = False
    unbid: int = 0
    alone: bool | None = None
    """True if the bidder took every trick alone; None after other bids, and if the others took one."""
    whole: int = 0
    """The points to which those on the cards are brought; 0: they are written as they are."""

    @property
    def made(self) -> dict[str, int]:
        """What each side made, all told; without a trick melds may pass, every trick may have to be bid."""
        made = self.stated_totals
        if self.trickless and self.unbid:
            made[next(side for side in made if side not in self.trickless)] -= self.unbid
        for side in self.trickless if self.passing else ():
            heir = next(other for other in made if other != side)
            own = self.bela_stays * self.belas.count(side)
            made[heir], made[side] = made[heir] + made[side] - own, own
        return made

    @property
    def stated_totals(self) -> dict[str, int]:
        """What each side says that it made."""
        points = {"jass": self.way.top, "nine": self.way.nine_points, "last": self.last}
        made = {
            side: self.cards[side] + sum(points[word] for word, holder in self.has.items() if holder == side)
            for side in self.cards
        }
        if self.whole:
            more = self.last - self.way.last
            first, on_cards = next(iter(made)), sum(made.values()) - more
            every = more * (made[first] > on_cards)
            scaled = floor(Fraction((made[first] - every) * self.whole, on_cards) + Fraction(1, 2)) + every
            made = {side: scaled if side == first else self.whole + more - scaled for side in made}
        return {side: made[side] + self.words[side] for side in made}

    def without_tricks(self, **made: Any) -> dict[str, Any]:
        """The same deal, with what was made told in another way."""
        entry = {key: item for key, item in self.stated.items() if key != "tricks"} | made
        if self.alone is not None:
            entry["alone"] = self.alone
        match self.trickless:
            case []:
                return entry | ({"trickless": None} if self.asks else {})
            case [side]:
                return entry | {"trickless": side}
        return entry | {"trickless": self.trickless}

    def as_count(self) -> dict[str, Any]:
        """Told as card points and words."""
        return self.without_tricks(count={"cards": self.cards, **self.has})

    def as_totals(self) -> dict[str, Any]:
        """Told as whole counts."""
        return self.without_tricks(totals=self.stated_totals, last=self.has["last"])


@dataclass(frozen=True)
class Table:
    """A game at one table, dealt and played at random."""

    name: str
    preset: str | None = None
    conventions: tuple[tuple[str, Any], ...] = ()
    by_file: bool = False
    """True if orders and numbers are those of the game's file, not those that everybody knows."""

    @cached_property
    def game(self) -> library.Game:
        return library.open_game(self.name, self.preset, dict(self.conventions))

    @cached_property
    def family(self) -> JackNine:
        return open_jacknine(self.name, self.preset, dict(self.conventions))

    @property
    def rules(self) -> JackNineRuleset:
        return self.family.ruleset

    @property
    def way(self) -> Way:
        """How it is played, told a second time."""
        options, under = (
            self.rules.options,
            {"free": "higher, else any card", "must": "higher, else any trump"},
        )
        way = replace(WAYS[self.name], beats_led=options.get("trump_led") != "follow")
        way = replace(way, beats_trumped=options.get("trumped") == "beat")
        way = replace(way, top=int(str(options.get("jass_points", 20))), bela=self.rules.bela_points)
        under_trump = options.get("under_trump")
        way = replace(way, over_ruff=under[str(under_trump)]) if under_trump else way
        if options.get("capot_points") == 250:
            way = replace(way, capot=98)
        if values := options.get("all_trumps_values"):
            no_trumps = NAIVE_NO_TRUMPS | {"J": int(str(options["no_trumps_jack"]))}
            way = replace(way, no_trumps=no_trumps, all_trumps=NAIVE_ALL_TRUMPS[str(values)])
        if not self.by_file:
            return way
        numbers = choose_tables(library.GAMES.entry(self.name).file.document, self.game.conventions)
        return way.by_numbers(numbers["cards"], numbers["points"])

    def head(self, **more: Any) -> dict[str, Any]:
        stated = {"format": "companion-match", "version": 1, "game": self.name}
        stated |= {"preset": self.preset} if self.preset else {}
        stated |= {"conventions": dict(self.conventions)} if self.conventions else {}
        names = ["Ewa", "Jan", "Ola", "Piotr"][: self.rules.ring.size]
        return stated | {"players": names, "first_dealer": "A", "entries": []} | more

    def deal(self, random: Random, dealer: str, *, forced: bool = False) -> Played | dict[str, Any]:
        """A deal, bid and played at random; an entry as it stands where it was not played.

        `forced`: the dealer plays the turned suit, and nobody bids.
        """
        rules = self.rules
        pack, elder = list(rules.pack), rules.ring.left(dealer)
        random.shuffle(pack)
        around = rules.ring.around(elder)
        hands = {seat: pack[n * rules.hand : (n + 1) * rules.hand] for n, seat in enumerate(around)}
        turned: Card | str | None = pack[rules.in_play] if not rules.all_dealt else pack[-1]
        if rules.turned_card == "none":
            turned = random.choice(list(Suit)) if rules.turns_suit else None
        calls: list[str] = []
        bid = self.family.bidding(elder, turned, calls)
        while bid.status == "open" and not forced:
            call = random.choice(bid.legal())
            if call == "bid" and isinstance(bid, PointAuction):
                numbers = (bid.least or "capot", "capot")
                bids = [(n, suit) for n in numbers for suit in rules.suits if bid.may_bid(n, suit)]
                call += " {} {}".format(*random.choice(bids))
            if call in ("offer", "counter"):
                call += random.choice([" 20", " +1", " 15+1", " 0+1"])
            calls.append(call)
            bid = self.family.bidding(elder, turned, calls)
        entry: dict[str, Any] = {"type": "deal", "auction": calls} | (
            {"turn_up": str(turned)} if turned else {}
        )
        if forced and isinstance(turned, Card):
            bid = replace(bid, status="contract", declarer=dealer, trump=turned.suit)
            entry = {"type": "deal", "contract": {"declarer": dealer, "trump": str(turned.suit)}}
            entry["turn_up"] = str(turned)
        if bid.status != "contract":
            return entry
        assert bid.trump is not None and bid.declarer is not None
        if rules.turned_card in ("declarer", "dealer"):
            taker = bid.declarer if rules.turned_card == "declarer" else dealer
            holder, own = next(hand for hand in hands.values() if turned in hand), hands[taker]
            holder[holder.index(pack[-1])], own[0] = own[0], pack[-1]
        of_a_suit = [seat for seat, hand in hands.items() if len({card.suit for card in hand}) == 1]
        if rules["belot"] != "off" and (of_a_suit or random.random() < 0.02):
            return entry | {"belot": random.choice(of_a_suit or rules.ring.seats)}
        if rules.shows_card:
            entry["shown"] = str(pack[rules.in_play + 1])
        if bid.turned and rules["seven"] != "never":
            may_swap = hands if rules["seven_by"] == "holder" else {bid.declarer: hands[bid.declarer]}
            self._swap(random, entry, may_swap, turned)
        discarded: list[Card] = []
        if rules.discards:
            own = hands[bid.declarer]
            own += pack[-rules.discards :]
            discarded = [own.pop(random.randrange(len(own))) for _ in range(rules.discards)]
        return self._play(random, entry, hands, elder, bid, discarded)

    def _swap(self, random: Random, entry: dict[str, Any], hands: Hands, turned: Any) -> None:
        """Sometimes the holder of the seven takes the turned card for it."""
        seven = self.rules.seven(turned.suit)
        for seat, hand in hands.items():
            early = hand[: self.rules.first_hand] if self.rules["seven"] == "first-hand" else hand
            if seven in early and random.random() < 0.5:
                hand[hand.index(seven)] = turned
                entry["exchanged"] = seat

    def _play(
        self,
        random: Random,
        entry: dict[str, Any],
        hands: Hands,
        elder: str,
        bid: Auction,
        discarded: Sequence[Card],
    ) -> Played:
        """All tricks, played at random by the rules and counted one by one; then melds and bela.

        `discarded` are the cards that the declarer laid away.
        """
        trump = bid.trump or ""
        rules, side, way = self.rules, self.rules.ring.side, self.way
        at = rules.at(trump)
        stated_melds = [meld for seat, hand in hands.items() for meld in melds.find_melds(at, seat, hand)]
        belas = [
            seat for seat, hand in hands.items() for pair in rules.pairs(trump) if set(pair) <= set(hand)
        ]
        cards = dict.fromkeys(rules.ring.sides, 0)
        has: dict[str, str | None] = {"jass": None, "nine": None, "last": None}
        stated, takers, seats, leader = list[list[str]](), set[str](), set[str](), elder
        bare = rules["bare_jass"] == "on"
        while hands[leader]:
            trick: list[Card] = []
            around = rules.ring.around(leader)
            for seat in around:
                card = random.choice(allowed(way, hands[seat], trick, trump, bare=bare))
                hands[seat].remove(card)
                trick.append(card)
            leader = around[taker(way, trick, trump)]
            piles = [(leader, trick)] if stated else [(leader, trick), (bid.declarer or "", discarded)]
            for owner, pile in piles:
                for card in pile:
                    cards[side(owner)] += value(way, card, trump)
                    if card.suit == trump and card.rank in (way.jass, way.nine):
                        has["nine" if card.rank == way.nine else "jass"] = side(owner)
            takers.add(side(leader))
            seats.add(leader)
            stated.append([str(card) for card in trick])
        has["last"] = side(leader)
        trickless = [side for side in rules.ring.sides if side not in takers]
        entry["runs"] = [
            {"seat": meld.seat, "cards": [str(card) for card in meld.cards(rules)]}
            for meld in stated_melds
            if isinstance(meld, melds.Run)
        ]
        if rules.fours:
            entry["fours"] = [
                {"seat": meld.seat, "rank": meld.rank}
                for meld in stated_melds
                if isinstance(meld, melds.Four)
            ]
        compared = contest.compare_melds(at, stated_melds, elder, trump, trickless, bid.declarer)
        words = dict(compared.points)
        values = self._four_values(trump)
        for writer in words if self.by_file and not compared.halved else ():
            own = [meld for meld in stated_melds if side(meld.seat) == writer]
            words[writer] = sum(self._value_meld(meld, values) for meld in own) if words[writer] else 0
        most = random.randint(0, len(belas)) if trump == ALL_TRUMPS else int(random.random() < 0.8)
        belas = belas[:most]
        if belas:
            entry["bela"] = belas if len(belas) > 1 else belas[0]
        for seat in belas:
            words[side(seat)] += way.bela
        if rules["words_need_trick"]:
            keeps = rules["bela_kept"] == "on"
            words |= {loser: way.bela * keeps * [*map(side, belas)].count(loser) for loser in trickless}
        capot = way.last
        if len(trickless) == len(rules.ring.sides) - 1:
            capot = self._value_last_of_all(trump) or way.last
        return Played(
            entry | {"tricks": stated},
            cards,
            has,
            words,
            trickless,
            capot,
            way,
            rules["trickless"] == "runs-pass",
            way.bela if rules["bela_kept"] == "on" else 0,
            [side(seat) for seat in belas],
            rules.asks_trickless,
            self._value_last_of_all(trump) - way.last
            if rules.has_option("capot_bonus", "bid-only") and bid.points not in ("capot", "generale")
            else 0,
            seats == {bid.declarer}
            if bid.points == "generale" and takers == {side(bid.declarer or "")}
            else None,
            self._find_whole() if trump == ALL_TRUMPS else 0,
        )

    def _value_last_of_all(self, trump: str) -> int:
        """The last trick for a side with every trick, which at some tables has the same in every contract."""
        way, pack = self.way, self.rules.pack
        if trump not in (ALL_TRUMPS, NO_TRUMPS) or self._find_whole() and trump == ALL_TRUMPS:
            return way.capot
        if not self.rules.has_option("capot_points", 250):
            return way.capot
        usual = sum(value(way, card, "H") for card in pack) + way.top + way.nine_points
        return usual + way.capot - sum(value(way, card, trump) for card in pack)

    def _find_whole(self) -> int:
        """The points of a deal with a trump suit, if those of all trumps are brought to them; else 0."""
        if not self.rules.has_option("all_trumps_values", "scaled"):
            return 0
        way = self.way
        return sum(value(way, card, "H") for card in self.rules.pack) + way.top + way.nine_points + way.last

    def _four_values(self, trump: str) -> Mapping[str, int]:
        numbers = choose_tables(library.GAMES.entry(self.name).file.document, self.game.conventions)
        of_no_trumps = numbers["points"].get("no_trumps_fours") if trump == NO_TRUMPS else None
        return of_no_trumps or self.way.fours

    def _value_meld(self, meld: melds.Meld, fours: Mapping[str, int]) -> int:
        if isinstance(meld, melds.Four):
            return fours[meld.rank]
        return self.way.worth(meld.length, pieces=self.rules["run_split"] == "best")

    def match(self, random: Random, deals: int = 8) -> records.Record:
        """A game as it is told, of deals entered in all ways, with what else happens between them."""
        stated = self.head()
        if random.random() < 0.2:
            held = [30] if self.rules["tie"] in ("hang", "carry") else []
            totals = {side: random.randint(0, 200) for side in self.rules.ring.sides}
            stated["entries"] = [{"type": "opening", "totals": totals, "held": held}]
        record, game = records.read_record(stated, library.open_game)
        for _ in range(deals):
            for more in (self._between, self._dealt):
                state = records.fold_record(record, game.family)
                if state.status == "playing":
                    entry = more(random, state)
                    record = add_entry(record, game.family, entry) if entry else record
        return record

    def _dealt(self, random: Random, state: Any) -> dict[str, Any]:
        found = self.deal(random, state.next_dealer, forced=state.is_forced)
        if isinstance(found, Played):
            return random.choice([found.stated, found.as_count(), found.as_totals()])
        return found

    def _between(self, random: Random, state: Any) -> Mapping[str, Any] | None:
        """What may happen between two deals: mostly nothing."""
        side = random.choice(self.rules.ring.sides)
        stated: list[dict[str, Any]] = [
            {"type": "adjust", "side": side, "points": random.randint(-30, 30), "reason": "agreed"},
            {"type": "deal", "redeal": "misdeal"},
        ]
        if self.rules.has_option("misdeal", "points"):
            stated.append({"type": "deal", "penalty": {"side": side, "offence": "misdeal"}})
        if self.rules.redeals("poor-hand"):
            stated.append({"type": "deal", "redeal": "poor-hand", "by": random.choice(self.rules.ring.seats)})
        if self.rules.redeals("four-sevens"):
            by = {"by": random.choice(self.rules.ring.seats)} if self.rules["four_sevens_points"] else {}
            stated.append({"type": "deal", "redeal": "four-sevens", **by})
        if self.rules["dive"] == "on" and state.doubled_by != side:
            stated.append({"type": "dive", "by": side, "accepted": random.random() < 0.8})
        if state.may_finish:
            stated.append({"type": "finish", "side": state.may_finish[0]})
        if self.rules["pencil"] and any(row.made for row in state.rows):
            deal = next(row.n for row in reversed(state.rows) if row.made)
            stated.append({"type": "pencil", "by": side, "deal": deal, "wrote": 87, "should": 77})
        return random.choice(stated) if random.random() < 0.3 else None


def tables(random: Random) -> Table:
    name = random.choice(TRICK_GAMES)
    book = library.read_rulebook(name)
    preset = random.choice([None, *book.presets])
    chosen = {}
    for item in random.sample([*book.conventions.values()], random.randint(0, 3)):
        if item.name in ("offer_deals_max", "mars_line", "first_lead"):
            continue
        chosen[item.name] = random.choice([*item.values] or [max(item.least, 3), min(item.most, 120)])
    return Table(name, preset, tuple(without_irrelevant(book, chosen, preset).items()))


def fold(table: Table, entry: Mapping[str, Any], dealer: str = "A") -> Any:
    """A match of one deal."""
    record, game = records.read_record(table.head(entries=[entry], first_dealer=dealer), library.open_game)
    return records.fold_record(record, game.family)


# --- a deal played again, with one card that was not due ------------------------------------------


@dataclass(frozen=True)
class Revoke:
    """The deal as it then fell, who revoked with what in which trick (from 1), and what was due."""

    stated: Mapping[str, Any]
    seat: str
    trick: int
    card: Card
    due: frozenset[Card]


def revoked(table: Table, stated: Mapping[str, Any], elder: str, trump: str, random: Random) -> Revoke | None:
    """The same hands, played at random by the rules but for one card; None where none can be wrong."""
    ring, hands = table.rules.ring, hands_of(table, stated, elder, trump)
    bare = table.rules["bare_jass"] == "on"
    wrong: tuple[str, int, Card, frozenset[Card]] | None = None
    tricks, leader, size = [], elder, table.rules.hand
    begun = random.randrange(size)
    for number in range(size):
        trick: list[Card] = []
        for seat in ring.around(leader):
            due = allowed(table.way, hands[seat], trick, trump, bare=bare)
            others = [card for card in hands[seat] if card not in due]
            if others and wrong is None and number >= begun:
                card = random.choice(others)
                wrong = seat, number + 1, card, frozenset(due)
            else:
                card = random.choice(due)
            hands[seat].remove(card)
            trick.append(card)
        leader = ring.around(leader)[taker(table.way, trick, trump)]
        tricks.append([str(card) for card in trick])
    return None if wrong is None else Revoke({**stated, "tricks": tricks}, *wrong)


def follow_tricks(
    table: Table, tricks: Sequence[Sequence[str]], elder: str, trump: str
) -> Iterator[tuple[dict[str, Card], str]]:
    """The tricks one after the other: which card of which seat, in that order, and who took them."""
    leader = elder
    for named in tricks:
        around, trick = table.rules.ring.around(leader), [parse_card(card) for card in named]
        leader = around[taker(table.way, trick, trump)]
        yield dict(zip(around, trick, strict=True)), leader


def hands_of(table: Table, stated: Mapping[str, Any], elder: str, trump: str) -> dict[str, list[Card]]:
    hands: dict[str, list[Card]] = {seat: [] for seat in table.rules.ring.seats}
    for by_seat, _taker in follow_tricks(table, stated["tricks"], elder, trump):
        for seat, card in by_seat.items():
            hands[seat].append(card)
    return hands
