"""Two tables of one game side by side: what they agree differently, which rules only one of them has."""

from dataclasses import dataclass

from companion.rules.rulebook import Convention, Rule

from .table import RuleTable


@dataclass(frozen=True)
class Contrast:
    """One convention at both tables, in words; None where nothing depends on it."""

    convention: Convention
    left: str | None
    right: str | None

    @property
    def differs(self) -> bool:
        """Whether the tables agree it differently."""
        return self.left != self.right


def differing_conventions(left: RuleTable, right: RuleTable) -> list[Contrast]:
    """Every convention that matters at one of the tables at least."""
    contrasts = []
    for convention in left.game.book.conventions.values():
        texts = [table.describe(convention) if table.matters(convention) else None for table in (left, right)]
        if any(text is not None for text in texts):
            contrasts.append(Contrast(convention, *texts))
    return contrasts


def rules_only_at(left: RuleTable, right: RuleTable) -> tuple[Rule, ...]:
    """The rules that apply at the first table and not at the second."""
    there = {rule.id for rule in right.game.book.rules_for(right.game.conventions, right.game.players)}
    here = left.game.book.rules_for(left.game.conventions, left.game.players)
    return tuple(rule for rule in here if rule.id not in there)
