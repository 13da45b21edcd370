"""The application on a phone: `application` creates it, `bridge` passes it the browser's requests."""
