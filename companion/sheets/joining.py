"""A joiner of the PDFs of WeasyPrint, the sections of one long sheet, before they are written."""

from collections.abc import Mapping
from functools import lru_cache
from io import BytesIO
from re import compile
from typing import Any

_REFERENCE = compile(rb"(\d+) 0 R")


class JoinedPdf:
    """The sections joined so far: pages, and the tree of tags, one after another.

    The first one brings title, language and outline. Later ones are stored as bytes, which take a tenth of
    the memory of objects.
    """

    def __init__(self) -> None:
        self._pdf: Any = None
        self._sections = 0
        self.pages = 0

    def add(self, document: Any, pdf: Any) -> None:
        """Add a section: WeasyPrint calls this with a document and its PDF, which is then left empty."""
        self._sections += 1
        if self._pdf is None:
            import pydyf

            self._pdf = pydyf.PDF()
            self._pdf.objects, self._pdf.pages = list(pdf.objects), pdf.pages
            self._pdf.catalog, self._pdf.info = pdf.catalog, pdf.info
        else:
            self._append(pdf)
        self.pages += len(document.pages)
        del pdf.objects[1:]
        pdf.info = {}

    def write(self) -> bytes:
        """Write the whole document."""
        output = BytesIO()
        self._pdf.write(output, b"1.7", None, True)
        return output.getvalue()

    def _append(self, pdf: Any) -> None:
        ours, theirs = _find_tags(self._pdf), _find_tags(pdf)
        shared = {part.number: same.number for same, part in zip(ours, theirs, strict=True)}
        shared |= {pdf.pages.number: self._pdf.pages.number, pdf.catalog.number: self._pdf.catalog.number}
        moved = [each for each in pdf.objects if each.free != "f" and each.number not in shared]
        first = len(self._pdf.objects)
        numbers = shared | {each.number: first + n for n, each in enumerate(moved)}
        for each in moved:
            if isinstance(each, dict) and "StructParents" in each:
                each["StructParents"] += self.pages
            self._pdf.add_object(_write(each, numbers, self._sections))
        for number in pdf.pages["Kids"][::3]:
            self._pdf.pages["Kids"].extend([numbers[number], 0, "R"])
        self._pdf.pages["Count"] += pdf.pages["Count"]
        (_root, document, places), (_, more, further) = ours, theirs
        document["K"].extend(_renumber(more["K"], numbers, 0))
        for at, value in zip(further["Nums"][::2], further["Nums"][1::2], strict=True):
            places["Nums"].extend([at + self.pages, _renumber(value, numbers, 0)])


def _find_tags(pdf: Any) -> tuple[Any, Any, Any]:
    """Find the root of the tags of a PDF, its document, and the table of their positions."""
    root = _find(pdf, pdf.catalog["StructTreeRoot"])
    return root, _find(pdf, root["K"][0]), _find(pdf, root["ParentTree"])


def _find(pdf: Any, reference: bytes) -> Any:
    return pdf.objects[int(reference.split()[0])]


@lru_cache(maxsize=1)
def _make_written_class() -> Any:
    """Build a class of PDF objects that are bytes already, and take no more memory than these.

    It is built once, as its base class is imported only when something is printed.
    """
    import pydyf

    class Written(pydyf.Object):  # type: ignore[misc]  # it brings no types
        __slots__ = ("compressible", "data", "number", "offset")
        generation, free = 0, "n"

        def __init__(self, data: bytes, compressible: bool) -> None:
            self.data, self.compressible, self.offset = data, compressible, 0

    return Written


def _write(each: Any, numbers: Mapping[int, int], section: int) -> Any:
    """Write an object as bytes, under the new numbers of the objects it names."""
    if hasattr(each, "extra"):  # a stream
        each.extra = _renumber(each.extra, numbers, section)
        data = each.data
    else:
        data = _renumber(each, numbers, section).data
    return _make_written_class()(data, each.compressible)


def _renumber(value: Any, numbers: Mapping[int, int], section: int) -> Any:
    """Put a value under new numbers; cell names, derived from numbers, get the section's number."""
    import pydyf

    if isinstance(value, bytes):
        found = _REFERENCE.fullmatch(value)
        return b"%d 0 R" % numbers[int(found[1])] if found else value
    if isinstance(value, dict):
        return pydyf.Dictionary(
            {
                key: _rename(each, section) if key in ("ID", "Headers") else _renumber(each, numbers, section)
                for key, each in value.items()
            }
        )
    if isinstance(value, list):
        return pydyf.Array([_renumber(each, numbers, section) for each in value])
    return value


def _rename(name: Any, section: int) -> Any:
    import pydyf

    if isinstance(name, list):
        return pydyf.Array([_rename(each, section) for each in name])
    return pydyf.String(f"{section}-{name.string}")
