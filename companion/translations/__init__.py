"""The catalogues of messages, and what pybabel needs to collect them."""
