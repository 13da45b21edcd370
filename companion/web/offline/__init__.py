"""The app on the phone: what its scripts are told with every answer, and files that change all at once."""
