"""The numbers and orders of a game that its texts name by placeholders."""

from .ruleset import BeatingRuleset


def find_text_fact(ruleset: BeatingRuleset, name: str) -> object:
    """Find a number or an order by its name in texts.

    `order`; `cards.pack`, `cards.suited` without jokers, `cards.jokers`, `cards.hand`, `cards.most`;
    `players.least`, `players.most`.

    :raises KeyError: for an unknown name.
    """
    return {
        "order": ruleset.order,
        "cards.pack": len(ruleset.pack),
        "cards.suited": len(ruleset.pack) - ruleset.jokers,
        "cards.jokers": ruleset.jokers,
        "cards.hand": ruleset.hand,
        "cards.most": ruleset.most,
        "players.least": ruleset.sizes[0],
        "players.most": ruleset.sizes[-1],
    }[name]
