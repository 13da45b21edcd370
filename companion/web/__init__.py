"""The web face: parses what a page sends, calls the core, renders what comes back. No rule is here."""
