"""An export as a test reads it: line by line."""

from collections.abc import Iterator
from io import StringIO

from judging.archive.catalogue import OFFERED, export_chunks
from judging.models import Study


def export_lines(study: Study, what: str, form: str | None = None, **options: bool) -> Iterator[str]:
    """The lines of an export in a format of text, which is its default where `form` is None."""
    chunks = export_chunks(study, what, form or OFFERED[what].formats[0], **options)
    return iter(StringIO(b"".join(chunks).decode(), newline="\n"))
