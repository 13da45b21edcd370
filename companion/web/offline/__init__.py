"""The app on the phone: what its scripts learn with every answer, its files, and what it exchanges."""
