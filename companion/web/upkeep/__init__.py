"""What those look at who keep the server running: whether it lives, what it was asked, how much it does."""
