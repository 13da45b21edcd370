"""Which facts a table's conventions make matter: those that make no difference need not be asked for."""

from collections.abc import Mapping

from companion.beating.ruleset import BeatingRuleset
from companion.rules.message import Message


def find_irrelevant_facts(ruleset: BeatingRuleset, question: str) -> frozenset[str]:
    """The keys of facts by which no answer to a question can change under these conventions."""
    ring = ruleset.ring
    transfers = ruleset.transfers_attacks()
    first_defence = not ring.partnerships and ruleset["first_defence_limit"] < ruleset.most
    lasts = first_defence and ruleset.caps_until_beaten_off()
    first_transfer = transfers and ruleset.has_option("transfer_first", "off")
    by_trump = ruleset.has_option("first_hand", "lowest-trump")
    matters = {
        "deals": ring.partnerships,
        "lowest_trump": by_trump,
        "lot": by_trump and ruleset.draws_lots(),
        "none_beaten_off": lasts,
        "first_bout": (first_transfer and question != "throw-in")
        or (first_defence and not lasts and question != "transfer"),
        "shown": ruleset.shows_trumps(),
        "shown_before": ruleset.shows_trumps(),
        "transfers": transfers,
        "trump": question != "transfer" or ruleset.shows_trumps(),
        "stopped": ring.size > 2,
        "out": ring.size > 2 or question == "turn",
        "exhausting_round": not ruleset["severnyi"],
        "next_bout_begun": not ruleset["severnyi"],
    }
    return frozenset(key for key, does in matters.items() if not does)


def find_notes(ruleset: BeatingRuleset, question: str) -> Mapping[str, Message]:
    """Notes under these conventions on facts, by their keys."""
    notes = dict[str, Message]()
    if question == "next-hand" and (
        ruleset.redeals_five_suited() or not ruleset.has_option("walk_out", "fool")
    ):
        notes["result"] = Message("The last one that counted: not one that was dealt again, nor a void one.")
    if ruleset.plays_on():
        notes["out"] = Message("Whoever left the table is out as well.")
    return notes
