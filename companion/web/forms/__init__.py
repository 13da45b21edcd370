"""Forms from a schema and back: which field stands for which path of an entry."""
