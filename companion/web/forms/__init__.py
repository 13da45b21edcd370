"""From a schema to the fields of a form and back: which field stands for which place of an entry."""
