"""What stands on a printed sheet."""

import pypdfium2


def read_pages(pdf: bytes) -> list[str]:
    """The text of every page, on one line each."""
    document = pypdfium2.PdfDocument(pdf)
    try:
        return [" ".join(page.get_textpage().get_text_range().split()) for page in document]
    finally:
        document.close()
