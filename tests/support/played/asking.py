"""Putting a hand that was played to the core: its questions, its course, whole records."""

from typing import Any

from derda import RECORD

from companion import library
from companion.beating.entries import Bout as BoutEntry
from companion.record import record as records

from .hand import PlayedHand
from .rules import SEATS, Moment, PlayedBout, TableRules


def opened(rules: TableRules) -> Any:
    return library.open_game("durak", None, rules.conventions, rules.players)


def ask(rules: TableRules, question: str, **facts: Any) -> Any:
    return opened(rules).family.rule({"question": question, "players": rules.players, **facts}).plain()


def names(seats: Any) -> list[str]:
    """Seats by their letters."""
    return [SEATS[seat] for seat in seats]


def facts_of(bout: PlayedBout, moment: Moment | None = None) -> dict[str, Any]:
    """The facts of a question about a bout, or about a moment of it."""
    moment = moment or bout.moments[0]
    return {
        "attacker": SEATS[moment.attacker],
        "defender": SEATS[moment.defender],
        "out": names(bout.out),
        "first_bout": bout.first,
        "none_beaten_off": bout.none_beaten_off,
    }


def bout_entry(rules: TableRules, bout: PlayedBout) -> BoutEntry:
    entry = {"type": "hand", "loser": None, "bouts": [bout.to_entry()]}
    (read,) = opened(rules).family.read(entry, "hand").bouts
    return read  # type: ignore[no-any-return]  # the family's own


def rule_on_steps(rules: TableRules, hand: PlayedHand, bout: PlayedBout, steps: list[dict[str, Any]]) -> Any:
    """What the arbiter says of these steps of a bout."""
    cards = {SEATS[seat]: cards for seat, cards in enumerate(bout.hands)}
    facts = facts_of(bout) | {"trump": hand.trump, "cards": cards, "talon": bout.talon, "steps": steps}
    facts |= {"shown_trump": hand.opening} if bout.first and hand.opening else {}
    return ask(rules, "bout", **facts)


def head(rules: TableRules, dealer: str = "A", **conventions: Any) -> dict[str, Any]:
    """A record without an entry."""
    return RECORD | {
        "game": "durak",
        "conventions": rules.conventions | conventions,
        "players": [f"Player {seat}" for seat in SEATS[: rules.players]],
        "first_dealer": dealer,
        "entries": [],
    }


def folded(rules: TableRules, entries: list[dict[str, Any]], dealer: str = "A") -> Any:
    record, game = records.read_record(head(rules, dealer) | {"entries": entries}, library.open_game)
    return records.fold_record(record, game.family)


FREE = 99
"""More than any hand holds."""


# --- what has to be the same ------------------------------------------------------------------


def check_bout(rules: TableRules, hand: PlayedHand, n: int) -> None:
    """How the nth bout ends, who draws how many, who is out and who plays next: as it was played."""
    bout, last = hand.bouts[n], hand.bouts[n].moments[-1]
    found = rule_on_steps(rules, hand, bout, bout.steps)
    expected: dict[str, Any] = {
        "step": None,
        "remedy": None,
        "surplus": None,
        "draws": [{"seat": SEATS[seat], "cards": cards} for seat, cards in bout.draws],
        "talon": bout.left,
        "out": names(bout.gone),
        "attacker": SEATS[last.attacker],
        "defender": SEATS[last.defender],
    }
    assert (found["verdict"], found["answer"]) == (bout.result, expected), (rules, bout)
    ends = {"attacker": SEATS[last.attacker], "defender": SEATS[last.defender]}
    begins: dict[str, Any] = {"attacker": SEATS[bout.attacker], "defender": SEATS[bout.defender]}
    begins |= {"transfers": bout.transfers} if bout.transfers else {}
    for roles in (ends, begins):
        then = ask(rules, "turn", **roles, result=bout.result, out=names(bout.gone))
        if n + 1 < len(hand.bouts):
            more = hand.bouts[n + 1]
            expected = {"attacker": SEATS[more.attacker], "defender": SEATS[more.defender], "loser": None}
            assert (then["verdict"], then["answer"]) == ("next", expected), (rules, bout)
        elif hand.ended:
            assert then["verdict"] == ("loser" if hand.loser else "draw"), (rules, bout)
            assert then["answer"]["loser"] == hand.loser, (rules, bout)


