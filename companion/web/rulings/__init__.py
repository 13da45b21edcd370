"""Pages of the arbiter: questions, answers, rulings that are saved."""
