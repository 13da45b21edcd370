"""Pages of the arbiter: questions, answers, saved rulings. Other packages import from here."""

from companion.wording.rulings import question_about

from . import saved, views
from .address import query_of
from .saved_ruling import AttachedRuling, attached_rulings, describe_ruling

BLUEPRINTS = (views.bp, saved.bp)
"""The pages of this room."""

__all__ = [
    "BLUEPRINTS",
    "AttachedRuling",
    "attached_rulings",
    "describe_ruling",
    "query_of",
    "question_about",
]
