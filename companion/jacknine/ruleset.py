"""A rule set of the family: orders, values and named procedures, all of them data.

A game is one file of numbers and names. Code asks the rule set; it never asks which game it is.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, cast

from companion.rules.cards import ALL_TRUMPS, NO_TRUMPS, Card, Orders, Suit, beats, pack
from companion.rules.conditions import Value
from companion.rules.game import GameRules
from companion.rules.rulebook import Rulebook
from companion.rules.seats import Ring, Seat, Side

from .richest import DealValues, most_points


class UnknownOption(LookupError):
    """A procedure that no function of the family carries out: a fault in a game's file."""


@dataclass(frozen=True, eq=False, kw_only=True)
class JackNineRuleset(GameRules):
    """The rule set of a game of the family.

    `last_all_points` is the value of the last trick for a side that has all tricks; 0: no more than usual.
    `no_trumps_points` and `no_trumps_fours` are values in no-trumps, the fours best first, where they differ
    from those of plain suits; `all_trumps_points` those of every suit in all trumps.

    Points are as counted at the table: card values first, the words of jass and nine beside them.
    `turned_card` says where it goes: `out` of play, to the `declarer` or the `dealer`, `dealt` into any hand,
    or that `none` is turned. `discards` is how many cards the declarer lays away before the play, which
    count as if taken in a trick.
    """

    ranks: tuple[str, ...]
    first_hand: int
    run_order: tuple[str, ...]
    jass_rank: str
    nine_rank: str
    seven_rank: str | None
    bela_ranks: tuple[str, ...]
    trump_points: Mapping[str, int]
    plain_points: Mapping[str, int]
    no_trumps_points: Mapping[str, int]
    all_trumps_points: Mapping[str, int]
    jass_points: int
    nine_points: int
    last_points: int
    last_all_points: int
    whole_points: int
    whole_all_points: int
    bela_points: int
    run_points: Mapping[int, int]
    fours_order: tuple[str, ...]
    four_points: Mapping[str, int]
    no_trumps_fours: Mapping[str, int]
    turned_card: str
    shows_card: bool
    discards: int = 0

    def __getitem__(self, option: str) -> Any:
        """The value of an option of this game, or of this table.

        :raises UnknownOption: if the game's file does not have it.
        """
        try:
            return self.options[option]
        except KeyError:
            raise UnknownOption(f"{self.book.game} does not say {option!r}") from None

    @property
    def has_capot(self) -> bool:
        """True if taking every trick of a deal counts more."""
        return self.last_all_points > 0

    @property
    def describes_needed(self) -> bool:
        """True if answers say what the declarer needed, because it is not just the half."""
        return self.has_capot or bool(self["needs"] == "points")

    @property
    def asks_trickless(self) -> bool:
        """True if the score depends on who took no trick, which is asked if counts leave it open."""
        return self.has_capot or self["trickless_penalty_every"] > 0

    @property
    def charges_false_melds(self) -> bool:
        """True if a meld that cannot be shown costs its points."""
        return bool(self["false_melds"] == "claimed" and self.run_points)

    @property
    def judges_overlaps(self) -> bool:
        """True if melds of one hand that share a card are judged: the one worth most counts alone."""
        return bool(self.book.knows("meld.set-aside") and self.run_points)

    @property
    def faces_rest(self) -> bool:
        """True if the declarer plays against all others together, who yet write for themselves."""
        return bool(self["needs"] == "half")

    def list_partners(self, seat: Seat, declarer: Seat | None) -> frozenset[Side]:
        """The sides whose melds stand with those of a seat; `declarer` matters if that one faces the rest."""
        own, caller = self.ring.side(seat), self.ring.side(declarer or seat)
        if not self.faces_rest or own == caller:
            return frozenset({own})
        return frozenset(self.ring.others(caller))

    def list_callers(self, elder: Seat) -> tuple[Seat, ...]:
        """The seats that may choose trumps, elder hand first: that one alone if nobody bids."""
        return (elder,) if self["bidding"] == "elder" else tuple(self.ring.around(elder))

    @property
    def turns_suit(self) -> bool:
        """True if a suit is turned up, or preferred, before the bidding."""
        return bool(self["bidding"] == "turned")

    def find_capot(self, trickless: Collection[Side]) -> Side | None:
        """The side that took every trick, if that counts more; `trickless` are those that took none."""
        takers = [side for side in self.ring.sides if side not in trickless]
        return takers[0] if self.has_capot and len(takers) == 1 else None

    def last_trick(self, capot: bool, trump: str = Suit.HEARTS) -> int:
        """Value the last trick; `capot`: with every trick, at some tables worth the same in every contract.

        Rule key: `score.capot`.
        """
        if not capot or not self.has_capot:
            return self.last_points
        same = trump not in (NO_TRUMPS, ALL_TRUMPS) or self.scales(trump)
        if same or not self.has_option("capot_points", 250):
            return self.last_all_points
        return self.sum_cards(Suit.HEARTS) + self.last_all_points - self.sum_cards(trump)

    def capot_extra(self, trump: str = Suit.HEARTS) -> int:
        """The extra of the last trick for a side that has every trick."""
        return self.last_trick(True, trump) - self.last_points

    @cached_property
    def _in_no_trumps(self) -> "JackNineRuleset":
        order = tuple(self.no_trumps_fours)
        return replace(self, four_points=self.no_trumps_fours, fours_order=order, no_trumps_fours={})

    def at(self, trump: str | None) -> "JackNineRuleset":
        """The rule set once trumps are named: in no-trumps fours of a kind can have values of their own."""
        return self._in_no_trumps if trump == NO_TRUMPS and self.no_trumps_fours else self

    @property
    def bids_points(self) -> bool:
        """True if points are bid, and not only a suit."""
        return bool(self["bidding"] == "by-points")

    @property
    def knows_melds(self) -> bool:
        """True if runs are a meld at any table of the game."""
        return self.book.knows("run.values")

    def sum_deal(self, capot: bool, trump: str = Suit.HEARTS) -> int:
        """Sum up cards, honours and last trick of a deal if all cards are dealt; with `capot` of one side.

        It does not matter which suit is trumps, while there are trumps.
        """
        return self.sum_cards(Suit.HEARTS if self.scales(trump) else trump) + self.last_trick(capot, trump)

    def sum_cards(self, trump: str) -> int:
        """Sum up all cards with their honours as they lie on the table, without the last trick."""
        return sum(self.full_points(card, trump) for card in self.pack)

    def scales(self, trump: str) -> bool:
        """True if the points on the cards are brought to those of a trump suit before they are written."""
        return trump == ALL_TRUMPS and self.has_option("all_trumps_values", "scaled")

    def scale(self, points: int, trump: str) -> int:
        """Scale points of cards and last trick of one side, to the nearest whole; a capot's extra is not.

        Rule key: `cards.all-trumps`.
        """
        if not self.scales(trump):
            return points
        cards, whole = self.sum_cards(trump) + self.last_points, self.sum_deal(False, trump)
        if points > cards:
            return points - cards + whole
        return (2 * points * whole + cards) // (2 * cards)

    def scale_sides(self, points: Mapping[Side, int], trump: str) -> dict[Side, int]:
        """Scale points of all cards and the last trick by side: the second side has what is left."""
        if not self.scales(trump):
            return dict(points)
        first, other = self.ring.sides
        own, whole = self.scale(points[first], trump), self.scale(sum(points.values()), trump)
        return {first: own, other: whole - own}

    def round_deal(self, capot: bool) -> int:
        """The points written if the whole deal goes to one side."""
        return self.whole_all_points if capot else self.whole_points

    def retained_bela(self, side: Side, bela: Sequence[Side]) -> int:
        """Find the points that a side keeps although it loses, if so agreed; `bela` has a side for each pair.

        Rule key: `bela.kept`.
        """
        return self.bela_points * bela.count(side) if self["bela_kept"] == "on" else 0

    def names_holder(self, hand: str) -> bool:
        """True if a deal that ended by a hand of this kind names its holder."""
        return hand == "poor-hand" or bool(self["four_sevens_points"])

    def plays_to_target(self) -> bool:
        """True if a game goes to a target, and not by single deals."""
        return bool(self["party"] == "target")

    def ends_at_target(self) -> bool:
        """True if reaching the target ends a game, and neither one deal nor a number of deals does."""
        return self.plays_to_target() and not self["deals"]

    def offences(self) -> tuple[str, ...]:
        """Offences that cost a whole deal at this table, by the game's names."""
        return tuple(self["offences"])

    def may_throw_in(self) -> bool:
        """True if cards can be thrown in after the bidding."""
        return not self["last_must"] or self.may_schmeiss()

    def may_schmeiss(self) -> bool:
        """True if a player may offer to throw the cards in."""
        return bool(self["schmeiss"] != "off")

    def redeals(self, hand: str) -> bool:
        """True if the cards are dealt again for a hand of this kind, `four-sevens` or `poor-hand`."""
        if hand == "poor-hand":
            return "poor_hand" in self.options and bool(self["poor_hand"])
        return bool(self["four_sevens"] == "redeal")

    def known_keys(self, *keys: str) -> tuple[str, ...]:
        """The keys for which the game has a rule that applies at this table."""
        return tuple(key for key in keys if self.book.knows(key) and self.applies(key))

    def applies(self, key: str) -> bool:
        """True if this table has not switched off the game's rule for a key."""
        (rule,) = self.book.cite(key)
        # Only what the conditions name is looked up, so that no answer seems to rest on the others.
        return rule.applies(cast(Mapping[str, Value], self.options))

    @cached_property
    def pack(self) -> tuple[Card, ...]:
        return pack(self.ranks)

    @cached_property
    def suits(self) -> tuple[str, ...]:
        """The possible trumps: the suits of the pack, no trumps and all trumps if the game has them."""
        return (*dict.fromkeys(str(card.suit) for card in self.pack), *self.table.further_trumps)

    @property
    def in_play(self) -> int:
        """The number of cards that count in a deal: those played, and those laid away."""
        return self.hand * self.ring.size + self.discards

    @cached_property
    def without_discards(self) -> "JackNineRuleset":
        """The same rules for the cards that are played alone."""
        return replace(self, discards=0) if self.discards else self

    @property
    def all_dealt(self) -> bool:
        """True if every card of the pack counts."""
        return self.in_play == len(self.pack)

    @property
    def holds_same_sum(self) -> bool:
        """True if a penalty hands over the same in every deal, melds left out, whatever is trumps."""
        return self.all_dealt and (self.bids_points or not self.no_trumps)

    @property
    def counts_sets(self) -> bool:
        """True if games won are counted in sets, a win on mars as two."""
        return "mars" in self.book.conventions

    @cached_property
    def fours(self) -> Mapping[str, int]:
        """Ranks of which four together are a meld, with its points; empty if the game has none."""
        return {rank: points for rank, points in self.four_points.items() if points}

    @cached_property
    def max_points(self) -> int:
        """The most points that all sides can make in one deal, cards, words, runs and bela of the richest."""
        trumps = (Suit.HEARTS, *self.table.further_trumps)
        return max(most_points(self._value_deal(trump)) for trump in trumps)

    def _value_deal(self, trump: str) -> DealValues:
        """The values that decide how much a deal can come to with these trumps."""
        last = self.last_trick(True)
        if self.all_dealt:
            last = self.sum_deal(True, trump) - self.sum_cards(trump)
        return DealValues(
            hands=self.ring.size - 1 if self.faces_rest else self.ring.size // len(self.ring.sides),
            hand=self.hand,
            in_play=self.in_play,
            suits=tuple(
                tuple((card.rank, self.full_points(card, trump)) for card in self.pack if card.suit == suit)
                for suit in sorted(Suit, key=lambda suit: suit != trump)
            ),
            run_order=self.run_order,
            runs=tuple(self.run_points.items()),
            fours=tuple(self.at(trump).fours.items()),
            bela=self.bela_ranks,
            pairs=len(self.pairs(trump)),
            bela_points=self.bela_points,
            last=last,
        )

    def all_cards(self, trump: str) -> int:
        """The points of all cards of the pack, without the words of jass and nine."""
        return sum(self.card_points(card, trump) for card in self.pack)

    def is_jass(self, card: Card, trump: str) -> bool:
        """True if the card is the top trump."""
        return card.suit == trump and card.rank == self.jass_rank

    def is_nine(self, card: Card, trump: str) -> bool:
        """True if the card is the second trump."""
        return card.suit == trump and card.rank == self.nine_rank

    def card_points(self, card: Card, trump: str) -> int:
        """Value a card among the cards, without the word of jass or nine."""
        if trump == ALL_TRUMPS:
            return self.all_trumps_points.get(card.rank, 0)
        if trump == NO_TRUMPS:
            return (self.no_trumps_points or self.plain_points).get(card.rank, 0)
        return (self.trump_points if card.suit == trump else self.plain_points).get(card.rank, 0)

    def full_points(self, card: Card, trump: str) -> int:
        """Value a card in all, word included."""
        return self._full[trump][card]

    @cached_property
    def _full(self) -> Mapping[str, Mapping[Card, int]]:
        return {
            trump: {
                card: self.card_points(card, trump)
                + self.jass_points * self.is_jass(card, trump)
                + self.nine_points * self.is_nine(card, trump)
                for card in self.pack
            }
            for trump in (*Suit, NO_TRUMPS, ALL_TRUMPS)
        }

    def honours(self, trump: str) -> Mapping[str, Card]:
        """The two trumps that are words by themselves; empty without a trump suit."""
        if trump in (NO_TRUMPS, ALL_TRUMPS):
            return {}
        return {"jass": Card(self.jass_rank, Suit(trump)), "nine": Card(self.nine_rank, Suit(trump))}

    def pairs(self, trump: str) -> tuple[tuple[Card, ...], ...]:
        """The pairs of trumps that are declared as bela: one, in all trumps one of every suit, or none.

        Rule key: `bela.contracts`.
        """
        if trump == NO_TRUMPS or (trump == ALL_TRUMPS and self["all_trumps_bela"] == "none"):
            return ()
        suits = tuple(Suit) if trump == ALL_TRUMPS else (Suit(trump),)
        return tuple(tuple(Card(rank, suit) for rank in self.bela_ranks) for suit in suits)

    @property
    def seven_run(self) -> tuple[str, ...]:
        """The ranks of the run of three of which the seven is the lowest, or one of the lowest."""
        if self.seven_rank is None:
            return ()
        end = max(self.run_order.index(self.seven_rank) + 1, 3)
        return self.run_order[end - 3 : end]

    def seven(self, trump: str) -> Card | None:
        """The trump that may be swapped for the turned card; None without a trump suit."""
        if self.seven_rank is None or trump in (NO_TRUMPS, ALL_TRUMPS):
            return None
        return Card(self.seven_rank, Suit(trump))

    def beats(self, card: Card, other: Card, trump: str) -> bool:
        """True if one card beats the other."""
        return beats(card, other, trump, self.orders)

    def run_height(self, rank: str) -> int:
        """Place a rank in the order of runs; more is higher."""
        return len(self.run_order) - self.run_order.index(rank)


