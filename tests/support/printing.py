"""One sheet, composed and printed."""

from typing import Any

from companion import sheets
from companion.record.record import Record
from companion.rules.game import PlayedGame


def compose_page(kind: str, game: PlayedGame, record: Record | None = None, **more: Any) -> sheets.Page:
    """One sheet; like `sheets.SheetOrder`."""
    played = more.pop("played", None)
    return sheets.SheetOrder(kind, game, record, **more).compose(played)


def print_sheet(kind: str, game: PlayedGame, record: Record | None = None, **more: Any) -> bytes:
    """The PDF of one sheet; like `sheets.SheetOrder` and `sheets.print_sheets`."""
    paper, language = more.pop("paper", "a4"), more.get("language", "en")
    return sheets.print_sheets([compose_page(kind, game, record, **more)], paper=paper, language=language)
