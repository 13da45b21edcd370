"""Pages of the arbiter: questions, answers, saved rulings. Other packages import from here."""

from companion.wording.rulings import question_about

from .form import query_of
from .saved import AttachedRuling, attached_rulings, describe_ruling, log_ruling
