"""The application in a phone: `application` makes it, `bridge` passes it what the browser asks."""
