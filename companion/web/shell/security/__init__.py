"""Who may come in, and what stays with them: the site, its key, the browsers, what these keep."""