def check_throw_ins(rules: TableRules, hand: PlayedHand, bout: PlayedBout) -> None:
    """Every card that somebody thought of throwing in is allowed exactly where it was; the limit too."""
    for item in bout.tries:
        facts = facts_of(bout, item.moment) | {"table": item.table, "picking_up": item.picking_up}
        facts |= {"by": SEATS[item.by], "card": item.card, "defender_cards": item.moment.held}
        found = ask(rules, "throw-in", **facts, trump=hand.trump)
        limit, closed = item.limit, item.picking_up and rules.closed
        assert found["answer"] == {"limit": limit, "more": 0 if closed else limit - len(item.table)}, (
            rules,
            item,
        )
        assert found["verdict"] == ("allowed" if item.allowed else "not-allowed"), (rules, item)


def check_transfers(rules: TableRules, hand: PlayedHand, bout: PlayedBout) -> None:
    """Every card with which a defender thought of transferring does so exactly where it did."""
    for item in bout.transfer_tries:
        facts: dict[str, Any] = {"defender": SEATS[item.by], "table": item.table, "card": item.cards}
        facts |= {"shown": item.shown, "shown_before": item.before, "picking_up": item.picking_up}
        facts |= {"next_cards": item.next_cards, "first_bout": bout.first, "out": names(bout.out)}
        found = ask(rules, "transfer", **facts, trump=hand.trump)
        waiting = sum(len(pair) == 1 for pair in item.table)
        expected: tuple[str, Any] = (
            "not-allowed",
            {"attacker": None, "defender": SEATS[item.by], "cards": waiting},
        )
        if item.then is not None:
            roles = {"attacker": SEATS[item.by], "defender": SEATS[item.then]}
            placed = 0 if item.shown else len(item.cards)
            expected = ("allowed", roles | {"cards": waiting + placed})
        assert (found["verdict"], found["answer"]) == expected, (rules, item)


def check_progress(rules: TableRules, hand: PlayedHand) -> None:
    """Bout by bout the guide names who plays, throws in and draws, and how many cards; nothing is flagged."""
    family, followed = opened(rules).family, list[BoutEntry]()
    first = SEATS[hand.first[0]]
    for bout in hand.bouts:
        progress = family.follow_hand(first, followed)
        guide = family.guide(progress)
        assert (guide.attacker, guide.defender) == (SEATS[bout.attacker], SEATS[bout.defender])
        assert list(guide.throwers) == names(bout.throwers)
        assert min(guide.limit or FREE, bout.moments[0].held) == bout.limit
        assert sorted(progress.out) == names(bout.out)
        entry = bout_entry(rules, bout)
        ended = family.guide(progress, entry.transfers)
        last = bout.moments[-1]
        assert (ended.attacker, ended.defender) == (SEATS[last.attacker], SEATS[last.defender])
        passed = [bout.moments[n] for n, step in enumerate(bout.steps, 1) if "transfer" in step]
        way = [bout.attacker, bout.defender, *(moment.defender for moment in passed)]
        assert list(ended.path) == names(way)
        drawing = names(seat for seat, _cards in bout.draws)
        assert [seat for seat in ended.drawing if seat in drawing] == drawing
        followed.append(entry)
    assert family.follow_hand(first, followed).over == hand.ended
    stated = {"type": "hand", "loser": hand.loser, "first_attacker": first, "trump": hand.trump}
    entries: list[dict[str, Any]] = [stated | {"bouts": [bout.to_entry() for bout in hand.bouts]}]
    dealer = SEATS[hand.dealer]
    if hand.later:
        named = {"deals": dealer} if rules.teams else {}
        entries.insert(0, {"type": "hand", "loser": rules.side(hand.dealer)} | named)
    state = folded(rules, entries, "A" if hand.later else dealer)
    assert hand.ended is False or state.problems == (), (rules, state.problems)
    order = [seat for item in followed for seat in item.out]
    assert hand.ended is False or state.rows[-1].order == tuple(order)


def check_hand(rules: TableRules, hand: PlayedHand) -> int:
    """All of it; how many bouts were compared."""
    for n, bout in enumerate(hand.bouts):
        check_bout(rules, hand, n)
        check_throw_ins(rules, hand, bout)
        check_transfers(rules, hand, bout)
    check_progress(rules, hand)
    return len(hand.bouts)
