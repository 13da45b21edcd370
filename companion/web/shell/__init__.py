"""What pages of every kind share: language, forms, errors, matches, words."""
