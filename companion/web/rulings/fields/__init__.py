"""Fields of the questions, by the kind of fact that they take."""
