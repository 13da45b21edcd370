"""Companion: scores, rulings and printed sheets for card games."""

__all__ = ["create_app"]


def __getattr__(name: str) -> object:
    # Imported only when asked for: the pure sub-packages load no web framework.
    if name == "create_app":
        from companion.web import create_app

        return create_app
    raise AttributeError(name)
