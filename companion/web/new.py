"""To come."""

from flask import Blueprint

bp = Blueprint("new", __name__)


@bp.get("/new")
def new() -> str:
    """A new match."""
    return "new"
