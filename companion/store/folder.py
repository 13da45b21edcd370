"""The instance folder, where everything lies that the program keeps."""

from pathlib import Path

from .errors import CannotStart


def make_folder(folder: Path) -> None:
    """Make the instance folder where there is none.

    :raises CannotStart: when it cannot be made.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError):
        raise CannotStart(
            f"{folder} is no folder, nor can it become one; name another with COMPANION_INSTANCE"
        ) from None
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise CannotStart(
            f"{folder} cannot be made ({why}); make it for this user, or name another with COMPANION_INSTANCE"
        ) from error
