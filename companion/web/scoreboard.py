"""To come."""

from flask import Blueprint

bp = Blueprint("scoreboard", __name__)


@bp.get("/m/<id>")
def scoreboard(id: str) -> str:
    """The scoreboard."""
    return id
