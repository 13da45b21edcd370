"""Compiles the catalogues and counts translations: `python -m companion.translations.compiling`.

The choice of languages shows the progress of incomplete ones (`companion.i18n.progress`); no page waits for
it.
"""

import json
from pathlib import Path

from babel.messages.catalog import Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

FOLDER = Path(__file__).parent
PROGRESS = "progress.json"


def compile_catalogues(folder: Path = FOLDER) -> dict[str, int]:
    """Compile every catalogue that has changed; return the percentage translated of each."""
    progress = {}
    for source in sorted(folder.glob("*/LC_MESSAGES/messages.po")):
        language = source.parts[-3]
        with source.open("rb") as file:
            catalogue = read_po(file, locale=language)
        entries = [entry for entry in catalogue if entry.id]
        done = sum(map(_is_done, entries))
        progress[language] = 100 * done // max(len(entries), 1)
        target = source.with_suffix(".mo")
        if not target.exists() or target.stat().st_mtime <= source.stat().st_mtime:
            with target.open("wb") as file:
                write_mo(file, catalogue)
    counted, path = json.dumps(progress, sort_keys=True), folder / PROGRESS
    # Unchanged files keep their time, so that nothing is built from them again.
    if not path.exists() or path.read_text("utf-8") != counted:
        path.write_text(counted, "utf-8")
    return progress


def _is_done(entry: Message) -> bool:
    forms = [entry.string] if isinstance(entry.string, str) else [*(entry.string or ())]
    return bool(forms) and all(forms) and not entry.fuzzy


if __name__ == "__main__":
    compile_catalogues()
