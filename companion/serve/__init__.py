"""The server: it comes up, says where it is, and serves from several processes.

`start` brings it up; `process` is one of its processes.
"""

from .start import serve

__all__ = ["serve"]
