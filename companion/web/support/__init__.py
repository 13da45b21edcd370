"""What pages of every kind share: language, forms, errors, who is asking, words."""
