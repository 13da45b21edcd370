"""A match as files: its record with the whole history, a table for a spreadsheet; and other exports."""

from io import StringIO

from flask import Blueprint, Response, render_template

from companion import archives
from companion.web.shell.matches import access, matches, open_match
from companion.web.shell.spreadsheet import MARK, find_separator
from companion.web.shell.zone import phone_zone

bp = Blueprint("exports", __name__)


@bp.get("/m/<id>/export")
def export(id: str) -> str:
    """Show what can be taken along of a match; to its owner also how to archive and delete it."""
    match = open_match(id)
    evening = matches().evening(match) if access(match).may_share else [match]
    return render_template(
        "archives/export.html", match=match, evening=len(evening), columns=archives.COLUMNS
    )


@bp.get("/m/<id>/record.json")
def record(id: str) -> Response:
    """Send the match record: the entries that count, the whole history, and the remarks."""
    match = open_match(id)
    document = archives.write_match(matches(), match)
    return _send(
        archives.format_json(document), "application/json", f"{archives.name_match(match, phone_zone())}.json"
    )


@bp.get("/m/<id>/table.csv")
def table(id: str) -> Response:
    """Send a row for every entry, for a spreadsheet."""
    match = open_match(id)
    text = StringIO(newline="")
    archives.write_csv([match], text, find_separator())
    return _send(f"{MARK}{text.getvalue()}", "text/csv", f"{archives.name_match(match, phone_zone())}.csv")


def _send(content: str | bytes, mimetype: str, name: str) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(content, mimetype=mimetype, headers=headers)
