"""Results in a few lines of text, for a message to those who were not there."""

from companion.rules.message import Message, Translate

from .model import EveningPage, MatchPage, SessionPage, SessionSide, SheetSide


def report_match(page: MatchPage | SessionPage, translate: Translate) -> str:
    """Report in a line what was played, by whom, the score, and how it ended or stands."""
    sides: list[SheetSide | SessionSide] = [*page.sides]
    sides.sort(key=lambda side: not side.named)  # as the figures of the result
    score = ", ".join(f"{side.name} {str(side.total).replace('-', '−')}" for side in sides)
    return f"{_label(page.game, score, translate)}. {page.result.headline}."


def report_evening(page: EveningPage, translate: Translate) -> str:
    """Report an evening: its matches, a line for each, what each player won, who pays whom."""
    lines = [", ".join((page.title, *page.facts)), *(match.line for match in page.matches)]
    for column in page.columns:
        cells = [f"{name} {cell}" for name, cell in zip(page.players, column.cells, strict=True) if cell]
        lines.append(f"{_label(column.label, ', '.join(cells), translate)}.")
    return "\n".join(filter(None, [*lines, page.streak, *page.forfeits, *page.payments]))


def _label(label: str, text: str, translate: Translate) -> str:
    return Message("{side}: {reason}", side=label, reason=text).render(translate)