def read_ruleset(book: Rulebook, tables: Mapping[str, Any]) -> JackNineRuleset:
    """The rule set of a game's tables, once its conventions are chosen."""
    cards, points, table = tables["cards"], tables["points"], tables["table"]
    return JackNineRuleset(
        book=book,
        ring=Ring(table["players"], table["partnerships"]),
        ranks=tuple(cards["ranks"]),
        first_hand=cards["first_hand"],
        hand=cards["hand"],
        orders=Orders(tuple(cards["trump_order"]), tuple(cards["plain_order"])),
        run_order=tuple(cards["run_order"]),
        jass_rank=cards["jass"],
        nine_rank=cards["nine"],
        seven_rank=cards.get("seven"),
        bela_ranks=tuple(cards["bela"]),
        trump_points=points["trump"],
        plain_points=points["plain"],
        no_trumps_points=points.get("no_trumps") or {},
        all_trumps_points=points.get("all_trumps") or {},
        jass_points=points["jass"],
        nine_points=points["nine"],
        last_points=points["last"],
        last_all_points=points.get("last_all") or 0,
        whole_points=points.get("whole") or 0,
        whole_all_points=points.get("whole_all") or 0,
        bela_points=points["bela"],
        run_points={int(length): worth for length, worth in (points.get("runs") or {}).items()},
        fours_order=tuple(cards["fours_order"]),
        four_points=points.get("fours", {}),
        no_trumps_fours=_order_fours(cards, points),
        no_trumps=cards["no_trumps"],
        all_trumps=cards.get("all_trumps", False),
        direction=table.get("direction", "clockwise"),
        turned_card=cards["turn_up"],
        shows_card=cards["shown"],
        discards=cards.get("discards", 0),
        options=tables["options"],
    )


def _order_fours(cards: Mapping[str, Any], points: Mapping[str, Any]) -> Mapping[str, int]:
    """The values of fours of a kind in no-trumps, the best first; empty where they are the usual ones."""
    values = points.get("no_trumps_fours") or {}
    return {rank: values[rank] for rank in cards.get("no_trumps_fours_order", ()) if rank in values}


def write_cards(cards: Iterable[Card]) -> list[str]:
    """Cards as an answer writes them."""
    return [str(card) for card in cards]
