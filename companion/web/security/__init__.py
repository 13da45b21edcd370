"""Who may come in: the name of the site, its key, and the browsers it knows."""
