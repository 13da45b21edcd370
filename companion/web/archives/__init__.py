"""Taking it with you: matches as files, files as matches; what was put away, and what was deleted."""
