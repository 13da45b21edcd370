"""Heavy work: asked for here, with a page that says how far it is. Other rooms enter by what stands here."""

from .asking import ask, edition, judge, prepare, rule
from .pages import init_app

__all__ = ["ask", "edition", "init_app", "judge", "prepare", "rule"]
