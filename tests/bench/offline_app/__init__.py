"""The app in a phone, in a browser of this machine: `./dev bench offline_app`."""

from .measuring import run

__all__ = ["run"]
