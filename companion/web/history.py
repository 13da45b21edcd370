"""To come."""

from flask import Blueprint

bp = Blueprint("history", __name__)
