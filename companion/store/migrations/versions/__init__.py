"""The migrations of the tables, step by step; run at start-up."""
