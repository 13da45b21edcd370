"""Lists of matches: in pages that cost what they show, however long the list is; searched in the database."""
