"""The files that can be imported: a record, a saved ruling, a ZIP of them, or a phone's rows, within limits.

Nothing is ever unpacked to disk, so names in a ZIP cannot do harm; and a document is read again when it is
imported, so that a large archive is never in memory as a whole.
"""

import json
import math
import re
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from io import BytesIO
from itertools import groupby
from pathlib import Path, PurePosixPath
from typing import Any

from companion.rules.errors import Unreadable, refuse_duplicates
from companion.rules.message import Message

from .rows import ROWS_FORMAT, pack_rows

MAX_BYTES = 64 * 1024 * 1024
"""The most bytes of one record or ruling; the longest possible history has less."""
MAX_FILES = 20_000
"""The most files in one archive."""
MAX_UNPACKED = 1024 * 1024 * 1024
"""The most bytes of all files of an archive together."""

_METHODS = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}
"""The accepted compression of members; other methods may take any amount of memory."""

Data = bytes | Path
"""The content of a file, or its path."""

_ROWS = re.compile(rb'\s*{\s*"format":\s*"%b"' % ROWS_FORMAT.encode())
"""The beginning of a phone's rows."""
_IGNORED = {".pdf", ".csv", ".txt", ".md", ".html"}
"""Files in an archive that are only for people."""
_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, OSError, ValueError)
"""The errors of reading a damaged archive; `NotImplementedError`: an unknown compression."""


@dataclass(frozen=True)
class Piece:
    """One document called `name`: a file of its own, or a `member` of an archive."""

    data: Data = field(repr=False)
    name: str
    member: str | None = None

    def read(self) -> Any:
        """Read its JSON. :raises Unreadable: if that is invalid, or too long."""
        return parse_document(self._read_bytes())

    def _read_bytes(self) -> bytes:
        if self.member is None:
            return _read_all(self.data)
        with _open_zip(self.data) as archive:
            return _read_member(archive, self.member)


def list_pieces(data: Data, name: str = "") -> list[Piece]:
    """List the documents in a file of this `name`: one, or those of an archive or of a phone's rows.

    :raises Unreadable: if it is an archive that is unreadable or too large, or rows that are damaged.
    """
    start = _read_start(data)
    if _ROWS.match(start):
        data = pack_rows(parse_document(_read_all(data)))
    elif not start.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return [Piece(data, name or (data.name if isinstance(data, Path) else ""))]
    with _open_zip(data) as archive:
        found = archive.infolist()
        if len(found) > MAX_FILES:
            raise Unreadable("", Message("an archive of at most {most} files", most=MAX_FILES))
        if sum(info.file_size for info in found) > MAX_UNPACKED:
            most = MAX_UNPACKED // 1024**2
            raise Unreadable("", Message("an archive of at most {most} MB when it is unpacked", most=most))
        return [Piece(data, show_name(info.filename), info.filename) for info in found if _is_document(info)]


def read_pieces(pieces: list[Piece]) -> Iterator[tuple[Piece, Any]]:
    """Read each piece as JSON, or as the `Unreadable` with the reason.

    Neighbouring members of one archive are read in one go.
    """
    for _data, beside in groupby(pieces, key=lambda piece: (id(piece.data), piece.member is None)):
        group = list(beside)
        if group[0].member is None:
            yield from ((piece, _try(piece.read)) for piece in group)
            continue
        try:
            with _open_zip(group[0].data) as archive:
                for piece in group:
                    member = str(piece.member)
                    yield piece, _try(lambda name=member: parse_document(_read_member(archive, name)))
        except Unreadable as error:
            yield from ((piece, error) for piece in group)


def _try(read: Any) -> Any:
    try:
        return read()
    except Unreadable as error:
        return error


def parse_document(raw: bytes) -> Any:
    """Parse JSON.

    :raises Unreadable: if it is invalid, or has numbers that no record has, or a key of an object twice.
    """
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Unreadable("", Message("text in UTF-8")) from None
    try:
        return json.loads(
            text,
            parse_constant=_refuse_number,
            parse_float=_read_float,
            object_pairs_hook=refuse_duplicates,
        )
    except Unreadable:
        raise
    except json.JSONDecodeError as fault:
        where = Message(
            "valid JSON; there is an error in line {line}, column {column}",
            line=fault.lineno,
            column=fault.colno,
        )
        raise Unreadable("", where) from None
    except (ValueError, RecursionError):
        raise Unreadable("", Message("JSON with numbers and nesting of ordinary size")) from None


def show_name(name: str) -> str:
    """Make a file's name fit to be shown: in one line, not too long."""
    return "".join(char if char.isprintable() else "�" for char in name)[-120:]


def _refuse_number(text: str) -> Any:
    raise ValueError(text)


def _read_float(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(text)
    return value


def _read_start(data: Data) -> bytes:
    """The first bytes, which tell what it is."""
    try:
        with _open(data) as file:
            return bytes(file.read(40))
    except OSError as fault:
        raise Unreadable("", Message("a file that can be read")) from fault


def _is_document(info: zipfile.ZipInfo) -> bool:
    """True for a document: not a folder, a sheet, or a system's additional file."""
    path = PurePosixPath(info.filename)
    is_hidden = path.name.startswith(".") or "__MACOSX" in path.parts
    return not (info.is_dir() or is_hidden or path.suffix.lower() in _IGNORED)


def _open(data: Data) -> Any:
    return BytesIO(data) if isinstance(data, bytes) else data.open("rb")


@contextmanager
def _open_zip(data: Data) -> Iterator[zipfile.ZipFile]:
    with ExitStack() as opened:
        try:
            file = opened.enter_context(_open(data))
            archive = opened.enter_context(zipfile.ZipFile(file))
        except _BROKEN as fault:
            raise Unreadable("", Message("an undamaged ZIP archive")) from fault
        yield archive


def _read_member(archive: zipfile.ZipFile, name: str) -> bytes:
    try:
        info = archive.getinfo(name)
        if info.flag_bits & 1:
            raise Unreadable("", Message("packed without a password"))
        if info.file_size > MAX_BYTES:
            raise _too_large()
        if info.compress_type not in _METHODS:
            raise Unreadable("", Message("packed without damage"))
        with archive.open(info) as member:
            return _within_limit(member.read(MAX_BYTES + 1))
    except Unreadable:
        raise
    except (*_BROKEN, KeyError, RuntimeError) as fault:
        raise Unreadable("", Message("packed without damage")) from fault


def _read_all(data: Data) -> bytes:
    try:
        with _open(data) as file:
            return _within_limit(file.read(MAX_BYTES + 1))
    except OSError as fault:
        raise Unreadable("", Message("a file that can be read")) from fault


def _within_limit(content: bytes) -> bytes:
    if len(content) > MAX_BYTES:
        raise _too_large()
    return content


def _too_large() -> Unreadable:
    return Unreadable("", Message("a file of at most {most} MB", most=MAX_BYTES // 1024**2))
