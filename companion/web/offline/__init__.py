"""The app on the phone: headers for its scripts, its files, and its exchange with the server."""
