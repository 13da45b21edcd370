"""The app in a phone, in a browser of this machine: `./dev bench pocket`."""

from .measuring import run

__all__ = ["run"]
