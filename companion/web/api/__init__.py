"""The arbiter for programs, over HTTP."""
