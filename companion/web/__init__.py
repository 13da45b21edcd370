"""The web pages: they parse what is sent, call the core, and render the result. No rule is here."""
