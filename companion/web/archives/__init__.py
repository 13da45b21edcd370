"""Matches as files, and files as matches; archived matches, and deleted ones."""
