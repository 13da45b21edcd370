"""What may stand in the records of a game of beating, and what it may be asked, mostly rightly."""

from collections.abc import Mapping
from typing import Any

from anything import any_conventions, junk, mostly, record_head, some
from hypothesis import strategies as st

from companion import library

CARDS = ["6S", "7S", "10S", "AS", "6H", "7H", "KH", "7D", "10D", "QD", "7C", "9C", "JC", "AC", "*B", "*R"]
card = st.sampled_from(CARDS)


class BeatingTable:
    """So many players of one game, alone or in teams."""

    def __init__(self, name: str, players: int, form: str = "individual") -> None:
        self.name, self.players, self.form = name, players, form
        self.game = library.open_game(name, None, {"format": form}, players)
        ring = self.game.family.ruleset.ring
        self.seat, self.side = st.sampled_from(ring.seats), st.sampled_from(ring.sides)
        self.seats = st.lists(self.seat, max_size=3)
        self.result = st.sampled_from(["beaten-off", "picked-up"])

    def __str__(self) -> str:
        return f"{self.name} {self.form} {self.players}"

    def head(self, conventions: Mapping[str, Any], **more: Any) -> dict[str, Any]:
        chosen = {"format": self.form, **conventions}
        return record_head(self.name, self.players, conventions=chosen, **more)

    def request(self, question: str, conventions: Mapping[str, Any], facts: Mapping[str, Any]) -> Any:
        """A request at such a table."""
        head = {"game": self.name, "conventions": {"format": self.form, **conventions}}
        return {**head, "question": question, "players": self.players, **facts}

    @property
    def conventions(self) -> st.SearchStrategy[dict[str, Any]]:
        """Some conventions, chosen at random."""
        return any_conventions(self.game.book, "format")

    @property
    def transfers(self) -> st.SearchStrategy[Any]:
        """How an attack was passed on."""
        cards = card | st.lists(card, min_size=1, max_size=3)
        one = st.fixed_dictionaries({"by": self.seat}, optional={"card": cards, "shown": st.booleans()})
        return st.lists(one, max_size=3)

    @property
    def entries(self) -> st.SearchStrategy[Any]:
        """Entries of every kind, most of them hands."""
        bout = st.fixed_dictionaries(
            {"attacker": self.seat, "defender": self.seat, "result": self.result | st.just("cancelled")},
            optional={"out": st.lists(self.seat, max_size=2, unique=True), "transfers": self.transfers},
        )
        hand = {
            "deals": self.seat,
            "dealer": self.seat,
            "trump": st.sampled_from("SHDC"),
            "first_attacker": self.seat,
            "bouts": st.lists(bout, max_size=6),
            "walked_out": self.seat,
            "walked_after": st.integers(0, 6),
            "sixes": st.integers(0, 4),
            "order": st.lists(self.seat, max_size=4, unique=True),
            "note": st.text(max_size=4),
        }
        hands = st.tuples(mostly(self.side | st.none()), some(hand, 3)).map(
            lambda two: {"type": "hand", "loser": two[0]} | two[1]
        )
        misdeals = st.fixed_dictionaries(
            {
                "type": st.just("hand"),
                "misdeal": st.sampled_from(["five-suited", "six-coloured"]),
                "by": mostly(self.seat),
            },
            optional={"dealer": self.seat},
        )
        left = st.fixed_dictionaries(
            {"type": st.just("hand"), "walked_out": self.seat}, optional={"loser": self.side}
        )
        touch = st.fixed_dictionaries(
            {
                "type": st.just("touch"),
                "by": mostly(self.seat),
                "cards": mostly(st.sampled_from(["touched", "cut"])),
            }
        )
        return st.one_of(hands, hands, misdeals, left, touch, st.just({"type": "close"}), junk)

    @property
    def request_facts(self) -> Mapping[str, st.SearchStrategy[Any]]:
        """What the facts of questions may be, by their keys."""
        step = st.fixed_dictionaries(
            {"seat": self.seat},
            optional={
                "card": card | st.lists(card, min_size=1, max_size=2),
                "beats": card,
                "pick_up": st.booleans(),
                "returns": st.lists(card, min_size=1, max_size=2),
                "transfer": st.booleans(),
                "shown": st.booleans(),
            },
        )
        held = st.integers(0, 8) | st.lists(card, max_size=6, unique=True)
        return {
            "attack": card,
            "with": card,
            "trump": st.sampled_from("SHDC"),
            "attacker": self.seat,
            "defender": self.seat,
            "by": self.seat,
            "table": st.lists(st.lists(card, min_size=1, max_size=2), max_size=3),
            "card": card | st.lists(card, min_size=1, max_size=2),
            "defender_cards": st.integers(1, 12),
            "picking_up": st.booleans(),
            "first_bout": st.booleans(),
            "none_beaten_off": st.booleans(),
            "next_cards": st.integers(0, 8),
            "shown": st.booleans(),
            "shown_trump": card,
            "shown_before": st.booleans(),
            "transfers": self.transfers,
            "lot": self.seat,
            "stopped": self.seats,
            "out": self.seats,
            "talon": st.integers(0, 24),
            "cards": st.fixed_dictionaries(dict.fromkeys(self.game.family.ruleset.ring.seats, held)),
            "steps": st.lists(step, max_size=5),
            "result": self.result | st.sampled_from(["first", "loss", "draw"]),
            "got": st.sampled_from(["dealt", "drawn", "picked-up"]),
            "turn_up": card,
            "exhausting_round": st.booleans(),
            "next_bout_begun": st.booleans(),
            "dealer": self.seat,
            "loser": self.side,
            "deals": self.seat,
            "lowest_trump": self.seat | st.none(),
        }


TABLES = [
    *(BeatingTable("durak", players) for players in (2, 3, 4, 5, 6)),
    BeatingTable("durak", 4, "teams-4"),
    BeatingTable("durak", 6, "teams-6"),
]
