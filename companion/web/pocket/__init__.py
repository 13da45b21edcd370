"""What the server does for the pocket, the whole app in a phone: its files, and what is exchanged."""
