"""The shell that all pages share: language, forms, errors, matches, words."""
