"""The catalogues of messages, and the extraction for pybabel."""
