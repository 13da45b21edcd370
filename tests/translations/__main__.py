"""What is wrong in the languages, one line for each thing: `python -m tests.translations [language ...]`.

Without a language all are looked at, and what is wrong in one that `companion/i18n.py` calls unfinished is
only counted; a language that is named is told of line by line, finished or not.
"""

import sys
from collections.abc import Sequence

from companion.i18n import LANGUAGES, SOURCE, UNFINISHED

from .checks import check_language, count_done


def main(asked: Sequence[str]) -> int:
    """Print what is wrong; 1 where something is that has to be mended, 2 for an unknown language."""
    unknown = [item for item in asked if item not in LANGUAGES]
    if unknown:
        print(f"{unknown[0]} is no language: must be one of {', '.join(LANGUAGES)}", file=sys.stderr)
        return 2
    wrong = 0
    for language in asked or LANGUAGES:
        found = [*check_language(language)]
        done, number = (0, 0) if language == SOURCE else count_done(language)
        if asked or language not in UNFINISHED:
            wrong += len(found)
            print(*found, sep="\n", end="\n" if found else "")
        if language in UNFINISHED:
            print(f"{language}: {done} of {number} messages translated, {len(found)} findings; unfinished")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
