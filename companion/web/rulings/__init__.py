"""Pages of the arbiter: questions, answers, rulings that are saved."""

from .form import query_of
from .saved_ruling import AttachedRuling, attached_rulings, describe_ruling
from .wording import settling

__all__ = ["AttachedRuling", "attached_rulings", "describe_ruling", "query_of", "settling"]
